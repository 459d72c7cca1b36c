# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#
# What goes wrong around a recording: a clear message, the right exit status, nothing lost.
# shellcheck disable=SC2034,SC2154 # shared with tests/live/run

# The last run_framescope must have failed with this exit status and said all of these (patterns
# of grep -Ei).
expect_error() { # status, patterns...
	local expected=$1 pattern
	shift

	if [ "$status" != "$expected" ]; then
		fail "exit status $status instead of $expected" "$work/log"
		return
	fi
	for pattern; do
		if ! grep -qEi -- "$pattern" "$work/log"; then
			fail "the message lacks \"$pattern\"" "$work/log"
			return
		fi
	done
	pass
}

# A player that goes on for long after the test.
start_player() {
	start "$player" -c sleep -n 1000000 -p 10000 -a 1200 "$@"
}

no_root() {
	local become=()

	[ "$(id -u)" = 0 ] && become=(setpriv --reuid=65534 --regid=65534 --clear-groups)
	cp "$framescope" "$work/framescope"
	mkdir -m 777 "$work/open"
	limited 20 "${become[@]}" "$work/framescope" record -o "$work/open/x.fsc" -p $$ \
		>"$work/out" 2>"$work/log"
	status=$?
	expect_error 1 'root|sudo|CAP_'
}

missing_caps() {
	limited 20 setpriv --bounding-set=-bpf,-perfmon,-sys_admin --inh-caps=-all "$framescope" record \
		-o "$work/x.fsc" -p $$ >"$work/out" 2>"$work/log"
	status=$?
	expect_error 1 'CAP_(BPF|PERFMON|SYS_ADMIN)'
}

# What the documentation says is enough for everything: no root, but these, and another's process.
enough_caps() {
	local caps=+sys_admin,+sys_ptrace,+syslog,+ipc_lock,+dac_read_search

	start_player -a 0
	cp "$framescope" "$work/framescope"
	mkdir -m 777 "$work/open"
	limited 20 setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps="-all,$caps" \
		--ambient-caps="-all,$caps" "$work/framescope" record -d 1 -o "$work/open/x.fsc" \
		-p "$pid" >"$work/out" 2>"$work/log"
	status=$?
	mv "$work/open/x.fsc" "$work/x.fsc" 2>/dev/null
	if [ "$status" != 0 ]; then
		fail "exit status $status" "$work/log"
	elif read_frames; then
		if [ "$complete" -ge 10 ]; then
			pass "$complete frames"
		else
			fail "$complete complete frames of 1 s" "$work/log"
		fi
	fi
}

no_btf() {
	if ! unshare --mount true 2>/dev/null; then
		skip "no mount namespace can be made here"
		return
	fi
	# shellcheck disable=SC2016 # expanded by the inner shell
	limited 20 unshare --mount sh -c 'mount -t tmpfs none /sys/kernel/btf &&
		exec "$1" record -o "$2" -p 1' sh "$framescope" "$work/x.fsc" >"$work/out" 2>"$work/log"
	status=$?
	expect_error 1 'BTF'
}

# Thread numbers there are not those that the kernel side sees.
pid_namespace() {
	limited 20 unshare --pid --fork --mount-proc "$framescope" record -o "$work/x.fsc" -p 1 \
		>"$work/out" 2>"$work/log"
	status=$?
	expect_error 1 'PID namespace' 'container'
}

unknown_pid() {
	local p

	p=$(cat /proc/sys/kernel/pid_max)
	while [ -e "/proc/$((--p))" ]; do :; done
	run_framescope record -o "$work/x.fsc" -p "$p"
	expect_error 1 "$p" '^  try: '
}

unknown_name() {
	run_framescope record -o "$work/x.fsc" --comm no-such-name
	expect_error 1 'no-such-name'
}

# Whichever comes first, the watch or the end: a message, or an empty capture.
short_lived() {
	local i p

	for i in 1 2 3 4 5 6; do
		sleep "0.0$i" &
		p=$!
		run_framescope record -o "$work/x.fsc" -p "$p"
		wait "$p"
		if [ "$status" = 1 ] && grep -q "$p" "$work/log"; then
			continue
		fi
		if [ "$status" != 0 ]; then
			fail "exit status $status" "$work/log"
			return
		fi
		read_frames || return
	done
	pass
}

