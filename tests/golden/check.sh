#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#
# framescope check: its exit codes and forms, and its figures against those that check.py reckons
# from the rows of frames; and the OpenMetrics text of a recording against openmetrics.py. Called by
# run, which sets FRAMESCOPE and the directory.
#
# shellcheck disable=SC2317 # functions are called by expect

tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
failed=0

if ! command -v python3 >/dev/null; then
	echo "SKIP golden/check: there is no python3"
	exit 0
fi

# verdict NAME COMPLAINTS: none is good.
verdict()
{
	if [ -z "$2" ]; then
		echo "PASS golden/check/$1"
	else
		echo "FAIL golden/check/$1: $(echo "$2" | head -n 3 | tr '\n' ' ')"
		failed=1
	fi
}

# mismatch STREAM PATTERN: as in cli.sh.
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
	verdict "$name" "$([ $got -eq "$code" ] || echo "exit status $got, not $code"
		mismatch out "$out_pattern"
		mismatch err "$err_pattern")"
}

check()
{
	"$FRAMESCOPE" check "$@"
}

# make NAME SEED FRAMES [OPTION...]: a capture, and the rows of its frames.
make()
{
	name=$1
	shift
	if ! ./check.py make "$@" >"$tmp/$name.txt" ||
		! "$FRAMESCOPE" frames "$tmp/$name.txt" --format csv >"$tmp/$name.csv" 2>"$tmp/err"
	then
		verdict "make/$name" "it can't be made"
	fi
}

# verify NAME FILES BUDGET...: the figures, and that JUnit and the annotations say the same.
verify()
{
	name=$1 files=$2 paths='' tables=''
	shift 2
	for file in $files; do
		paths="$paths $tmp/$file.txt"
		tables="$tables $tmp/$file.csv"
	done
	for budget; do
		shift
		set -- "$@" --budget "$budget"
	done
	# shellcheck disable=SC2086 # lists
	check $paths "$@" --json "$tmp/json" --junit "$tmp/junit" --github >"$tmp/text" 2>"$tmp/err"
	status=$?
	# shellcheck disable=SC2086
	verdict "$name" "$(grep -v 'lost: 5 records are missing' "$tmp/err"
		./check.py verify "$tmp/json" $tables 2>&1
		./check.py junit "$tmp/json" "$tmp/junit" 2>&1
		./check.py github "$tmp/json" "$tmp/text" 2>&1
		grep -v '^::' "$tmp/text" | awk 'length > 100 { print "longer than 100 columns: " $0 }'
		case $(sed -n 's/^  "verdict": "\(.*\)",/\1/p' "$tmp/json")$status in
		pass0 | fail3 | inconclusive4) ;;
		*) echo "exit status $status" ;;
		esac)"
}

make even 1 400
make again 2 400
make slower 3 400 mean=13000
make slow 4 600 slow=15
make alike 5 600 memory=0.9 spread=3000
make lossy 6 500 lossy=100
make few 7 20
make 'stuttering' 8 100 memory=0.999 spread=4000
./check.py make 9 40 "name=a<\"&>':%,é" >"$tmp/hostile.txt"
./check.py make 10 40 name=app:remote >"$tmp/colon.txt"
./check.py dump 400 50 >"$tmp/dump.txt"
"$FRAMESCOPE" frames "$tmp/dump.txt" --format csv >"$tmp/dump.csv"

set -- 'wall.p95<=16.6ms' 'wall.p95<=13.7ms' 'wall.p50<12ms' 'wall.p99<=14ms' 'wall.p99.9<=1s' \
	'wall.p90>=12ms' 'wall.max<=30ms' 'wall.min>=1ms' 'wall.mean<=12.1ms' 'wall.mean<=11ms' \
	'wall.count>=300' 'wall.rate>=10' 'interval.p95<=16.6ms' 'fps>=58' 'fps>=82' 'fps<200fps' \
	'frames>=300' 'frames>=100000' 'lossy<=1%' 'lossy.count<=0' 'truncated<=1%' 'truncated.rate<=1' \
	'cause.ipc.share<=5%' 'cause.ipc.share<=0.1%' 'cause.lock.max<=1ms' 'render_lock.p95<=4ms' \
	'render_running.mean<=12ms' 'cause.unknown.p99<=0'
