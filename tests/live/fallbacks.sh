# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#
# Devices whose libraries lack symbols: the stand-in Android app with some taken away. Less is known
# of each frame then, and what is not known is absent.
# shellcheck disable=SC2034,SC2154 # shared with tests/live/run

# The app and its libraries, in $work/app, with a libhwui.so of 23 slots that lacks these functions
# (patterns), or with none its whole table of names.
crippled_app() {
	local hwui=$work/app/android/23/libhwui.so pattern

	mkdir "$work/app" "$work/app/android"
	cp "$androidapp" "${androidapp%/*}"/lib*.so "$work/app"
	cp -r "${androidapp%/*}/android/23" "$work/app/android"
	if [ $# = 0 ]; then
		objcopy --remove-section .gnu_debugdata "$hwui"
		return
	fi
	objcopy --dump-section .gnu_debugdata="$work/mini.xz" "$hwui" "$work/same" &&
		xz -d "$work/mini.xz" || return
	for pattern; do
		objcopy --wildcard --strip-symbol="$pattern" "$work/mini" || return
	done
	xz "$work/mini" && objcopy --update-section .gnu_debugdata="$work/mini.xz" "$hwui"
}

# Record it; how many of its frames the truth has, and how many of these were finished.
record_crippled() {
	if ! crippled_app "$@" 2>"$work/log"; then
		fail "no app without these symbols can be made" "$work/log"
		return 1
	fi
	if ! limited 40 "$framescope" record -o "$work/x.fsc" -- "$work/app/androidapp" -L 23 -n 30 \
		-a 700 -t "$work/truth" smooth >"$work/out" 2>"$work/log"; then
		fail "record failed" "$work/log"
		return 1
	fi
	read_frames || return 1
	truth=$(grep -c '^frame ' "$work/truth")
	finished=$(grep '^frame ' "$work/truth" | grep -c 'deadline_after=')
}

filled() { # column: in so many rows it is not empty
	column "$1" | grep -c .
}

# Each of the truth's intended vsyncs is that of a row, and of no other.
expect_vsyncs() {
	local wrong

	wrong=$(comm -3 <(column intended_vsync_ns | grep . | sort) \
		<(sed -n 's/^frame .* slots=[^,]*,[^,]*,\([0-9]*\),.*/\1/p' "$work/truth" |
			grep -v '^0$' | sort) | wc -l)
	[ "$wrong" -le $((truth - finished)) ] && return
	fail "$wrong intended vsyncs are another's" "$work/csv"
	return 1
}

# The function called first by the one that is gone has the same FrameInfo, but not the last word on
# the deadline.
no_finish_frame() {
	record_crippled '*JankTracker11finishFrame*' || return
	expect_vsyncs || return
	if [ "$finished" -lt 25 ] || [ "$(filled total_ns)" -lt "$finished" ]; then
		fail "$(filled total_ns) of $finished frames have a total" "$work/log"
	elif [ "$(filled deadline_ns)" != 0 ] || [ "$(filled frame_deadline_ns)" = 0 ]; then
		fail "a deadline that nobody can have seen" "$work/csv"
	else
		pass "$finished frames"
	fi
}

# Only what the UI thread did.
no_jank_tracker() {
	record_crippled '*JankTracker*' || return
	if [ "$(column frame_kind | grep -cE '^(normal|first)$')" -lt 25 ]; then
		fail "frames of no kind" "$work/csv" "$work/log"
	elif [ "$(filled draw_ns)" -lt 25 ] || [ "$(filled ui_running_ns)" -lt 25 ]; then
		fail "frames without the UI thread's part" "$work/csv"
	elif [ "$(filled total_ns)" != 0 ] || [ "$(filled gpu_duration_ns)" != 0 ]; then
		fail "an end that nobody can have seen" "$work/csv"
	elif ! grep -q '^framescope: warning: not known: .*(no hwui.finish_frame in ' "$work/log"; then
		fail "nothing says what is missing" "$work/log"
	else
		pass
	fi
}

# Buffers, and nothing else; the report says that.
no_debug_data() {
	record_crippled || return
	if [ "$complete" -lt 25 ] || [ "$(filled frame_kind)" != 0 ]; then
		fail "$complete frames, of which $(filled frame_kind) have a kind" "$work/csv" "$work/log"
	elif ! run_framescope report "$work/x.fsc" || ! grep -q 'stages *none' "$work/out"; then
		fail "the report does not say that there are no stages" "$work/out"
	else
		pass
	fi
}

add_test fallbacks no-finish-frame no_finish_frame
add_test fallbacks no-jank-tracker no_jank_tracker
add_test fallbacks no-debug-data no_debug_data
