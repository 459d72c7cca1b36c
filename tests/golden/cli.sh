#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#
# The command line: help, version, exit codes, and what wrong words are answered with. Called by
# run, which sets FRAMESCOPE and the directory.
#
# shellcheck disable=SC2317 # functions are called by expect

tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
failed=0

# mismatch STREAM PATTERN: says how the captured stream differs from a grep -E pattern; '' stands for
# nothing printed.
mismatch()
{
	if [ -z "$2" ]; then
		[ -s "$tmp/$1" ] && echo "std$1 has: $(head -n 3 "$tmp/$1")"
	elif ! grep -Eq -e "$2" "$tmp/$1"; then
		echo "no '$2' in std$1: $(head -n 3 "$tmp/$1")"
	fi
}

# expect NAME CODE STDOUT STDERR COMMAND...
expect()
{
	name=$1 code=$2 out_pattern=$3 err_pattern=$4
	shift 4
	"$@" >"$tmp/out" 2>"$tmp/err"
	got=$?
	why=$([ $got -eq "$code" ] || echo "exit status $got, not $code"
		mismatch out "$out_pattern"
		mismatch err "$err_pattern")
	if [ -z "$why" ]; then
		echo "PASS golden/cli/$name"
	else
		echo "FAIL golden/cli/$name: $(echo "$why" | tr '\n' ' ')"
		failed=1
	fi
}

# For commands whose output goes somewhere else.
to_full_disk()
{
	"$@" >/dev/full
}

to_null()
{
	"$@" >/dev/null
}

# A reader that goes away, like head(1), has seen enough: no failure, no message.
to_closed_pipe()
(
	rm -f "$tmp/pipe"
	mkfifo "$tmp/pipe"
	exec 3<>"$tmp/pipe"
	exec 4>"$tmp/pipe"
	exec 3>&-
	"$@" >&4
)

expect no_argument 2 '' '^usage: framescope COMMAND' "$FRAMESCOPE"
expect help 0 '^usage: framescope COMMAND' '' "$FRAMESCOPE" --help
expect help_word 0 '^usage: framescope COMMAND' '' "$FRAMESCOPE" help
expect version 0 '^framescope [0-9]+\.[0-9]+\.[0-9]+$' '' "$FRAMESCOPE" --version
expect unknown_command 2 '' "unknown command 'reprot'; did you mean report\?" "$FRAMESCOPE" reprot
expect unknown_far 2 '' "unknown command 'zzzzzzzzzz'$" "$FRAMESCOPE" zzzzzzzzzz
expect unknown_help 2 '' "did you mean frames\?" "$FRAMESCOPE" help frame
expect option_first 2 '' 'unknown option --verison; did you mean --version\?' "$FRAMESCOPE" --verison

# Who reads it has a terminal of 80 columns.
fits_80_columns()
{
	"$FRAMESCOPE" ${1:+"$1"} --help | awk 'length($0) > 80 { print; wide = 1 } END { exit wide || !NR }'
}

expect help_width 0 '' '' fits_80_columns
for command in record top report frames fences messages check export dump probes doctor; do
	expect $command/help_width 0 '' '' fits_80_columns $command
	expect $command/listed 0 "^  $command " '' "$FRAMESCOPE" --help
	expect $command/help 0 "framescope $command" '' "$FRAMESCOPE" $command --help
	expect $command/help_short 0 "framescope $command" '' "$FRAMESCOPE" $command -h
	expect $command/help_word 0 "framescope $command" '' "$FRAMESCOPE" help $command
	expect $command/version 0 '^framescope [0-9.]+$' '' "$FRAMESCOPE" $command --version
	expect $command/wrong_option 2 '' "framescope $command: unknown option --hepl; did you mean --help\?" \
		"$FRAMESCOPE" $command --hepl
	expect $command/short_option 2 '' "framescope $command: unknown option -Z" "$FRAMESCOPE" $command -Z
done

