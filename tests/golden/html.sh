#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#
# report --html: its command line, and the page in Chromium (html.py). Called by run, which sets
# FRAMESCOPE and the directory.

tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
failed=0

verdict()
{
	if [ -z "$2" ]; then
		echo "PASS golden/html/$1"
	else
		echo "FAIL golden/html/$1: $2"
		failed=1
	fi
}

# refused NAME CODE PATTERN ARGS...: no page is left behind.
refused()
{
	name=$1 code=$2 pattern=$3
	shift 3
	"$FRAMESCOPE" report "$@" 2>"$tmp/err" >"$tmp/out"
	got=$?
	if [ $got != "$code" ]; then
		verdict "$name" "exit status $got, not $code"
	elif ! grep -q -e "$pattern" "$tmp/err"; then
		verdict "$name" "no '$pattern' in $(head -n 2 "$tmp/err")"
	else
		verdict "$name" "$(cd "$tmp" && ls no.html* 2>/dev/null)"
	fi
}

refused no_input 2 'which capture file' --html "$tmp/no.html"
refused no_such 1 'no-such' --html "$tmp/no.html" hwui.txt no-such.fsc
refused no_such_baseline 1 'no-such' --html "$tmp/no.html" hwui.txt --baseline no-such.fsc
refused two_forms 2 'at a time' --html "$tmp/no.html" --json hwui.txt
refused baseline_alone 2 'is for --html' --baseline hwui.txt hwui.txt
refused no_folder 1 'cannot write' --html "$tmp/none/no.html" hwui.txt
refused full_disk 1 'space' --html /dev/full hwui.txt
cp hwui.txt "$tmp/in.txt"
refused itself 1 'is an input itself' --html "$tmp/in.txt" "$tmp/in.txt"
verdict kept "$(cmp hwui.txt "$tmp/in.txt" 2>&1)"

"$FRAMESCOPE" report --html "$tmp/a.html" hwui.txt && "$FRAMESCOPE" report --html - hwui.txt >"$tmp/b.html"
verdict standard_output "$(cmp "$tmp/a.html" "$tmp/b.html" 2>&1)"
verdict addresses "$(grep -oE '(https?:)?//[a-z]+\.[a-z.]+' "$tmp/a.html" | head -n 3)"

for browser in chromium chromium-browser google-chrome google-chrome-stable; do
	command -v $browser >/dev/null && break
	browser=
done
if [ -z "$browser" ]; then
	echo "SKIP golden/html/browser: there is no Chromium (scripts/install-deps test)"
elif ! command -v python3 >/dev/null; then
	echo "SKIP golden/html/browser: there is no python3"
else
	python3 ./html.py "$FRAMESCOPE" "${FRAMESCOPE%/*}/tests/bench/make_capture" "$tmp" || failed=1
fi
exit $failed
