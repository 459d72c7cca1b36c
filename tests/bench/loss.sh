# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#
# Whether a recording with default buffers keeps up: two threads call a probed function 100 000
# times a second each, and the capture must have every call. Also the recorder's peak memory.

bench_loss() {
	local hit calls rate spans records lost peak_kib=0 kib note=
	local out=$WORK/loss.fsc

	hit=$(realpath "$TOOLS/uprobe_hit")
	progress "loss: 200000 calls/s for 5 s"
	"$FRAMESCOPE" record -o "$out" --uprobe "$hit:hit" -- "$hit" pace 2 100000 5 \
		>"$WORK/loss.out" 2>"$WORK/loss.log" &
	recorder=$!
	# Its own peak; what the kernel reports at its end would cover its children too.
	while kib=$(awk '/^VmHWM/ { print $2 }' "/proc/$recorder/status" 2>/dev/null) && [ -n "$kib" ]; do
		peak_kib=$kib
		sleep 0.1
	done
	wait "$recorder" || true
	recorder=
	read -r calls rate < <(awk 'NF == 2 && $1 + 0 == $1' "$WORK/loss.out")
	if [ -z "$calls" ]; then
		result loss "records lost at 200000 records/s" - "" "<=" 0 "$(last_line "$WORK/loss.log")"
		return 0
	fi
	"$FRAMESCOPE" dump "$out" >"$WORK/loss.txt"
	records=$(wc -l <"$WORK/loss.txt")
	spans=$(grep -c " span " "$WORK/loss.txt" || true)
	lost=$((calls - spans))
	result loss "calls of a probed function, reached" "$rate" "calls/s" ">=" 199000
	result loss "records in the capture" "$records" ""
	result loss "calls that the capture does not have" "$lost" "" "<=" 0 "$note"
	result loss "record's peak memory meanwhile" "$(calc "$peak_kib / 1024")" MiB "<=" 64
}
