/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Events wait here until all that is earlier has been read, and go into the intake in order of
 * time. Only then is it known who ran on a CPU when an event does not say it.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "trace/perfetto_parts.h"

#define ROOM_BYTES (64u << 10)
#define EARLY_MAX 65536

/* Who was switched to last. */
struct pf_cpu {
	bool known;
	uint32_t tid;
};

/* A thread that a process tree names before anything has happened. */
struct pf_early {
	uint32_t tid;
	uint32_t tgid;
	bool guessed; /* its name */
	char comm[FS_COMM_LEN];
};

void pf_events_free(struct pf *pf)
{
	merge_free(pf->merge);
	idmap_free(&pf->processes);
	free(pf->cpus);
	free(pf->early);
}

struct pf_event *pf_event_new(struct pf *pf, enum pf_event_kind kind, uint64_t ns, uint32_t cpu,
			      size_t body)
{
	size_t size = (sizeof(struct fs_header) + body + 7) & ~(size_t)7;
	struct pf_event *ev;

	if (size > pf->room_left) {
		pf->room = merge_reserve(pf->merge, ROOM_BYTES);
		pf->room_left = pf->room ? ROOM_BYTES : 0;
		if (!pf->room)
			return NULL;
	}
	ev = (struct pf_event *)pf->room;
	ev->h = (struct fs_header){
		.time_ns = ns, .kind = (uint16_t)kind, .size = (uint16_t)size, .cpu = cpu
	};
	return ev;
}

int pf_event_add(struct pf *pf, struct pf_event *ev)
{
	if (merge_add(pf->merge, &ev->h))
		return -ENOMEM;
	if (ev->h.time_ns > pf->last_ns)
		pf->last_ns = ev->h.time_ns;
	pf->room += ev->h.size;
	pf->room_left -= ev->h.size;
	return 0;
}

int pf_process_learn(struct pf *pf, uint32_t tid, uint32_t pid)
{
	uintptr_t known = (uintptr_t)idmap_get(&pf->processes, tid);

	if (!tid || !pid || known == pid)
		return 0;
	if (!known && pf->processes.nr == PF_THREADS_MAX) {
		pf->unfollowed++;
		return 0;
	}
	return idmap_put(&pf->processes, tid, (void *)(uintptr_t)(known ? PF_SEVERAL : pid));
}

uint32_t pf_process_of(const struct pf *pf, uint32_t tid)
{
	uintptr_t pid = (uintptr_t)idmap_get(&pf->processes, tid);

	return pid == PF_SEVERAL ? 0 : (uint32_t)pid;
}

/* What is known of the CPU, or NULL: no kernel has a CPU of that number, or no memory. */
static struct pf_cpu *cpu_of(struct pf *pf, uint32_t cpu)
{
	struct pf_cpu *cpus;

	if (cpu < pf->nr_cpus)
		return &pf->cpus[cpu];
	if (cpu >= MERGE_CPUS)
		return NULL;
	cpus = realloc(pf->cpus, (cpu + 1) * sizeof(*cpus));
	if (!cpus)
		return NULL;
	memset(cpus + pf->nr_cpus, 0, (cpu + 1 - pf->nr_cpus) * sizeof(*cpus));
	pf->cpus = cpus;
	pf->nr_cpus = cpu + 1;
	return &cpus[cpu];
}

static uint32_t running(const struct pf_cpu *cpu)
{
	return cpu && cpu->known ? cpu->tid : 0;
}

static struct intake_at at_of(const struct pf *pf, const struct pf_event *ev, uint32_t tid,
			      uint32_t context)
{
	return (struct intake_at){
		.ns = ev->h.time_ns,
		.cpu = ev->h.cpu,
		.tid = tid,
		.tgid = ev->h.tgid ? ev->h.tgid : pf_process_of(pf, tid),
		.context = context,
	};
}

static int feed_switch(struct pf *pf, const struct pf_event *ev)
{
	struct pf_cpu *cpu = cpu_of(pf, ev->h.cpu);
	bool implied = ev->sw.implied;
	struct intake_at at = at_of(pf, ev, implied ? running(cpu) : ev->h.tid, FS_CTX_TASK);

	if (!implied)
		at.comm = ev->sw.prev_comm;
	if (cpu)
		*cpu = (struct pf_cpu){ .known = true, .tid = ev->sw.next };
	return intake_switch(pf->in, &at, ev->sw.state, ev->sw.next, ev->sw.next_comm);
}

static int feed_waking(struct pf *pf, const struct pf_event *ev)
{
	uint32_t tid = ev->waking.implied ? running(cpu_of(pf, ev->h.cpu)) : ev->h.tid;
	struct intake_at at = at_of(pf, ev, tid, ev->waking.context);

	return intake_waking(pf->in, &at, ev->waking.wakee, ev->waking.comm);
}

static int feed_task(struct pf *pf, const struct pf_event *ev)
{
	struct intake_at at = at_of(pf, ev, ev->h.tid, ev->task.context);
	uint32_t pid = 0;
	int ret = intake_task(pf->in, &at, ev->task.op, ev->task.tid, ev->task.comm);

	if (ret || !ev->task.process)
		return ret;
	pid = ev->task.process == PF_PROCESS_NEW ? ev->task.tid : at.tgid;
	ret = pf_process_learn(pf, ev->task.tid, pid);
	return ret || !pid ? ret : intake_thread(pf->in, at.ns, ev->task.tid, pid, NULL);
}