for command in report frames fences dump; do
	input=swap_loop.txt
	[ $command != fences ] || input=timelines.txt
	expect $command/no_file 2 '' "try: framescope $command --help" "$FRAMESCOPE" $command
	expect $command/two_files 2 '' "try: framescope $command --help" "$FRAMESCOPE" $command a b
	expect $command/unknown_file 1 '' '/nonexistent\.fsc.?: No such file or directory' \
		"$FRAMESCOPE" $command "$tmp/nonexistent.fsc"
	expect $command/not_a_capture 1 '' "^framescope: .*cli\.sh" "$FRAMESCOPE" $command cli.sh
	expect $command/directory 1 '' "^framescope: .*$tmp" "$FRAMESCOPE" $command "$tmp"
	expect $command/directory_try 1 '' '^  try: ' "$FRAMESCOPE" $command "$tmp"
	why='not read from standard input'
	case $command in report | frames) why='standard input. is empty' ;; esac
	expect $command/standard_input 1 '' "$why" "$FRAMESCOPE" $command -
	: >"$tmp/empty.fsc"
	expect $command/empty_file 1 '' "^framescope: .*empty\.fsc" "$FRAMESCOPE" $command "$tmp/empty.fsc"
	expect $command/file 0 . '' "$FRAMESCOPE" $command $input
	expect $command/disk_full 1 '' 'No space left on device' \
		to_full_disk "$FRAMESCOPE" $command $input
	expect $command/closed_pipe 0 '' '' \
		to_closed_pipe "$FRAMESCOPE" $command $input
done

for seconds in 0 1s 1e3 1000000000 -1; do
	expect record/duration_$seconds 2 '' "-d takes seconds.* 31536000 \(a year\), not '$seconds'" \
		"$FRAMESCOPE" record -a -d $seconds
done
for layout in 18 0 x 26; do
	expect record/layout_$layout 2 '' "with '$layout' slots is known; there are 16, 17, 22, 23, 24 and 25" \
		"$FRAMESCOPE" record -a --frame-info-layout $layout
done
expect record/package_empty 2 '' "'' is not the name of a package" "$FRAMESCOPE" record --package ''
expect record/package_twice 2 '' 'more than one --package' \
	"$FRAMESCOPE" record --package a.b --package c.d
expect record/package_all 2 '' 'either -a or --package' "$FRAMESCOPE" record -a --package a.b
expect top/nothing 2 '' 'what is to be watched' "$FRAMESCOPE" top
expect top/package_all 2 '' 'either -a or --package' "$FRAMESCOPE" top -a --package a.b
for seconds in 0 0.05 -1 x ''; do
	expect top/interval_$seconds 2 '' "--interval takes seconds.* from 0\.1 to .*, not '$seconds'" \
		"$FRAMESCOPE" top -a --interval "$seconds"
done
expect top/refresh_rate 2 '' '--refresh-rate takes Hz' "$FRAMESCOPE" top -a --refresh-rate 0
expect top/output 2 '' 'unknown option -o' "$FRAMESCOPE" top -a -o x.fsc
expect record/buffer 2 '' "'2' is not a size from 4 to 1048576 KiB" "$FRAMESCOPE" record -a --buffer 2
expect record/standard_output 2 '' 'not written to standard output' "$FRAMESCOPE" record -a -o -
expect dump/standard_output 2 '' 'not written to standard output' "$FRAMESCOPE" dump swap_loop.txt -o -
# Traces of others: not from a pipe; packed ones as far as gzip.
{ printf "no trace\n" | gzip >"$tmp/no_trace.gz"; } 2>/dev/null
printf "\050\265\057\375 and so on" >"$tmp/a.zst"
printf "\3757zXZ\000 and so on" >"$tmp/a.xz"
from_pipe()
{
	# shellcheck disable=SC2002 # it is to come through a pipe
	cat trace_android9.ftrace | "$FRAMESCOPE" "$@"
}
for command in report frames fences dump; do
	expect $command/piped_trace 1 "" "trace.* is not read from .*a pipe" from_pipe $command -
done
expect report/piped_device 1 "" "trace, which is not read from a pipe" from_pipe report /dev/stdin
expect frames/no_trace_in_gzip 1 "" "a gzip file, and what is inside it is no trace" \
	"$FRAMESCOPE" frames "$tmp/no_trace.gz"
expect frames/zstd 1 "" "try: unpack it first .zstd -d." "$FRAMESCOPE" frames "$tmp/a.zst"
expect frames/xz 1 "" "try: unpack it first .xz -d." "$FRAMESCOPE" frames "$tmp/a.xz"
expect frames/all_kinds 1 "" "Perfetto trace.*ftrace.*--latency" "$FRAMESCOPE" frames cli.sh
# Why something is absent is said where it matters.
lacks()
{
	pattern=$1
	shift
	"$@" 2>"$tmp/said" >/dev/null && ! grep -e "$pattern" "$tmp/said"
}
expect fences/trace 0 "" "^framescope: trace_android9.ftrace: no fences: " \
	to_null "$FRAMESCOPE" fences trace_android9.ftrace
