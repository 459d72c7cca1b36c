#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#
# A capture, exported for Perfetto and read again, is the capture: its records, and what is made of
# them. And with nothing left in the export but the scheduling, it is a trace as anybody's, whose
# off-CPU intervals are the capture's. Called by run, which sets FRAMESCOPE and the directory.
# FRAMESCOPE_CAPTURE, if set, is one more capture to try.

tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
failed=0

if ! "$FRAMESCOPE" export --help >/dev/null 2>&1; then
	echo "SKIP golden/perfetto_round_trip: this framescope exports nothing"
	exit 0
fi

# say OUT FILE SUBCOMMAND ARGS...: what it says of the file. What is the input's alone is left out:
# its size, and the architecture, which an export also has from the kernel's name for the machine. A
# display's own frame has no other display_token, whatever the capture says.
say()
{
	out=$1 file=$2 command=$3
	shift 3
	"$FRAMESCOPE" "$command" "$file" "$@" 2>/dev/null |
		sed -e '1s/^# framescope dump 1.*//' -e '/^    "bytes": /d' -e "/^  \"file\": /d" \
			-e 's/display_token=-1/display_token=0/' >"$out"
}

# same NAME INPUT SUBCOMMAND ARGS...: it says the same of the capture and of its export.
same()
{
	name=$1 input=$2
	shift 2
	say "$tmp/expected" "$input" "$@"
	say "$tmp/got" "$tmp/trace.pftrace" "$@"
	diff "$tmp/expected" "$tmp/got" >"$tmp/diff" && return
	echo "FAIL golden/perfetto_round_trip/$name: $* differs: $(sed -n 2p "$tmp/diff" | cut -c1-200)"
	return 1
}

round_trip()
{
	if ! "$FRAMESCOPE" export "$2" -f perfetto -o "$tmp/trace.pftrace" >"$tmp/err" 2>&1; then
		echo "FAIL golden/perfetto_round_trip/$1: $(head -n 1 "$tmp/err")"
		return 1
	fi
	same "$1" "$2" dump && same "$1" "$2" report --json &&
		same "$1" "$2" frames --format csv && same "$1" "$2" fences --format csv &&
		same "$1" "$2" fences --waits --format csv &&
		echo "PASS golden/perfetto_round_trip/$1"
}

# foreign NAME INPUT: the same with nothing of ours in it.
foreign()
{
	"$FRAMESCOPE" export "$2" -f perfetto -o "$tmp/trace.pftrace" 2>"$tmp/err" &&
		../tools/perfetto_strip.py "$tmp/trace.pftrace" "$tmp/other.pftrace" &&
		"$FRAMESCOPE" dump "$2" >"$tmp/dump" 2>"$tmp/err" &&
		"$FRAMESCOPE" dump "$tmp/other.pftrace" >"$tmp/other" 2>"$tmp/err" &&
		../tools/offcpu_compare.py "$tmp/dump" "$tmp/other" >"$tmp/err" && {
		echo "PASS golden/perfetto_foreign/$1"
		return
	}
	echo "FAIL golden/perfetto_foreign/$1: $(head -n 2 "$tmp/err" | cut -c1-300)"
	return 1
}

for input in *.txt "$FRAMESCOPE_CAPTURE"; do
	[ -z "$input" ] || round_trip "$(basename "$input" .txt)" "$input" || failed=1
done

if ! command -v python3 >/dev/null; then
	echo "SKIP golden/perfetto_foreign: there is no python3"
	exit $failed
fi
if [ -e ../tools/sched_story.py ]; then
	for seed in 1 2 3 4; do
		../tools/sched_story.py $seed 4000 >"$tmp/story.txt"
		foreign "sched_story $seed" "$tmp/story.txt" || failed=1
		round_trip "sched_story $seed" "$tmp/story.txt" || failed=1
	done
fi
[ -z "$FRAMESCOPE_CAPTURE" ] || foreign capture "$FRAMESCOPE_CAPTURE" || failed=1
exit $failed