/* Fences' own events tell when they are made and signalled; without them, those of jobs do. */
static int feed_fence(struct pf *pf, const struct pf_event *ev)
{
	struct intake_at at = at_of(pf, ev, ev->h.tid, ev->fence.irq);

	if (ev->fence.job && pf->fences && ev->fence.op != FS_FENCE_RUN)
		return 0;
	pf->fences |= !ev->fence.job;
	return intake_fence(pf->in, &at, ev->fence.op, ev->fence.context, ev->fence.seqno,
			    ev->fence.driver, ev->fence.timeline);
}

static int feed_lost(struct pf *pf, const struct pf_event *ev)
{
	struct pf_cpu *cpu = cpu_of(pf, ev->h.cpu);

	if (cpu)
		cpu->known = false;
	return intake_lost(pf->in, ev->h.time_ns, ev->h.cpu, 0);
}

/*
 * What a trace says of threads and clocks before its first event: a trace that was kept in memory
 * may have it from long before. It is said again right before that event.
 */
static int keep_early(struct pf *pf, const struct pf_event *ev)
{
	struct pf_early *early;

	if (ev->h.kind == PF_EVENT_CLOCK) {
		pf->early_clock = ev->clock;
		return 0;
	}
	if (pf->nr_early == EARLY_MAX) {
		pf->unfollowed++;
		return 0;
	}
	if ((pf->nr_early & (pf->nr_early - 1)) == 0) {
		size_t room = pf->nr_early ? 2 * pf->nr_early : 1;

		early = realloc(pf->early, room * sizeof(*early));
		if (!early)
			return -ENOMEM;
		pf->early = early;
	}
	early = &pf->early[pf->nr_early++];
	early->tid = ev->thread.tid;
	early->tgid = ev->thread.tgid;
	early->guessed = ev->thread.guessed;
	memcpy(early->comm, ev->thread.comm, sizeof(early->comm));
	return 0;
}

static int feed_clock(struct pf *pf, const struct pf_instant *clock)
{
	struct fs_clock rec = {
		.h = { .time_ns = clock->ns[PF_CLOCK_MONOTONIC],
		       .kind = FS_KIND_CLOCK,
		       .size = sizeof(rec),
		       .cpu = FS_CPU_NONE },
		.boottime_ns = clock->ns[PF_CLOCK_BOOTTIME],
		.realtime_ns = clock->ns[PF_CLOCK_REALTIME],
		.mark = FS_CLOCK_TICK,
	};

	return intake_record(pf->in, &rec.h);
}

static int feed_thread(struct pf *pf, uint64_t ns, uint32_t tid, uint32_t tgid, const char *comm,
		       bool guessed)
{
	return (guessed ? intake_thread_guessed : intake_thread)(pf->in, ns, tid, tgid, comm);
}

static int feed_early(struct pf *pf, uint64_t ns)
{
	struct pf_instant *clock = &pf->early_clock;
	uint64_t later = ns - clock->ns[PF_CLOCK_MONOTONIC];
	int ret = 0;

	for (size_t i = 0; !ret && i < pf->nr_early; i++)
		ret = feed_thread(pf, ns, pf->early[i].tid, pf->early[i].tgid, pf->early[i].comm,
				  pf->early[i].guessed);
	free(pf->early);
	pf->early = NULL;
	pf->nr_early = 0;
	if (ret || !clock->ns[PF_CLOCK_MONOTONIC])
		return ret;
	clock->ns[PF_CLOCK_MONOTONIC] += later;
	clock->ns[PF_CLOCK_BOOTTIME] += later;
	clock->ns[PF_CLOCK_REALTIME] += later;
	return feed_clock(pf, clock);
}

static int feed_mark(struct pf *pf, const struct pf_event *ev)
{
	struct intake_at at = at_of(pf, ev, ev->h.tid, ev->mark.context);

	return intake_mark(pf->in, &at, ev->mark.text, ev->mark.len);
}

static int feed_body(struct pf *pf, const struct pf_event *ev)
{
	switch (ev->h.kind) {
	case PF_EVENT_SWITCH:
		return feed_switch(pf, ev);
	case PF_EVENT_WAKING:
		return feed_waking(pf, ev);
	case PF_EVENT_MARK:
		return feed_mark(pf, ev);
	case PF_EVENT_FENCE:
		return feed_fence(pf, ev);
	case PF_EVENT_TASK:
		return feed_task(pf, ev);
	case PF_EVENT_THREAD:
		return feed_thread(pf, ev->h.time_ns, ev->thread.tid, ev->thread.tgid,
				   ev->thread.comm, ev->thread.guessed);
	case PF_EVENT_LOST:
		return feed_lost(pf, ev);
	case PF_EVENT_CLOCK:
		return feed_clock(pf, &ev->clock);
	default:
		return intake_record(pf->in, (const struct fs_header *)ev->record);
	}
}

static int feed_event(struct pf *pf, const struct pf_event *ev)
{
	bool early = ev->h.kind == PF_EVENT_THREAD || ev->h.kind == PF_EVENT_CLOCK;
	int ret = 0;

	if (!pf->begun && early)
		return keep_early(pf, ev);
	if (!pf->begun) {
		pf->begun = true;
		ret = feed_early(pf, ev->h.time_ns ? ev->h.time_ns - 1 : 0);
	}
	return ret ? ret : feed_body(pf, ev);
}

int pf_events_feed(struct pf *pf, unsigned count)
{
	const struct fs_header *h;
	unsigned fed = 0;
	int ret;

	while (fed < count && (h = merge_next(pf->merge))) {
		ret = feed_event(pf, (const struct pf_event *)h);
		if (ret)
			return ret;
		pf->fed_ns = h->time_ns;
		fed++;
	}
	return (int)fed;
}
