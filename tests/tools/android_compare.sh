#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#
# Tests tests/live/android_compare on a made-up truth and made-up rows: right ones pass, and every
# single fault is found.
set -uo pipefail

compare=${BUILD:-build}/tests/live/android_compare
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failed=0

# Ten frames of one window, a message each, the process 11 with the RenderThread 12; the last is
# skipped. From its intended vsync on a frame takes 100, 200, 300, 400 and 500 us on the UI thread,
# 50 us until RenderThread begins, then 600, 700 and 800 us, of which 60 us in a dequeue, and 900 us
# of GPU; the layout says which slots hold that.
facts() { # layout
	awk -v layout="$1" '
		function slots(v, after) {
			after = ",7,8"
			if (layout < 22)
				return "0," v "," v ",9,9," v + 100000 "," v + 300000 "," v + 600000 "," \
					v + 1000000 "," v + 1500000 "," v + 1550000 "," v + 2150000 "," \
					v + 2850000 "," v + 3650000 after (layout == 17 ? ",5" : "")
			return "0," id "," v "," v ",0," v + 100000 "," v + 300000 "," v + 600000 "," \
				v + 1000000 "," v + 16666666 "," v + 50000 ",16666666" \
				(layout > 23 ? ",16666666" : "") (layout > 24 ? ",-1" : "") "," \
				v + 1500000 "," v + 1550000 "," v + 2150000 "," v + 2850000 "," \
				v + 4550000 after "," v + 4550000 "," v + 3650000 ",929" \
				(layout > 22 ? "," v + 2900000 : "")
		}
		BEGIN {
			print "app pid=11 name=com.example.app layout=" layout " settled_ns=1"
			for (i = 0; i < 10; i++) {
				v = 1000000000 + i * 20000000
				id = 500 + i
				printf "frame pid=11 ui_tid=11 render_tid=12 tracker=0x1000 frame_number=%d ", i + 1
				printf "vsync_id=%d kind=%s ", layout < 22 ? -1 : id, i < 9 ? "normal" : "skipped"
				printf "scenario=it window=0 slots=%s begin_ns=%d ", slots(v), v + 90000
				printf "called_ns=%d queued_ns=%d ", v + 1490000, v + 1500000
				printf "unblock_ns=%d released_ns=%d ", v + 2200000, v + 2210000
				printf "left_ns=%d returned_ns=%d ", v + 2210000, v + 2230000
				if (i < 9) {
					printf "deadline_after=%d ", layout < 22 ? 0 : v + 20000000
					printf "janky=1 janky_legacy=1 stuffed=0 davey=0 counted_ns=3600000 "
					printf "types=slow_ui_thread,frame_deadline_missed "
					printf "stage=sync_prepare cause=lock waker=13 "
					printf "dominant_ns=2000000 next_ns=100000 "
					printf "queue_ns=%d queue_leave_ns=%d ", v + 2850000, v + 3600000
					printf "queue_end_ns=%d ", v + 3650000
				} else {
					printf "skip_reason=NothingToDraw "
				}
				printf "dequeue_min_ns=55000 dequeue_max_ns=65000 message=%d\n", i
			}
			for (i = 0; i < 10; i++) {
				v = 1000000000 + i * 20000000
				printf "message pid=11 tid=11 number=%d begin_min_ns=%d begin_max_ns=%d ", i,
					v + 20000, v + 30000
				printf "end_min_ns=%d end_max_ns=%d frames=1 vsync_id=%d\n", v + 2530000,
					v + 2540000, layout < 22 ? -1 : 500 + i
			}
		}' >"$dir/facts"
}

