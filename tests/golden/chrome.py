#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Checks a Chrome JSON export against the rules of its format and the rows of its frames.

usage: chrome.py TRACE.json FRAMES.ndjson     says what is wrong; nothing: it is as it should be

Of the format: each event has what its phase needs, slices of a track that is no thread nest, what
begins ends, and an arrow has two ends, each within a slice and in order of time. Of the frames: each
row is a slice with the same values and times, and there are no others.
"""
import collections
import decimal
import json
import sys

LANES = 1 << 29  # numbers of tracks that are no threads begin there
NEEDED = {
    "X": {"name", "cat", "pid", "tid", "ts", "dur"},
    "M": {"name", "pid", "tid", "args"},
    "C": {"name", "cat", "pid", "ts", "args"},
    "b": {"name", "pid", "ts", "cat", "id"},
    "e": {"name", "pid", "ts", "cat", "id"},
    "s": {"name", "pid", "tid", "ts", "cat", "id"},
    "f": {"name", "pid", "tid", "ts", "cat", "id", "bp"},
    "i": {"name", "cat", "pid", "tid", "ts", "s"},
}


def say(*words):
    print(*words)


def ns(us):
    """Exactly, or not at all."""
    whole = us * 1000
    if whole != int(whole):
        say("not a whole number of ns:", us)
    return int(whole)


def check_members(events):
    for event in events:
        missing = NEEDED.get(event.get("ph"), {"a known phase"}) - set(event)
        if missing:
            say("an event without", sorted(missing), event)
        if any(ns(event[key]) < 0 for key in ("ts", "dur") if key in event):
            say("a negative time", event)


def check_names(events):
    """Of each thread, and of each process, there is one."""
    for key, count in collections.Counter(
            (e["name"], e["pid"], e["tid"]) for e in events if e["ph"] == "M").items():
        if count > 1:
            say("named", count, "times:", key)


def check_nesting(slices):
    for (pid, tid), own in slices.items():
        if tid < LANES:
            continue
        open_ends = []
        for begin, end in sorted(own, key=lambda s: (s[0], -s[1])):
            while open_ends and open_ends[-1] <= begin:
                open_ends.pop()
            if open_ends and end > open_ends[-1]:
                say("slices overlap on track", pid, tid, "at", begin)
            open_ends.append(end)


def check_async(events):
    opened = collections.Counter()
    for event in events:
        if event["ph"] in "be":
            opened[event["cat"], event["id"], event["pid"]] += 1 if event["ph"] == "b" else -1
    for key, count in opened.items():
        if count:
            say("not balanced:", key)


def check_flows(events, slices):
    ends = collections.defaultdict(dict)
    for event in events:
        if event["ph"] not in "sf":
            continue
        at = ns(event["ts"])
        if event["ph"] in ends[event["id"]]:
            say("an end twice", event)
        ends[event["id"]][event["ph"]] = at
        if not any(b <= at < e for b, e in slices[event["pid"], event["tid"]]):
            say("an arrow that is in no slice", event)
    for key, both in ends.items():
        if set(both) != set("sf") or both["s"] > both["f"]:
            say("an arrow with", both, key)


def check_frames(events, rows):
    left = collections.Counter(json.dumps(row, sort_keys=True) for row in rows)
    for event in events:
        if event["ph"] not in "Xb" or "wall_ns" not in event.get("args", {}):
            continue
        args = event["args"]
        if "stage" in args:
            if ns(event["dur"]) < args["wall_ns"]:
                say("a stage shorter than its time", event)
            continue
        left[json.dumps(args, sort_keys=True)] -= 1
        if ns(event["ts"]) != args["start_ns"]:
            say("a frame elsewhere", event)
        name = f"frame {args['frame']} {args.get('top_cause', '')}".split()
        if event["ph"] == "X" and event["name"].split() != name:
            say("a frame of another name", event)
        if event["ph"] == "X" and ns(event["dur"]) != args["wall_ns"]:
            say("a frame of another length", event)
    for row, count in left.items():
        if count:
            say("a frame", -count, "times too often:", row)


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        trace = json.load(file, parse_float=decimal.Decimal)
    rows = []
    with open(sys.argv[2], encoding="utf-8") as file:
        for line in file:
            rows.append(json.loads(line, parse_float=decimal.Decimal))
            del rows[-1]["schema"]
    for row in rows:
        for key, value in row.items():
            row[key] = str(value) if isinstance(value, decimal.Decimal) else value
    events = trace["traceEvents"]
    for event in events:
        for key, value in event.get("args", {}).items():
            if isinstance(value, decimal.Decimal):
                event["args"][key] = str(value)
    slices = collections.defaultdict(list)
    check_members(events)
    check_names(events)
    for event in events:
        if event["ph"] == "X":
            begin = ns(event["ts"])
            slices[event["pid"], event["tid"]].append((begin, begin + ns(event["dur"])))
    check_nesting(slices)
    check_async(events)
    check_flows(events, slices)
    check_frames(events, rows)


main()