expect fences/trace_only 0 "" "" lacks "verdicts\|/dev/dri" "$FRAMESCOPE" fences trace_android9.ftrace
expect frames/trace 0 "" "^framescope: .*: no verdicts of HWUI" \
	to_null "$FRAMESCOPE" frames trace_android9.ftrace
expect frames/trace_only 0 "" "" lacks "no fences" "$FRAMESCOPE" frames trace_android9.ftrace
expect report/trace_json 0 "no fences: it has no dma_fence" "" \
	"$FRAMESCOPE" report trace_android9.ftrace --json
expect report/trace_clock 0 "source +text of ftrace .ftrace., clock: the trace" "" \
	"$FRAMESCOPE" report trace_android9.ftrace
expect export/trace_clock 0 "\"clock\":\"the trace.s own\"" "no fences" \
	"$FRAMESCOPE" export trace_android9.ftrace -f chrome -o -
expect export/capture_clock 0 "\"clock\":\"CLOCK_MONOTONIC\"" "" \
	"$FRAMESCOPE" export swap_loop.txt -f chrome -o -

# A recording of fences that was killed before its last two lines.
sed '/^end$/d; /mark=stop$/d' timelines.txt >"$tmp/cut_fences.txt"

expect frames/format 2 '' "unknown format 'cvs'; did you mean csv\?" "$FRAMESCOPE" frames x --format cvs
expect frames/worst_zero 2 '' '--worst takes a number' "$FRAMESCOPE" frames x --worst 0
expect frames/worst_word 2 '' '--worst takes a number' "$FRAMESCOPE" frames x --worst ten
expect frames/from_word 2 '' '--from takes milliseconds' "$FRAMESCOPE" frames x --from 1s
expect frames/range 2 '' '--from must be before --to' "$FRAMESCOPE" frames x --from 5 --to 5
expect frames/needs_argument 2 '' 'option --worst needs an argument' "$FRAMESCOPE" frames x --worst
expect frames/producer 1 '^frame ' "try: --producer 'gears'" "$FRAMESCOPE" frames swap_loop.txt --producer gear
expect probes/format 2 '' "unknown format 'tabel'; did you mean table\?" "$FRAMESCOPE" probes --format tabel
expect probes/word 2 '' 'nothing to be named here: "x"' "$FRAMESCOPE" probes x
expect probes/no_number 2 '' "'self' is not a process id" "$FRAMESCOPE" probes -p self
expect probes/no_process 1 '' 'cannot read what process 2147483647 has mapped: No such process' \
	"$FRAMESCOPE" probes -p 2147483647
expect probes/no_package 1 '' "no process of the package 'com\.example\.none' runs" \
	"$FRAMESCOPE" probes --package com.example.none
expect probes/disk_full 1 '' 'No space left on device' to_full_disk "$FRAMESCOPE" probes
expect probes/closed_pipe 0 '' '' to_closed_pipe "$FRAMESCOPE" probes
expect fences/format 2 '' "unknown format 'tabel'; did you mean table\?" "$FRAMESCOPE" fences x --format tabel
expect fences/near_option 2 '' 'unknown option --unsignalled; did you mean --unsignaled\?' \
	"$FRAMESCOPE" fences x --unsignalled
expect fences/two_views 2 '' 'one at a time' "$FRAMESCOPE" fences x --waits --unsignaled
expect fences/needs_argument 2 '' 'option --timeline needs an argument' "$FRAMESCOPE" fences x --timeline
expect fences/none 0 '^No timelines\.' 'there are no fences in it: a software renderer makes none' "$FRAMESCOPE" fences swap_loop.txt
expect fences/none_csv 0 '^driver,timeline,context,' 'there are no fences in it' \
	"$FRAMESCOPE" fences swap_loop.txt --format csv
