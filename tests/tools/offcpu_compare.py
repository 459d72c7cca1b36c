#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Compare the off-CPU intervals of a capture with those made from nothing but its switches.

usage: offcpu_compare.py DUMP OTHER

Both are texts of framescope dump, OTHER of a trace with the scheduling of DUMP alone. Prints a line
for each interval that is not as it should be, and how many were compared; 1 if any is not.
"""
import re
import sys

LINE = re.compile(r"(\d+) cpu=(\S+) (\d+)/\d+ offcpu (.*)")
PAIR = re.compile(r'(\w+)=("(?:[^"\\]|\\.)*"|\S*)')


def intervals(name):
    with open(name, encoding="utf-8") as file:
        for line in file:
            match = LINE.match(line)
            if match:
                fields = dict(PAIR.findall(match[4]))
                fields["flags"] = set(fields["flags"].split("|")) - {"0"}
                fields["in_ns"], fields["cpu"], fields["tid"] = match[1], match[2], match[3]
                yield fields


def key(interval):
    return interval["tid"], interval["out_ns"], interval["in_ns"]


REPORTED = 0x7F  # the bits of a state that an event tells


STAND_IN = 1 << 30  # and above: threads that are not watched


def differences(want, got, arrivals, behind_gap):
    names = ["waking_ns", "cpu", "cpu_out"]
    if int(want["state"], 0) & REPORTED != int(got["state"], 0) & REPORTED:
        yield f"state={got['state']}, not {want['state']}"
    # Of a waking that began before the switch-out, the capture does not tell when.
    if "woken_early" not in want["flags"]:
        if want["cpu_waking"] != "-1":
            names.append("cpu_waking")
        # Who woke it means nothing in an interrupt.
        if want["context"] == "task":
            names.append("peer_tid")
        if got["context"] != "unknown":
            names.append("context")
    if "preempted" in want["flags"]:
        # Who took the CPU is shown by its own coming in, if that was recorded.
        if (want["cpu_out"], want["out_ns"], want["peer_tid"]) in arrivals:
            # Its coming in may have been kept for another's leaving that was seen before.
            if not (behind_gap and int(got["peer_tid"]) >= STAND_IN):
                names.append("peer_tid")
        elif int(got["peer_tid"]) < STAND_IN:
            yield f"peer_tid={got['peer_tid']}, which was not seen to come in"
    for name in names:
        if want[name] != got[name]:
            yield f"{name}={got[name]}, not {want[name]}"
    if ("preempted" in want["flags"]) != ("preempted" in got["flags"]):
        yield f"preempted is {'preempted' in got['flags']}"


def gaps(wanted):
    """By thread: stretches in which intervals of it were lost, so that others may be in them."""
    last, found = {}, {}
    for want in wanted:
        seq, end = last.get(want["tid"], (0, 0))
        if int(want["seq"]) != seq + 1:
            found.setdefault(want["tid"], []).append((end, int(want["out_ns"])))
        last[want["tid"]] = int(want["seq"]), int(want["in_ns"])
    for tid, (_, end) in last.items():
        found.setdefault(tid, []).append((end, sys.maxsize))
    return found


def main():
    # What began before the capture, or was not over at its end, is not of two switches.
    partial = {"open", "no_start", "no_end", "new"}
    all_wanted = list(intervals(sys.argv[1]))
    wanted = {key(i): i for i in all_wanted if not i["flags"] & partial}
    # An export puts in a switch where it knows that there was one, and not when.
    endless = {(i["tid"], i["out_ns"]) for i in all_wanted if "no_end" in i["flags"]}
    lost = gaps(all_wanted)
    arrivals = {(i["cpu"], i["in_ns"], i["tid"]) for i in all_wanted}
    others = [i for i in intervals(sys.argv[2]) if i["tid"] in lost and not i["flags"] & partial]
    compared = wrong = 0
    for got in others:
        want = wanted.pop(key(got), None)
        out, back = int(got["out_ns"]), int(got["in_ns"])
        if want is None and any(begin <= out and back <= end for begin, end in lost[got["tid"]]):
            continue
        if out == back or (got["tid"], got["out_ns"]) in endless:
            continue
        why = ["there is none in the capture"]
        if want is not None:
            behind_gap = any(end == out for _, end in lost[got["tid"]])
            why = list(differences(want, got, arrivals, behind_gap))
        compared += 1
        if why:
            wrong += 1
            print(f"thread {got['tid']} from {out} to {back}: {'; '.join(why)}")
    for tid, out, back in wanted:
        wrong += 1
        print(f"thread {tid} from {out} to {back}: is missing")
    print(f"{compared} intervals compared, {wrong} wrong")
    return wrong != 0 or not compared


sys.exit(main())
