# shellcheck shell=dash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#
# Runs one test in a guest, and has what the tests share. A test is a file of guest/ that this one
# reads; it says pass, fail or skip, once or more often. Its name is that of the file; $work is a
# folder of its own, $VM the guest ("6.12-arm64").
#
# usage: sh lib.sh TEST.sh
#
# shellcheck disable=SC2034 # shared with the tests

name=${1##*/}
name=${name%.sh}
work=/tmp/$name
mkdir -p "$work"
reported=0

# How long the recorder may take to probe the libraries, in ms; before 5.15 it loads a program for
# each function.
case $VM in
5.10-*) probing=5500 ;;
*) probing=1500 ;;
esac
export probing

# What is said about a part of the test: pass PART-OF-THE-NAME: FIGURES
say() { # word, text
	echo "$1 vm/$VM/$name${2:+: $2}"
	reported=$((reported + 1))
}

pass() { # figures
	say PASS "${1:-}"
}

fail() { # why, files to show...
	say FAIL "$1"
	shift
	for file; do
		[ -s "$file" ] && tail -n 20 "$file" | sed 's/^/#   /'
	done
	return 1
}

skip() { # reason
	say SKIP "$1"
}

# A remark that is shown, and judged by nobody.
note() {
	echo "# vm/$VM/$name: $*"
}

kernel_at_least() { # major, minor
	uname -r | awk -F. -v major="$1" -v minor="$2" '{ exit !($1 > major ||
		($1 == major && $2 + 0 >= minor)) }'
}

# Run framescope: its exit status in $status, its output in $work/out and $work/log.
framescope_run() {
	timeout -s KILL 30 framescope "$@" >"$work/out" 2>"$work/log" </dev/null
	status=$?
}

# shellcheck source=/dev/null
. "$1"
[ "$reported" -gt 0 ] || fail "the test reported nothing"