# An older capture of that name must outlive a recording that comes to nothing.
keeps_older() { # options of record
	local before

	run_framescope record -o "$work/x.fsc" -- true
	before=$(md5sum <"$work/x.fsc")
	run_framescope record -o "$work/x.fsc" "$@"
	if [ "$(md5sum <"$work/x.fsc")" != "$before" ]; then
		fail "the older capture is not what it was" "$work/log"
		return 1
	fi
}

# Nor must an empty one be left where none was.
leaves_nothing() { # options of record
	run_framescope record -o "$work/x.fsc" "$@"
	if [ -e "$work/x.fsc" ]; then
		fail "there is a capture of nothing" "$work/log"
		return 1
	fi
}

no_command() {
	keeps_older -- /no/such/command && expect_error 1 '/no/such/command' 'no such file|not found'
}

no_command_in_path() {
	leaves_nothing -- no-such-program && expect_error 1 'no-such-program' 'no such file|not found'
}

not_executable() {
	echo true >"$work/script"
	leaves_nothing -- "$work/script" && expect_error 1 "$work/script" 'permission denied' 'try: chmod'
}

# Said before anything is attached.
no_command_first() {
	leaves_nothing -- no-such-program || return
	if grep -q attached "$work/log"; then
		fail "what is attached comes before the error" "$work/log"
	else
		pass
	fi
}

# There is a /proc already.
output_in_proc() {
	run_framescope record -o /proc/x.fsc -- true
	if grep -q mkdir "$work/log"; then
		fail "/proc can't be made" "$work/log"
	else
		expect_error 1 '/proc/x.fsc' '^  try: '
	fi
}

output_to_null() {
	run_framescope record -q -o /dev/null -- true
	if [ "$status" != 0 ] || grep -q 'framescope report' "$work/log"; then
		fail "exit status $status, or a report on /dev/null is suggested" "$work/log"
	else
		pass
	fi
}

no_tracefs() {
	if ! unshare --mount true 2>/dev/null; then
		skip "no mount namespace can be made here"
		return
	fi
	# shellcheck disable=SC2016 # expanded by the inner shell
	limited 20 unshare --mount sh -c 'umount -l /sys/kernel/tracing /sys/kernel/debug 2>/dev/null
		exec "$1" record -o "$2" -- true' sh "$framescope" "$work/x.fsc" >"$work/out" 2>"$work/log"
	status=$?
	if ! grep -q dma_fence_init <("$framescope" doctor); then
		skip "this kernel has no dma-fences"
	else
		expect_error 0 'tracefs is not mounted' 'try: mount -t tracefs tracefs'
	fi
}

no_library() {
	leaves_nothing --uprobe /no/such/lib.so:function -d 1 -- sleep 1 &&
		expect_error 1 '/no/such/lib.so'
}

no_symbol() {
	keeps_older --uprobe "$player:player_wrok" -d 1 -- "$player" -n 1 &&
		expect_error 1 'player_wrok' 'player_work'
}

bad_btf() {
	leaves_nothing --btf "${BASH_SOURCE[0]}" -d 1 -- true &&
		expect_error 1 "${BASH_SOURCE[0]}" 'neither BTF nor'
}

# The types from a file, as on a kernel that has none: raw tracepoints, and the same records.
btf_from_file() {
	cp /sys/kernel/btf/vmlinux "$work/types"
	FRAMESCOPE_WITHOUT=tp_btf run_framescope record --btf "$work/types" -o "$work/x.fsc" \
		-- "$player" -c lock -n 20
	if [ "$status" != 0 ] || ! grep -q 'raw_tp' "$work/log"; then
		fail "exit status $status" "$work/log"
		return
	fi
	read_frames && pass
}

bad_uprobe() {
	run_framescope record -o "$work/x.fsc" --uprobe nonsense -d 1 -- true
	expect_error 2 'LIB:SYMBOL'
}

wrong_option() {
	run_framescope record --outptu "$work/x.fsc" -- true
	expect_error 2 '--output'
}

# The command must not run if there is nowhere to record to.
no_output() {
	run_framescope record -o "$work/no/such/folder/x.fsc" -- touch "$work/ran"
	if [ -e "$work/ran" ]; then
		fail "the command was run all the same" "$work/log"
	else
		expect_error 1 'no/such/folder/x.fsc' 'no such file'
	fi
}

