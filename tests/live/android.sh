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

# What the judges are told of the display.
display() { # layout
	echo "--vsync-offsets 1,5"
	# Before Android 12 frames do not say.
	[ "$1" -ge 22 ] || echo "--refresh-rate 60"
}

# The lines of a text of `dumpsys gfxinfo` behind the names of what they are of, less what the app
# and the recording can't have in common.
totals() { # layout
	awk -v layout="$1" '/^---PROFILEDATA---/ { rows = !rows; next }
		/^\*\* Graphics info|^Window:/ { of = $0 }
		rows || !NF || !of || /^Stats since|visibility=/ { next }
		# Where the end of the GPU work is told late, a recording has none.
		layout < 22 && /gpu|GPU/ { next }
		# These follow from what was before the first frame.
		layout >= 22 && /High input latency|\(legacy\): [0-9]+$/ { next }
		{ print of " | " $0 }' | sort
}

# The totals of HWUI, where all frames were recorded.
judge_totals() { # layout
	# shellcheck disable=SC2046 # words
	"$framescope" report --gfxinfo $(display "$1") "$work/x.fsc" 2>"$work/frames.log" |
		totals "$1" >"$work/totals"
	totals "$1" <"$work/gfxinfo" | diff - "$work/totals" >"$work/differences"
}

# Frames and messages of the capture, judged; a figure that depends on timing may be off twice.
judge_android() { # which try, of three; layout
	local status

	# shellcheck disable=SC2046 # words
	if ! "$framescope" frames $(display "$2") "$work/x.fsc" --format csv >"$work/csv" \
		2>"$work/frames.log" ||
		! "$framescope" messages "$work/x.fsc" --longer 0 --format csv >"$work/messages" \
			2>"$work/frames.log"; then
		fail "the capture can't be read" "$work/frames.log" "$work/log"
		return 0
	fi
	"$android_compare" "${android_judge[@]}" "live/$name" "$work/truth" "$work/csv" \
		"$work/messages" >"$work/result"
	status=$?
	if [ "$status" = 0 ] && [ -e "$work/gfxinfo" ] && ! judge_totals "$2"; then
		fail "the totals are not the app's" "$work/frames.log" "$work/differences"
		return 0
	fi
	judged "$status" "$1"
}

# Record an app that framescope itself starts: layout, options of the app and scenarios.
android() {
	local try layout=$1
	shift

	for try in 1 2 3; do
		rm -f "$work"/*
		if ! limited 40 "$framescope" record -o "$work/x.fsc" "${android_record[@]}" -- \
			"$androidapp" -L "$layout" -a 700 -t "$work/truth" -g "$work/gfxinfo" "$@" \
			>"$work/out" 2>"$work/log"; then
			fail "record failed" "$work/log"
			return
		fi
		judge_android "$try" "$layout" && return
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
		judge_android "$try" "$layout" && return
	done
}

# Every layout has all kinds of frames, then one of them has many of each cause.
kinds="smooth long-message upload short-wait no-slot busy-renderer new-windows two-windows"
kinds="$kinds rt-animation skipped canvas stuffed no-vsync-id rpc"
for layout in 16 17 22 23 24 25; do
	add_test android "android-$layout" android "$layout" -n 6 "$kinds"
done
add_test android android-ui android 23 -n 25 \
	"smooth-90 smooth-120 slow-animation slow-layout very-long-message lock frozen"
add_test android android-render android_marked 24 -v -n 25 \
	"upload late-buffer issue frozen slow-swap slow-gpu stuffed skipped"
add_test android android-restart android_told 17 -n 20 -p 2 smooth rpc
add_test android android-attached android_attached 23 -n 35 smooth slow-layout two-windows lock no-slot
