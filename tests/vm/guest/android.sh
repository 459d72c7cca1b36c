# shellcheck shell=dash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Frames of HWUI with real fences, where vgem gives sync_files (6.0): the stand-in Android app plays
# scenarios, and what framescope says of each frame and message is judged by what the app knows.
# shellcheck disable=SC2154 # shared with guest-lib.sh

settle="-a $((probing + 500)) -k $probing"
fences=
kernel_at_least 6 0 && fences=-f

play() { # layout, scenarios...
	local layout=$1
	shift
	# So soon after the boot ids look like times.
	# shellcheck disable=SC2086 # words
	if ! timeout -s KILL 60 framescope record -q -o "$work/x.fsc" --frame-info-layout "$layout" -- \
		androidapp -L "$layout" $settle $fences -n 8 -t "$work/truth" "$@" >"$work/out" \
		2>"$work/log" </dev/null; then
		fail "layout $layout: the recording failed" "$work/log"
	elif ! framescope frames --vsync-offsets 1,5 "$work/x.fsc" --format csv >"$work/frames" \
		2>"$work/log" ||
		! framescope messages "$work/x.fsc" --longer 0 --format csv >"$work/messages" \
			2>"$work/log"; then
		fail "layout $layout: the capture can't be read" "$work/log"
	else
		# The host stops a guest's CPU now and then.
		android_compare -e 90 "vm/$VM/$name/$layout" "$work/truth" "$work/frames" \
			"$work/messages"
		reported=$((reported + 1))
	fi
	rm -f "$work"/*
}

play 22 smooth long-message lock binder no-slot slow-gpu
play 24 slow-layout upload release-fence new-windows skipped
