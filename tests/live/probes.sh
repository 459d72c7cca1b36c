# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#
# Functions of the user's choice: each call is there, also of a library that comes later, and what
# is not found is said.
# shellcheck disable=SC2034,SC2154 # shared with tests/live/run

QUERY=_ZNK7android7Surface5queryEiPi # of the stand-in libgui.so; the player calls it once a frame

# How many calls of that function the capture holds.
calls_of() { # symbol
	"$framescope" dump "$work/x.fsc" 2>"$work/dump.log" | awk -v symbol="$1" '
		$4 == "point" && index($0, " symbol=\"" symbol "\"") {
			match($0, / id=[0-9]+/)
			ids[substr($0, RSTART + 4, RLENGTH - 4)]
		}
		$4 == "span" && match($0, / point=[0-9]+/) {
			n += substr($0, RSTART + 7, RLENGTH - 7) in ids
		}
		END { print n + 0 }'
}

expect_calls() { # symbol, how many
	local calls

	calls=$(calls_of "$1")
	if [ "$calls" != "$2" ]; then
		fail "$calls calls of $1 instead of $2" "$work/log" "$work/dump.log"
		return 1
	fi
}

own_function() {
	run_framescope record -o "$work/x.fsc" --uprobe "$player:player_work" -- \
		"$player" -c sleep -n 50 -p 5000 -a 0
	if [ "$status" != 0 ]; then
		fail "record failed" "$work/log"
	elif expect_calls player_work 50; then
		pass
	fi
}

# In a library that is in no usual place and that only the command, after a while, maps.
late_function() {
	run_framescope record -o "$work/x.fsc" --uprobe "libgui.so:$QUERY" -- \
		"$player" -c slot -n 50 -p 5000 -b 300 -a 800
	if [ "$status" != 0 ]; then
		fail "exit status $status" "$work/log"
	elif ! grep -q '^framescope: warning: .*libgui\.so' "$work/log"; then
		fail "nothing warns that the library is not there yet" "$work/log"
	elif expect_calls "$QUERY" 50; then
		pass
	fi
}

# A library inside an APK, and where in that its function is: $apk, $apk_function. By its alignment
# the function is in a page of its own, so that the mapping begins inside the library.
make_apk() {
	local at

	apk=$work/base.apk
	mkdir -p "$work/lib/x" && rm -f "$apk"
	printf '%s\n' 'char before[8192] = "8b0f6c1e in the library, before its code";' \
		'int apk_function(int x) { return x + 1; }' >"$work/apk.c"
	"${CC:-cc}" -shared -fPIC -O1 -o "$work/lib/x/libinapk.so" "$work/apk.c" &&
		(cd "$work" && zip -q -0 base.apk lib/x/libinapk.so) || return
	at=$(grep -obUaF "$(head -c 4 "$work/lib/x/libinapk.so")" "$apk" | head -n 1)
	apk_function=$((${at%%:*} + 0x$(nm -D "$work/lib/x/libinapk.so" | awk '/apk_function/ { print $1 }')))
}

# By its path, and by its name alone: then it is found in what the command maps.
in_apk() { # --uprobe
	if ! make_apk; then
		skip "no APK: needs zip and nm"
		return
	fi
	run_framescope record -o "$work/x.fsc" --uprobe "${1/APK/$apk}" -- \
		"$BUILD/tests/standins/mapper" "$apk" "$apk_function" 50
	if [ "$status" != 0 ]; then
		fail "record failed" "$work/log"
	elif expect_calls apk_function 50; then
		pass
	fi
}

apk_by_path() {
	in_apk 'APK!/lib/x/libinapk.so:apk_function'
}

apk_by_name() {
	in_apk 'libinapk.so:apk_function'
}

# What never came is said at the end, and the capture is kept all the same.
never_found() { # the --uprobe, patterns of the message
	local uprobe=$1
	shift
	run_framescope record -o "$work/x.fsc" --uprobe "$uprobe" -- \
		"$player" -c slot -n 50 -p 5000 -b 300 -a 800
	if ! grep -q '^framescope: warning: ' "$work/log"; then
		fail "nothing warns at the start" "$work/log"
	elif expect_calls eglSwapBuffers 50 && read_frames; then
		expect_error 1 "$@"
	fi
}

# The warning at the start is not the error at the end.
no_library_by_name() {
	never_found libc.so.5:malloc '^framescope: no library libc\.so\.5' 'libc\.so\.6'
}

# Calls that end oddly take no swap with them: of 100 all are there, and lossy are exactly the ten
# that had calls deeper than the kernel catches.
odd_ends() {
	local jumper=$BUILD/tests/standins/jumper lossy

	run_framescope record -o "$work/x.fsc" --uprobe "$jumper:jumper_leave" \
		--uprobe "$jumper:jumper_recurse" --uprobe "$jumper:jumper_swap=swap" \
		--uprobe "$jumper:jumper_wrap=swap" -- "$jumper"
	if [ "$status" != 0 ]; then
		fail "record failed" "$work/log"
		return
	fi
	read_frames || return
	lossy=$(awk -F, '$10 == "lossy" { print $1 }' "$work/csv" | tr '\n' ' ')
	if [ "$lossy" != "4 14 24 34 44 54 64 74 84 94 " ]; then
		fail "lossy are the frames $lossy" "$work/log"
	elif [ "$complete" != 89 ] || [ "$rows" != 101 ]; then
		fail "$complete frames of $rows are complete, not 89 of 101" "$work/log"
	else
		pass
	fi
}

# Or the records of two threads' calls on one CPU may be mixed up: see there.
small_stacks() {
	if "$BUILD/tests/live/stack_depth" >"$work/out" 2>"$work/log"; then
		pass "$(tr '\n' ' ' <"$work/out")"
	else
		fail "too much stack" "$work/out" "$work/log"
	fi
}

add_test faults own-function own_function
add_test faults odd-ends odd_ends
add_test faults late-function late_function
add_test faults apk-by-path apk_by_path
add_test faults apk-by-name apk_by_name
add_test faults no-library-by-name no_library_by_name
add_test probes small-stacks small_stacks
