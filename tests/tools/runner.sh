#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#
# Tests the runner, tests/run, on made-up test programs: whatever a program does instead of
# reporting must count as a failure.
set -uo pipefail

runner=${BASH_SOURCE[0]%/*}/../run
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failed=0

# A tree of its own with one test program, whose text is on standard input. Runs the runner there;
# leaves its output in $out and its exit status in $status.
tree() {
	rm -rf "${dir:?}"/*
	mkdir -p "$dir/tests/unit" "$dir/build/tests/unit"
	cp "$runner" "$dir/tests/run"
	touch "$dir/tests/unit/test_it.c"
	{
		echo '#!/bin/bash'
		cat
	} >"$dir/build/tests/unit/test_it"
	chmod +x "$dir/build/tests/unit/test_it"
	run_tree
}

run_tree() {
	out=$(BUILD=$dir/build SANITIZE=0 LIMIT=1 LIVE_LIMIT=2 "$dir/tests/run" 2>&1)
	status=$?
}

# name, expected status, expected last line, a line that must be there
expect() {
	local last

	last=$(tail -n 1 <<<"$out")
	if [ "$status" != "$2" ]; then
		echo "FAIL runner/$1: exit status $status instead of $2"
	elif [ "$last" != "$3" ]; then
		echo "FAIL runner/$1: last line \"$last\" instead of \"$3\""
	elif ! grep -qxF -- "$4" <<<"$out"; then
		echo "FAIL runner/$1: no line \"$4\""
	else
		echo "PASS runner/$1"
		return
	fi
	printf '# %s\n' "${out//$'\n'/$'\n# '}"
	failed=1
}

tree <<<'echo PASS a; echo PASS b; echo "SKIP c: not here"; echo noise'
expect counts 0 "2 passed, 0 failed, 1 skipped" "SKIP c: not here"

tree <<<'echo PASS a; echo "FAIL b: 1 is not 2"; exit 1'
expect failure 1 "1 passed, 1 failed, 0 skipped" "FAIL b: 1 is not 2"

tree <<<'echo PASS a; echo "FAIL b: 1 is not 2"'
expect failure-with-status-0 1 "1 passed, 1 failed, 0 skipped" "FAIL b: 1 is not 2"

tree <<<'echo PASS a; kill -SEGV $$'
expect crash 1 "1 passed, 1 failed, 0 skipped" "FAIL unit/test_it: ended by signal 11"

tree <<<'echo PASS a; sleep 60'
expect hang 1 "1 passed, 1 failed, 0 skipped" "FAIL unit/test_it: still running after 1 s"

tree <<<'echo PASS a; sleep 60 & exit 0'
expect orphan 0 "1 passed, 0 failed, 0 skipped" ""

tree <<<'echo nothing to report'
expect silence 1 "0 passed, 1 failed, 0 skipped" "FAIL unit/test_it: printed no result"

tree <<<'echo PASS a; exit 3'
expect status 1 "1 passed, 1 failed, 0 skipped" \
	"FAIL unit/test_it: exit status 3 without a FAIL line"

tree <<<'echo "SKIP a: no reason"'
expect nothing-passed 1 "0 passed, 0 failed, 1 skipped" "SKIP a: no reason"

tree <<<'echo PASS a'
rm "$dir/build/tests/unit/test_it"
run_tree
expect not-built 1 "0 passed, 1 failed, 0 skipped" \
	"FAIL unit/test_it: exit status 127 without a FAIL line"

tree <<<'echo PASS a'
mkdir "$dir/tests/live"
printf '#!/bin/bash\necho PASS live/a; echo "FAIL live/b: it broke"; sleep 60\n' >"$dir/tests/live/run"
chmod +x "$dir/tests/live/run"
run_tree
expect live-hang 1 "2 passed, 2 failed, 0 skipped" "FAIL live: still running after 2 s"

exit $failed
