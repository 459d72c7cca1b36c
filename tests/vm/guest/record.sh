# shellcheck shell=dash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# A recording loads, attaches and sees a sleep of 300 ms as what it was.
# shellcheck disable=SC2154 # from the lib

framescope_run record -v -o "$work/x.fsc" -d 5 -- /bin/sleep 0.3
if [ "$status" != 0 ]; then
	fail "exit status $status" "$work/log"
elif ! framescope dump "$work/x.fsc" >"$work/dump"; then
	fail "the capture can't be read" "$work/log"
else
	slept=$(awk '$4 == "offcpu" && / call=sleep / { split($5, out, "=")
		print int(($1 - out[2]) / 1000000) }' "$work/dump" | sort -n | tail -n 1)
	# A CPU that the host stops in between leaves it late, for a sleep that has begun.
	if [ "${slept:-0}" -ge 250 ] && [ "$slept" -lt 1500 ]; then
		pass "$(wc -l <"$work/dump") records, slept $slept ms"
	else
		fail "slept ${slept:-no} ms, not 300" "$work/log" "$work/dump"
	fi
fi