expect fences/no_waits 0 '^No waits for fences\.' 'no fences' "$FRAMESCOPE" fences swap_loop.txt --waits
expect fences/no_unsignaled 0 '^No fence ' 'no fences' "$FRAMESCOPE" fences swap_loop.txt --unsignaled
expect fences/no_match 1 '^No timelines\.' "no timeline matches 'i915\*'" \
	"$FRAMESCOPE" fences timelines.txt --timeline 'i915*'
expect fences/cut 0 '^virtio_gpu/controlq ' 'cut' "$FRAMESCOPE" fences "$tmp/cut_fences.txt"
expect report/json 0 '"schema": "framescope\.report/1"' '' "$FRAMESCOPE" report swap_loop.txt --json
expect report/no_frames 0 'No frames\.' '' "$FRAMESCOPE" report empty.txt

expect report/probed 0 'probed +eglSwapBuffers \(libEGL\.so\.1\.1\.0\), queue \(libgui\.so\),' '' \
	"$FRAMESCOPE" report late_library.txt
expect report/missing 0 'missing +names of fence timelines, libvulkan\.so$' '' \
	"$FRAMESCOPE" report late_library.txt

expect report/matrix_near 2 '' "unknown shape 'lopper'; did you mean looper\?" \
	"$FRAMESCOPE" report x --matrix lopper
expect report/check_totals_good 0 'does not contradict itself' '' \
	"$FRAMESCOPE" report gfxinfo.dumpsys --check-totals
expect report/check_totals_wrong 1 'WRONG +line 6' '' \
	"$FRAMESCOPE" report contradiction.dumpsys --check-totals
expect report/check_totals_json 1 '"contradictions": 2' '' \
	"$FRAMESCOPE" report contradiction.dumpsys --check-totals --json
expect report/check_totals_capture 2 '' 'is for a text of dumpsys gfxinfo' \
	"$FRAMESCOPE" report swap_loop.txt --check-totals
expect report/check_totals_absent 1 '' 'No such file' "$FRAMESCOPE" report "$tmp/absent" --check-totals
echo 'No process found for: org.example.app' >"$tmp/no_process"
expect report/no_process 1 '' 'dumpsys found no process of that name' \
	"$FRAMESCOPE" report "$tmp/no_process" --check-totals
expect frames/no_process 1 '' 'dumpsys found no process of that name' \
	"$FRAMESCOPE" frames "$tmp/no_process"
{ cat gfxinfo.dumpsys && sed 's/com\.example\.app/com.example.two/' gfxinfo.dumpsys; } >"$tmp/reused"
expect report/gfxinfo_pid_reused 0 'pid 4321 \[com\.example\.two\]' '' \
	"$FRAMESCOPE" report "$tmp/reused" --gfxinfo
# Of Android 11: no rate is printed, and here are too few vsyncs to estimate it.
printf 'Window: w\n---PROFILEDATA---\nFlags,Intended'\
'Vsync,Vsync,SyncQueued,SyncStart,IssueDrawCommandsStart,SwapBuffers,FrameCompleted,\n'\
'0,5,\n0,7,7,8,9,10,11,12,\n' >"$tmp/no_rate"
for mode in --gfxinfo '--matrix framemetrics'; do
	# shellcheck disable=SC2086 # an option and its value
	expect "report/no_rate_${mode##*[- ]}" 0 '' '1 frames are not judged.*--refresh-rate HZ' \
		to_null "$FRAMESCOPE" report "$tmp/no_rate" $mode
done
expect frames/cut_row 0 '"frame":1,"status":"truncated","window":"w","fault":"cut"' 'not judged' \
	"$FRAMESCOPE" frames "$tmp/no_rate" --format ndjson
expect report/check_totals_gfxinfo 2 '' 'not of --gfxinfo, --matrix or --html' \
	"$FRAMESCOPE" report contradiction.dumpsys --check-totals --gfxinfo
expect report/check_totals_matrix 2 '' 'not of --gfxinfo, --matrix or --html' \
	"$FRAMESCOPE" report contradiction.dumpsys --check-totals --matrix framemetrics
expect report/gfxinfo_none 0 '' 'no frame in it has a FrameInfo' \
	"$FRAMESCOPE" report swap_loop.txt --gfxinfo
