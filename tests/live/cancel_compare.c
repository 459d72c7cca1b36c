/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Compares the records of fences of buffers that were given back undrawn with what the stand-in
 * pipeline wrote down, and prints one result line.
 *
 * cancel_compare NAME TRUTH DUMP
 *
 * DUMP is the text of `framescope dump`; of it the lines "fence_ref role=cancel" and, where the
 * truth does not know the identities, "fence ... op=init" are looked at.
 *
 * Exit code: 0 all is right, 1 it is not, 2 usage.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "live/pipeline/finding.h"
#include "live/pipeline/truth.h"

struct ref {
	uint64_t ns, tid, pid, fd, context, seqno, object;
	bool signalled, taken;
};

struct birth {
	uint64_t ns, context, seqno;
};

static struct pipeline_truth truth;
static struct ref *refs;
static struct birth *births;
static size_t nr_refs, nr_births;

static struct {
	unsigned cancels, without, pending;
} sum;

static void read_ref(const char *line)
{
	char flags[64] = "";
	struct ref *r;

	refs = truth_grow(refs, &nr_refs, sizeof(*refs));
	if (!refs)
		die("out of memory");
	r = &refs[nr_refs - 1];
	if (sscanf(line, "%" SCNu64 " %*s %" SCNu64 "/%" SCNu64, &r->ns, &r->tid, &r->pid) != 3 ||
	    !truth_number(line, "fd", &r->fd) || !truth_number(line, "context", &r->context) ||
	    !truth_number(line, "seqno", &r->seqno) || !truth_number(line, "object", &r->object) ||
	    !truth_text(line, "flags", flags, sizeof(flags)))
		die("the dump has the line: %s", line);
	r->signalled = strstr(flags, "signaled");
}

static void read_birth(const char *line)
{
	struct birth *b;

	births = truth_grow(births, &nr_births, sizeof(*births));
	if (!births)
		die("out of memory");
	b = &births[nr_births - 1];
	b->ns = strtoull(line, NULL, 10);
	truth_number(line, "context", &b->context);
	truth_number(line, "seqno", &b->seqno);
}

static void read_dump(const char *path)
{
	FILE *in = fopen(path, "re");
	char line[4096];

	if (!in)
		die("can't read %s: %s", path, strerror(errno));
	while (fgets(line, sizeof(line), in)) {
		if (strstr(line, " fence_ref role=cancel "))
			read_ref(line);
		else if (strstr(line, " fence context=") && strstr(line, " op=init"))
			read_birth(line);
	}
	fclose(in);
}

static const struct truth_fence *fence_of(const struct truth_cancel *c)
{
	if (c->set.nr != 1 || c->set.ids[0] >= truth.nr_fences)
		die("the truth has %u fences for the buffer that was given back at %" PRIu64,
		    c->set.nr, c->begin_ns);
	return &truth.fences[c->set.ids[0]];
}

/* Without an identity in the truth, when it was made tells which it is. */
static bool names_fence(const struct ref *r, const struct truth_fence *f)
{
	if (f->has_identity)
		return r->context == f->context && r->seqno == f->seqno;
	for (size_t i = 0; i < nr_births; i++) {
		if (births[i].context == r->context && births[i].seqno == r->seqno)
			return births[i].ns >= f->asked_ns && births[i].ns <= f->made_ns;
	}
	return false;
}

static struct ref *ref_of(const struct truth_cancel *c)
{
	for (size_t i = 0; i < nr_refs; i++) {
		if (refs[i].tid == c->tid && refs[i].ns >= c->begin_ns && refs[i].ns <= c->end_ns)
			return &refs[i];
	}
	return NULL;
}

static void check_cancel(const struct truth_cancel *c)
{
	struct ref *r = ref_of(c);
	const struct truth_fence *f;

	if (!c->has_fd) {
		sum.without++;
		if (r)
			wrong("the buffer given back at %" PRIu64 " had no fence, not %" PRIu64
			      ":%" PRIu64,
			      c->begin_ns, r->context, r->seqno);
		return;
	}
	f = fence_of(c);
	if (c->begin_ns < truth.settled_ns && !r)
		return;
	sum.cancels++;
	if (!r) {
		wrong("the fence of the buffer given back at %" PRIu64 " is not seen", c->begin_ns);
		return;
	}
	r->taken = true;
	sum.pending += !r->signalled;
	if (r->pid != c->pid || r->fd != c->fd || r->object != c->surface)
		wrong("the buffer given back at %" PRIu64 " had fd %" PRIu64 " of process %" PRIu64
		      " on 0x%" PRIx64 ", not %" PRIu64 " of %" PRIu64 " on 0x%" PRIx64,
		      c->begin_ns, c->fd, c->pid, c->surface, r->fd, r->pid, r->object);
	if (!names_fence(r, f))
		wrong("the buffer given back at %" PRIu64 " had the fence %" PRIu64 ":%" PRIu64
		      " (made at %" PRIu64 "), not %" PRIu64 ":%" PRIu64,
		      c->begin_ns, f->context, f->seqno, f->made_ns, r->context, r->seqno);
	/* Of one of the last frames perhaps by nobody. */
	if (r->signalled ? !f->before_ns || f->before_ns > c->end_ns
			 : f->before_ns && f->after_ns < c->begin_ns)
		wrong("the fence of the buffer given back at %" PRIu64 " is %ssignalled",
		      c->begin_ns, r->signalled ? "" : "not ");
}

static bool is_ours(const struct ref *r)
{
	for (size_t i = 0; i < truth.nr_frames; i++) {
		if (truth.frames[i].pid == r->pid)
			return true;
	}
	return false;
}

int main(int argc, char **argv)
{
	int err;

	if (argc != 4)
		die("usage: cancel_compare NAME TRUTH DUMP");
	test = argv[1];
	err = truth_read(&truth, argv[2]);
	if (err)
		die("can't read the truth %s: %s", argv[2], strerror(-err));
	read_dump(argv[3]);
	for (size_t i = 0; i < truth.nr_cancels; i++)
		check_cancel(&truth.cancels[i]);
	/* The capture may be of other programs, too. */
	for (size_t i = 0; i < nr_refs; i++) {
		if (!refs[i].taken && is_ours(&refs[i]))
			wrong("thread %" PRIu64 " gave no buffer back at %" PRIu64, refs[i].tid,
			      refs[i].ns);
	}
	if (!sum.cancels)
		wrong("no buffer was given back with a fence");
	return result("%s, %u buffers given back undrawn with their fence (%u of them pending), %u "
		      "without",
		      truth.source, sum.cancels, sum.pending, sum.without);
}
