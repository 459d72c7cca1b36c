# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#
# Recording a package: processes that are known by argv[0], and that start and end as they like. An
# app's process, which is forked and then renames itself, is stood in for by a Perl program.
# shellcheck disable=SC2034,SC2154 # shared with tests/live/run

PACKAGE=org.framescope.test.package

# A player that is a process of the package.
start_app() { # name, frames
	# shellcheck disable=SC2016 # expanded by the inner shell
	start bash -c 'exec -a "$1" "$2" -c sleep -n "$3" -p 10000 -a 600' sh "$1" "$player" "$2"
}

# Start `framescope record --package ...` and wait until it waits: $recorder, $work/log.
start_waiting() {
	"$framescope" record -o "$work/x.fsc" --package "$PACKAGE" "$@" >"$work/out" 2>"$work/log" \
		</dev/null &
	recorder=$!
	started+=("$recorder")
	if ! wait_for 10 grep -q '^waiting for' "$work/log"; then
		fail "it does not wait" "$work/log"
	fi
}

# How many processes of the package it says it has found.
has_found() { # how many
	[ "$(grep -c '^recording process' "$work/log")" -ge "$1" ]
}

# The time that it waits is not recorded, and does not count.
package_waits() {
	local length

	start_waiting -d 1.5 || return
	sleep 1
	if [ -s "$work/x.fsc" ]; then
		fail "it records while it waits" "$work/log"
		return
	fi
	start_app "$PACKAGE" 300
	if ! wait_end 20 "$recorder" || [ "$status" != 0 ]; then
		fail "record ended with status $status" "$work/log"
		return
	fi
	read_frames || return
	length=$("$framescope" report "$work/x.fsc" | awk '$1 == "length" { print $2 }')
	if ! awk "BEGIN { exit !($length >= 1.4 && $length < 2.5) }"; then
		fail "the capture is $length s long" "$work/log"
	elif [ "$complete" -lt 60 ]; then
		fail "$complete complete frames of 1.5 s" "$work/log"
	else
		pass "$complete frames"
	fi
}

# Nothing has come: that is no recording, and the file that was there is still whole.
package_interrupted() {
	echo older >"$work/x.fsc"
	start_waiting || return
	kill -INT "$recorder"
	if ! wait_end 10 "$recorder" || [ "$(cat "$work/x.fsc")" != older ]; then
		fail "ended with status $status, or the older file is gone" "$work/log"
		return
	fi
	expect_error 1 'nothing was recorded' "no process of '$PACKAGE'"
}

# A crash, a restart and a second process, until Ctrl-C. How late a start is seen shows in the
# frames: of 100 in a second few may be missing.
package_restarts() {
	local first

	start_app "$PACKAGE" 100000
	first=$pid
	start_record --package "$PACKAGE" || return
	sleep 0.5
	kill -KILL "$first"
	wait "$first" 2>/dev/null
	if ! wait_for 10 grep -q "waiting for '$PACKAGE'" "$work/log"; then
		fail "it does not say that the process has ended" "$work/log"
		return
	fi
	start_app "$PACKAGE" 100
	wait_for 20 is_gone "$pid"
	start_app "$PACKAGE:remote" 100
	wait_for 20 is_gone "$pid"
	kill -INT "$recorder"
	if ! wait_end 10 "$recorder" || [ "$status" != 0 ]; then
		fail "record ended with status $status" "$work/log"
		return
	fi
	read_frames || return
	column pid | sort | uniq -c >"$work/pids"
	if ! has_found 3 || ! grep -q "^recording process [0-9]*, $PACKAGE:remote$" "$work/log"; then
		fail "not all processes were found" "$work/log"
	elif ! awk -v first="$first" '{ n++; few += $1 < ($2 == first ? 25 : 80) }
			END { exit n != 3 || few }' "$work/pids"; then
		fail "a process has too few frames" "$work/pids"
	else
		pass "$(awk '{ printf "%s%d", (NR > 1 ? ", " : ""), $1 }' "$work/pids") frames"
	fi
}

# First one of many, then an app, without an exec.
package_renames() {
	local app ms

	if ! command -v perl >/dev/null; then
		skip "there is no perl"
		return
	fi
	# shellcheck disable=SC2016 # Perl's
	start perl -MTime::HiRes=sleep,clock_gettime,CLOCK_MONOTONIC -e '$0 = "usap64"; sleep 3;
		$0 = shift; printf "renamed %.0f\n", clock_gettime(CLOCK_MONOTONIC) * 1e9; $| = 1; print "";
		sleep 0.01 while 1;' "$PACKAGE"
	app=$pid
	start_waiting -d 0.5 || return
	if ! wait_end 20 "$recorder" || [ "$status" != 0 ]; then
		fail "record ended with status $status" "$work/log"
		return
	fi
	"$framescope" dump "$work/x.fsc" >"$work/dump"
	ms=$(awk -v app="$app/$app" 'FILENAME ~ /background$/ { if ($1 == "renamed") at = $2; next }
		$3 == app && / task op=seen / { printf "%.0f", ($1 - at) / 1e6 }' \
		"$work/background" "$work/dump")
	# 20 ms from look to look, the rest is for a busy machine.
	if [ -z "$ms" ] || [ "$ms" -gt 300 ]; then
		fail "it was recorded ${ms:-never} ms after it took its name" "$work/log"
	else
		pass "recorded $ms ms after it took its name"
	fi
}

# What Android it is stands in the capture, as far as there is someone to ask.
platform_in_capture() {
	mkdir "$work/bin"
	cat >"$work/bin/getprop" <<-'END'
		#!/bin/sh
		case $1 in
		ro.build.version.sdk) echo 34 ;;
		ro.build.version.release) echo 14 ;;
		ro.product.model) echo "Phone 7 Pro" ;;
		esac
	END
	chmod +x "$work/bin/getprop"
	PATH=$work/bin:$PATH run_framescope record -o "$work/x.fsc" -- true
	if [ "$status" != 0 ]; then
		fail "record ended with status $status" "$work/log"
		return
	fi
	"$framescope" report "$work/x.fsc" >"$work/report" 2>&1
	"$framescope" report --json "$work/x.fsc" >"$work/json" 2>&1
	run_framescope record -o "$work/y.fsc" -- true
	if ! grep -qx '  platform  Android 14 (SDK 34), Phone 7 Pro' "$work/report"; then
		fail "the report does not say it" "$work/report"
	elif ! grep -qE '"android_sdk": *34' "$work/json" || ! is_json <"$work/json"; then
		fail "the JSON does not say it" "$work/json"
	elif command -v getprop >/dev/null; then
		pass
	elif "$framescope" report "$work/y.fsc" 2>&1 | grep -q '^  platform'; then
		fail "a platform where nobody was asked" "$work/log"
	else
		pass
	fi
}

add_test recording package-waits package_waits
add_test faults package-interrupted package_interrupted
add_test recording package-restarts package_restarts
add_test recording package-renames package_renames
add_test recording platform platform_in_capture
