#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Decode a Perfetto trace that framescope made, without framescope's code or schema, and check it.

usage: perfetto_decode.py TRACE [DUMP [FRAMES [BLOCKS]]]

DUMP is the text of framescope dump, FRAMES the rows of framescope frames --format ndjson, BLOCKS
those of framescope export --format ndjson --rows blocks, all of the capture that the trace was made
from. Prints a line for each thing that is wrong; 1 if any is.
"""
import json
import sys
from collections import Counter, defaultdict

from perfetto_wire import (BEGIN, BOOTTIME, COUNTER, END, INSTANT, MONOTONIC, Malformed, one, packets)

STAND_INS = 1 << 30  # tids from here on are CPUs of which nothing is known
RECORDS = "framescope records"
PREFIX = "framescope."

FLAGS = {
    "span": ["open"],
    "offcpu": ["open", "preempted", "new", "no_start", "woken_early", "no_end"],
    "fence_ref": ["signaled", "dma_buf", "more"],
    "frame_info": ["followed"],
    "timeline": ["open", "on_time", "gpu", "is_buffer"],
}
SIGNED = {"syscall", "fd", "cpu_waking", "timeout_ns", "value", "token", "display_token"}
NOTHING = {"call": "unknown", "file": "none", "context": "unknown", "irq": "unknown",
           "role": "span"}

PLACEHOLDERS = {"-", "", "detached-driver", "driver-whose-fence-is-signaled", "signaled-driver",
                "driver-signaled", "signaled-timeline", "signaled"}

complaints = []


def complain(text):
    if len(complaints) < 50:
        complaints.append(text)


class Trace:
    def __init__(self):
        self.tracks = {}  # uuid -> descriptor
        self.strings = {}  # (sequence, table, iid) -> text
        self.defaults = {}  # sequence -> clock
        self.snapshots = []  # (monotonic, boottime)
        self.events = defaultdict(list)  # track -> [event], in file order
        self.switches = defaultdict(list)  # cpu -> [(ts, prev_state, next)]
        self.wakings = []  # (ts, wakee, waker, flags)
        self.names = defaultdict(set)  # tid -> by what the tree of processes calls it
        self.lost = Counter()  # bundles with lost events, by CPU
        self.graphics = []  # (sequence, ts, event)
        self.timelines = []  # (ts, event)

    def string(self, sequence, table, iid):
        text = self.strings.get((sequence, table, iid))
        if text is None:
            complain(f"{table} {iid} is not interned")
        return text

    def boottime(self, ns):
        best = None
        for monotonic, boottime in self.snapshots:
            if best is None or monotonic <= ns:
                best = (monotonic, boottime)
        return ns - best[0] + best[1] if best else ns

    def take_strings(self, packet, sequence):
        if one(packet, "flags", 0) & 1:
            self.strings = {k: v for k, v in self.strings.items() if k[0] != sequence}
            self.defaults[sequence] = one(one(packet, "defaults", {}), "clock", 0)
        for table, entries in one(packet, "strings", {}).items():
            for entry in entries:
                self.strings[sequence, table, one(entry, "iid")] = one(entry, "text", "")

    def take_clocks(self, snapshot):
        times = {one(c, "id"): one(c, "ts") for c in snapshot["clocks"]}
        if MONOTONIC not in times or BOOTTIME not in times:
            complain(f"a clock snapshot of {sorted(times)}")
            return
        if self.snapshots and (times[MONOTONIC] < self.snapshots[-1][0] or
                               times[BOOTTIME] < self.snapshots[-1][1]):
            complain("clock snapshots go backwards")
        self.snapshots.append((times[MONOTONIC], times[BOOTTIME]))

    def take_track(self, track):
        uuid, parent = one(track, "uuid", 0), one(track, "parent", 0)
        before = self.tracks.get(uuid)
        if not uuid or (before and {**before, "name": 0} != {**track, "name": 0}):
            complain(f"track {uuid} is described again, not only with another name")
        if parent and parent not in self.tracks:
            complain(f"track {uuid}: its parent {parent} is not described")
        self.tracks[uuid] = track

    def take_bundle(self, bundle):
        cpu, compact, now = one(bundle, "cpu"), one(bundle, "compact", {}), 0
        columns = [compact[c] for c in
                   ("switch_ts", "prev_state", "next_pid", "next_prio", "next_comm")] if compact else []
        if len({len(c) for c in columns}) > 1:
            complain("the columns of a bundle differ in length")
        for i, (delta, state, tid, _, comm) in enumerate(zip(*columns)):
            if i and delta >> 62:
                complain(f"cpu {cpu}: switches of a bundle are in no order")
            now = now + delta & (1 << 64) - 1
            if comm >= len(compact["table"]):
                complain("a name is not in the bundle's table")
            self.switches[cpu].append((now, state, tid))
        for event in bundle["events"]:
            waking = one(event, "waking")
            self.wakings.append((one(event, "ts"), one(waking, "pid"), one(event, "pid"),
                                 one(event, "flags", 0)))
        if one(bundle, "lost"):
            self.lost[cpu] += 1

    def take_event(self, packet, sequence):
        event, uuid = one(packet, "event"), one(one(packet, "event"), "track", 0)
        if uuid not in self.tracks:
            complain(f"an event on track {uuid}, which is not described")
        notes = {}
        for note in event["notes"]:
            name = self.string(sequence, "note", one(note, "name"))
            if "string_iid" in note:
                value = ("text", self.string(sequence, "string", one(note, "string_iid")))
            elif "string" in note:
                value = ("text", one(note, "string"))
            elif "pointer" in note:
                value = ("hex", one(note, "pointer"))
            else:
                value = ("number", one(note, "uint", one(note, "int")))
            if name in notes:
                complain(f"{name} is annotated twice")
            notes[name] = value
        name = one(event, "name")
        if "name_iid" in event:
            name = self.string(sequence, "event", one(event, "name_iid"))
        self.events[uuid].append({
            "type": one(event, "type"), "ts": one(packet, "ts"), "name": name, "notes": notes,
            "categories": [self.string(sequence, "category", c) for c in event["categories"]],
            "counter": one(event, "counter"), "flows": event["flows"], "last": event["last_flows"],
        })

    def take(self, packet):
        sequence, flags = one(packet, "sequence", 0), one(packet, "flags", 0)
        if flags & 2 and sequence not in self.defaults:
            complain(f"sequence {sequence} has not begun")
        self.take_strings(packet, sequence)
        clock = one(packet, "clock", self.defaults.get(sequence, 0) if "ts" in packet else 0)
        if "ts" in packet and clock not in ((MONOTONIC,) if self.snapshots else (0,)):
            complain(f"a time of clock {clock}")
        if "clocks" in packet:
            self.take_clocks(one(packet, "clocks"))
        for thread in one(packet, "tree", {}).get("threads", []):
            self.names[one(thread, "tid")].add(one(thread, "name", ""))
        if "track" in packet:
            self.take_track(one(packet, "track"))
        if "ftrace" in packet:
            self.take_bundle(one(packet, "ftrace"))
        if "event" in packet:
            self.take_event(packet, sequence)
        if "graphics" in packet:
            self.graphics.append((sequence, one(packet, "ts"), one(one(packet, "graphics"), "buffer")))
        if "timeline" in packet:
            self.timelines.append((one(packet, "ts"), one(packet, "timeline")))

    def thread_of(self, uuid):
        """(tid, tgid) of the track or its parents; None."""
        while uuid:
            track = self.tracks[uuid]
            if "thread" in track:
                thread = one(track, "thread")
                return one(thread, "tid") & 0xFFFFFFFF, one(thread, "pid") & 0xFFFFFFFF
            uuid = one(track, "parent", 0)
        return None


def slices_of(trace):
    """All slices and instants as (track, begin, end, event); checks how they lie."""
    out = []
    for uuid, events in trace.events.items():
        last, stack = 0, []
        is_counter = "counter" in trace.tracks.get(uuid, {})
        for event in events:
            if event["ts"] < last:
                complain(f"track {uuid}: {event['ts']} comes behind {last}")
            last = event["ts"]
            if (event["type"] == COUNTER) != is_counter:
                complain(f"track {uuid}: event of type {event['type']}")
            if event["type"] == BEGIN:
                stack.append(event)
            elif event["type"] == INSTANT:
                out.append((uuid, event["ts"], event["ts"], event))
            elif event["type"] == END:
                if not stack:
                    complain(f"track {uuid}: an end without a beginning at {event['ts']}")
                    continue
                begin = stack.pop()
                begin["end_flows"] = event["last"]
                out.append((uuid, begin["ts"], event["ts"], begin))
        if stack:
            complain(f"track {uuid}: {len(stack)} slices are not closed")
    return out


def check_flows(trace):
    seen = defaultdict(list)
    for events in trace.events.values():
        for event in events:
            for flow in event["flows"]:
                seen[flow].append((event["ts"], False))
            for flow in event["last"]:
                seen[flow].append((event["ts"], True))
    for flow, ends in seen.items():
        ends.sort()
        if len(ends) < 2:
            complain(f"flow {flow} has one end")
        if any(last for _, last in ends[:-1]):
            complain(f"flow {flow} goes on behind its end")


# What a dump says.

def unescape(text):
    out, at = [], 0
    while at < len(text):
        if text[at] != "\\":
            out.append(text[at])
            at += 1
        elif text[at + 1] == "x":
            out.append(chr(int(text[at + 2:at + 4], 16)))
            at += 4
        else:
            out.append(text[at + 1])
            at += 2
    return "".join(out)


def words(line):
    at = 0
    while at < len(line):
        end = at
        while end < len(line) and line[end] != " ":
            if line[end] == '"':
                end += 1
                while line[end] != '"':
                    end += 2 if line[end] == "\\" else 1
            end += 1
        yield line[at:end]
        at = end + 1


def number(text):
    return int(text, 16) if text.startswith("0x") else int(text)


def flag_bits(kind, text):
    bits = 0
    for word in text.split("|"):
        bits |= 1 << FLAGS[kind].index(word) if word in FLAGS[kind] else number(word)
    return bits


def parse_dump(path):
    """[{kind, time_ns, cpu, tid, tgid, field: text}], without what a trace leaves out."""
    records = []
    for line in open(path, encoding="latin-1"):
        line = line.rstrip("\n")
        if not line or line[0] == "#" or line == "end":
            continue
        time, cpu, ids, kind, *fields = words(line)
        tid, tgid = ids.split("/")
        rec = {"kind": kind, "time_ns": time, "cpu": cpu[4:], "tid": tid, "tgid": tgid}
        for field in fields:
            key, value = field.split("=", 1)
            if value.startswith('"'):
                value = unescape(value[1:-1])
            elif key == "flags":
                value = str(flag_bits(kind, value))
            elif key == "slots":
                numbers = value.split(",")
                while numbers and numbers[-1] == "0":
                    numbers.pop()
                value = ",".join(numbers)
            rec["kind_" if key == "kind" else key] = value
        for key, value in list(rec.items()):
            if key in ("kind", "time_ns"):
                continue
            if key in SIGNED:
                absent = value == "-1"
            elif key in ("cpu", "cpu_out"):
                absent = value == "-"
            else:
                absent = value in ("0", "0x0", "", NOTHING.get(key))
            if absent:
                del rec[key]
        records.append(rec)
    return records


def text_of(value):
    kind, what = value
    return f"0x{what:x}" if kind == "hex" else str(what)


def restored(trace, slices):
    """The records that the trace holds, in the form of parse_dump()."""
    records = []
    for uuid, begin, end, event in slices:
        kinds = [c[len(PREFIX):] for c in event["categories"] if c.startswith(PREFIX)]
        if not kinds:
            continue
        rec = {name: text_of(value) for name, value in event["notes"].items()}
        rec["kind"] = kinds[0]
        rec.setdefault("time_ns", str(end))
        if event["type"] == BEGIN:
            rec.setdefault({"span": "entry_ns", "offcpu": "out_ns"}[kinds[0]], str(begin))
            thread = trace.thread_of(uuid)
            if thread:
                rec.setdefault("tid", str(thread[0]))
                rec.setdefault("tgid", str(thread[1]))
        for name in ("entry_ns", "out_ns", "tid", "tgid"):
            if rec.get(name) == "0":
                del rec[name]
        records.append(rec)
    return records


def restored_buffers(trace):
    out = []
    for sequence, ts, body in trace.graphics:
        if sequence == 1:
            rec = {"kind": "buffer", "time_ns": str(ts)}
            rec.update({k: str(v[-1]) for k, v in body.items() if v[-1] not in (0, "")})
            out.append(rec)
    return out


def restored_timelines(trace):
    ends = {one(one(e, "end"), "cookie"): ts for ts, e in trace.timelines if "end" in e}
    out = []
    for ts, event in trace.timelines:
        for kind in ("expected_display", "actual_display", "expected_surface", "actual_surface"):
            if kind not in event:
                continue
            body = one(event, kind)
            flags = sum(1 << bit for bit, name in enumerate(FLAGS["timeline"])
                        if name != "open" and one(body, name))
            end = ends.get(one(body, "cookie"))
            rec = {"kind": "timeline", "kind_": kind, "start_ns": str(ts),
                   "tgid": str(one(body, "pid"))}
            if end is None:
                flags |= 1
            else:
                rec["time_ns"] = str(end)
            if flags:
                rec["flags"] = str(flags)
            for name in ("present", "prediction", "severity"):
                if one(body, name):
                    rec[name] = str(one(body, name))
            if one(body, "jank"):
                rec["jank"] = f"0x{one(body, 'jank'):x}"
            for name in ("token", "display_token", "layer"):
                if one(body, name):
                    rec[name] = str(one(body, name))
            out.append(rec)
    return out


def key_of(rec):
    return tuple(sorted(rec.items()))


def check_records(trace, slices, dump):
    have = Counter(key_of(r) for r in restored(trace, slices) + restored_buffers(trace) +
                   restored_timelines(trace))
    for rec in dump:
        rec = dict(rec)
        if rec["kind"] == "timeline":
            if int(rec.get("flags", "0")) & 1:
                del rec["time_ns"]
            for name in ("token", "display_token"):
                if rec.get(name) == "0":
                    del rec[name]
        have[key_of(rec)] -= 1
    for rec, count in have.items():
        if count:
            complain(f"{'extra' if count > 0 else 'missing'} record: {dict(rec)}")


# The scheduler.

def intervals(trace):
    """tid -> [(out, waking or None, in, waker)] by what the trace says of the scheduler."""
    steps = defaultdict(list)  # tid -> [(ts, order, what, by)]
    for cpu, switches in trace.switches.items():
        previous = None
        for order, (ts, _, tid) in enumerate(sorted(switches, key=lambda s: s[0])):
            if previous is not None and previous != tid:
                steps[previous].append((ts, 0, "out", order))
            steps[tid].append((ts, 2, "in", order))
            previous = tid
    for ts, wakee, waker, flags in trace.wakings:
        steps[wakee].append((ts, 1, "waking", waker if not flags else None))
    out = defaultdict(list)
    for tid, list_ in steps.items():
        off = waking = waker = None
        # A coming in that is followed by a leaving at once is of another CPU: order by time.
        for ts, _, what, by in sorted(list_, key=lambda s: s[:2]):
            if what == "out":
                off, waking, waker = ts, None, None
            elif what == "waking" and off is not None and waking is None:
                waking, waker = ts, by
            elif what == "in" and off is not None:
                out[tid].append((off, waking, ts, waker))
                off = None
    return out


def check_sched(trace, dump):
    have = intervals(trace)
    wanted = defaultdict(list)
    seqs = {}
    for rec in dump:
        flags = int(rec.get("flags", "0"))
        if rec["kind"] != "offcpu" or "tid" not in rec:
            continue
        # When the thread had come in is not known: its leaving may be too old to be put in order.
        unseen = int(rec.get("seq", "0")) != seqs.get(rec["tid"], -1) + 1
        seqs[rec["tid"]] = int(rec.get("seq", "0"))
        closed = not flags & (0x1 | 0x4 | 0x8 | 0x20) and "out_ns" in rec
        if not closed or "cpu" not in rec or "cpu_out" not in rec or int(rec["cpu_out"]) >= 1024:
            continue
        waking = int(rec.get("waking_ns", "0"))
        context = rec.get("context", "unknown")
        peer = int(rec.get("peer_tid", "0"))
        task = context in ("task", "unknown") and peer and not flags & 0x2
        waker = peer if task else None
        name = rec.get("peer_comm")
        if waking and waker and name and name not in trace.names[waker]:
            complain(f"thread {waker}, which woke {rec['tid']}, is not called {name!r}, "
                     f"but {sorted(trace.names[waker])}")
        wanted[int(rec["tid"])].append((
            trace.boottime(int(rec["out_ns"])), trace.boottime(waking) if waking else None,
            trace.boottime(int(rec["time_ns"])), waker, unseen))
    for tid, list_ in wanted.items():
        there = {i[:3]: i[3] for i in have[tid]}
        for out, waking, in_, waker, unseen in list_:
            if out == in_ or (unseen and all(out != i[0] for i in have[tid])):
                continue
            if (out, waking, in_) not in there:
                complain(f"thread {tid}: not off-CPU from {out} by {waking} to {in_}: "
                         f"{sorted(there)[:4]}")
                continue
            said = there[out, waking, in_]
            if waking is not None and waker is not None and said != waker:
                complain(f"thread {tid}: woken at {waking} by {said}, not {waker}")
            if waking is not None and waker is None and said is not None and said < STAND_INS:
                complain(f"thread {tid}: woken at {waking} by {said}, not by an interrupt")
    lost = {int(r["cpu"]) for r in dump if r["kind"] == "lost" and r.get("where") == "ring"
            and "cpu" in r and int(r["cpu"]) < 1024}
    if lost != set(trace.lost):
        complain(f"CPUs that lost events: {sorted(trace.lost)}, not {sorted(lost)}")


# Frames and fences.

def check_frames(slices, path):
    rows = Counter()
    for line in open(path, encoding="utf-8"):
        row = json.loads(line, parse_float=str, parse_int=str)
        del row["schema"]
        rows[key_of({k: str(v) for k, v in row.items()})] += 1
    have = Counter()
    for _, begin, end, event in slices:
        if event["categories"] != ["frame"]:
            continue
        row = {k: text_of(v).encode("latin-1").decode("utf-8") for k, v in event["notes"].items()}
        if (str(begin), str(end)) != (row["start_ns"], row["end_ns"]):
            complain(f"{event['name']} lies from {begin} to {end}")
        have[key_of(row)] += 1
    for row in (rows - have) + (have - rows):
        complain(f"{'extra' if row in have else 'missing'} frame: {dict(row)}")


def check_blocks(trace, slices, path):
    """A slice of each cause as long as the rows have it, and of what came behind the waking."""
    rows = Counter()
    for line in open(path, encoding="utf-8"):
        row = json.loads(line)
        out, end, in_ = row["out_ns"], row["out_ns"] + row["blocked_ns"], row["in_ns"]
        if row["cause"] != "runnable":
            rows[row["tid"], out, end, row["cause"], row["confidence"]] += 1
            out = end
        if row.get("runnable_ns"):
            rows[row["tid"], out, in_, "runnable", "exact"] += 1
    have = Counter()
    for uuid, begin, end, event in slices:
        thread = trace.thread_of(uuid)
        if event["categories"] == ["blocked"] and thread:
            have[thread[0], begin, end, event["name"], event["notes"]["confidence"][1]] += 1
    for row in (rows - have) + (have - rows):
        complain(f"{'extra' if row in have else 'missing'} block: {row}")


def check_fences(slices, dump):
    have = {}
    for _, begin, end, event in slices:
        if event["categories"] == ["fence"] and event["name"] != "hardware start":
            notes = {k: v[1] for k, v in event["notes"].items()}
            if not notes.get("unsignaled"):
                have[notes["context"], notes["seqno"]] = (begin, end)
    steps = defaultdict(dict)
    for rec in dump:
        if rec["kind"] == "fence":
            key = int(rec.get("context", "0")), int(rec.get("seqno", "0"))
            steps[key].setdefault(rec.get("op"), int(rec["time_ns"]))
    for key, times in steps.items():
        made = [times[op] for op in ("init", "emit", "run") if op in times]
        if not made or "signaled" not in times or times["signaled"] < max(made):
            continue
        if have.pop(key, None) != (max(made), times["signaled"]):
            complain(f"fence {key}: not from {max(made)} to {times['signaled']}")
    for key in have:
        if "signaled" not in steps[key]:
            complain(f"fence {key} has a slice, but no signal")


def check_timelines(trace, slices, dump):
    """The tracks of fences by their last names, which the dump's last records give."""
    names, seen = {}, defaultdict(set)
    for rec in dump:
        if rec["kind"] == "fence_name":
            before = names.get(int(rec.get("context", "0")), ("-", "-"))
            names[int(rec.get("context", "0"))] = tuple(
                old if rec.get(key, "-") in PLACEHOLDERS else rec[key]
                for key, old in zip(("driver", "timeline"), before))
    for uuid, _, _, event in slices:
        if event["categories"] in (["fence"], ["flow"]) and "context" in event["notes"]:
            track = trace.tracks[uuid]
            if one(trace.tracks.get(one(track, "parent", 0), {}), "name") == "fences":
                seen[event["notes"]["context"][1]].add(one(track, "name"))
    same = Counter(names.values())
    for context, tracks in seen.items():
        name = names.get(context, ("-", "-"))
        wanted = "/".join(name) if name != ("-", "-") else f"context {context}"
        if name[1].startswith("unbound") or any(e.startswith("further timelines") for e in tracks):
            continue
        if name != ("-", "-") and same[name] > 1 and f"{wanted} (context {context})" in tracks:
            wanted += f" (context {context})"
        if not tracks <= {wanted, wanted + " signals"}:
            complain(f"fences of {wanted} are on {sorted(tracks)}")


def main(argv):
    trace = Trace()
    try:
        data = open(argv[1], "rb").read()
        for packet in packets(data):
            trace.take(packet)
    except Malformed as error:
        complain(str(error))
    if not any(one(t, "name") == RECORDS for t in trace.tracks.values()):
        complain("there is no track of the records")
    slices = slices_of(trace)
    check_flows(trace)
    if len(argv) > 2:
        dump = parse_dump(argv[2])
        check_records(trace, slices, dump)
        check_sched(trace, dump)
        check_fences(slices, dump)
        check_timelines(trace, slices, dump)
    if len(argv) > 3:
        check_frames(slices, argv[3])
    if len(argv) > 4:
        check_blocks(trace, slices, argv[4])
    for line in complaints:
        print(line)
    return 1 if complaints else 0


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3, 4, 5):
        sys.exit(__doc__)
    sys.exit(main(sys.argv))
