# shellcheck shell=dash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# A recording loads, attaches and sees a sleep of 300 ms as what it was, ended by an interrupt.
# shellcheck disable=SC2154 # from the lib

framescope_run record -v -o "$work/x.fsc" -d 5 -- /bin/sleep 0.3
if [ "$status" != 0 ]; then
	fail "exit status $status" "$work/log"
elif ! framescope dump "$work/x.fsc" >"$work/dump"; then
	fail "the capture can't be read" "$work/log"
else
	# "MS CONTEXT" of the longest; the context is that of who ended it, here of the clock's interrupt.
	longest=$(awk '$4 == "offcpu" && / call=sleep / { split($5, out, "=")
		match($0, / context=[a-z]+/)
		print int(($1 - out[2]) / 1000000), substr($0, RSTART + 9, RLENGTH - 9) }' \
		"$work/dump" | sort -n | tail -n 1)
	slept=${longest% *}
	# A CPU that the host stops in between leaves it late, for a sleep that has begun.
	if [ "${slept:-0}" -lt 250 ] || [ "$slept" -ge 1500 ]; then
		fail "slept ${slept:-no} ms, not 300" "$work/log" "$work/dump"
	elif [ "${longest#* }" != hardirq ]; then
		fail "a sleep's waker is ${longest#* }, not hardirq" "$work/log" "$work/dump"
	else
		pass "$(wc -l <"$work/dump") records, slept $slept ms until an interrupt"
	fi
fi
