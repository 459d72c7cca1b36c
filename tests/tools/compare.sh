#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#
# Tests tests/live/compare on a made-up truth and made-up frames: right ones pass, and every single
# fault is found.
set -uo pipefail

compare=${BUILD:-build}/tests/live/compare
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failed=0

# Ten frames of 10 ms; in each the thread 12 is woken from a lock after 7 ms by the thread 13, and
# its swap takes the last 2 ms.
make() { # ns that the program takes to get out of the swap, ns before that it ends for framescope
	awk -v out="$1" 'BEGIN {
		for (i = 0; i <= 10; i++) {
			end = 1000000000 + (i + 1) * 10000000
			printf "11,12,0x1000,%d,%d,%d,%d,", end - 2000000, end - 1980000, end - out, end
			printf "lock,%d,13,%d,0,0,1\n", i * 7000000, i * 3000000
		}
	}' >"$dir/facts"
	awk -v early="$2" 'BEGIN {
		printf "frame,producer,pid,ui_tid,render_tid,surface,start_ns,end_ns,wall_ns,status,"
		printf "render_running_ns,render_runnable_ns,render_fence_ns,render_slot_ns,"
		printf "render_gpu_ns,render_lock_ns,render_binder_ns,render_ipc_ns,render_io_ns,"
		printf "render_sleep_ns,render_other_ns,render_unknown_ns,swap_ns,dequeue_ns,queue_ns,"
		printf "top_cause,top_cause_ns,top_waker,top_detail\n"
		for (i = 0; i <= 10; i++) {
			end = 1000000000 + (i + 1) * 10000000 - early
			printf "%d,\"a, \"\"b\"\"\",11,12,12,0x1000,%d,%d,10000000,%s,", i + 1,
				end - 10000000, end, i ? "complete" : "truncated"
			printf "3000000,0,0,0,0,7000000,0,0,0,0,0,0,1980000,,,lock,7000000,"
			printf "helper/13,futex\n"
		}
	}' >"$dir/right"
}

# name, expected exit status, sed script that breaks the frames, one that changes the truth
expect() {
	local status word

	sed -E "$3" "$dir/right" >"$dir/csv"
	sed -E "${4-}" "$dir/facts" >"$dir/truth"
	"$compare" it "$dir/truth" "$dir/csv" >"$dir/out"
	status=$?
	if [ "$status" != "$2" ]; then
		echo "FAIL compare/$1: exit status $status instead of $2"
		failed=1
		return
	fi
	case $status in
	0) word=PASS ;;
	4) word=SKIP ;;
	*) word=FAIL ;;
	esac
	if grep -q "^$word it" "$dir/out"; then
		echo "PASS compare/$1"
	else
		echo "FAIL compare/$1: no line with $word"
		failed=1
	fi
}

make 20000 10000
expect right 0 ''
expect order-of-lines 0 '4{h;d};6G'
expect sum 1 '5s/,3000000,/,3000001,/'
expect wall 1 '5s/,10000000,complete/,10000001,complete/'
expect missing 1 '5d'
expect twice 1 '5p'
expect invented 1 '5{p;s/,1039990000,10000000/,1034990000,5000000/;s/,3000000,/,0,/;s/7000000/5000000/}'
expect invented-thread 1 '5{p;s/,12,12,/,14,14,/}'
expect invented-surface 1 '5{p;s/0x1000/0x2000/}'
expect lossy 1 '5s/complete/lossy/'
expect truncated 1 '5s/complete/truncated/'
expect first-complete 1 '2s/truncated/complete/'
expect no-swap 1 '5s/,1980000,/,,/'
expect no-number 1 '5s/,1980000,/,-,/'
expect no-column 1 '1s/swap_ns/swap/'
expect no-frames 1 '/complete|truncated/d'
expect cause 3 '5s/,lock,/,io,/'
expect waker 3 '5s/helper\/13/helper\/14/'
expect interrupt 0 's/helper\/13/hard irq/' 's/,13,/,-1,/'
expect interrupt-unseen 3 's/helper\/13//' 's/,13,/,-1,/'
expect bystander 1 's/helper\/13/hard irq/;5s/hard irq/helper\/13/' 's/,13,/,-1,/'
expect one-waker-unseen 0 '5s/helper\/13//'
expect no-waker 3 's/helper\/13//'
expect unknown 3 's/,0,0,7000000,0,0,0,0,0,0,/,0,0,6000000,0,0,0,0,0,1000000,/'
expect early-end 1 '5s/,1029990000,1039990000,/,1028690000,1038690000,/'
expect early-start 1 's/,1029990000,1039990000,/,1009990000,1039990000,/'
expect swap-too-long 1 's/,1980000,/,2000001,/'
expect swap-too-short 1 's/,1980000,/,1950000,/'
expect running 3 's/,3000000,0,0,0,0,7000000,/,2000000,0,0,0,0,8000000,/'

# The helper was late by chance, and the program ran instead: no proof, but no fault either.
expect busy 4 's/,lock,/,running,/' 's/lock,[0-9]*/lock,0/'
# A frame before the recorder had its time may be missing.
expect not-required 0 '2,5d' '1,4s/1$/0/'

# Where the program itself was held up on its way out, only the order is judged.
make 200000 100000
expect boundary 3 ''
make 320000 100000
expect held-up 0 ''

exit $failed