disk_full() {
	mkdir "$work/full"
	mount -t tmpfs -o size=1m none "$work/full"
	limited 30 "$framescope" record -o "$work/full/x.fsc" -d 15 -- "$burner" 10 1 50000 \
		>"$work/out" 2>"$work/log"
	status=$?
	"$framescope" dump "$work/full/x.fsc" >"$work/dump" 2>"$work/dump.log"
	umount "$work/full"
	if [ "$(wc -l <"$work/dump")" -lt 1000 ]; then
		fail "the capture holds $(wc -l <"$work/dump") records only" "$work/dump.log"
	else
		expect_error 1 'x.fsc' 'no space left'
	fi
}

# Stopped by a signal: the capture is closed in order, and the program goes on.
stopped_by() { # signal
	start_player
	start_record -p "$pid" || return
	sleep 2
	kill "-$1" "$recorder"
	if ! wait_end 5 "$recorder"; then
		fail "still running 5 s after SIG$1" "$work/log"
	elif [ "$status" != 0 ]; then
		fail "exit status $status" "$work/log"
	elif ! read_frames; then
		return
	elif [ "$complete" -lt 40 ]; then
		fail "$complete complete frames of 2 s" "$work/log"
	elif grep -qi 'cut' "$work/frames.log"; then
		fail "the capture reads as cut" "$work/frames.log"
	elif is_gone "$pid"; then
		fail "the program that was watched is gone" "$work/background"
	else
		pass "$complete frames"
	fi
}

killed() {
	start_player
	start_record -p "$pid" || return
	sleep 2.5
	kill -KILL "$recorder"
	wait "$recorder" 2>/dev/null # where bash would say that it was killed
	if ! read_frames; then
		return
	elif [ "$complete" -lt 40 ]; then
		fail "$complete complete frames of 2.5 s" "$work/log"
	elif ! grep -qi 'cut' "$work/frames.log"; then
		fail "nothing says that the capture was cut" "$work/frames.log"
	elif is_gone "$pid"; then
		fail "the program that was watched is gone" "$work/background"
	else
		pass "$complete frames"
	fi
}

# An impatient user's second Ctrl-C ends it at once, with what is in the file: here while it waits
# for a command that does not want to end, for which it would wait a second.
interrupted_twice() {
	local child

	# shellcheck disable=SC2016 # expanded by the inner shell
	start_record -- sh -c 'trap "" INT TERM; exec sleep 60' || return
	child=$(pgrep -P "$recorder")
	started+=("$child")
	sleep 1
	kill -INT "$recorder" 2>/dev/null
	sleep 0.7 # later than one that comes twice in no time, within the command's grace of 1 s
	if is_gone "$recorder"; then
		fail "the first SIGINT did not wait for the command" "$work/log"
		return
	fi
	kill -INT "$recorder" 2>/dev/null
	if ! wait_end 3 "$recorder"; then
		fail "still running 3 s after the second SIGINT" "$work/log"
	elif [ "$status" != 130 ]; then
		fail "exit status $status, not that of SIGINT" "$work/log"
	elif is_gone "$child"; then
		fail "the command, which ignores SIGINT, is gone: the recorder had its time" "$work/log"
	elif read_frames; then
		pass
	fi
}

