# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#
# What a user sees of a recording while it runs, and what it must bear: arguments of any bytes, a
# crowd of short lives, a ring that is too small.
# shellcheck disable=SC2034,SC2154 # shared with tests/live/run

# "  1.5 s  90 frames  1234 events  0.1 MiB  0 lost"
PROGRESS='^ *[0-9.]+ s +[0-9]+ frames +[0-9]+ events +[0-9.]+ [KMG]iB +[0-9]+ lost'

# The last figure before this word in the last line that has it.
figure() { # word, file
	grep -aoE "[0-9]+ $1" "$2" | tail -n 1 | cut -d ' ' -f 1
}

progress_line() {
	local frames lines

	if ! command -v script >/dev/null; then
		skip "script (util-linux) is not installed"
		return
	fi
	limited 30 script -qec "'$framescope' record -o '$work/x.fsc' -- '$player' -c sleep -n 120 \
		-p 10000 -a 600" "$work/typescript" >"$work/out" 2>&1
	status=$?
	if [ "$status" != 0 ]; then
		fail "record on a terminal ended with status $status" "$work/out"
		return
	fi
	tr '\r' '\n' <"$work/out" | sed 's/\x1b\[[0-9;]*[A-Za-z]//g' >"$work/seen"
	grep -aE "$PROGRESS" "$work/seen" >"$work/progress"
	lines=$(wc -l <"$work/progress")
	# The last one is that of the end: it says what there is.
	frames=$("$framescope" dump "$work/x.fsc" | grep -c ' span .* depth=0 ')
	if [ "$lines" -lt 3 ]; then
		fail "$lines progress lines in more than 1.5 s" "$work/seen"
	elif [ "$(figure frames "$work/progress")" != "$frames" ] || [ "$frames" != 120 ]; then
		fail "the last progress line does not say $frames of 120 frames" "$work/progress"
	elif ! awk '{ bad += $1 < s || $3 < f || $5 < e || $7 + 0 != $7; s = $1; f = $3; e = $5 }
		END { exit bad || !s || !e }' "$work/progress"; then
		fail "the figures go back" "$work/progress"
	else
		pass "$lines lines"
	fi
}

# Not in a log file.
no_progress_line() {
	run_framescope record -o "$work/x.fsc" -- "$player" -c sleep -n 60 -p 10000 -a 600
	if [ "$status" != 0 ]; then
		fail "exit status $status" "$work/log"
	elif grep -q $'\r' "$work/log" "$work/out" || grep -qE "$PROGRESS" "$work/log" "$work/out"; then
		fail "there is a progress line where no terminal is" "$work/log"
	else
		pass
	fi
}

# A recording straight into a trace, and one whose trace can't be written.
record_trace() {
	run_framescope record -o "$work/x.pftrace" -- "$player" -c sleep -n 60 -p 10000 -a 600
	if [ "$status" != 0 ] || [ -e "$work/x.pftrace.fsc" ]; then
		fail "exit status $status, or the capture is still there" "$work/log"
		return
	fi
	mkdir "$work/y.pftrace"
	"$framescope" frames "$work/x.pftrace" --format csv >"$work/csv" 2>"$work/frames.log"
	run_framescope record -o "$work/y.pftrace" -- "$player" -c sleep -n 60 -p 10000 -a 600
	# One that is cut by the end of the recording may be behind the last.
	if [ "$(grep -c ',complete,' "$work/csv")" != 59 ]; then
		fail "not 59 whole frames in the trace" "$work/csv" "$work/frames.log"
	elif [ "$status" != 1 ] || ! grep -q "framescope export .*y.pftrace.fsc" "$work/log"; then
		fail "a trace that can't be written: status $status" "$work/log"
	elif [ "$("$framescope" frames "$work/y.pftrace.fsc" --format csv | grep -c ',complete,')" != 59 ]; then
		fail "not 59 whole frames in the capture that is left" "$work/log"
	else
		pass
	fi
}

# Is standard input JSON? Without Python nobody asks.
is_json() {
	if command -v python3 >/dev/null; then
		python3 -m json.tool >/dev/null 2>&1
	else
		cat >/dev/null
	fi
}