rows() { # layout
	awk -v layout="$1" '
		function parts(prefix, i, s) {
			s = ""
			for (i = 1; i <= 12; i++)
				s = s "," prefix name[i] "_ns"
			return s
		}
		function commas(n) {
			return n ? "," commas(n - 1) : ""
		}
		BEGIN {
			split("running runnable fence slot gpu lock binder ipc io sleep other unknown", name)
			is_12 = layout >= 22
			is_16 = layout >= 24
			printf "frame,pid,ui_tid,render_tid,start_ns,end_ns,wall_ns,status%s", parts("render_")
			printf ",top_cause,top_waker,frame_kind,skip_reason,vsync_id,frame_number,jank_tracker"
			printf ",unknown_delay_ns,input_handling_ns,animation_ns,layout_measure_ns,draw_ns"
			printf ",sync_ns,command_issue_ns,swap_buffers_ns,total_ns,first_draw_frame"
			printf ",intended_vsync_ns,vsync_ns,gpu_duration_ns,deadline_ns"
			printf ",frame_timeline_vsync_id,render_queue_ns,commit_ns,sync_dequeue_ns"
			printf ",frame_deadline_ns,hwui_janky,hwui_janky_legacy,hwui_total_ns"
			printf ",hwui_stuffed,hwui_davey,hwui_confidence,hwui_jank_types"
			printf ",top_stage%s\n", parts("ui_")
			for (i = 0; i < 9; i++) {
				v = 1000000000 + i * 20000000
				printf "%d,11,11,12,%d,%d,3640000,complete", i + 1, v, v + 3640000
				printf ",1000000,0,0,0,0,2640000,0,0,0,0,0,0,lock,helper/13,normal,"
				printf ",%s,%s,0x1000", is_12 ? 500 + i : "", is_12 ? i + 1 : ""
				printf ",100000,200000,300000,400000,500000,600000,700000,800000"
				printf ",%d,0,%d,%d", is_12 ? 4550000 : 3650000, v, v
				printf ",%s", layout < 22 ? "" : layout == 22 ? 1700000 : 1650000
				printf ",%s,%s", is_12 ? 20000000 : "", is_16 ? 500 + i : ""
				printf ",50000,320000,60000,%s", is_12 ? v + 16666666 : ""
				printf ",1,%s,3600000,%s,0,exact", is_12 ? 1 : "", is_12 ? 0 : ""
				printf ",slow_ui_thread frame_deadline_missed,sync_prepare"
				printf ",2000000,0,0,0,0,220000,0,0,0,0,0,0\n"
			}
			v = 1180000000
			printf "10,11,11,12,%d,%d,3000000,complete", v, v + 3000000
			printf ",3000000,0,0,0,0,0,0,0,0,0,0,0,running,,skipped,NothingToDraw,%s",
				is_12 ? 509 : ""
			printf "%s,%d,%d%s\n", commas(12), v, v, commas(27)
		}' >"$dir/right"
	awk -v layout="$1" 'BEGIN {
			printf "start_ns,end_ns,wall_ns,pid,tid,process,frames,vsync_id,status,running_ns,"
			printf "runnable_ns,fence_ns,slot_ns,gpu_ns,lock_ns,binder_ns,ipc_ns,io_ns,sleep_ns,"
			printf "other_ns,unknown_ns\n"
			for (i = 0; i < 10; i++) {
				v = 1000000000 + i * 20000000
				printf "%d,%d,2510000,11,11,com.example.app,1,%s,complete,2000000,10000", v + 25000,
					v + 2535000, layout < 22 ? "" : 500 + i
				printf ",0,0,0,500000,0,0,0,0,0,0\n"
			}
		}' >"$dir/right_messages"
}

# Change a column of a row of a file: name, row, awk expression of x, file
change() {
	awk -F, -v OFS=, -v name="$1" -v row="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i }
		NR == row + 1 { x = $c; $c = '"$3"' }
		{ print }' "$4"
}

# name, expected exit status; the files are made
judge() {
	local status

	"$compare" "${options[@]}" it "$dir/truth" "$dir/csv" "$dir/messages" >"$dir/out"
	status=$?
	if [ "$status" != "$2" ]; then
		echo "FAIL android_compare/$1: exit status $status instead of $2"
		sed 's/^/#   /' "$dir/out"
		failed=1
	else
		passed=$((passed + 1))
	fi
}

# name, expected exit status, sed scripts that break frames, messages, truth
expect() {
	sed -E "$3" "$dir/right" >"$dir/csv"
	sed -E "${4-}" "$dir/right_messages" >"$dir/messages"
	sed -E "${5-}" "$dir/facts" >"$dir/truth"
	judge "$1" "$2"
}

# A number that is one too large, or missing, is found: columns...
expect_numbers() {
	local column

	for column; do
		change "$column" 4 'x + 1' "$dir/right" >"$dir/csv"
		judge "$layout/$column+1" 1
		change "$column" 4 '""' "$dir/right" >"$dir/csv"
		judge "$layout/no-$column" 1
	done
}

passed=0
options=()
for layout in 16 17 22 23 24 25; do
	facts "$layout"
	rows "$layout"
	expect "$layout/right" 0 ''
	expect_numbers unknown_delay_ns input_handling_ns animation_ns layout_measure_ns draw_ns sync_ns \
		command_issue_ns swap_buffers_ns total_ns first_draw_frame vsync_ns render_queue_ns \
		hwui_janky hwui_total_ns hwui_davey
	if [ "$layout" -ge 22 ]; then
		expect_numbers vsync_id frame_number gpu_duration_ns deadline_ns frame_deadline_ns \
			hwui_janky_legacy hwui_stuffed
	else
		change gpu_duration_ns 4 1 "$dir/right" >"$dir/csv"
		judge "$layout/gpu_duration_ns" 1
	fi
	[ "$layout" -lt 24 ] || expect_numbers frame_timeline_vsync_id
