# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#
# What the live tests share: results, processes that are ended again, places for files.
# shellcheck disable=SC2034,SC2154 # shared with tests/live/run

tests=()
failed=0
reported=0 # results of the test that runs
name=
work=
started=()

# Register a test: group, name, function, its arguments.
add_test() {
	tests+=("$*")
}

pass() { # figures
	echo "PASS live/$name${1:+: $1}"
	reported=$((reported + 1))
}

fail() { # why, files to show...
	echo "FAIL live/$name: $1"
	reported=$((reported + 1))
	failed=1
	shift
	for file; do
		[ -s "$file" ] && tail -n 15 "$file" | awk '{ print "#   " $0 }'
	done
	return 1
}

# What a comparer has left in $work/result: its exit status, which try of three. Fails if a figure of
# timing was off and may be tried again.
judged() {
	local status=$1

	if [ "$status" -ge 3 ] && [ "$2" -lt 3 ]; then
		sed -E 's/^(FAIL|SKIP)/# tried once more:/' "$work/result"
		return 1
	fi
	cat "$work/result"
	reported=$((reported + 1))
	[ "$status" = 0 ] || [ "$status" = 4 ] || failed=1
	return 0
}

skip() { # reason
	echo "SKIP live/$name: $1"
	reported=$((reported + 1))
}

# Start a command in the background; its process id is in $pid, its output in $work/background.
start() {
	"$@" >>"$work/background" 2>&1 </dev/null &
	pid=$!
	started+=("$pid")
}

# Run a command, at most so many seconds. It can be interrupted, and leaves nothing behind.
limited() { # seconds, command...
	local seconds=$1
	shift
	timeout -k 2 "$seconds" "$@" </dev/null &
	started+=("$!")
	wait "$!"
}

stop_all() {
	local p

	for p in "${started[@]}"; do
		# That of a limited command leads a group of its own, and its members clean up.
		if kill -TERM -- "-$p" 2>/dev/null; then
			wait_for 3 is_gone "$p"
			kill -KILL -- "-$p" 2>/dev/null
		fi
		kill -KILL "$p" 2>/dev/null
		wait "$p" 2>/dev/null
	done
	started=()
}

# Start `framescope record ...` into $work/x.fsc in the background, its messages in $work/log, its
# process id in $recorder. Returns when it records.
start_record() {
	"$framescope" record -o "$work/x.fsc" "$@" >"$work/out" 2>"$work/log" </dev/null &
	recorder=$!
	started+=("$recorder")
	if ! wait_for 10 is_recording; then
		fail "the recording did not start" "$work/log"
	fi
}

# The first round of the file is written when the recording runs.
is_recording() {
	[ "$(stat -c %s "$work/x.fsc" 2>/dev/null || echo 0)" -gt 100 ] || ! kill -0 "$recorder" 2>/dev/null
}

# Repeat a command until it succeeds: seconds, command...
wait_for() {
	local end=$((SECONDS + $1))
	shift
	until "$@"; do
		[ "$SECONDS" -lt "$end" ] || return 1
		sleep 0.05
	done
}

# Wait for a process of ours to end by itself: seconds, process id. Its exit status is in $status.
wait_end() {
	if ! wait_for "$1" is_gone "$2"; then
		status=none
		return 1
	fi
	wait "$2"
	status=$?
}

is_gone() {
	local state

	# A zombie is gone.
	read -r _ _ state _ 2>/dev/null <"/proc/$1/stat" || return 0
	[ "$state" = Z ]
}

# Run `framescope ARGS...`, at most 20 s: its exit status in $status, its output in $work/out and
# $work/log.
run_framescope() {
	limited 20 "$framescope" "$@" >"$work/out" 2>"$work/log"
	status=$?
}

# Frames of the capture as CSV in $work/csv; how many rows, how many of them complete, in $rows and
# $complete.
read_frames() {
	if ! "$framescope" frames "$work/x.fsc" --format csv >"$work/csv" 2>"$work/frames.log"; then
		fail "the capture can't be read" "$work/frames.log" "$work/log"
		return 1
	fi
	rows=$(column status | wc -l)
	complete=$(column status | grep -cx complete)
	return 0
}

# One column of $work/csv, by its name.
column() {
	awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i; next }
		{ print $c }' "$work/csv"
}

# A folder on a real disk, for tests that need one.
disk_dir() {
	local d

	for d in "$dir" "$BUILD" /var/tmp; do
		case $(stat -f -c %T "$d") in
		tmpfs | ramfs) ;;
		*)
			echo "$d"
			return
			;;
		esac
	done
	return 1
}

dir=$(mktemp -d)
chmod 755 "$dir"
cleanup() {
	trap '' INT TERM # a second one must not cut this short
	stop_all
	umount "$dir"/*/full 2>/dev/null
	[ -n "${autogroup:-}" ] && echo "$autogroup" >/proc/self/autogroup
	rm -rf "$dir"
}
trap cleanup EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# Other sessions' load shall disturb the scripts less.
autogroup=
if [ -w /proc/self/autogroup ]; then
	autogroup=$(awk '{ print $3 }' /proc/self/autogroup 2>/dev/null)
	[ -n "$autogroup" ] && ! echo -10 2>/dev/null >/proc/self/autogroup && autogroup=
fi
