# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#
# What a recording must stand with default buffers: 200 000 records a second on two CPUs, without a
# loss and in 64 MiB.
# shellcheck disable=SC2034,SC2154 # shared with tests/live/run

LOAD_RATE=200000
LOAD_SECONDS=5
LOAD_RSS_KIB=65536

# The highest memory that the recorder ever had, as long as it lives, into $work/peak.
watch_peak() {
	local kib

	while kib=$(awk '/^VmHWM/ { print $2 }' "/proc/$recorder/status" 2>/dev/null) && [ -n "$kib" ]; do
		echo "$kib" >"$work/peak"
		sleep 0.1
	done
}

load() {
	local cpus try made records lost rate peak

	cpus=$(nproc)
	[ "$cpus" -gt 2 ] && cpus=2
	for try in 1 2; do
		rm -f "$work"/*
		start_record -- "$burner" "$LOAD_SECONDS" "$cpus" "$LOAD_RATE" || return
		watch_peak
		wait_end 20 "$recorder"
		if [ "$status" != 0 ]; then
			fail "record ended with status $status" "$work/log"
			return
		fi
		made=$(tail -n 1 "$work/out")
		"$framescope" dump "$work/x.fsc" >"$work/dump" || return
		read -r records rate lost <<<"$(awk '
			$4 == "offcpu" { n++; if (!first) first = $1; last = $1 }
			$4 == "lost" { match($0, / count=[0-9]+/)
				lost += substr($0, RSTART + 7, RLENGTH - 7) }
			END { printf "%d %d %d", n, n / (last - first) * 1e9, lost }' "$work/dump")"
		rm "$work/dump"
		peak=$(cat "$work/peak")
		if [ "$peak" -ge "$LOAD_RSS_KIB" ]; then
			fail "the recorder took $peak KiB"
			return
		fi
		if [ "$lost" = 0 ] && [ "$((records / LOAD_SECONDS))" -ge "$((made * 99 / 100))" ]; then
			if [ "$made" -ge "$((LOAD_RATE * 95 / 100))" ]; then
				pass "$rate records/s, none lost, $peak KiB"
			else
				skip "this machine makes $made switches/s only, not $LOAD_RATE; none lost"
			fi
			return
		fi
		[ "$try" = 1 ] && echo "# tried once more: $records records, $lost lost, of $made/s"
	done
	fail "$records records, $lost lost, of $made/s" "$work/log"
}

add_test load load load