expect report/android_wrong 2 '' 'a release from 8 to 17' "$FRAMESCOPE" report a --android 7
expect report/refresh_rate_wrong 2 '' 'takes Hz from' "$FRAMESCOPE" report a --refresh-rate 60Hz
expect report/offsets_wrong 2 '' "two numbers of ms" "$FRAMESCOPE" report a --vsync-offsets 1
# No guess that could not be made is silent.
by_pipe()
{
	# shellcheck disable=SC2002 # what a file is could be read twice
	cat gfxinfo.dumpsys | "$@"
}
expect report/offsets_pipe 0 'jank types' 'a pipe is not read twice' \
	by_pipe "$FRAMESCOPE" report - --vsync-offsets estimate
expect report/multiplier_wrong 2 '' 'takes a number' "$FRAMESCOPE" report a --jankstats-multiplier nan
expect report/levels_wrong 2 '' 'four ascending numbers' "$FRAMESCOPE" report a --matrix-levels 3,9,9,42
# Times as large as 64 bits hold, for which there is no room in a sum: sanitizers would end these.
{
	echo '---PROFILEDATA---'
	printf '%s,' Flags IntendedVsync Vsync OldestInputEvent NewestInputEvent HandleInputStart \
		AnimationStart PerformTraversalsStart DrawStart SyncQueued SyncStart \
		IssueDrawCommandsStart SwapBuffers FrameCompleted DequeueBufferDuration \
		QueueBufferDuration
	printf '\n0,%s,1,1,1,1,1,1,1,1,1,9223372036854775806,1,%s,9000000,1,' \
		1 2 9223372036854775000 9223372036854775001
	printf '\n---PROFILEDATA---\nDraw Prepare Process Execute\n'
	echo '9223372036854.00 9223372036854.00 9223372036854.00 9223372036854.00'
} >"$tmp/far.txt"
expect report/far_times 0 'longer than 16\.67 ms' 'too few frames waited for one' \
	"$FRAMESCOPE" report "$tmp/far.txt" --vsync-offsets estimate
expect frames/far_times 0 ' 9223372036854\.000 +- ' 'the display.s rate is not known' \
	"$FRAMESCOPE" frames "$tmp/far.txt"
expect report/looper_dump 1 '' 'no messages of UI threads' \
	"$FRAMESCOPE" report gfxinfo.dumpsys --matrix looper
expect frames/stages_dump 2 '' 'does not say what threads did' \
	"$FRAMESCOPE" frames gfxinfo.dumpsys --stages
expect report/matrix_far 2 '' "unknown shape 'zzzzzzzz'; there are framemetrics and looper" \
	"$FRAMESCOPE" report x --matrix zzzzzzzz
expect report/matrix_json 2 '' 'one of --json, --gfxinfo, --matrix and --html' \
	"$FRAMESCOPE" report x --json --matrix looper
expect report/matrix_none 0 '' 'there are no messages of UI threads in it' \
	"$FRAMESCOPE" report swap_loop.txt --matrix looper
expect report/matrix_full 1 '' 'No space left on device' \
	to_full_disk "$FRAMESCOPE" report hwui.txt --matrix looper
expect report/matrix_closed_pipe 0 '' '' \
	to_closed_pipe "$FRAMESCOPE" report hwui.txt --matrix looper

# What is written to a file is there when it is whole, and nothing else is left behind.
in_folder()
(
	mkdir -p "$tmp/folder" && cd "$tmp/folder" && "$absolute" "$@" && ls -A
)
mode_of()
(
	umask 027
	"$FRAMESCOPE" export swap_loop.txt -f csv -o "$tmp/mode.csv" && stat -c %a "$tmp/mode.csv"
)
swap_loop=$(pwd)/swap_loop.txt
absolute=$(realpath "$FRAMESCOPE")
expect export/no_file 2 '' 'which capture file\?' "$FRAMESCOPE" export -f csv
expect export/no_format 2 '' 'which format\? -f with one of .*csv, ndjson and openmetrics, or a file' \
	"$FRAMESCOPE" export swap_loop.txt
expect export/no_suffix 2 '' 'which format\?' "$FRAMESCOPE" export swap_loop.txt -o rows.txt
expect export/format 2 '' "unknown format 'chrom'; did you mean chrome\?" \
	"$FRAMESCOPE" export swap_loop.txt -f chrom
expect export/format_far 2 '' "unknown format 'zzzzzzzz'; there are .*csv, ndjson and openmetrics" \
	"$FRAMESCOPE" export swap_loop.txt -f zzzzzzzz
