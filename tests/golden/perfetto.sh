#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#
# What a Perfetto trace holds, looked at by a decoder of its own (tests/tools/perfetto_decode.py):
# of every golden capture its records, frames, fences, blocks and scheduling; of made-up ones the scheduling.
# Called by run, which sets FRAMESCOPE and the directory.

tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
failed=0

if ! command -v python3 >/dev/null; then
	echo "SKIP golden/perfetto: there is no python3"
	exit 0
fi

# look INPUT: what the decoder says of a trace made from it. 1 if there is anything to say.
look()
{
	if "$FRAMESCOPE" export "$1" -o "$tmp/trace.pftrace" 2>"$tmp/err" &&
		"$FRAMESCOPE" dump "$1" >"$tmp/dump" 2>"$tmp/err" &&
		"$FRAMESCOPE" frames "$1" --format ndjson >"$tmp/frames" 2>"$tmp/err" &&
		"$FRAMESCOPE" export "$1" -f ndjson --rows blocks -o - >"$tmp/blocks" 2>"$tmp/err"
	then
		../tools/perfetto_decode.py "$tmp/trace.pftrace" "$tmp/dump" "$tmp/frames" \
			"$tmp/blocks" 2>&1
	else
		cat "$tmp/err"
		return 1
	fi
}

# check NAME INPUT
check()
{
	if why=$(look "$2"); then
		echo "PASS golden/perfetto/$1"
	else
		echo "FAIL golden/perfetto/$1: $(echo "$why" | head -n 3 | cut -c1-300)"
		failed=1
	fi
}

for input in *.txt *.ftrace *.atrace *.html *.tracecmd; do
	check "$input" "$input"
done

for seed in 1 2 3 4; do
	../tools/sched_story.py $seed 8000 >"$tmp/story.txt"
	check "sched_story $seed" "$tmp/story.txt"
done

# The decoder does notice if something is not as it should be.
"$FRAMESCOPE" export fence_wait.txt -o "$tmp/trace.pftrace"
"$FRAMESCOPE" dump fence_wait.txt | sed 's/waking_ns=\([0-9]*\)/waking_ns=1\1/' >"$tmp/dump"
if ../tools/perfetto_decode.py "$tmp/trace.pftrace" "$tmp/dump" | grep 'not off-CPU' >/dev/null; then
	echo "PASS golden/perfetto/decoder"
else
	echo "FAIL golden/perfetto/decoder: other wakings than the capture's were not noticed"
	failed=1
fi
exit $failed
