# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#
# What recording takes from the frame rate of a real GLES program (glmark2 at 1920x1080, software
# renderer, as fast as it can: about 100 frames a second). Runs of a program differ by far more than
# a recording can cost, so one program runs on, scene after scene of a second, and the recorder comes
# and goes: of every four scenes the first is not recorded, the third is, and between them are those
# in which it attaches or detaches.

# Prints a line per scene, until the reader closes the pipe.
gles_program() {
	# shellcheck disable=SC2016 # the inner shell's own
	exec "$SCRIPTS/with-xvfb" sh -c 'echo $$ >"$0" && exec "$@"' "$WORK/gles.pid" \
		glmark2-es2 --reuse-context --run-forever -s 1920x1080 -b build:duration=1 2>"$WORK/gles.log"
}

# Reads those lines; writes the frame rates without the recorder to gles.alone, and what it took of
# them, in percent, to gles.taken.
gles_toggle() {
	local last=$((4 * $1 + 5)) line ms scene=0 before='' recorded=''

	: >"$WORK/gles.alone"
	: >"$WORK/gles.taken"
	while ((scene < last)) && read -r line; do
		ms=$(sed -n 's/.*FrameTime: *\([0-9.]*\) ms.*/\1/p' <<<"$line")
		[ -n "$ms" ] || continue
		scene=$((scene + 1))
		# The first scenes warm up.
		case $((scene > 4 ? scene % 4 : 0)) in
		1)
			if [ -n "$recorded" ]; then
				calc "(1 - ($before + $ms) / 2 / $recorded) * 100" >>"$WORK/gles.taken"
			fi
			calc "1000 / $ms" >>"$WORK/gles.alone"
			before=$ms
			((scene < last)) || break
			start_recorder "$WORK/gles_record.log" "$RECORDING" "$FRAMESCOPE" record \
				-o "$WORK/bench.fsc" -p "$(<"$WORK/gles.pid")" || return 0
			;;
		3)
			recorded=$ms
			stop_recorder
			;;
		esac
	done
}

bench_gles() {
	local pairs=$((ROUNDS * 4)) scenes program note=

	progress "gles: $pairs pairs of scenes"
	: >"$WORK/gles_record.log"
	exec {scenes}< <(gles_program)
	program=$!
	gles_toggle "$pairs" <&"$scenes"
	# What it costs itself, in a longer recording.
	"$FRAMESCOPE" record -d 5 -o "$WORK/bench.fsc" -p "$(<"$WORK/gles.pid")" \
		2>"$WORK/gles_cost.log" || true
	kill "$(<"$WORK/gles.pid")" 2>/dev/null || true
	exec {scenes}<&-
	wait "$program" || true

	if [ ! -s "$WORK/gles.taken" ]; then
		note=$(last_line "$WORK/gles.log")
		[ ! -s "$WORK/gles_record.log" ] || note=$(last_line "$WORK/gles_record.log")
	fi
	result gles "glmark2 build at 1920x1080, not recorded" "$(median <"$WORK/gles.alone")" frames/s
	result gles "frame rate taken by recording it" "$(median <"$WORK/gles.taken")" % "<=" 1 \
		"$note" "$(margin <"$WORK/gles.taken")"
	program_rows gles "$WORK/gles_cost.log"
	share_row gles "$WORK/gles_cost.log" "kernel side in all"
	share_row gles "$WORK/gles_cost.log" "framescope itself"
}
