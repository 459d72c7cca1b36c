#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Recordings for framescope check, and what must come out, reckoned once more.

usage: check.py make SEED FRAMES [OPTION=VALUE...]
           a capture in text form; name=, mean= and spread= (us), slow= (every so many frames one
           waits 30 ms for a lock), memory= (of the frame before, 0 to 1), lossy= (every so many)
       check.py dump FRAMES JANKY
           a text of dumpsys gfxinfo with so many frames, every JANKY-th of them late
       check.py verify CHECK.json FRAMES.csv...
       check.py junit CHECK.json JUNIT.xml
       check.py github CHECK.json LINES
           say what is wrong; nothing: it is as it should be

The reference takes the frames from the rows of framescope frames, and knows nothing else of them.
"""
import csv
import json
import math
import random
import re
import statistics
import sys
import xml.etree.ElementTree

Z = statistics.NormalDist().inv_cdf(0.975)
START = 1000000000


def say(*words):
    print(*words)


def quoted(name):
    return "".join(c if 32 <= ord(c) < 127 and c not in '\\"' else "\\x%02x" % ord(c) for c in name)


def make(seed, frames, name="gears", mean="12000", spread="1000", slow="0", memory="0", lossy="0"):
    rand, now, last = random.Random(int(seed)), START, 0.0
    memory, slow, lossy = float(memory), int(slow), int(lossy)
    say("# framescope dump 1")
    say(f"{now} cpu=- 0/0 clock boottime_ns={now} realtime_ns={now} mark=start")
    say(f'{now} cpu=- 0/0 point id=1 role=swap offset=0x1000 lib="libEGL.so" symbol="eglSwapBuffers"')
    say(f'{now} cpu=- 100/100 task op=seen parent=1 comm="{quoted(name)}"')
    seq = 0
    for i in range(1, int(frames) + 2):
        last = memory * last + math.sqrt(1 - memory * memory) * rand.gauss(0, 1)
        wall = 1000 * max(1000, round(int(mean) + int(spread) * last))
        seq += 1
        wait = 30000000 if slow and i % slow == 0 else 0
        if lossy and i % lossy == 0:
            seq += 1
            say(f"{now + 1000} cpu=0 0/0 lost count=1 where=ring")
        if wait:
            waking = now + 2000000 + wait
            say(f"{waking + 100000} cpu=0 100/100 offcpu out_ns={now + 2000000} waking_ns={waking} "
                f"seq={seq} state=0x1 syscall=202 call=futex context=task peer_tid=101 "
                f'peer_tgid=100 peer_comm="helper"')
            wall += wait
        else:
            waking = now + 900000
            say(f"{waking} cpu=0 100/100 offcpu out_ns={now + 500000} waking_ns={waking} seq={seq} "
                f"state=0x1 syscall=7 fd=5 nfds=1 call=poll file=socket context=task peer_tid=50 "
                f'peer_tgid=50 peer_comm="Xvfb"')
        now += wall
        say(f"{now} cpu=0 100/100 span entry_ns={now - 100000} point=1 seq={i} off_seq={seq} "
            f"arg0=0x1 arg1=0x5500 ret=0x1")
    now += 1000000
    say(f"{now} cpu=- 0/0 clock boottime_ns={now} realtime_ns={now} mark=stop")
    say("end")


HEAD = ("Flags,FrameTimelineVsyncId,IntendedVsync,Vsync,InputEventId,HandleInputStart,AnimationStart,"
        "PerformTraversalsStart,DrawStart,FrameDeadline,FrameInterval,FrameStartTime,SyncQueued,"
        "SyncStart,IssueDrawCommandsStart,SwapBuffers,FrameCompleted,DequeueBufferDuration,"
        "QueueBufferDuration,GpuCompleted,SwapBuffersCompleted,DisplayPresentTime,"
        "CommandSubmissionCompleted,")


def dump(frames, janky):
    ms = 1000000
    say("Applications Graphics Acceleration Info:\nUptime: 900000 Realtime: 900000\n")
    say("** Graphics info for pid 4321 [com.example.app:remote] **\n\nProfile data in ms:\n")
    say("\tcom.example.app/.Main/android.view.ViewRootImpl@1 (visibility=0)")
    say("Window: com.example.app/.Main\n\n---PROFILEDATA---\n" + HEAD)
    for i in range(1, int(frames) + 1):
        at = 100000 * ms + i * 100 * ms
        late = 30 * ms if i % int(janky) == 0 else 0
        swap = at + 10 * ms + late
        row = [0, i, at, at, 0, at + ms, at + ms, at + ms, at + 2 * ms, at + 16 * ms, 16 * ms, at + ms,
               at + 3 * ms + late, at + 4 * ms + late, at + 5 * ms + late, swap, swap + 2 * ms, 0, 0,
               swap + ms, swap + ms, 0, swap]
        say(",".join(str(n) for n in row) + ",")
    say("---PROFILEDATA---\n\nView hierarchy:\n")


def inflation(values, ends):
    mean, runs, start = math.fsum(values) / len(values), [], 0
    for end in ends:
        runs.append([v - mean for v in values[start:end]])
        start = end

    def covariance(lag):
        return math.fsum(r[i] * r[i + lag] for r in runs for i in range(len(r) - lag))
    whole = covariance(0)
    if whole <= 1e-20 * len(values) * mean * mean:
        return 1.0
    sequence, lag = 1.0, 1
    while lag < 256 and lag < len(values) // 2:
        pair = covariance(lag) + covariance(lag + 1)
        if pair <= 0:
            break
        sequence += 2 * pair / whole
        lag += 2
    between = 1.0
    full = [r for r in runs if r]
    if len(full) > 1:
        apart = math.fsum(math.fsum(r) ** 2 / len(r) for r in full)
        between = apart / (len(full) - 1) / (whole / len(values))
    return max(1.0, sequence, between)


class Run:
    """The frames of one producer in one recording."""

    def __init__(self, rows):
        self.frames = [r for r in rows if r["status"] == "complete"]
        self.counts = {s: sum(r["status"] == s for r in rows)
                       for s in ("complete", "lossy", "truncated")}
        self.intervals, self.ends, before = [], [], None
        for row in rows:
            start, end = int(row["start_ns"]), int(row["end_ns"])
            if int(row["frame"]) > 1 and not row["frame_kind"]:
                self.ends.append(start)
            if row["status"] != "truncated":
                self.ends.append(end)
            if row["status"] == "complete" and before == start:
                self.intervals.append(end - before)
            before = end
        self.ends = sorted(set(self.ends))
        self.seconds = (self.ends[-1] - self.ends[0]) / 1e9 if self.ends else 0

    def values(self, metric):
        if metric in ("interval", "fps"):
            return self.intervals
        if metric.startswith("cause."):
            metric = "render_" + metric[6:]
        if metric == "jank.hwui":
            return [int(r["hwui_janky"]) for r in self.frames if r["hwui_total_ns"]]
        return [int(r[metric + "_ns"]) for r in self.frames if r[metric + "_ns"]]


def wilson(part, n):
    middle = (part + Z * Z / (2 * n)) / (1 + Z * Z / n)
    reach = Z / (1 + Z * Z / n) * math.sqrt(part * (1 - part) / n + Z * Z / (4 * n * n))
    return max(0.0, middle - reach), min(1.0, middle + reach)


def mean_of(values, ends, of=None):
    """The mean, or the share in those of `of`, one for each."""
    if of is None or len(of) != len(values):
        share, off = statistics.fmean(values), values
        scale = 1
        if of is not None:
            scale = len(values) / math.fsum(of)
    else:
        scale = len(values) / math.fsum(of)
        share = statistics.fmean(values)
        off = [v - share * scale * w for v, w in zip(values, of)]
    worth = len(off) / inflation(off, ends)
    reach = Z * statistics.stdev(off) / math.sqrt(worth) * scale
    return share * scale, share * scale - reach, share * scale + reach, worth


def reckon(budget, runs):
    """Value, low, high and worth; low or high None: no bound; worth None: it is a fact."""
    metric, stat, limit = budget["metric"], budget["stat"], budget["limit"]
    lossy = sum(r.counts["lossy"] for r in runs)
    complete = sum(r.counts["complete"] for r in runs)
    seconds = sum(r.seconds for r in runs)
    if metric in ("frames", "lossy", "truncated"):
        n = sum(r.counts["complete" if metric == "frames" else metric] for r in runs)
        value = {"count": n, "share": n / sum(sum(r.counts.values()) for r in runs),
                 "rate": n / seconds}[stat]
        return value, value, value, None
    values, ends = [], []
    for run in runs:
        values += run.values(metric)
        ends.append(len(values))
    n = len(values)
    if metric == "fps":
        value = sum(len(r.ends) - 1 for r in runs) / seconds
        mean, low, _, worth = mean_of(values, ends)
        if lossy > 0.05 * (n + lossy):
            return value, None, None, worth
        high = (value + lossy / seconds) / (1 - (mean - low) / mean)
        return value, value / (1 + (mean - low) / mean), high, worth
    if stat in ("min", "max"):
        value = (min if stat == "min" else max)(values)
        return (value, None if lossy and stat == "min" else value,
                None if lossy and stat == "max" else value, None)
    if stat == "count":
        value = sum(values) if metric.startswith("jank") else n
        return value, value, value + lossy, None
    if stat == "rate" and not metric.startswith("jank"):
        return n / seconds, n / seconds, (n + lossy) / seconds, None
    if stat == "mean" or (stat == "share" and not metric.startswith("jank")):
        walls = [int(r["wall_ns"]) for run in runs for r in run.frames]
        value, low, high, worth = mean_of(values, ends, None if stat == "mean" else walls)
        many = lossy > 0.05 * (n + lossy)
        return value, None if many else low, None if many else high, worth
    if metric.startswith("jank"):
        least, most = sum(values) / (n + lossy), (sum(values) + lossy) / (n + lossy)
        scale = (n + lossy) / seconds if stat == "rate" else 1
        worth = n / inflation(values, ends)
        value = sum(values) / (seconds if stat == "rate" else n)
        if budget["op"] == "<=" and limit == 0:
            return value, least * scale, most * scale, None
        return (value, wilson(least, worth)[0] * scale,
                wilson(most, worth)[1] * scale, worth)
    q = float(stat[1:]) / 100
    ordered = sorted(values)
    value = ordered[math.ceil(round(n * q, 6)) - 1]
    beyond = [float(v > value) for v in values]
    if not any(beyond):
        beyond = [float(v >= value) for v in values]
    worth = n / inflation(beyond, ends)
    reach = Z * math.sqrt(q * (1 - q) / worth)
    low, high = math.floor((n + lossy) * (q - reach)) - lossy, math.ceil((n + lossy) * (q + reach))
    return (value, ordered[low - 1] if low >= 1 else None, ordered[high - 1] if high <= n else None,
            worth)


def verdict(budget, n, value, low, high, worth):
    within = {"<=": lambda v: v <= budget["limit"], "<": lambda v: v < budget["limit"],
              ">=": lambda v: v >= budget["limit"], ">": lambda v: v > budget["limit"]}[budget["op"]]
    ceiling = budget["op"][0] == "<"
    of_frames = budget["metric"] not in ("frames", "lossy", "truncated")
    if worth is not None and (n < 30 or worth < 10):
        return "inconclusive"
    worse, better = (high, low) if ceiling else (low, high)
    if worse is not None and within(worse):
        shown = not ceiling if budget["stat"] != "min" else ceiling
        return "inconclusive" if worth is None and of_frames and n < 30 and not shown else "pass"
    return "fail" if better is not None and not within(better) else "inconclusive"


def near(a, b):
    if a is None or b is None:
        return a is b
    return abs(a - b) <= 1e-9 * max(1, abs(a), abs(b))


def verify(path, *tables):
    check, runs = json.load(open(path)), []
    for table in tables:
        producers = {}
        for row in csv.DictReader(open(table)):
            if row["frame_kind"] != "skipped":
                producers.setdefault(row["producer"], []).append(row)
        runs.append({name: Run(rows) for name, rows in producers.items()})
    if check["schema"] != "framescope.check/1" or len(check["files"]) != len(tables):
        say("another schema, or other files")
    if not check["budgets"]:
        say("no results")
    counts = {"pass": 0, "fail": 0, "inconclusive": 0}
    for b in check["budgets"]:
        mine = [r[b["producer"]] for r in runs if b["producer"] in r]
        value, low, high, worth = reckon(b, mine)
        fact = worth is None
        expected = verdict(b, b["frames"], value, low, high, worth)
        counts[expected] += 1
        if not near(value, b["value"]):
            say(b["budget"], "value", b["value"], "not", value)
        if b["verdict"] != expected:
            say(b["budget"], b["verdict"], "not", expected, value, low, high, worth)
        if not fact and not (near(low, b.get("low")) and near(high, b.get("high"))):
            say(b["budget"], "bounds", b.get("low"), b.get("high"), "not", low, high)
        if fact and ("low" in b or "high" in b):
            say(b["budget"], "is a fact and has bounds")
        if not fact and not near(worth, b["independent_frames"]):
            say(b["budget"], "is worth", b["independent_frames"], "not", worth)
        verify_beyond(b, mine)
    whole = next((v for v in ("fail", "inconclusive", "pass") if counts[v]), "pass")
    if (check["verdict"], check["passed"], check["failed"], check["inconclusive"]) != (
            whole, counts["pass"], counts["fail"], counts["inconclusive"]):
        say("counted", check["verdict"], check["passed"], check["failed"], check["inconclusive"])


def verify_beyond(b, runs):
    """The frames beyond the limit, and the cause of most of them."""
    if b["metric"] != "wall" or b["unit"] != "ns" or b["op"] != "<=":
        return
    beyond = [r for run in runs for r in run.frames if int(r["wall_ns"]) > b["limit"]]
    told = b.get("beyond", {"frames": 0})
    if told["frames"] != len(beyond):
        say(b["budget"], told["frames"], "beyond, not", len(beyond))
    if not beyond:
        return
    causes = {}
    for row in beyond:
        causes[row["top_cause"]] = causes.get(row["top_cause"], 0) + 1
    if told["causes"] != causes:
        say(b["budget"], "causes", told["causes"], "not", causes)
    worst = max(int(r["wall_ns"]) for r in beyond)
    if told["worst"]["ns"] != worst:
        say(b["budget"], "worst", told["worst"]["ns"], "not", worst)


def junit(path, xml_path):
    check = json.load(open(path))
    root = xml.etree.ElementTree.parse(xml_path).getroot()
    suite = root.find("testsuite")
    for element in (root, suite):
        for key, count in (("tests", len(check["budgets"])), ("failures", check["failed"]),
                           ("skipped", check["inconclusive"]), ("errors", 0)):
            if element.get(key) != str(count):
                say(element.tag, key, element.get(key), "not", count)
    cases = suite.findall("testcase")
    if len(cases) != len(check["budgets"]):
        say(len(cases), "testcases")
    for case, b in zip(cases, check["budgets"]):
        kind = "failure" if case.find("failure") is not None else (
            "inconclusive" if case.find("skipped") is not None else "pass")
        if kind != {"fail": "failure"}.get(b["verdict"], b["verdict"]):
            say(b["budget"], "is a", kind)
        if case.get("name") != b["budget"] or case.get("classname") != b["producer"]:
            say("the testcase is called", case.get("classname"), case.get("name"))


def github(path, lines):
    check = json.load(open(path))
    found = [line.rstrip("\n") for line in open(lines) if line.startswith("::")]
    wanted = [b for b in check["budgets"] if b["verdict"] != "pass"]
    if not wanted:
        wanted = [None]
    if len(found) != len(wanted):
        say(len(found), "annotations, not", len(wanted))
    for line, b in zip(found, wanted):
        match = re.fullmatch(r"::(error|warning|notice) title=([^,:\r\n]*)::([^\r\n]+)", line)
        if not match:
            say("no annotation:", line)
            continue
        kind = "notice" if b is None else {"fail": "error", "inconclusive": "warning"}[b["verdict"]]
        title = re.sub("%(25|0A|0D|3A|2C)", lambda m: chr(int(m[1], 16)), match[2])
        if match[1] != kind or (b and title != f"{b['producer']} {b['budget']}"):
            say("annotated as", match[1], title)
        if re.search("%(?!25|0A|0D)", match[3]):
            say("a bare % in", line)


if __name__ == "__main__":
    what, rest = sys.argv[1], sys.argv[2:]
    if what == "make":
        make(*rest[:2], **dict(o.split("=", 1) for o in rest[2:]))
    else:
        {"dump": dump, "verify": verify, "junit": junit, "github": github}[what](*rest)
