#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#
# Tests that a script which is called with something that it does not know says how to call it, and
# runs nothing: neither everything, nor nothing with success.
set -uo pipefail

root=$(cd "${BASH_SOURCE[0]%/*}/../.." && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failed=0

# script, expected exit status, arguments...
expect() {
	local script=$1 expected=$2 status
	shift 2

	timeout 20 "$root/$script" "$@" >"$dir/out" 2>&1 </dev/null
	status=$?
	if [ "$status" = "$expected" ] && grep -q "^usage: $script" "$dir/out" &&
		! grep -qE '^(PASS|FAIL|SKIP) ' "$dir/out"; then
		echo "PASS usage/$script $*"
	else
		echo "FAIL usage/$script $*: exit status $status, not $expected with the usage"
		head -n 5 "$dir/out" | sed 's/^/#   /'
		failed=1
	fi
}

expect tests/run 2 nosuch
expect tests/run 2 unit --nosuch
expect tests/run 0 --help
expect tests/live/run 2 nosuch
expect tests/live/run 2 duration nosuch
expect tests/live/run 0 --help
expect tests/vm/run 2 nosuch
expect tests/vm/run 0 --help
expect tests/golden/run 2 nosuch
expect tests/btf/run 0 --help
expect tests/btf/run 2 --nosuch
expect .ci/run 2 nosuch
expect .ci/run 0 --help

# The live tests need what is built for them.
mkdir "$dir/build"
if BUILD=$dir/build "$root/tests/live/run" duration >"$dir/out" 2>&1 ||
	! grep -q 'make all check-build' "$dir/out"; then
	echo "FAIL usage/not-built: no make target is named"
	sed 's/^/#   /' "$dir/out"
	failed=1
else
	echo "PASS usage/not-built"
fi
exit $failed
