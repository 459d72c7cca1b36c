#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#
# Summaries, comparisons, and checks against a baseline, of captures that baseline.py makes: it is
# known what was added to which frames. Called by run, which sets FRAMESCOPE and the directory.
set -u
export LC_ALL=C

tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
failed=0

# verdict NAME COMPLAINT: none is good.
verdict() {
	if [ -z "$2" ]; then
		echo "PASS golden/baseline/$1"
	else
		echo "FAIL golden/baseline/$1: $2"
		failed=1
	fi
}

# code NAME EXPECTED ARGS...: the exit status; what is printed is left in out and err.
code() {
	local name=$1 expected=$2 got
	shift 2
	"$FRAMESCOPE" "$@" >"$tmp/out" 2>"$tmp/err"
	got=$?
	if [ "$got" -eq "$expected" ]; then
		verdict "$name" ""
	else
		verdict "$name" "framescope $* ended with $got and not with $expected"
		sed 's/^/# /' "$tmp/out" "$tmp/err"
	fi
}

# says NAME TEXT: it is in what was printed.
says() {
	if grep -qF -- "$2" "$tmp/out" "$tmp/err"; then
		verdict "$1" ""
	else
		verdict "$1" "'$2' is not said"
		sed 's/^/# /' "$tmp/out" "$tmp/err"
	fi
}

# json NAME EXPRESSION: of d, the object in out; true is good.
json() {
	local why
	why=$(python3 -c 'import json,sys
d = json.load(open(sys.argv[1]))
if not eval("(" + sys.argv[2] + ")"): print("not so:", sys.argv[2])' "$tmp/out" "$2" 2>&1)
	verdict "$1" "$why"
}

make() { # name, arguments of baseline.py
	local name=$1
	shift
	./baseline.py "$@" >"$tmp/$name.txt" || verdict setup "baseline.py $*"
}
a=$tmp/a.txt b=$tmp/b.txt
make a 1 300
make b 2 300
make c 3 300
make slow 4 300 scale=1.15
make locked 5 300 lock_ms=2 'meta={"kernel": "6.19.1", "governor": "powersave"}'
make fast 6 300 scale=0.85
make few 7 40
make other 8 300 comm=other

# A summary, and one of it.
code summary 0 summary "$a" "$b"
json summary_fields 'd["schema"] == "framescope.summary/1" and [r["file"] for r in d["runs"]] == ["a.txt", "b.txt"]
	and d["runs"][0]["circumstances"] == {"model": "Pixel", "machine": "x86_64", "kernel": "6.18.0", "framescope": "0.1.0"}'
json summary_frames 'all(p["complete"] == 301 and p["lossy"] == 0 and p["metrics"]["wall"]["frames"] == 301
	for r in d["runs"] for p in r["producers"])'
cp "$tmp/out" "$tmp/ab.json"
verdict summary_size "$([ "$(wc -c <"$tmp/ab.json")" -lt 10240 ] ||
	echo "two runs of one producer take more than 10 KiB")"
# The percentiles, from the frames themselves.
"$FRAMESCOPE" frames "$a" --format ndjson >"$tmp/frames"
verdict summary_values "$(python3 - "$tmp/frames" "$tmp/ab.json" <<'PY'
import json, math, sys
walls = [f["wall_ns"] for f in map(json.loads, open(sys.argv[1])) if f["status"] == "complete"]
m = json.load(open(sys.argv[2]))["runs"][0]["producers"][0]["metrics"]
order = sorted(walls)
for p in 50, 90, 95, 99:
    want = order[math.ceil(len(order) * p / 100) - 1]
    if m["wall"]["p%d" % p][0] != want: print("p%d is not" % p, want)
