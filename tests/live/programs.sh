# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#
# Real GLES programs, whose own frame rate must be found again.
# shellcheck disable=SC2034,SC2154 # shared with tests/live/run

with_xvfb=$here/../../scripts/with-xvfb

# All whole frames of the capture are complete: only the first and last row of a surface are not.
check_edges() {
	local broken

	read_frames || return 1
	broken=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) col[$i] = i; next }
		{
			key = $col["pid"] " " $col["render_tid"] " " $col["surface"]
			n[key]++
			if (waiting[key]) { bad++; waiting[key] = 0 }
			if ($col["status"] != "complete" && n[key] > 1) waiting[key] = 1
		}
		END { print bad + 0 }' "$work/csv")
	if [ "$broken" != 0 ]; then
		fail "$broken frames between the first and last are not complete" "$work/log"
		return 1
	fi
	if [ "$complete" -lt 30 ]; then
		fail "$complete complete frames only" "$work/log" "$work/out"
		return 1
	fi
}

# Within 2 %?
near() { # value, expected
	awk -v a="$1" -v b="$2" 'BEGIN { exit !(b > 0 && a >= b * 0.98 && a <= b * 1.02) }'
}

# es2gears prints the frames of the last 5 s. It is told apart from a busy machine's other rates by
# counting the frames in that very window, which ended when the line came.
gears() {
	local try line printed seconds end_s found reader

	if ! command -v es2gears_x11 >/dev/null; then
		skip "es2gears_x11 is not installed"
		return
	fi
	for try in 1 2; do
		rm -f "$work"/*
		mkfifo "$work/lines"
		while read -r line; do
			read -r end_s _ </proc/uptime
			echo "$end_s $line"
		done <"$work/lines" >"$work/out" &
		reader=$!
		if ! limited 40 "$with_xvfb" "$framescope" record -d 6.5 -o "$work/x.fsc" -- \
			stdbuf -oL es2gears_x11 >"$work/lines" 2>"$work/log"; then
			fail "record failed" "$work/log"
			return
		fi
		wait "$reader"
		check_edges || return
		# "<uptime> 1234 frames in 5.0 seconds = 246.8 FPS"
		read -r end_s printed seconds <<<"$(awk '$3 == "frames" && $9 == "FPS" {
			print $1, $8, $2 / $8; exit }' "$work/out")"
		if [ -z "$printed" ]; then
			fail "es2gears printed no frame rate" "$work/out" "$work/log"
			return
		fi
		found=$(column end_ns | awk -v end="$end_s" -v s="$seconds" '
			$1 / 1e9 > end - s && $1 / 1e9 <= end { n++ } END { print n / s }')
		if near "$found" "$printed"; then
			pass "$complete frames, $found fps in its own window, it says $printed"
			return
		fi
		[ "$try" = 1 ] && echo "# tried once more: $found fps, es2gears says $printed"
	done
	fail "$found fps, es2gears says $printed" "$work/log"
}

glmark() {
	local try printed found

	if ! command -v glmark2-es2 >/dev/null; then
		skip "glmark2-es2 is not installed"
		return
	fi
	for try in 1 2; do
		rm -f "$work"/*
		if ! limited 60 "$with_xvfb" "$framescope" record -o "$work/x.fsc" -- \
			glmark2-es2 -b build:duration=3 >"$work/out" 2>"$work/log"; then
			fail "record failed" "$work/log"
			return
		fi
		check_edges || return
		printed=$(sed -n 's/.*FPS: \([0-9]*\).*/\1/p' "$work/out" | head -n 1)
		if [ -z "$printed" ]; then
			fail "glmark2 printed no frame rate" "$work/out"
			return
		fi
		found=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) col[$i] = i; next }
			$col["status"] == "complete" { n++; ns += $col["wall_ns"] }
			END { printf "%.1f", n / ns * 1e9 }' "$work/csv")
		if near "$found" "$printed"; then
			pass "$complete frames, $found fps, it says $printed"
			return
		fi
		[ "$try" = 1 ] && echo "# tried once more: $found fps, glmark2 says $printed"
	done
	fail "$found fps, glmark2 says $printed" "$work/log"
}

add_test programs es2gears gears
add_test programs glmark2 glmark