for rows in '' frame 'frames,' ',frames' 'frames,,waits' 'frames waits'; do
	expect "export/rows_$rows" 2 '' "--rows takes frames, fences, waits and blocks.* not '$rows'" \
		"$FRAMESCOPE" export swap_loop.txt -f ndjson --rows "$rows"
done
expect export/rows_of_csv 2 '' 'one kind of rows; ndjson can have several' \
	"$FRAMESCOPE" export swap_loop.txt -f csv --rows frames,waits
expect export/rows_of_trace 2 '' 'a trace has everything' \
	"$FRAMESCOPE" export swap_loop.txt -f chrome --rows frames
expect export/judging 2 '' 'a release from 8 to 17' "$FRAMESCOPE" export a -f csv --android 7
expect export/csv 0 '^frame,producer,' '' "$FRAMESCOPE" export swap_loop.txt -f csv
expect export/ndjson 0 '"schema":"framescope\.block/1"' '' "$FRAMESCOPE" export hwui.txt -f ndjson
expect export/ndjson_rows 0 '^{"schema":"framescope\.fence/1"' '' \
	"$FRAMESCOPE" export timelines.txt -f ndjson --rows waits,fences
expect export/chrome_here 0 '^swap_loop\.json$' '^swap_loop\.json$' \
	in_folder export "$swap_loop" -f chrome
expect record/suffix 2 '' "not 'x\.json': framescope export makes that" \
	"$FRAMESCOPE" record -o x.json -- true
expect export/perfetto_here 0 '^swap_loop\.pftrace$' '^swap_loop\.pftrace$' \
	in_folder export "$swap_loop" -f perfetto
expect export/chrome_standard 0 '^{"displayTimeUnit":"ns","traceEvents":\[$' '' \
	"$FRAMESCOPE" export swap_loop.txt -f chrome -o -
expect export/by_suffix 0 '^rows\.jsonl$' '' \
	in_folder export "$swap_loop" -o rows.jsonl
expect export/again 0 '^rows\.jsonl$' '' in_folder export "$swap_loop" -o rows.jsonl
expect export/mode 0 '^640$' '' mode_of
expect export/no_folder 1 '' "cannot write '.*/none/x\.csv': No such file" \
	"$FRAMESCOPE" export swap_loop.txt -o "$tmp/none/x.csv"
expect export/directory 1 '' "cannot write '.*': Is a directory" \
	"$FRAMESCOPE" export swap_loop.txt -f csv -o "$tmp"
# A pipe that has no name but one of /proc, as of bash's >(COMMAND).
to_unnamed_pipe()
{
	"$@" | cat
}
expect export/dev_stdout 0 '^frame,producer,' '' \
	to_unnamed_pipe "$FRAMESCOPE" export swap_loop.txt -f csv -o /dev/stdout
cp swap_loop.txt "$tmp/self.csv"
expect export/itself 1 '' 'is the input itself' "$FRAMESCOPE" export "$tmp/self.csv" -o "$tmp/self.csv"
expect export/itself_kept 0 '' '' cmp swap_loop.txt "$tmp/self.csv"
expect export/not_a_capture 1 '' '^framescope: .*cli\.sh' "$FRAMESCOPE" export cli.sh -o "$tmp/wrong.csv"
expect export/nothing_left 0 '' '' find "$tmp" -name 'wrong.csv*'
expect export/unknown_file 1 '' 'nonexistent\.fsc.?: No such file' \
	"$FRAMESCOPE" export "$tmp/nonexistent.fsc" -f csv
for format in perfetto chrome csv ndjson; do
	expect export/${format}_disk_full 1 '' 'No space left on device' \
		to_full_disk "$FRAMESCOPE" export swap_loop.txt -f $format -o -
	expect export/${format}_device_full 1 '' "cannot write '/dev/full': No space left" \
		"$FRAMESCOPE" export swap_loop.txt -f $format -o /dev/full
	expect export/${format}_closed_pipe 0 '' '' \
		to_closed_pipe "$FRAMESCOPE" export swap_loop.txt -f $format -o -
done
expect export/dump 0 '"schema":"framescope\.frame/1"' '' "$FRAMESCOPE" export gfxinfo.dumpsys -f ndjson
expect export/dump_pipe 0 '^frame,producer,' '' by_pipe "$FRAMESCOPE" export - -f csv
expect export/dump_rows 1 '' 'it has frames and nothing else' \
	"$FRAMESCOPE" export gfxinfo.dumpsys -f csv --rows blocks