for file in even slower slow alike lossy few stuttering 'even again' 'even slower' 'few even alike'; do
	verify "figures/$file" "$file" "$@"
done
verify figures/dump dump 'jank.hwui<=5%' 'jank.hwui<=1%' 'jank.hwui<=0.1%' 'jank.hwui<=0%' \
	'jank.hwui.count<=8' 'jank.hwui.count<8' 'hwui_total.p95<=13ms' 'total.p95<=12ms' 'frames>=400'
verdict cause "$(check "$tmp/slow.txt" --budget 'wall.p90<=16.6ms' --budget 'wall.p95<=16.6ms' >"$tmp/out"
	grep -Eq '^ +40 of 600 frames beyond, 40 of them mostly blocked on a lock \(futex\), woken by helper/101$' \
		"$tmp/out" || cat "$tmp/out")"

verdict cause_share "$(check "$tmp/slow.txt" --budget 'cause.lock.share<=5%' >"$tmp/out"
	grep -Eq '^ +40 of 600 frames beyond: blocked on a lock \(futex\), woken by helper/101$' "$tmp/out" ||
		cat "$tmp/out")"

expect pass 0 '^pass: 1 passed, 0 failed, 0 inconclusive$' '' check "$tmp/even.txt" --budget 'wall.p95<=16.6ms'
expect fail 3 '^  FAIL  wall\.p95 ' '' check "$tmp/even.txt" --budget 'wall.p95<=10ms'
expect inconclusive 4 '^  \?     wall\.p99\.9 ' '' check "$tmp/even.txt" --budget 'wall.p99.9<=20ms'
expect fail_wins 3 '^fail: 1 passed, 1 failed, 1 inconclusive$' '' check "$tmp/even.txt" \
	--budget 'wall.p99.9<=20ms' --budget 'wall.p95<=10ms' --budget 'frames>=3'
expect too_few 4 'of 20 frames it can.t be told; it takes 73 or more' '' \
	check "$tmp/few.txt" --budget 'wall.p95<=16.6ms'
expect too_lossy 4 'lossy frames are left out, and may be what decides' 'lost: 5 records' \
	check "$tmp/lossy.txt" --budget 'wall.max<=16.6ms'
expect too_alike 4 'worth [0-9.]+ independent ones; it takes 10' '' \
	check "$tmp/stuttering.txt" --budget 'wall.p50<=12ms'
expect runs 0 '^gears  in 2 of 2 files  left out: 4 truncated$' '' \
	check "$tmp/even.txt" "$tmp/again.txt" --budget 'frames>=800'

expect producer 0 '^app:remote ' '' check "$tmp/colon.txt" --budget 'app:remote:frames>=40'
expect pattern 0 '^app:remote ' '' check "$tmp/colon.txt" --budget 'app*:frames>=40'
expect no_producer 1 '' "a producer that matches 'app:remot'" \
	check "$tmp/colon.txt" --budget 'app:remot:frames>=40'
expect near_producer 1 '' 'try: app:remote:frames>=40' \
	check "$tmp/colon.txt" --budget 'app:remot:frames>=40'
expect each_producer 0 '^twin#2 ' '' check two_surfaces.txt --budget 'frames>=1'
expect window 0 '^com.example.app:remote$' '' \
	check "$tmp/dump.txt" --budget 'com.example.app/.Main:jank.hwui<=5%'

# Two runs, in which one process has two windows: the budget is of the one in the second.
sed 's|/\.Main|/.Splash|' "$tmp/dump.txt" >"$tmp/splash.txt"
for runs in splash:dump dump:splash; do
	expect "window_of_one_run/$runs" 3 '^  FAIL  jank.hwui ' '' check "$tmp/${runs%:*}.txt" \
		"$tmp/${runs#*:}.txt" --budget 'com.example.app/.Main:jank.hwui<=0%'
	verdict "window_of_one_run/$runs/beyond" \
		"$(grep -q '16 of 800 frames beyond' "$tmp/out" || cat "$tmp/out")"
done

expect no_slots 1 '' 'has no cause\.slot of gears: no such call was probed' \
	check "$tmp/even.txt" --budget 'cause.slot.max<=1ms'
