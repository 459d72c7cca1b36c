#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#
# framescope probes: libraries that are made here and that a process maps. Where everything is in
# them say nm and objdump of the library before it was stripped. Called by run, which sets
# FRAMESCOPE and the directory.
set -u
export LC_ALL=C

tmp=$(mktemp -d) || exit 1
pid=
# shellcheck disable=SC2317 # called by the trap
cleanup() {
	[ -z "$pid" ] || kill "$pid" 2>/dev/null
	rm -rf "$tmp"
}
trap cleanup EXIT
failed=0

# verdict NAME COMPLAINT: none is good.
verdict() {
	if [ -z "$2" ]; then
		echo "PASS golden/probes/$1"
	else
		echo "FAIL golden/probes/$1: $2"
		failed=1
	fi
}

give_up() { # what is wrong
	verdict setup "$1"
	sed 's/^/# /' "$tmp/log"
	exit 1
}

FINISH=_ZN7android10uirenderer11JankTracker11finishFrameERNS0_9FrameInfoEPvli
LEGACY=_ZN7android10uirenderer11JankTracker19calculateLegacyJankERNS0_9FrameInfoE
RUN=_ZN7android10uirenderer12renderthread13DrawFrameTask3runEv
TIMELINE=_ZN7android7Surface20setFrameTimelineInfoEmRKNS_3gui17FrameTimelineInfoE
DEQUEUE=_ZN7android7Surface13dequeueBufferEPNS_9NewBufferEPi

# A library whose code is not where its addresses say.
library() { # name, symbol...
	local name=$1 symbol n=0
	shift
	for symbol; do
		n=$((n + 1))
		printf 'int f%d(int) __asm__("%s");\nint f%d(int x) { return x * %d; }\n' \
			$n "$symbol" $n $((n + 2))
	done >"$tmp/src.c"
	"${CC:-cc}" -shared -fPIC -O1 -g $visibility -Wl,--section-start=.text=0x41000 \
		-o "$tmp/$name.full" "$tmp/src.c" 2>"$tmp/log" || give_up "cannot build $name"
	cp "$tmp/$name.full" "$tmp/$name"
}

# As Android's build does it, and gdb's manual, section MiniDebugInfo.
mini_debuginfo() { # name
	(
		cd "$tmp" || exit
		nm "$1.full" --format=posix --defined-only | awk '$2 ~ /[Tt]/ { print $1 }' >keep &&
			objcopy --only-keep-debug "$1.full" debug &&
			objcopy -S --remove-section .comment --keep-symbols=keep debug mini &&
			xz -kf mini && strip --strip-all "$1" &&
			objcopy --add-section .gnu_debugdata=mini.xz "$1"
	) >"$tmp/log" 2>&1 || give_up "cannot strip $1"
}

# Where a function is in the file, decimal.
offset() { # library, symbol
	local addr text
	addr=$(nm --defined-only "$tmp/$1.full" | awk -v s="$2" '$3 == s { print $1 }')
	read -r -a text <<<"$(objdump -h "$tmp/$1.full" | awk '$2 == ".text" { print $4, $6 }')"
	echo $((0x$addr - 0x${text[0]} + 0x${text[1]}))
}

visibility=
library libgui.so $TIMELINE $DEQUEUE
library libcutils.so atrace_begin_body
visibility=-fvisibility=hidden
library libhwui.so $LEGACY $FINISH $RUN
mini_debuginfo libhwui.so

# A program of a package that has three of Android's libraries.
LD_PRELOAD="$tmp/libgui.so $tmp/libcutils.so $tmp/libhwui.so" bash -c \
	'exec -a com.example.game:render sleep 60' 2>"$tmp/log" &
pid=$!
for _ in $(seq 100); do
	grep -aq '^com\.example' /proc/$pid/cmdline && grep -q libhwui /proc/$pid/maps && break
	sleep 0.05
done

"$FRAMESCOPE" probes -p $pid --format csv >"$tmp/csv" 2>"$tmp/err" ||
	verdict csv "exit status $?: $(cat "$tmp/err")"

# expect NAME LIBRARY ROW: of the CSV, without the path, the names near it and the loss.
expect() {
	local got
	got=$(grep -aF ",$tmp/$2," "$tmp/csv" | sed -E "s,$tmp/,,; s/,(\"[^\"]*\"|[^,\"]*)\$//" | grep -axF "$3")
	verdict "$1" "$([ -n "$got" ] || echo "no row '$3' but $(grep -a "^${3%%,*}," "$tmp/csv")")"
}

expect head_of_later_form libhwui.so \
	"hwui.finish_frame,frame_info,found,libhwui.so,libhwui.so,.gnu_debugdata,$(offset libhwui.so $FINISH),$FINISH,later ones,no,,"
expect exclusive libhwui.so \
	"hwui.finish_frame,frame_info,not_probed,libhwui.so,libhwui.so,.gnu_debugdata,$(offset libhwui.so $LEGACY),$LEGACY,\"12+, as a fallback\",no,,\"one form is enough, and there is a better one\""
expect debugdata libhwui.so \
	"hwui.draw_frame,render_frame,found,libhwui.so,libhwui.so,.gnu_debugdata,$(offset libhwui.so $RUN),$RUN,8+,no,,"
expect dynsym libgui.so \
	"gui.frame_timeline,frame_timeline,found,libgui.so,libgui.so,.dynsym,$(offset libgui.so $TIMELINE),$TIMELINE,14+,yes,,"
expect marker libcutils.so \
	"atrace.begin,marker,not_probed,libcutils.so,libcutils.so,.dynsym,$(offset libcutils.so atrace_begin_body),atrace_begin_body,8+,yes,,only on request: record --markers"
expect missing libgui.so \
	"gui.dequeue,dequeue,missing,libgui.so,libgui.so,,,_ZN7android7Surface13dequeueBufferEPP19ANativeWindowBufferPi,8 to 16 QPR1,no,$DEQUEUE,"

# The same through the name of its package.
"$FRAMESCOPE" probes --package com.example.game --format csv >"$tmp/package.csv" 2>"$tmp/err"
verdict package "$(diff "$tmp/csv" "$tmp/package.csv" | head -3)$(cat "$tmp/err")"

"$FRAMESCOPE" probes -p $pid --format ndjson >"$tmp/ndjson" 2>"$tmp/err"
verdict ndjson "$(grep -av '^{"schema":"framescope\.probe/1","point":".*}$' "$tmp/ndjson" | head -1
	[ "$(($(wc -l <"$tmp/ndjson") + 1))" = "$(wc -l <"$tmp/csv")" ] || echo "other rows than the CSV"
	grep -aq "\"offset\":$(offset libhwui.so $RUN),\"symbol\":\"$RUN\"" "$tmp/ndjson" || echo "no offset")"

"$FRAMESCOPE" probes -p $pid >"$tmp/table" 2>"$tmp/err"
verdict table "$(awk 'length($0) > 100 { print "longer than 100 columns: " $0; exit }' "$tmp/table"
	for pattern in "^$tmp/libgui\\.so$" '^  missing +gui\.dequeue +dequeue +- +-$' '^ +near: +_ZN7android7Surf' \
		'^ +lost: +how long a frame waits for its buffer' '^ +tried: +_ZN7android7Surf'; do
		grep -aEq "$pattern" "$tmp/table" || echo "no $pattern"
	done)"

exit $failed
