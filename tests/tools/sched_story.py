#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Make up a capture of threads that take turns on CPUs, as text: what a scheduler could have done.

usage: sched_story.py SEED SWITCHES

Half of the threads are watched. A thread leaves a CPU at the time at which the next one comes in;
it is preempted, or blocks and is woken by a thread that runs then, or by an interrupt, maybe before
it has left. Some records of a thread are lost.
"""
import random
import sys

CPUS = 4
THREADS = 24
WATCHED = 12


class Thread:
    def __init__(self, tid):
        self.tid = tid
        self.watched = tid < 100 + WATCHED
        self.seq = 0
        self.out = None  # (ns, cpu, preempted, taker)
        self.waking = None  # (ns, waker, context, cpu, early)

    def name(self):
        return f"thread-{self.tid}"


def record(thread, ns, cpu):
    out, left, preempted, taker = thread.out
    thread.seq += 1
    fields = [f"out_ns={out}", f"seq={thread.seq}", f"cpu_out={left}"]
    flags = []
    if preempted:
        flags.append("preempted")
        fields += ["state=0x0", f"peer_tid={taker.tid}", "peer_tgid=100",
                   f'peer_comm="{taker.name()}"']
    else:
        at, waker, context, waking_cpu, early = thread.waking
        if early:
            flags.append("woken_early")
        fields += ["state=0x1", "syscall=98", "call=futex", f"waking_ns={at}", f"context={context}",
                   f"cpu_waking={waking_cpu}"]
        if waker:
            fields += [f"peer_tid={waker.tid}", "peer_tgid=100", f'peer_comm="{waker.name()}"']
    fields.append("flags=" + ("|".join(flags) or "0"))
    return f"{ns} cpu={cpu} {thread.tid}/100 offcpu {' '.join(fields)}"


def story(rng, switches):
    threads = [Thread(100 + i) for i in range(THREADS)]
    running = threads[:]
    rng.shuffle(running)
    ready, running = running[CPUS:], running[:CPUS]
    for thread in ready:
        thread.out = None
    blocked, lines, now = [], [], 1_000_000_000
    for _ in range(switches):
        now += rng.randrange(3, 50_000)
        # Somebody who is blocked is woken.
        if blocked and rng.random() < 0.6:
            thread = blocked.pop(rng.randrange(len(blocked)))
            cpu = rng.randrange(CPUS)
            waker = running[cpu] if rng.random() < 0.7 else None
            context = "task" if waker else rng.choice(("hardirq", "softirq"))
            thread.waking = (now, waker, context, cpu, False)
            ready.append(thread)
            now += rng.randrange(3, 20_000)
        if not ready:
            continue
        cpu = rng.randrange(CPUS)
        old, new = running[cpu], ready.pop(rng.randrange(len(ready)))
        preempted = rng.random() < 0.3
        if new.watched and new.out and rng.random() > 0.002:
            lines.append((now, record(new, now, cpu)))
        elif new.out:
            new.seq += 1  # this record is lost
        running[cpu] = new
        old.out = (now, cpu, preempted, new)
        old.waking = None
        if preempted:
            ready.append(old)
        elif rng.random() < 0.1:
            other = rng.randrange(CPUS)
            waker = running[other] if running[other] is not old else None
            old.waking = (now, waker, "task" if waker else "hardirq", other, True)
            ready.append(old)
        else:
            blocked.append(old)
    return lines, now


def main(argv):
    rng = random.Random(int(argv[1]))
    lines, end = story(rng, int(argv[2]))
    print("# framescope dump 1")
    print("1000000000 cpu=- 0/0 clock boottime_ns=3000000000 realtime_ns=1700000001000000000 mark=start")
    for i in range(WATCHED):
        print(f'1000000000 cpu=- {100 + i}/100 task op=seen parent=1 comm="thread-{100 + i}"')
    for _, line in lines:
        print(line)
    end += 1
    print(f"{end} cpu=- 0/0 clock boottime_ns={end + 2000000000} realtime_ns={end + 1700000000000000000} mark=stop")
    print("end")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(sys.argv)