duration() {
	local us

	start_player -a 0
	us=${EPOCHREALTIME/[.,]/}
	run_framescope record -o "$work/x.fsc" -d 1.5 -p "$pid"
	us=$((${EPOCHREALTIME/[.,]/} - us))
	"$framescope" dump "$work/x.fsc" >"$work/dump"
	us_recorded=$(awk '$4 == "clock" && /mark=start/ { s = $1 } $4 == "clock" && /mark=stop/ { e = $1 }
		END { printf "%d", (e - s) / 1000 }' "$work/dump")
	if [ "$status" != 0 ]; then
		fail "exit status $status" "$work/log"
	elif [ "$us_recorded" -lt 1499000 ] || [ "$us_recorded" -gt 2000000 ]; then
		fail "recorded for $us_recorded us instead of 1.5 s" "$work/log"
	elif [ "$us" -gt 6000000 ]; then
		fail "took $us us" "$work/log"
	else
		pass "recorded for $us_recorded us, took $us us"
	fi
}

# A sleep of this many seconds runs, which nobody else's does.
runs_sleep() { # seconds
	pgrep -xf "sleep $1" >"$work/sleeps"
}

# What the command has started ends with it: in the foreground and in the background, in a session
# of its own, and deaf to SIGTERM.
ends_descendants() {
	local before=$EPOCHSECONDS

	run_framescope record -d 1 -o "$work/x.fsc" -- sh -c \
		'sleep 77.125 & setsid sh -c "sleep 77.125 & sleep 77.125" & (trap "" TERM; sleep 77.125); echo done'
	if runs_sleep 77.125; then
		xargs kill -KILL <"$work/sleeps"
		fail "$(wc -l <"$work/sleeps") of what the command started are left" "$work/log"
	elif [ "$status" != 0 ] || [ "$((EPOCHSECONDS - before))" -gt 8 ]; then
		fail "exit status $status after $((EPOCHSECONDS - before)) s" "$work/log"
	elif grep -q "^done" "$work/out"; then
		fail "the command's child was ended before the command" "$work/out"
	else
		pass
	fi
}

# The same when it is a signal that ends the recording: here one to the whole group, as of Ctrl-C,
# which a background job of a script does not hear.
ends_descendants_on_signal() {
	# shellcheck disable=SC2016 # expanded by the inner shell
	limited 20 setsid -w sh -c '"$1" record -o "$2" -- sh -c "sleep 78.125 & sleep 78.125" & p=$!
		sleep 2; kill -INT 0; wait $p; wait $p' sh "$framescope" "$work/x.fsc" \
		>"$work/out" 2>"$work/log"
	wait_for 4 is_closed
	# The file is closed before the program is ended.
	if ! wait_for 8 sleeps_are_over; then
		xargs kill -KILL <"$work/sleeps"
		fail "$(wc -l <"$work/sleeps") of what the command started are left" "$work/log"
	elif ! grep -q 'frames' "$work/log"; then
		fail "the recording did not end in order" "$work/log"
	else
		pass
	fi
}

sleeps_are_over() {
	! runs_sleep 78.125
}

is_closed() {
	grep -q 'framescope itself' "$work/log"
}

# A command that has ended by itself may have left a service running, which is none of our business.
leaves_daemon() {
	run_framescope record -d 1.5 -o "$work/x.fsc" -- sh -c 'setsid sleep 79.125 & exit 0'
	if [ "$status" != 0 ]; then
		fail "exit status $status" "$work/log"
	elif ! runs_sleep 79.125; then
		fail "what the command had left running was ended" "$work/log"
	else
		pass
	fi
	xargs kill <"$work/sleeps" 2>/dev/null
}

# Ends by itself with the last process it watches.
watched_ends() {
	start "$player" -n 30 -p 10000 -a 2000
	start_record -p "$pid" || return
	if ! wait_end 10 "$recorder"; then
		fail "still running long after the program's end" "$work/log"
	elif [ "$status" != 0 ]; then
		fail "exit status $status" "$work/log"
	elif read_frames; then
		if [ "$complete" = 29 ]; then
			pass
		else
			fail "$complete complete frames instead of 29" "$work/log"
		fi
	fi
}

add_test faults no-root no_root
add_test faults missing-capabilities missing_caps
add_test faults enough-capabilities enough_caps
add_test faults no-btf no_btf
add_test faults pid-namespace pid_namespace
add_test faults unknown-pid unknown_pid
add_test faults unknown-name unknown_name
add_test faults short-lived short_lived
add_test faults no-command no_command
add_test faults no-command-in-path no_command_in_path
add_test faults no-library no_library
add_test faults not-executable not_executable
add_test faults no-command-first no_command_first
add_test faults output-in-proc output_in_proc
add_test faults output-to-null output_to_null
add_test faults no-tracefs no_tracefs
add_test faults no-symbol no_symbol
add_test faults bad-uprobe bad_uprobe
add_test faults wrong-option wrong_option
add_test faults no-output no_output
add_test faults disk-full disk_full
add_test faults sigint stopped_by INT
add_test faults sigterm stopped_by TERM
add_test faults sigkill killed
add_test faults second-sigint interrupted_twice
add_test faults duration duration
add_test faults watched-ends watched_ends
add_test faults ends-descendants ends_descendants
add_test faults ends-descendants-on-signal ends_descendants_on_signal
add_test faults leaves-daemon leaves_daemon
add_test faults bad-btf bad_btf
add_test faults btf-from-file btf_from_file