# A command line is bytes, a capture's description is text.
odd_arguments() {
	run_framescope record -o "$work/x.fsc" -- sh -c $'exit 0 # \xff"\x01'
	if [ "$status" != 0 ]; then
		fail "exit status $status" "$work/log"
	elif ! "$framescope" dump "$work/x.fsc" >"$work/dump" 2>"$work/dump.log"; then
		fail "the capture can't be read" "$work/dump.log"
	elif ! iconv -f UTF-8 -t UTF-8 "$work/dump" >/dev/null 2>&1 || grep -q $'\x01' "$work/dump"; then
		fail "the dump is not text" "$work/dump"
	# The escape is escaped itself by JSON, and that by the dump.
	elif ! grep -qE ' meta .*exit 0 # \\+(x|u00)ff' "$work/dump"; then
		fail "the command line is not in the dump" "$work/dump"
	elif ! "$framescope" report --json "$work/x.fsc" | is_json; then
		fail "the report is no JSON" "$work/log"
	else
		pass
	fi
}

# Every process and thread of a crowd of short lives is there, with its beginning and its end.
storm() {
	local made

	run_framescope record -o "$work/x.fsc" -- "${player%/*}/storm" 300
	if [ "$status" != 0 ]; then
		fail "exit status $status" "$work/log"
		return
	fi
	if grep -E 'error|cannot' "$work/log" >"$work/complaints"; then
		fail "there is a complaint" "$work/complaints"
		return
	fi
	"$framescope" dump "$work/x.fsc" >"$work/dump"
	made=$(awk '$4 == "lost" { lost++ }
		$4 != "task" { next }
		{ split($3, id, "/"); thread = id[1] != id[2] }
		/ op=new / { n[thread]++ }
		/ op=exit / { x[thread]++ }
		END { print n[0] + 0, n[1] + 0, x[0] + 0, x[1] + 0, lost + 0 }' "$work/dump")
	if [ "$(figure lost "$work/log")" != 0 ]; then
		fail "records were lost" "$work/log"
	elif [ "$made" != "300 600 301 600 0" ]; then
		# The storm itself is no child of its own, but ends like one.
		fail "processes, threads, their ends, losses: $made, not 300 600 301 600 0" "$work/log"
	else
		pass
	fi
}

# Frames whose threads lost a record in between must say so: a gap in a thread's numbers lies
# between two records, and a frame around both has the loss in it.
find_silent_losses() {
	awk 'FILENAME ~ /dump$/ {
			if ($4 != "offcpu" && $4 != "span") next
			split($3, id, "/")
			seq = $0; sub(/.* seq=/, "", seq); sub(/ .*/, "", seq)
			key = $4 " " id[2]
			if (key in last && seq + 0 > last[key] + 1) {
				n = ++gaps[id[2]]
				from[id[2], n] = at[key]
				to[id[2], n] = $1
			}
			last[key] = seq
			at[key] = $1
			next
		}
		FNR == 1 { FS = ","; for (i = 1; i <= NF; i++) col[$i] = i; next }
		$col["status"] == "complete" {
			tid = $col["render_tid"]
			for (i = 1; i <= gaps[tid]; i++)
				if ($col["start_ns"] + 0 <= from[tid, i] + 0 && $col["end_ns"] + 0 >= to[tid, i] + 0) {
					print "complete, but with a gap: " $0
					break
				}
		}' "$work/dump" FS=, "$work/csv"
}

# Rows whose parts don't make up their time.
find_wrong_sums() {
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) {
				col[$i] = i
				if ($i ~ /^render_.*_ns$/) part[i]
			}
			next
		}
		{
			sum = 0
			for (i in part) sum += $i
			if (sum != $col["wall_ns"] || $col["end_ns"] - $col["start_ns"] != sum) print
		}' "$work/csv"
}

# Rings far too small, which for a while nobody reads: what is lost is counted, and no frame
# pretends to be whole.
overflow() {
	local printed counted lossy

	# shellcheck disable=SC2016 # expanded by the inner shell
	start_record --buffer 4 -- sh -c '"$1" 3 "$2" 100000 & "$3" -c sleep -n 200 -p 8000 -a 700; wait' \
		sh "$burner" "$(($(nproc) > 1 ? 2 : 1))" "$player" || return
	sleep 1.2
	kill -STOP "$recorder" 2>/dev/null
	sleep 0.4
	kill -CONT "$recorder" 2>/dev/null
	if ! wait_end 20 "$recorder" || [ "$status" != 0 ]; then
		fail "record ended with status $status" "$work/log"
		return
	fi
	read_frames || return
	"$framescope" dump "$work/x.fsc" >"$work/dump" 2>"$work/dump.log"
	printed=$(figure 'lost$' "$work/log")
	counted=$(awk '$4 == "lost" { sub(/.* count=/, ""); n += $1 } END { printf "%.0f", n }' "$work/dump")
	lossy=$(column status | grep -cx lossy)
	find_silent_losses >"$work/silent"
	find_wrong_sums >"$work/sums"
	"$framescope" report "$work/x.fsc" >"$work/report" 2>&1
	if [ "$counted" = 0 ] || [ "$lossy" = 0 ]; then
		fail "$counted records lost, $lossy of $rows frames lossy: no test" "$work/log"
	elif [ "$printed" != "$counted" ]; then
		fail "record says $printed lost, the capture $counted" "$work/log"
	elif [ -s "$work/silent" ]; then
		fail "$(wc -l <"$work/silent") frames hide a loss" "$work/silent"
	elif [ -s "$work/sums" ]; then
		fail "$(wc -l <"$work/sums") frames have parts that don't add up" "$work/sums"
	elif grep -qi 'nothing was lost' "$work/report" || ! grep -qi 'lossy' "$work/report"; then
		fail "the report does not tell of the loss" "$work/report"
	else
		pass "$counted records lost, $lossy of $rows frames lossy"
	fi
}