expect no_render_slots 1 '' 'has no render_slot of gears: no such call was probed' \
	check "$tmp/even.txt" --budget 'render_slot.max<=1ms'
expect slots 3 '^  FAIL  cause\.slot\.max ' '' check slot.txt --budget 'cause.slot.max<=1ns'
expect no_fences 1 '' "has no gpu of gears: no frame's fence was seen" \
	check "$tmp/even.txt" --budget 'gpu.p95<8ms'
expect no_hwui 1 '' 'has no jank\.hwui of gears: no frame of Android.s HWUI has the FrameInfo' \
	check "$tmp/even.txt" --budget 'jank.hwui<=1%'
expect no_stages 1 '' 'has no stage\.sync of gears: no frame of Android.s HWUI was seen' \
	check "$tmp/even.txt" --budget 'stage.sync.p95<=2ms'
expect no_fps_of_dump 1 '' 'a text of dumpsys has only some' check "$tmp/dump.txt" --budget 'fps>=1'
expect no_rate_of_dump 1 '' 'a text of dumpsys has only some' check "$tmp/dump.txt" --budget 'jank.hwui.rate<=1'
expect no_budgets_in_dump 1 '' 'a text of dumpsys does not have it' \
	check "$tmp/dump.txt" --budget 'cause.fence.max<=1ms'
expect no_reasons_in_trace 1 '' 'a trace does not say what threads were blocked on' \
	check trace_android14.ftrace --budget 'cause.fence.max<=1ms'
expect no_frame_info_in_trace 1 '' 'marks in a trace never do' \
	check trace_android14.ftrace --budget 'jank.hwui<=1%'
expect no_fences_in_trace 1 '' 'no fences: it has no dma_fence events' \
	check trace_android14.ftrace --budget 'gpu.p95<8ms'
expect no_frames 1 '' 'has no frames' check empty.txt --budget 'frames>=0'
expect only_in_some 1 '' 'dump.txt has no' check "$tmp/dump.txt" --budget 'gpu.p95<8ms'
expect other_runs 1 '' 'trace_android14\.ftrace has no jank.hwui of com.example.app' \
	check gfxinfo.dumpsys trace_android14.ftrace --budget 'jank.hwui<=1%'
expect no_file 1 '' 'cannot open .*nowhere' check nowhere --budget 'frames>=1'
expect no_capture 1 '' 'check.py' check check.py --budget 'frames>=1'

expect no_budget 2 '' 'which budget\?' check "$tmp/even.txt"
expect no_capture_named 2 '' 'which capture file\?' check --budget 'frames>=1'
expect unknown_metric 2 '' "did you mean wall\?" check "$tmp/even.txt" --budget 'wal.p95<=1ms'
expect unit_missing 2 '' "'16.6' has no unit" check "$tmp/even.txt" --budget 'wall.p95<=16.6'
expect two_outputs 2 '' 'there is one standard output' \
	check "$tmp/even.txt" --budget 'frames>=1' --json - --junit -
expect effect_of_nothing 2 '' 'min-effect is of a --baseline' \
	check "$tmp/even.txt" --budget 'frames>=1' --min-effect 5%
expect unknown_option 2 '' 'did you mean --budget' check "$tmp/even.txt" --budgt 'frames>=1'
expect release 2 '' 'a release from 8 to 17' check "$tmp/even.txt" --budget 'frames>=1' --android 7

printf '{"schema":"framescope.budgets/1","budgets":["frames>=300",{"budget":"fps>=58","producer":"gears"}]}' \
	>"$tmp/budgets.json"
expect budgets_file 0 '^pass: 2 passed' '' check "$tmp/even.txt" --budgets "$tmp/budgets.json"
expect both 0 '^pass: 3 passed' '' check "$tmp/even.txt" --budgets "$tmp/budgets.json" --budget 'lossy<=1%'
echo '{"schema":"framescope.budgets/1","budgets":["frames>300' >"$tmp/wrong.json"
expect budgets_cut 1 '' 'wrong\.json: no JSON: line 1' check "$tmp/even.txt" --budgets "$tmp/wrong.json"
expect budgets_none 1 '' 'cannot open' check "$tmp/even.txt" --budgets "$tmp/none.json"