done
change frame_timeline_vsync_id 4 '-1' "$dir/right" >"$dir/csv"
judge frame_timeline_vsync_id-none 1

# By the layout with the most.
expect order-of-lines 0 '4{h;d};6G' '4{h;d};6G'
expect missing 1 '5d'
expect twice 1 '5p'
expect other-window 1 '5s/0x1000/0x2000/'
expect lossy 1 '5s/complete/lossy/'
expect kind 1 '5s/normal/first/'
expect no-column 1 '1s/draw_ns/drawn_ns/'
expect no-number 1 '5s/,100000,200000,/,-,200000,/'
expect behind-the-last 0 '11{p;s/complete/truncated/;s/skipped,NothingToDraw/,/}'
expect of-another 0 '5{p;s/^4,11/4,99/}'
expect invented 1 '5{p;s/,0x1000,/,,/;s/normal/skipped/}'
expect no-hwui 1 '5{p;s/,0x1000,/,,/;s/normal//}'
expect before-settled 0 '2,4d' '2,4d' 's/settled_ns=1$/settled_ns=1059000000/'
expect late-end 1 '5s/,1063640000,3640000,/,1063660000,3660000,/;5s/,2640000,/,2660000,/'
expect early-end 1 '5s/,1063640000,3640000,/,1063590000,3590000,/;5s/,2640000,/,2590000,/'
expect wall 1 '5s/,3640000,complete/,3640001,complete/'
expect sum 1 '5s/,2640000,/,2640001,/'
expect ui-sum 1 '5s/,220000,/,320000,/'
expect ui-unknown 1 '5s/,2000000,0,0,0,0,220000,0,0,0,0,0,0$/,,,,,,,,,,,,/'
expect commit 1 '5s/,50000,320000,/,50000,290000,/'
expect no-commit 1 '5s/,50000,320000,/,50000,,/'
expect dequeue 1 '5s/,320000,60000,/,320000,66000,/'
expect ui-thread 1 '5s/^4,11,11,12,/4,11,13,12,/'
expect render-thread 1 '5s/^4,11,11,12,/4,11,11,11,/'
expect one-cause 0 '5s/,lock,helper/,ipc,helper/'
expect two-causes 3 '5,6s/,lock,helper/,ipc,helper/'
expect two-stages 3 '5,6s/sync_prepare/draw/'
expect two-wakers 3 '5,6s/helper\/13/helper\/14/'
expect unvouched 0 '5,6s/sync_prepare/draw/' '' '5,6s/dominant_ns=2000000/dominant_ns=550000/'
expect busy 4 '' '' 's/dominant_ns=2000000/dominant_ns=550000/'
expect unseen 3 '5,6s/,220000,0,0,0,0,0,0$/,120000,0,0,0,0,0,100000/'
expect skipped-missing 1 '11d'
expect skipped-twice 1 '11p'
expect skipped-for-nothing 0 '11s/NothingToDraw//'
expect skipped-for-else 1 '11s/NothingToDraw/NoBuffer/'
expect skipped 0 ''
change total_ns 10 5 "$dir/right" >"$dir/csv"
judge skipped-total 1
expect skipped-id 1 '11s/,509,/,510,/'
expect jank-type 1 '5s/exact,slow/exact,missed_vsync slow/'
expect no-jank-type 1 '5s/exact,slow_ui_thread /exact,/'
expect jank-type-of-state 1 '5s/exact,slow/exact,high_input_latency slow/'
expect probable 0 '5s/exact,slow/probable,high_input_latency slow/'
expect probable-jank-type 1 '5s/exact,slow/probable,missed_vsync slow/'
expect message-missing 1 '' '5d'
expect message-twice 1 '' '5p'
expect message-invented 1 '' '5{p;s/^10600/10601/;s/,2510000,/,2410000,/;s/,500000,/,400000,/}'
expect message-end 1 '' '5s/,1062535000,2510000,/,1062545000,2520000,/;5s/,500000,/,510000,/'
expect message-sum 1 '' '5s/,500000,/,500001,/'
expect message-frames 1 '' '5s/app,1,/app,2,/'
expect message-id 1 '' '5s/,503,/,504,/'
expect message-name 1 '' '5s/com.example.app/example/'
expect no-slots 1 '' '' '6s/slots=[^ ]*//'
options=(-m)
expect skipped-and-marked 1 '11s/NothingToDraw//'
[ "$failed" = 1 ] || echo "PASS android_compare: $passed judgements on right and on broken rows"
exit $failed