if abs(m["wall"]["mean"][0] - sum(walls) / len(walls)) > 1: print("the mean is not that")
if m["wall"]["quantiles"][0] != order[0] or m["wall"]["quantiles"][-1] != order[-1]: print("range")
PY
)"
code again 0 summary "$tmp/ab.json"
verdict again_same "$(cmp "$tmp/out" "$tmp/ab.json" 2>&1)"
code more 0 summary "$tmp/ab.json" "$tmp/c.txt"
json more_runs 'len(d["runs"]) == 3'
cp "$tmp/out" "$tmp/abc.json"
for run in a locked; do "$FRAMESCOPE" summary "$tmp/$run.txt" >"$tmp/$run.json"; done

# What changed, and the same of summaries. 2 ms of a lock are added to each frame, to 14 ms.
code compare 0 compare "$a" "$tmp/locked.txt" --json
json compare_changes '{(c["metric"], c["stat"]): c["verdict"] for c in d["producers"][0]["changes"]}[("wall", "p95")] == "higher"'
json compare_cause '[c for c in d["producers"][0]["changes"] if (c["metric"], c["stat"]) == ("cause.lock", "mean")][0]["verdict"] == "higher"
	and abs([c for c in d["producers"][0]["changes"] if (c["metric"], c["stat"]) == ("cause.lock", "mean")][0]["change"] - 2e6) < 2e5'
json compare_frames 'len(d["producers"][0]["frames"]) == 3 and all(f["cause"] == "lock" and "worker/101" in f["why"] for f in d["producers"][0]["frames"])'
json compare_differences 'd["differences"] == ["kernel: 6.18.0 before, 6.19.1 now"]'
cp "$tmp/out" "$tmp/from_captures"
code compare_summaries 0 compare "$tmp/a.json" "$tmp/locked.json" --json
json compare_frameless '"frames" not in d["producers"][0]'
verdict compare_alike "$(python3 - "$tmp/from_captures" "$tmp/out" <<'PY'
import json, sys
a, b = (json.load(open(p)) for p in sys.argv[1:])
for d in a, b:
    for p in d["producers"]: p.pop("frames", None)
if a != b: print("two captures and their summaries are not compared alike")
PY
)"
code compare_text 0 compare "$a" "$tmp/locked.txt"
says compare_shows 'Frames now that show it: blocked on a lock'
verdict compare_width "$(awk 'length > 100 { print "a line has more than 100 columns" }' "$tmp/out")"

# The gate.
code same 0 check "$b" --baseline "$a"
code same_summary 0 check "$b" --baseline "$tmp/a.json"
code same_runs 0 check "$b" --baseline "$a" "$tmp/c.txt"
code separated 0 check --baseline "$a" "$tmp/c.txt" -- "$b"
code faster 0 check "$tmp/fast.txt" --baseline "$a"
code slower 3 check "$tmp/slow.txt" --baseline "$a"
code slower_summary 3 check "$tmp/slow.txt" --baseline "$tmp/abc.json" --junit "$tmp/junit.xml"
verdict junit "$(python3 - "$tmp/junit.xml" <<'PY'
import sys, xml.etree.ElementTree as tree
root = tree.parse(sys.argv[1]).getroot()
names = [c.get("name") for c in root.iter("testcase") if c.find("failure") is not None]
if names != ["wall.p50<=baseline+5%,0.2ms", "wall.p95<=baseline+5%,0.2ms"]: print(names)
PY
)"
code allowed 0 check "$tmp/slow.txt" --baseline "$a" --min-effect 25%
code named 3 check "$tmp/locked.txt" --baseline "$a" --min-effect 25% --min-effect cause.lock.mean=10%,0.1ms --json -
json named_rows '{b["budget"]: b["verdict"] for b in d["budgets"]} == {"wall.p50<=baseline+25%": "pass",
	"wall.p95<=baseline+25%": "pass", "cause.lock.mean<=baseline+10%,0.1ms": "fail"}'
json named_differences 'd["differences"] == ["kernel: 6.18.0 before, 6.19.1 now"]'
code cause 3 check "$tmp/locked.txt" --baseline "$a"
says cause_said 'lock grew by'
code too_few 4 check "$tmp/few.txt" --baseline "$a"
says too_few_said 'it takes 50 frames'
code beside 3 check "$b" --baseline "$a" --budget 'wall.p50<1ms'

