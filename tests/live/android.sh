# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#
# The stand-in Android app: what framescope says of every frame of HWUI, and of every message of the
# UI thread, against what the app knows.
# shellcheck disable=SC2034,SC2154 # shared with tests/live/run

androidapp=$BUILD/tests/standins/androidapp
android_compare=$BUILD/tests/live/android_compare

# What record and the comparer are told, by a test that sets it.
android_record=()
android_judge=()

# Frames and messages of the capture, judged; a figure that depends on timing may be off twice.
judge_android() { # which try, of three
	if ! "$framescope" frames "$work/x.fsc" --format csv >"$work/csv" 2>"$work/frames.log" ||
		! "$framescope" messages "$work/x.fsc" --longer 0 --format csv >"$work/messages" \
			2>"$work/frames.log"; then
		fail "the capture can't be read" "$work/frames.log" "$work/log"
		return 0
	fi
	"$android_compare" "${android_judge[@]}" "live/$name" "$work/truth" "$work/csv" \
		"$work/messages" >"$work/result"
	judged $? "$1"
}

# Record an app that framescope itself starts: layout, options of the app and scenarios.
android() {
	local try layout=$1
	shift

	for try in 1 2 3; do
		rm -f "$work"/*
		if ! limited 40 "$framescope" record -o "$work/x.fsc" "${android_record[@]}" -- \
			"$androidapp" -L "$layout" -a 700 -t "$work/truth" "$@" >"$work/out" 2>"$work/log"; then
			fail "record failed" "$work/log"
			return
		fi
		judge_android "$try" && return
	done
}

# The same with markers, which say why a frame is skipped.
android_marked() {
	android_record=(--markers)
	android_judge=(-m)
	android "$@"
	android_record=()
	android_judge=()
}

# The same by the layout that is told.
android_told() { # layout, options of the app and scenarios
	android_record=(--frame-info-layout "$1")
	android "$@"
	android_record=()
}

# Record one that runs already, and has drawn frames before.
android_attached() { # layout, options of the app and scenarios
	local try layout=$1
	shift

	for try in 1 2 3; do
		rm -f "$work"/*
		start "$androidapp" -L "$layout" -a 0 -k 2500 -t "$work/truth" "$@"
		start_record -p "$pid" || return
		if ! wait_end 20 "$recorder" || [ "$status" != 0 ]; then
			fail "record ended with status $status" "$work/log"
			return
		fi
		judge_android "$try" && return
	done
}

# Every layout has all kinds of frames, then one of them has many of each cause.
kinds="smooth long-message upload no-slot busy-renderer new-windows two-windows rt-animation skipped"
kinds="$kinds canvas no-vsync-id rpc"
for layout in 16 17 22 23 24 25; do
	add_test android "android-$layout" android "$layout" -n 6 "$kinds"
done
add_test android android-ui android 23 -n 25 \
	"smooth-90 smooth-120 slow-animation slow-layout very-long-message lock frozen"
add_test android android-render android_marked 24 -v -n 25 \
	"upload late-buffer issue slow-swap slow-gpu stuffed skipped"
add_test android android-restart android_told 17 -n 20 -p 2 smooth rpc
add_test android android-attached android_attached 23 -n 35 smooth slow-layout two-windows lock no-slot
