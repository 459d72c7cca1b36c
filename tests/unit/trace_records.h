/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Records as short lines, to compare what comes out of an intake with what is written by hand. */
#ifndef TESTS_UNIT_TRACE_RECORDS_H
#define TESTS_UNIT_TRACE_RECORDS_H

#include <linux/types.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <framescope/event.h>

#include "check.h"

#define TRACE_LINE 256

/*
 * "TIME CPU TID/TGID KIND ...":
 *	off SEQ FLAGS out=OUT,CPU wake=WAKING,CPU,CONTEXT peer=TID/TGID,COMM state=STATE
 *	new|exec|exit|rename|seen|last COMM OFF_SEQ[ of PARENT]
 *	fence OP CONTEXT:SEQNO irq=CONTEXT
 *	names CONTEXT DRIVER TIMELINE
 *	lost COUNT | clock MARK | marker PHASE TEXT | meta
 */
static inline void trace_record_line(const struct fs_header *h, char *line)
{
	static const char *const ops[] = { "?", "new", "exec", "exit", "rename", "seen", "last" };
	const struct fs_offcpu *o = (const void *)h;
	const struct fs_task *t = (const void *)h;
	const struct fs_fence *f = (const void *)h;
	const struct fs_fence_name *n = (const void *)h;
	const struct fs_marker *m = (const void *)h;
	int len = snprintf(line, TRACE_LINE, "%" PRIu64 " %d %u/%u ", (uint64_t)h->time_ns,
			   (int)h->cpu, h->tid, h->tgid);
	char *rest = line + len;
	size_t room = TRACE_LINE - (size_t)len;

	switch (h->kind) {
	case FS_KIND_OFFCPU:
		snprintf(rest, room,
			 "off %u %#x out=%llu,%u wake=%llu,%d,%u peer=%u/%u,%s state=%#x", o->seq,
			 o->flags, o->out_ns, o->cpu_out, o->waking_ns, o->cpu_waking, o->context,
			 o->peer_tid, o->peer_tgid, o->peer_comm, o->state);
		/* What no such trace says. */
		CU_ASSERT(o->syscall == -1 && o->fd == -1 && !o->nfds &&
			  o->call == FS_CALL_UNKNOWN && o->file == FS_FILE_NONE);
		break;
	case FS_KIND_TASK:
		len = snprintf(rest, room, "%s %s %u", ops[t->op <= FS_TASK_LAST ? t->op : 0],
			       t->comm, t->off_seq);
		if (t->parent)
			snprintf(rest + len, room - (size_t)len, " of %u", t->parent);
		break;
	case FS_KIND_FENCE:
		snprintf(rest, room, "fence %u %llu:%llu irq=%u", f->op, f->context, f->seqno,
			 f->irq);
		break;
	case FS_KIND_FENCE_NAME:
		snprintf(rest, room, "names %llu '%s' '%s'", n->context, n->driver, n->timeline);
		break;
	case FS_KIND_LOST:
		snprintf(rest, room, "lost %llu", ((const struct fs_lost *)h)->count);
		break;
	case FS_KIND_CLOCK:
		snprintf(rest, room, "clock %u", ((const struct fs_clock *)h)->mark);
		break;
	case FS_KIND_MARKER:
		snprintf(rest, room, "marker %c %s", (char)m->phase, m->text);
		break;
	case FS_KIND_META:
		snprintf(rest, room, "meta");
		break;
	default:
		snprintf(rest, room, "kind %u", h->kind);
	}
}

/* The i-th record is as expected; says which was not. */
static inline void trace_expect(const struct fs_header *h, const char *expected)
{
	char line[TRACE_LINE];

	trace_record_line(h, line);
	if (strcmp(line, expected) != 0)
		printf("# expected: %s\n# got:      %s\n", expected, line);
	CU_ASSERT_STRING_EQUAL(line, expected);
}

#endif
