# shellcheck shell=dash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Fences that never signal: a recording ends while two stand-in pipelines keep theirs, and what
# framescope lists of them is judged by what the pipelines know. One's display never signals; the
# other's GPU does not, for which two processes wait.
# shellcheck disable=SC2154 # shared with guest-lib.sh

scenarios="never gpu-hangs"
cat >"$work/play" <<'END'
for scenario; do
	{
		timeout -s KILL 40 pipeline -a "$probing" -n 10 -H "$work/$scenario.hold" \
			"$scenario" "$work/$scenario.truth" 2>"$work/$scenario.log"
		echo $? >"$work/$scenario.status"
	} &
done
# The recorder ends what a command has started with it, unless that has ended by itself.
END

all() { # suffix: is there such a file of each scenario?
	local scenario

	for scenario in $scenarios; do
		[ -e "$work/$scenario.$1" ] || return 1
	done
}

any() { # suffix
	local scenario

	for scenario in $scenarios; do
		[ -e "$work/$scenario.$1" ] && return 0
	done
	return 1
}

await() { # condition...
	local left=150

	until "$@" || [ "$left" = 0 ]; do
		left=$((left - 1))
		sleep 0.2
	done
}

held_or_ended() {
	all hold || any status
}

export work
# shellcheck disable=SC2086 # words
framescope record -q -o "$work/x.fsc" -- /bin/sh "$work/play" $scenarios >"$work/out" \
	2>"$work/log" </dev/null &
recorder=$!
await held_or_ended
# The fences stay as they are until the recorder, told to end, has ended.
kill -INT "$recorder"
wait "$recorder"
status=$?
rm -f "$work"/*.hold
await all status

statuses=$(cat "$work"/*.status 2>/dev/null | sort -u)
if [ "$status" != 0 ]; then
	fail "the recording failed with status $status" "$work/log"
elif [ "$statuses" = 77 ]; then
	skip "$(cut -d: -f3- "$work/never.log")"
elif [ "$statuses" != 0 ]; then
	fail "the pipelines ended with status ${statuses:-none}" "$work"/*.log
elif ! framescope dump "$work/x.fsc" >"$work/dump" 2>"$work/log" ||
	! framescope fences "$work/x.fsc" --unsignaled --format csv >"$work/rows" 2>"$work/log" ||
	! framescope fences "$work/x.fsc" --waits --format csv >"$work/waits" 2>"$work/log"; then
	fail "the capture can't be read" "$work/log"
else
	stop=$(awk '$4 == "clock" && / mark=stop$/ { print $1 }' "$work/dump")
	unsignaled_compare "vm/$VM/$name" "$stop" "$work/rows" "$work/never.truth" \
		"$work/gpu-hangs.truth"
	fence_compare "vm/$VM/$name/waits" "$work/gpu-hangs.truth" "$work/waits"
	reported=$((reported + 2))
fi