# What can't be compared is an error, and no pass.
code no_producer 1 check "$tmp/other.txt" --baseline "$a"
code no_producer_compare 1 compare "$tmp/other.txt" "$a"
code no_metric 1 check "$b" --baseline "$a" --min-effect jank.hwui=1%
make lossy 9 300 lossy=1
code all_lossy 1 check "$tmp/lossy.txt" --baseline "$a"
says all_lossy_said 'and the baseline has it'
# The baseline with the GPU's part (here, the wall time's figures), which the new run lost; with
# fewer frames, of one metric and not of the producer; and with nothing that decides.
python3 - "$tmp" <<'PY'
import copy, json, sys
tmp = sys.argv[1]
a = json.load(open(tmp + "/a.json"))
def write(name, change):
    d = copy.deepcopy(a)
    change(d["runs"][0]["producers"][0]["metrics"])
    json.dump(d, open(tmp + "/" + name + ".json", "w"))
def fewer(metrics):
    metrics["wall"]["frames"] = 20
    for figure in list(metrics["wall"].values()):
        if isinstance(figure, list) and len(figure) == 4: figure[2] = 1
write("gpu", lambda m: m.update(gpu=m["wall"]))
write("fewer", fewer)
write("undecided", lambda m: m.pop("wall"))
PY
code lost_metric 1 check "$b" --baseline "$tmp/gpu.json"
says lost_metric_said 'has gpu now'
code few_of_metric 4 check "$b" --baseline "$tmp/fewer.json"
says few_of_metric_said 'there are 20 and 301'
code undecided 1 check "$b" --baseline "$tmp/undecided.json"
says undecided_said 'nothing in common that decides'
code no_file 1 check "$b" --baseline "$tmp/none.json"
code usage_effect 2 check "$b" --baseline "$a" --min-effect 5
code usage_alone 2 check "$b" --budget 'frames>=1' --min-effect 5%
says usage_alone_said 'min-effect is of a --baseline'
code usage_swallowed 2 check --baseline "$a" "$b"
code usage_compare 2 compare "$a"
code usage_summary 2 summary
code no_frames 1 summary empty.txt

# Damaged summaries: each is refused with a reason, or is as good as it was.
verdict damaged "$(python3 - "$FRAMESCOPE" "$tmp" <<'PY'
import copy, json, random, subprocess, sys
program, tmp = sys.argv[1:]
good = json.load(open(tmp + "/ab.json"))
rng = random.Random(7)
odd = [None, True, -1, 0, 1e300, -1e300, 2 ** 62, "", "x\x1b[31m", [], {}, [1], {"a": 1}]

def places(value, path=()):
    yield path
    for key in value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        yield from places(value[key], path + (key,))

def run(text):
    open(tmp + "/bad.json", "w").write(text)
    done = subprocess.run([program, "compare", tmp + "/bad.json", tmp + "/a.txt"], capture_output=True, timeout=60)
    if done.returncode not in (0, 1): print("ended with", done.returncode)
    if done.returncode == 1 and not done.stderr: print("no reason given")
    if b"\x1b" in done.stdout + done.stderr: print("an escape is printed")
    return done

all_places = list(places(good))[1:]
for path in [p for p in all_places if len(p) < 7] + rng.sample(all_places, 60):
    bad = copy.deepcopy(good)
    at = bad
    for key in path[:-1]: at = at[key]
    at[path[-1]] = rng.choice(odd)
    run(json.dumps(bad))
text = json.dumps(good)
for cut in range(1, len(text), 900):
    if run(text[:cut]).returncode != 1: print("cut at", cut, "and not refused")
for huge in "[" * 100000, '{"schema":"framescope.summary/1","runs":' + "[" * 3000, "{}", '{"schema":"framescope.summary/2"}':
    if run(huge).returncode != 1: print("not refused:", huge[:50])
PY
)"
exit $failed
