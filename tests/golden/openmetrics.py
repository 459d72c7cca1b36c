#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Checks an OpenMetrics text against the rules of its format (1.0) and the rows of the recording.

usage: openmetrics.py TEXT FRAMES.csv STAGES.csv REPORT.json UNSIGNALED.csv
           says what is wrong; nothing: it is as it should be

Of the format: families stand together, with their metadata first; names, suffixes and units fit
their types; labels are unique and escaped; histograms are cumulative and end at +Inf; all ends with
# EOF. Of the recording: counts, sums, buckets and verdicts are those of the complete frames.
"""
import csv
import decimal
import json
import re
import sys

NAME = r"[a-zA-Z_:][a-zA-Z0-9_:]*"
SAMPLE = re.compile(r"(%s)(?:\{(.*)\})? ([^ ]+)" % NAME)
LABEL = re.compile(r'([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"(?:,|$)')
SUFFIXES = {"counter": ("_total",), "gauge": ("",), "histogram": ("_bucket", "_count", "_sum")}
UNESCAPE = {"\\\\": "\\", '\\"': '"', "\\n": "\n"}


def say(*words):
    print(*words)


def labels_of(text):
    labels, at = {}, 0
    while at < len(text):
        match = LABEL.match(text, at)
        if not match:
            say("labels that are none:", text)
            return labels
        if match[1] in labels:
            say("a label twice:", text)
        labels[match[1]] = re.sub(r'\\[\\"n]', lambda m: UNESCAPE[m[0]], match[2])
        at = match.end()
    return labels


class Family:
    def __init__(self, name):
        self.name, self.type, self.unit, self.help, self.samples = name, None, None, None, []


def parse(path):
    text = open(path, newline="").read()
    families, now = {}, None
    if not text.endswith("# EOF\n") or "\r" in text:
        say("it does not end with # EOF")
    for line in text.split("\n")[:-2]:
        if line.startswith("# "):
            _, what, name, rest = line.split(" ", 3)
            if now is None or now.name != name:
                if name in families:
                    say("a family twice:", name)
                now = families[name] = Family(name)
            if now.samples or getattr(now, what.lower()) is not None:
                say("metadata late or twice:", line)
            setattr(now, what.lower(), rest)
            continue
        match = SAMPLE.fullmatch(line)
        if not match:
            say("no sample:", line)
            continue
        suffixes = SUFFIXES.get(now.type if now else None, ())
        suffix = next((s for s in suffixes if now.name + s == match[1]), None)
        if suffix is None:
            say("a sample of no family:", line)
            continue
        now.samples.append((suffix, labels_of(match[2] or ""), decimal.Decimal(match[3])))
    return families


def check_family(family):
    if family.type not in SUFFIXES or not family.help:
        say(family.name, "has no type, or no help")
    if family.unit and not family.name.endswith("_" + family.unit):
        say(family.name, "has another unit than", family.unit)
    seen = set()
    for suffix, labels, value in family.samples:
        key = (suffix, tuple(sorted(labels.items())))
        if key in seen:
            say("a sample twice:", family.name, key)
        seen.add(key)
        if value < 0 or (family.type == "counter" and not value.is_finite()):
            say("a count below 0:", family.name, labels)
    if family.type == "histogram":
        check_histogram(family)


def check_histogram(family):
    order = []
    for suffix, labels, value in family.samples:
        key = tuple(sorted((k, v) for k, v in labels.items() if k != "le"))
        if not order or order[-1][0] != key:
            order.append((key, []))
        order[-1][1].append((suffix, labels.get("le"), value))
    if len({key for key, _ in order}) != len(order):
        say(family.name, "has a metric that does not stand together")
    for key, samples in order:
        les = [le for suffix, le, _ in samples if suffix == "_bucket"]
        counts = [value for suffix, _, value in samples if suffix == "_bucket"]
        count = [value for suffix, _, value in samples if suffix == "_count"]
        if not les or les[-1] != "+Inf" or any("." not in le for le in les[:-1]):
            say(family.name, key, "has wrong buckets:", les)
        bounds = [float(le) for le in les]
        if bounds != sorted(set(bounds)) or counts != sorted(counts) or count != counts[-1:]:
            say(family.name, key, "is not cumulative")


def same(what, got, wanted):
    if got != wanted:
        say(what, got, "not", wanted)


def value(families, name, suffix, **labels):
    found = [v for s, l, v in families[name].samples if s == suffix and l == labels]
    if len(found) != 1:
        say(name, labels, "is there", len(found), "times")
        return None
    return found[0]


def seconds(ns):
    return decimal.Decimal(ns) / 1000000000


def same_histogram(families, name, values, **labels):
    if not values and not any(l == labels for s, l, _ in families[name].samples if s == "_count"):
        return
    same(name, value(families, name, "_count", **labels), len(values))
    same(name, value(families, name, "_sum", **labels), seconds(sum(values)))
    for suffix, found, count in families[name].samples:
        if suffix == "_bucket" and {k: v for k, v in found.items() if k != "le"} == labels:
            bound = decimal.Decimal(found["le"].replace("+Inf", "Infinity"))
            same(f"{name} up to {found['le']}", count, sum(seconds(v) <= bound for v in values))


VERDICTS = {"hwui": "hwui_janky", "hwui_legacy": "hwui_janky_legacy", "jankstats": "jankstats_janky"}


def check_producer(families, name, rows, stages):
    skipped = {r["frame"] for r in rows if r["frame_kind"] == "skipped"}
    stages = [r for r in stages if r["frame"] not in skipped]
    drawn = [r for r in rows if r["frame_kind"] != "skipped"]
    complete = [r for r in drawn if r["status"] == "complete"]
    for status in ("complete", "lossy", "truncated"):
        same(f"{name} {status}", value(families, "framescope_frames", "_total", producer=name,
                                       status=status), sum(r["status"] == status for r in drawn))
    same(f"{name} skipped", value(families, "framescope_skipped_frames", "_total", producer=name),
         len(rows) - len(drawn))
    same_histogram(families, "framescope_frame_wall_seconds", [int(r["wall_ns"]) for r in complete],
                   producer=name)
    for stage in {r["stage"] for r in stages}:
        same_histogram(families, "framescope_stage_seconds",
                       [int(r["wall_ns"]) for r in stages
                        if r["stage"] == stage and r["status"] == "complete"],
                       producer=name, stage=stage)
    plain = [r for r in complete if r["render_running_ns"]]
    if plain and all(not r["frame_kind"] for r in plain):
        for cause in ("running", "runnable", "fence", "slot", "gpu", "lock", "binder", "ipc", "io",
                      "sleep", "other", "unknown"):
            same(f"{name} {cause}", value(families, "framescope_frame_cause_seconds", "_total",
                                          producer=name, cause=cause),
                 seconds(sum(int(r[f"render_{cause}_ns"]) for r in plain)))
    for verdict, column in VERDICTS.items():
        judged = [r for r in complete if r[column] and (verdict == "jankstats" or r["hwui_total_ns"])]
        if judged:
            for family, wanted in (("judged", len(judged)), ("janky", sum(int(r[column]) for r in judged))):
                same(f"{name} {verdict}", value(families, f"framescope_{family}_frames", "_total",
                                                producer=name, verdict=verdict), wanted)


def main(path, frames, stages, report, unsignaled):
    families = parse(path)
    for family in families.values():
        check_family(family)
    rows, of_stages = {}, {}
    for row in csv.DictReader(open(frames)):
        rows.setdefault(row["producer"], []).append(row)
    for row in csv.DictReader(open(stages)):
        of_stages.setdefault(row["producer"], []).append(row)
    told = {l["producer"] for _, l, _ in families["framescope_frames"].samples}
    same("producers", told, set(rows))
    for name in rows:
        check_producer(families, name, rows[name], of_stages.get(name, []))
    for p in json.load(open(report))["producers"]:
        count = p.get("interval_ns", {}).get("count", 0)
        same(f"{p['name']} intervals", value(families, "framescope_frame_interval_seconds", "_count",
                                             producer=p["name"]), count)
    same("fences in flight", value(families, "framescope_fences_in_flight", ""),
         sum(r["state"] == "pending" for r in csv.DictReader(open(unsignaled))))


main(*sys.argv[1:])
