/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Compares what framescope says of fences that never signalled with what pipelines wrote down that
 * kept them beyond the end of the recording, and prints one result line.
 *
 * unsignaled_compare NAME STOP_NS ROWS.csv TRUTH...
 *
 * STOP_NS is when the recording ended, ROWS.csv of `framescope fences --unsignaled`. The vgem
 * fences in it must be those, and only those, that the truths know and that were not signalled by
 * then.
 *
 * Exit code: 0 all is right, 1 it is not, 2 usage.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "live/pipeline/finding.h"
#include "live/pipeline/rows.h"
#include "live/pipeline/truth.h"

#define TRUTHS_MAX 4
#define WAITERS_MAX 8

struct waiter {
	uint64_t tid;
	char comm[16];
};

struct row {
	uint64_t context, seqno, age_ns, victims;
	bool has_age, taken;
	char driver[32], timeline[64], state[16], motion[16];
	struct waiter waiters[WAITERS_MAX];
	unsigned nr_waiters;
};

static uint64_t stop_ns;
static struct pipeline_truth truths[TRUTHS_MAX];
static unsigned nr_truths;
static struct row *rows;
static size_t nr_rows;

static struct {
	unsigned pending, waited, shared, signalled;
} sum;

/* "NAME/TID;NAME/TID" */
static void read_waiters(struct row *r, char *text)
{
	char *save = NULL;

	for (char *one = strtok_r(text, ";", &save); one; one = strtok_r(NULL, ";", &save)) {
		char *slash = strrchr(one, '/');
		struct waiter *w = &r->waiters[r->nr_waiters];

		if (!slash || r->nr_waiters++ == WAITERS_MAX)
			die("%" PRIu64 ":%" PRIu64 " has odd waiters: %s", r->context, r->seqno,
			    one);
		w->tid = strtoull(slash + 1, NULL, 10);
		snprintf(w->comm, sizeof(w->comm), "%.*s", (int)(slash - one), one);
	}
}

static void read_row(const struct csv *c)
{
	char waiters[CSV_LINE_MAX];
	struct row *r;

	rows = truth_grow(rows, &nr_rows, sizeof(*rows));
	if (!rows)
		die("out of memory");
	r = &rows[nr_rows - 1];
	csv_number(c, "context", &r->context);
	csv_number(c, "seqno", &r->seqno);
	r->has_age = csv_number(c, "age_ns", &r->age_ns);
	csv_number(c, "victims", &r->victims);
	row_text(c, "driver", r->driver, sizeof(r->driver));
	row_text(c, "timeline", r->timeline, sizeof(r->timeline));
	row_text(c, "state", r->state, sizeof(r->state));
	row_text(c, "timeline_state", r->motion, sizeof(r->motion));
	row_text(c, "waiters", waiters, sizeof(waiters));
	if (!strcmp(r->driver, "vgem"))
		read_waiters(r, waiters);
}

/* Signalled at the earliest and the latest; UINT64_MAX: never. */
static uint64_t signalled_from(const struct truth_fence *f)
{
	return f->before_ns ? f->before_ns : f->signal_ns ? f->signal_ns : UINT64_MAX;
}

static uint64_t signalled_to(const struct truth_fence *f)
{
	return f->after_ns ? f->after_ns : f->signal_ns ? f->signal_ns : UINT64_MAX;
}

static bool is_vgem(const struct truth_fence *f)
{
	/* The display's are sync_files, which tell their driver, in every kernel. */
	return !*f->driver || !strcmp(f->driver, "vgem");
}

static bool is_of_set(const struct truth_wait *w, size_t id)
{
	for (unsigned i = 0; i < w->set.nr; i++) {
		if (w->set.ids[i] == id)
			return true;
	}
	return false;
}

static bool is_named(const struct row *r, const struct truth_wait *w)
{
	for (unsigned i = 0; i < r->nr_waiters; i++) {
		if (r->waiters[i].tid == w->tid && !strcmp(r->waiters[i].comm, w->comm))
			return true;
	}
	return false;
}

/* Who waited for the fence is named, nobody else is, and the victims are their processes. */
static bool waiters_fit(const struct row *r, const struct pipeline_truth *t, size_t id)
{
	uint64_t pids[WAITERS_MAX];
	unsigned nr_pids = 0, known = 0;

	for (size_t i = 0; i < t->nr_waits; i++) {
		const struct truth_wait *w = &t->waits[i];
		unsigned j = 0;

		if (!is_of_set(w, id))
			continue;
		if (!is_named(r, w)) {
			if (w->blocked)
				return false;
			continue;
		}
		known++;
		while (j < nr_pids && pids[j] != w->pid)
			j++;
		if (j == nr_pids && nr_pids < WAITERS_MAX)
			pids[nr_pids++] = w->pid;
	}
	return known == r->nr_waiters && r->victims == nr_pids;
}

static bool age_fits(const struct row *r, const struct truth_fence *f)
{
	return r->has_age && r->age_ns >= stop_ns - f->made_ns &&
	       r->age_ns <= stop_ns - f->asked_ns;
}