expect export/dump_chrome 1 '' 'it has frames and nothing else' \
	"$FRAMESCOPE" export gfxinfo.dumpsys -f chrome -o "$tmp/dump.json"

# The recording of swap_loop.txt was killed before its last two lines, the stop and the end mark.
sed '/^end$/d; /mark=stop$/d' swap_loop.txt >"$tmp/cut.txt"
expect report/cut 0 'ends without its end mark' 'cut' "$FRAMESCOPE" report "$tmp/cut.txt"
expect report/cut_json 0 '"cut": true' 'cut' "$FRAMESCOPE" report "$tmp/cut.txt" --json
expect report/cut_length 0 'length +not known, 12 records' 'cut' "$FRAMESCOPE" report "$tmp/cut.txt"
expect report/lost 0 'Lost records: 3\.' 'lost' "$FRAMESCOPE" report lossy.txt
expect report/lossy 0 'frames +1 complete, 1 lossy, 2 truncated' 'lost' "$FRAMESCOPE" report lossy.txt

# rows NAME EXPECTED OPTIONS...: the frame numbers that come out, in order.
rows()
{
	name=$1 expected=$2
	shift 2
	got=$("$FRAMESCOPE" frames "$@" --format csv 2>"$tmp/err" | sed 1d | cut -d, -f1 | tr '\n' ' ')
	if [ "$got" = "$expected" ]; then
		echo "PASS golden/cli/$name"
	else
		echo "FAIL golden/cli/$name: frames $got, not $expected"
		failed=1
	fi
}

expect frames/worst_left_out 0 . 'frames left out.*: 2 truncated, 0 lossy$' \
	"$FRAMESCOPE" frames swap_loop.txt --worst 9

# The frames of swap_loop.txt are 0-10, 10-26, 26-43, 43-50 and 50-60 ms after the start.
rows frames/all '1 2 3 4 5 ' swap_loop.txt
rows frames/worst '3 2 ' swap_loop.txt --worst 2
rows frames/worst_ties '3 2 4 ' swap_loop.txt --worst 100
rows frames/from '3 4 5 ' swap_loop.txt --from 26
rows frames/to '1 2 ' swap_loop.txt --to 26
rows frames/from_to '2 3 ' swap_loop.txt --from 25.9 --to 26.001
rows frames/one_producer '1 2 3 ' two_surfaces.txt --producer 'twin#2'
rows frames/cut_name '1 2 3 ' two_surfaces.txt --producer 't~#2'
rows frames/several_producers "$("$FRAMESCOPE" frames two_surfaces.txt --format csv | sed 1d | cut -d, -f1 |
	tr '\n' ' ')" two_surfaces.txt --producer 'twi*'
rows frames/worst_of_part '2 ' swap_loop.txt --worst 1 --to 20

# fences NAME EXPECTED OPTIONS...: the second column of the rows that come out, in order.
fences()
{
	name=$1 expected=$2
	shift 2
	got=$("$FRAMESCOPE" fences timelines.txt "$@" --format csv | sed 1d | cut -d, -f2 | tr '\n' ' ')
	if [ "$got" = "$expected" ]; then
		echo "PASS golden/cli/$name"
	else
		echo "FAIL golden/cli/$name: timelines $got, not $expected"
		failed=1
	fi
}

fences fences/by_full_name 'controlq ' --timeline 'virtio_gpu/*'
fences fences/by_timeline 'gpu0 ' --timeline 'gpu?'
fences fences/by_cut_name 'gpu0 ' --timeline 'm~pu0'
fences fences/by_context 'gpu0 ' --timeline 8
fences fences/by_printed_name '\x1b[31mCRTC:3 ' --timeline 'drm/\x1b[31mCRTC:3'
fences fences/one_of_unbound 'unbound ' --timeline 21
fences fences/by_members 'of vgem/unbound ' --timeline 'of vgem/*'
fences fences/unsignaled_of 'gpu0 ' --unsignaled --timeline 'msm/*'
fences fences/waits_of '1000 2000 ' --waits --timeline 'msm/*'
fences fences/waits_of_another '' --waits --timeline 'virtio_gpu/*'

exit $failed