# Two recordings can't share a file: the second one says so, the first one goes on.
same_file() {
	start_record -- "$player" -c sleep -n 200 -p 5000 -a 500 || return
	run_framescope record -o "$work/x.fsc" -- true
	if [ "$status" != 1 ] || ! grep -q 'another recording' "$work/log"; then
		fail "exit status $status" "$work/log"
		return
	fi
	if ! wait_end 20 "$recorder" || [ "$status" != 0 ]; then
		fail "the first recording ended with status $status"
		return
	fi
	"$framescope" dump "$work/x.fsc" >"$work/dump" 2>"$work/dump.log"
	if [ -s "$work/dump.log" ]; then
		fail "the capture is not sound" "$work/dump.log"
	else
		pass
	fi
}

# Under nohup it outlives its terminal.
hang_up() {
	start nohup "$framescope" record -d 2 -o "$work/x.fsc" -p $$
	wait_for 10 is_written
	kill -HUP "$pid"
	if wait_end 20 "$pid" && [ "$status" = 0 ]; then
		pass
	else
		fail "ended with status $status" "$work/background"
	fi
}

is_written() {
	[ -s "$work/x.fsc" ]
}

# A kernel thread calls no function and maps no library: recording it would end at once, unexplained.
kernel_thread() {
	run_framescope record -o "$work/x.fsc" -p 2
	if [ "$status" != 1 ] || ! grep -q 'kernel thread' "$work/log"; then
		fail "exit status $status" "$work/log"
		return
	fi
	# By its name: the message names it, as also one whose process has just ended.
	run_framescope record -o "$work/x.fsc" --comm kthreadd
	expect_error 1 "'kthreadd'" 'kernel thread' '^  try: '
}

# Of its own costs the share of a CPU is that of the recording, however short: the start-up apart.
own_cost() {
	run_framescope record -d 0.2 -o "$work/x.fsc" -- sleep 5
	if [ "$status" != 0 ]; then
		fail "exit status $status" "$work/log"
	# One thread can't use more than one CPU; the last digit is rounded.
	elif ! awk '/framescope itself:.* ms while recording, .* % of one CPU; .* ms to start and to end/ {
			found = 1
			high = $7 > 100.1
		}
		END { exit !found || high }' "$work/log"; then
		fail "no share of a CPU, or more than all of one" "$work/log"
	else
		pass
	fi
}

# A watched program names its library so that a terminal would obey; no message may pass that on.
hostile_name() {
	local lib

	lib=$work/$(printf 'lib\033[31m\nEGL')
	mkdir "$lib"
	cp "${player%/*}"/lib*.so "$player" "$lib"
	run_framescope record -v -o "$work/x.fsc" --uprobe "$lib/player:player_work" -- \
		"$lib/player" -c sleep -n 20 -p 5000 -a 1000
	if [ "$status" != 0 ] || ! grep -q 'lib?\[31m?EGL' "$work/log"; then
		fail "the library was not recorded" "$work/log"
	elif grep -q "$(printf '\033')" "$work/log"; then
		fail "a message holds an escape sequence"
	else
		pass
	fi
}

add_test faults trace record_trace
add_test faults same-file same_file
add_test faults hang-up hang_up
add_test faults kernel-thread kernel_thread
add_test faults own-cost own_cost
add_test faults hostile-name hostile_name
add_test faults progress-line progress_line
add_test faults no-progress-line no_progress_line
add_test faults odd-arguments odd_arguments
add_test faults storm storm
add_test faults overflow overflow