/* Without an identity in the truth, when it was made and who waited for it tell which it is. */
static struct row *row_of(const struct pipeline_truth *t, size_t id)
{
	const struct truth_fence *f = &t->fences[id];

	for (size_t i = 0; i < nr_rows; i++) {
		struct row *r = &rows[i];

		if (r->taken)
			continue;
		if (f->has_identity ? r->context == f->context && r->seqno == f->seqno
				    : age_fits(r, f) && waiters_fit(r, t, id))
			return r;
	}
	return NULL;
}

/* A vgem fence has a context to itself: there is nothing on it that could move. */
static void check_motion(const struct row *r)
{
	if (*r->motion)
		wrong("the timeline of %" PRIu64 ":%" PRIu64 " is \"%s\"", r->context, r->seqno,
		      r->motion);
}

static void check_pending(const struct pipeline_truth *t, size_t id)
{
	const struct truth_fence *f = &t->fences[id];
	struct row *r = row_of(t, id);

	sum.pending++;
	if (!r) {
		wrong("fence %zu of %s (%" PRIu64 ":%" PRIu64 ", made at %" PRIu64
		      ") is not in the list",
		      id, t->name, f->context, f->seqno, f->made_ns);
		return;
	}
	r->taken = true;
	if (strcmp(r->state, "pending") != 0)
		wrong("%" PRIu64 ":%" PRIu64 " is \"%s\", not pending", r->context, r->seqno,
		      r->state);
	if (strcmp(r->driver, "vgem") != 0 ||
	    (f->has_identity && strcmp(r->timeline, f->timeline) != 0))
		wrong("%" PRIu64 ":%" PRIu64 " is of %s/%s, not %s/%s", r->context, r->seqno,
		      r->driver, r->timeline, f->driver, f->timeline);
	if (!age_fits(r, f))
		wrong("%" PRIu64 ":%" PRIu64 " has the age %" PRIu64 ", not %" PRIu64
		      " to %" PRIu64,
		      r->context, r->seqno, r->age_ns, stop_ns - f->made_ns, stop_ns - f->asked_ns);
	if (!waiters_fit(r, t, id))
		wrong("%" PRIu64 ":%" PRIu64 " has other waiters than the %u that are named, of "
		      "%" PRIu64 " processes",
		      r->context, r->seqno, r->nr_waiters, r->victims);
	check_motion(r);
	sum.waited += r->nr_waiters != 0;
	sum.shared += r->victims == 2;
}

static void check_signalled(const struct pipeline_truth *t, size_t id)
{
	const struct truth_fence *f = &t->fences[id];

	sum.signalled++;
	for (size_t i = 0; i < nr_rows && f->has_identity; i++) {
		if (rows[i].context == f->context && rows[i].seqno == f->seqno)
			wrong("%" PRIu64 ":%" PRIu64 " signalled by %" PRIu64
			      ", before the end at %" PRIu64,
			      f->context, f->seqno, signalled_to(f), stop_ns);
	}
}

static void check_truth(const struct pipeline_truth *t)
{
	if (!t->hold_ns || stop_ns < t->hold_ns || stop_ns > t->held_ns)
		die("%s kept its fences from %" PRIu64 " to %" PRIu64
		    ", but the recording ended at %" PRIu64,
		    t->name, t->hold_ns, t->held_ns, stop_ns);
	for (size_t i = 0; i < t->nr_fences; i++) {
		if (signalled_to(&t->fences[i]) <= stop_ns)
			check_signalled(t, i);
		else if (signalled_from(&t->fences[i]) > stop_ns && is_vgem(&t->fences[i]))
			check_pending(t, i);
	}
}

int main(int argc, char **argv)
{
	if (argc < 5 || argc - 4 > TRUTHS_MAX)
		die("usage: unsignaled_compare NAME STOP_NS ROWS.csv TRUTH...");
	test = argv[1];
	stop_ns = strtoull(argv[2], NULL, 10);
	rows_read(argv[3], read_row);
	for (int i = 4; i < argc; i++) {
		int err = truth_read(&truths[nr_truths], argv[i]);

		if (err)
			die("can't read the truth %s: %s", argv[i], strerror(-err));
		nr_truths++;
	}
	for (unsigned i = 0; i < nr_truths; i++)
		check_truth(&truths[i]);
	for (size_t i = 0; i < nr_rows; i++) {
		if (!rows[i].taken && !strcmp(rows[i].driver, "vgem"))
			wrong("%" PRIu64 ":%" PRIu64 " (age %" PRIu64
			      ") is none of the fences that were not signalled",
			      rows[i].context, rows[i].seqno, rows[i].age_ns);
	}
	if (!sum.waited || !sum.shared || !sum.signalled)
		wrong("there was not everything to judge");
	return result("%s, %u never signalled (waited for %u, by two processes %u), %u signalled",
		      truths[0].source, sum.pending, sum.waited, sum.shared, sum.signalled);
}