check "$tmp/even.txt" --budget 'wall.p95<=10ms' --json "$tmp/json" >"$tmp/text"
expect json_standard 3 '"schema": "framescope.check/1"' '' check "$tmp/even.txt" --budget 'wall.p95<=10ms' --json -
verdict json_same "$(diff "$tmp/out" "$tmp/json")"
expect junit_standard 3 '^<\?xml version="1.0" encoding="UTF-8"\?>$' '' \
	check "$tmp/even.txt" --budget 'wall.p95<=10ms' --junit -
expect github 3 '^::error title=gears wall\.p95<=10ms::wall\.p95 is [0-9.]+ ms .*%0A' '' \
	check "$tmp/even.txt" --budget 'wall.p95<=10ms' --github
expect github_notice 0 '^::notice title=framescope check::1 passed$' '' \
	check "$tmp/even.txt" --budget 'frames>=1' --github
expect no_place 1 '^pass: ' 'nowhere' check "$tmp/even.txt" --budget 'frames>=1' --junit /nowhere/junit.xml

full_disk()
{
	check "$tmp/even.txt" --budget 'frames>=1' >/dev/full
}
expect full_disk 1 '' 'No space left' full_disk

# A name that is a command of GitHub's.
for name in '::error::pwned' ' ::stop::x' '##[error]pwned'; do
	./check.py make 11 40 "name=$name" >"$tmp/command.txt"
	check "$tmp/command.txt" --budget 'wall.max<=1ms' --github >"$tmp/text" 2>"$tmp/err"
	verdict "command/$name" "$(grep -E '^[[:space:]]*::' "$tmp/text" | grep -v '^::error title='
		grep -F '##[' "$tmp/text" | grep -v '^::error title='
		grep -q pwned "$tmp/text" || grep -q stop "$tmp/text" || echo 'it has no name')"
done

# A name that is made to end every form early.
check "$tmp/hostile.txt" --budget 'wall.max<=1ms' --budget 'wall.p99<=1s' --json "$tmp/json" \
	--junit "$tmp/junit" --github >"$tmp/text" 2>"$tmp/err"
verdict hostile_name "$(./check.py junit "$tmp/json" "$tmp/junit" 2>&1
	./check.py github "$tmp/json" "$tmp/text" 2>&1
	LC_ALL=C grep -a '[^ -~]' "$tmp/text" "$tmp/json" "$tmp/junit" | grep -av 'é'
	cat "$tmp/err")"

expect metrics 0 '^wall +time +a frame from its beginning to its end$' '' check --list-metrics
expect metrics_there 0 '^gpu +time +- +the GPU' '' check --list-metrics "$tmp/even.txt"
expect metrics_of_dump 0 '^jank\.hwui +share +yes +janky' '' check --list-metrics "$tmp/dump.txt"
verdict metrics_width "$(check --list-metrics hwui.txt | awk 'length > 100')"
verdict help_width "$(check --help | awk 'length > 80')"

for input in *.txt *.ftrace *.atrace "$tmp"/even.txt "$tmp"/lossy.txt "$tmp"/hostile.txt; do
	base=${input##*/}
	if ! {
		"$FRAMESCOPE" export "$input" -f openmetrics >"$tmp/om" &&
			"$FRAMESCOPE" frames "$input" --format csv >"$tmp/csv" &&
			"$FRAMESCOPE" frames "$input" --stages --format csv >"$tmp/stages" &&
			"$FRAMESCOPE" report "$input" --json >"$tmp/report" &&
			"$FRAMESCOPE" fences "$input" --unsignaled --format csv >"$tmp/fences"
	} 2>"$tmp/err"; then
		verdict "openmetrics/$base" "$(cat "$tmp/err")"
		continue
	fi
	verdict "openmetrics/$base" \
		"$(./openmetrics.py "$tmp/om" "$tmp/csv" "$tmp/stages" "$tmp/report" "$tmp/fences" 2>&1)"
done
expect openmetrics/suffix 0 '' '' "$FRAMESCOPE" export "$tmp/even.txt" -o "$tmp/even.prom"
verdict openmetrics/same "$("$FRAMESCOPE" export "$tmp/even.txt" -f openmetrics | diff - "$tmp/even.prom")"
expect openmetrics/dump 1 '' 'it has frames and nothing else' "$FRAMESCOPE" export "$tmp/dump.txt" -f openmetrics

exit $failed
