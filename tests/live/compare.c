/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Compares what `framescope frames --format csv` says with what the player wrote down, frame by
 * frame, and prints one result line.
 *
 * compare NAME TRUTH CSV
 *
 * Exit code: 0 all is right; 1 something is wrong that no load on the machine excuses (a sum, a
 * missing or invented frame, a status); 2 usage; 3 only figures that depend on timing are off, so
 * that one more try is fair; 4 the machine was too busy for a judgement.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csv.h"

#define PARTS 12

/*
 * That framescope sees a boundary between the player's last act before it and its first one after
 * is checked of every frame. How far off it is can be told only where those two are close together:
 * not where the player was held up between them. ns; so none that is measured is off by more than
 * HELD_UP.
 */
#define MEDIAN_MAX 50000
#define HELD_UP 300000
/*
 * Limits on the difference of running and of runnable time at the median, ns: the player's clocks
 * count its bookkeeping around the frame too; and, per time it got a CPU, a wait for one begins for
 * them at the enqueueing, which may come an interrupt to an idle CPU later than the waking. Where
 * that CPU is a virtual one that its host has put to sleep, this takes a tenth of a millisecond.
 */
#define SUM_MEDIAN_MAX 100000
#define SUM_SLICE_MAX 30000
#define WAKE_SLICE_MAX 150000
/* Percent of the frames in which something may not have been observed: some kernels hide the
 * switches and wakings of certain tasks. What was observed must be right. */
#define UNSEEN_MAX 5

static const char *const part_names[PARTS] = {
	"running", "runnable", "fence", "slot",  "gpu",   "lock",
	"binder",  "ipc",      "io",    "sleep", "other", "unknown",
};

/* One line of the truth; see tests/standins/truth.h. */
struct fact {
	int pid, tid, waker;
	uint64_t surface, begin, enter, leave, end; /* enter and leave are within the call */
	uint64_t cause_ns, running, runnable, slices;
	char cause[16];
	bool required;
	bool found;
	struct fact *before; /* the frame before it on its surface */
};

struct row {
	int pid, tid;
	uint64_t surface, start, end, wall, swap;
	uint64_t parts[PARTS];
	bool has_swap;
	char status[16], top_cause[16];
	char peer[128]; /* who ended the main wait, or took the CPU */
	struct fact *fact;
};

struct samples {
	int64_t *v;
	size_t nr;
};

static struct fact *facts;
static size_t nr_facts;
static struct row *rows;
static size_t nr_rows;
static const char *test;
static unsigned wrongs, offs;
static bool busy; /* the scripted cause was rarely the main one: nothing is proved */

static void die(const char *fmt, ...) __attribute__((format(printf, 1, 2), noreturn));
static void wrong(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
static void off(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

static void die(const char *fmt, ...)
{
	va_list ap;

	printf("FAIL %s: ", test ? test : "compare");
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	putchar('\n');
	exit(test ? 1 : 2);
}

/* The first finding makes the result line, the next ones follow it, the rest is counted. */
static void finding(unsigned *count, const char *fmt, va_list ap)
{
	unsigned nr = wrongs + offs;

	if (nr < 8) {
		if (nr)
			printf("# also: ");
		else
			printf("FAIL %s: ", test);
		vprintf(fmt, ap);
		putchar('\n');
	}
	(*count)++;
}

static void wrong(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	finding(&wrongs, fmt, ap);
	va_end(ap);
}

static void off(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	finding(&offs, fmt, ap);
	va_end(ap);
}

static void *grow(void *array, size_t nr, size_t size)
{
	if (nr & (nr - 1))
		return array;
	array = realloc(array, (nr ? nr * 2 : 1) * size);
	if (!array)
		die("out of memory");
	return array;
}

static void copy(char *to, size_t size, const char *from)
{
	snprintf(to, size, "%s", from);
}

static int fact_order(const void *a, const void *b)
{
	const struct fact *x = a, *y = b;

	return x->end < y->end ? -1 : x->end > y->end;
}

static unsigned split(char *line, char **cells, const char *path)
{
	int nr = csv_split(line, cells);

	if (nr < 0)
		die("%s: text behind a closing quote, or more than %d columns", path,
		    CSV_COLUMNS_MAX);
	return (unsigned)nr;
}

/* A whole number in decimal or 0x form; false if it is anything else. */
static bool parse(const char *text, uint64_t *v)
{
	char *end;

	errno = 0;
	*v = strtoull(text, &end, 0);
	return !errno && end != text && !*end && *text != '-';
}

static void read_truth(const char *path)
{
	FILE *f = fopen(path, "r");
	char line[512], *cells[CSV_COLUMNS_MAX];

	if (!f)
		die("can't open the truth %s: %s", path, strerror(errno));
	while (fgets(line, sizeof(line), f)) {
		struct fact t = { 0 };
		uint64_t pid, tid, required;

		if (split(line, cells, path) != 14 || !parse(cells[0], &pid) ||
		    !parse(cells[1], &tid) || !parse(cells[2], &t.surface) ||
		    !parse(cells[3], &t.begin) || !parse(cells[4], &t.enter) ||
		    !parse(cells[5], &t.leave) || !parse(cells[6], &t.end) ||
		    !parse(cells[8], &t.cause_ns) || !parse(cells[10], &t.running) ||
		    !parse(cells[11], &t.runnable) || !parse(cells[12], &t.slices) ||
		    !parse(cells[13], &required))
			die("%s: line %zu is not one of truth", path, nr_facts + 1);
		t.pid = (int)pid;
		t.tid = (int)tid;
		t.required = required != 0;
		copy(t.cause, sizeof(t.cause), cells[7]);
		t.waker = (int)strtol(cells[9], NULL, 10);
		facts = grow(facts, nr_facts, sizeof(*facts));
		facts[nr_facts++] = t;
	}
	fclose(f);
	if (nr_facts < 2)
		die("the truth %s has no frames", path);
	qsort(facts, nr_facts, sizeof(*facts), fact_order);
	for (size_t i = 0; i < nr_facts; i++) {
		for (size_t j = i; j-- > 0 && !facts[i].before;) {
			if (facts[j].pid == facts[i].pid && facts[j].tid == facts[i].tid &&
			    facts[j].surface == facts[i].surface)
				facts[i].before = &facts[j];
		}
	}
}

static char *header_names[CSV_COLUMNS_MAX];
static unsigned nr_columns;

static const char *cell(char **cells, const char *name)
{
	for (unsigned i = 0; i < nr_columns; i++) {
		if (!strcmp(header_names[i], name))
			return cells[i];
	}
	die("the CSV has no column %s", name);
}

static uint64_t number(char **cells, const char *name)
{
	const char *text = cell(cells, name);
	uint64_t v;

	if (!parse(text, &v))
		die("the CSV's column %s holds \"%s\", not a number", name, text);
	return v;
}

static void read_rows(const char *path)
{
	static char header[4096], line[4096];
	FILE *f = fopen(path, "r");
	char *cells[CSV_COLUMNS_MAX];

	if (!f)
		die("can't open the CSV %s: %s", path, strerror(errno));
	if (!fgets(header, sizeof(header), f))
		die("the CSV %s is empty", path);
	nr_columns = split(header, header_names, path);
	while (fgets(line, sizeof(line), f)) {
		struct row r = { 0 };

		if (split(line, cells, path) != nr_columns)
			die("%s: row %zu has not as many cells as the header", path, nr_rows + 1);
		r.pid = (int)number(cells, "pid");
		r.tid = (int)number(cells, "render_tid");
		r.surface = number(cells, "surface");
		r.start = number(cells, "start_ns");
		r.end = number(cells, "end_ns");
		r.wall = number(cells, "wall_ns");
		for (int i = 0; i < PARTS; i++) {
			char name[64];

			snprintf(name, sizeof(name), "render_%s_ns", part_names[i]);
			r.parts[i] = number(cells, name);
		}
		/* A frame that ended with no swap has no time in one. */
		r.has_swap = *cell(cells, "swap_ns");
		if (r.has_swap)
			r.swap = number(cells, "swap_ns");
		copy(r.status, sizeof(r.status), cell(cells, "status"));
		copy(r.top_cause, sizeof(r.top_cause), cell(cells, "top_cause"));
		copy(r.peer, sizeof(r.peer),
		     cell(cells, strcmp(r.top_cause, "runnable") ? "top_waker" : "top_detail"));
		rows = grow(rows, nr_rows, sizeof(*rows));
		rows[nr_rows++] = r;
	}
	fclose(f);
}

/* Whatever the row is about, its numbers must agree with each other. */
static void check_row(const struct row *r)
{
	uint64_t sum = 0;

	for (int i = 0; i < PARTS; i++)
		sum += r->parts[i];
	if (sum != r->wall || r->end - r->start != r->wall)
		wrong("the frame at %" PRIu64 ": wall %" PRIu64 ", end - start %" PRIu64
		      ", parts %" PRIu64,
		      r->start, r->wall, r->end - r->start, sum);
	if (!strcmp(r->status, "lossy"))
		wrong("the frame at %" PRIu64 " is lossy", r->start);
	else if (strcmp(r->status, "complete") && strcmp(r->status, "truncated"))
		wrong("the frame at %" PRIu64 " has the status \"%s\"", r->start, r->status);
}

/* Finds the swap that ended the row's frame: its end lies within the call. */
static void match(struct row *r)
{
	bool complete = !strcmp(r->status, "complete");
	struct fact *next = NULL;

	for (size_t i = 0; i < nr_facts; i++) {
		struct fact *t = &facts[i];

		if (t->pid != r->pid || t->tid != r->tid || t->surface != r->surface)
			continue;
		if (r->end >= t->begin && r->end <= t->end) {
			if (r->end < t->leave)
				wrong("the frame at %" PRIu64
				      " ends before its swap's last work is done",
				      r->start);
			if (t->found)
				wrong("two frames end in the swap at %" PRIu64, t->begin);
			t->found = true;
			r->fact = t;
			if (!t->before && complete)
				wrong("the first frame of the surface 0x%" PRIx64 " is complete",
				      r->surface);
			if (t->required && t->before && t->before->required && !complete)
				wrong("the frame at %" PRIu64 " is %s", r->start, r->status);
			return;
		}
		if (t->begin > r->end && !next)
			next = t;
	}
	/* Only what was cut off by an edge may end elsewhere than in a swap. */
	if (complete || (next && next->required && next->before && next->before->required))
		wrong("a %s frame of thread %d on 0x%" PRIx64 " ends at %" PRIu64
		      ", where the program ended none",
		      r->status, r->tid, r->surface, r->end);
}

static void sample(struct samples *s, uint64_t a, uint64_t b)
{
	s->v = grow(s->v, s->nr, sizeof(*s->v));
	s->v[s->nr++] = (int64_t)(a - b);
}

static int sample_order(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return x < y ? -1 : x > y;
}

static int64_t quantile(struct samples *s, unsigned percent)
{
	if (!s->nr)
		return 0;
	qsort(s->v, s->nr, sizeof(*s->v), sample_order);
	return s->v[(s->nr * percent + 99) / 100 - 1];
}

/* Does the cell name that thread ("comm/tid"), or for -1 an interrupt ("hard irq")? */
static bool names_waker(const char *text, int tid)
{
	const char *slash = strrchr(text, '/');
	const char *space = strrchr(text, ' ');

	if (tid < 0)
		return space && !strcmp(space, " irq");
	return slash && strtol(slash + 1, NULL, 10) == tid;
}

/* An interrupt's bystander must not be blamed, not even once. */
static void check_no_thread(const struct row *r)
{
	if (strchr(r->peer, '/'))
		wrong("the frame at %" PRIu64 " waited for an interrupt, not for \"%s\"", r->start,
		      r->peer);
}

static void check_boundary(const char *what, struct samples *s)
{
	int64_t median = quantile(s, 50);

	if (median > MEDIAN_MAX)
		off("%s differs by %" PRId64 " us (median)", what, median / 1000);
}

static void check_sum(const char *what, struct samples *s, int64_t slices, int64_t more_a_slice)
{
	int64_t median = quantile(s, 50);

	if (median > SUM_MEDIAN_MAX + slices * SUM_SLICE_MAX ||
	    median < -(SUM_MEDIAN_MAX + slices * more_a_slice))
		off("the %s time differs by %" PRId64 " us (median)", what, median / 1000);
}

/*
 * Was the scripted cause the main one, by the player's clocks? Only where it leads by a tenth of
 * the frame: on a busy machine the script does not always come out as written.
 */
static bool vouches(const struct fact *t)
{
	uint64_t wall = t->end - t->before->end;
	uint64_t cause = t->cause_ns - t->before->cause_ns;
	uint64_t running = t->running - t->before->running;
	uint64_t runnable = t->runnable - t->before->runnable;
	uint64_t known = cause;
	uint64_t next = 0;

	if (strcmp(t->cause, "running")) {
		next = running > next ? running : next;
		known += running;
	}
	if (strcmp(t->cause, "runnable")) {
		next = runnable > next ? runnable : next;
		known += runnable;
	}
	if (wall > known && wall - known > next)
		next = wall - known;
	return cause > next + wall / 10;
}

/* Whatever held the program up: what the player did last is before, and first after. */
static void check_bounds(const struct row *r, const struct fact *t)
{
	if (r->start < t->before->leave || r->start > t->before->end)
		wrong("the frame at %" PRIu64 " does not start with the end of the swap before it",
		      r->start);
	if (!r->has_swap)
		wrong("the frame at %" PRIu64 " has no swap time", r->start);
	else if (r->swap < t->leave - t->enter || r->swap > t->end - t->begin)
		wrong("the frame at %" PRIu64 ": %" PRIu64 " ns in the swap, not %" PRIu64
		      " to %" PRIu64,
		      r->start, r->swap, t->leave - t->enter, t->end - t->begin);
}

/* All that depends on how long things took. */
static void check_timing(void)
{
	struct samples starts = { 0 }, ends = { 0 }, swaps = { 0 }, running = { 0 },
		       runnable = { 0 }, slices = { 0 };
	unsigned nr = 0, claimed = 0, causes = 0, wakers = 0, named = 0, unseen = 0;
	const struct row *wrong_cause = NULL, *wrong_waker = NULL;

	for (size_t i = 0; i < nr_rows; i++) {
		const struct row *r = &rows[i];
		const struct fact *t = r->fact;

		if (!t || !t->before || strcmp(r->status, "complete"))
			continue;
		check_bounds(r, t);
		if (t->waker < 0 && !strcmp(r->top_cause, t->cause))
			check_no_thread(r);
		if (t->before->end - t->before->leave < HELD_UP)
			sample(&starts, t->before->end, r->start);
		if (t->end - t->leave < HELD_UP)
			sample(&ends, t->end, r->end);
		if (t->end - t->leave + t->enter - t->begin < HELD_UP)
			sample(&swaps, t->end - t->begin, r->swap);
		nr++;
		sample(&running, t->running - t->before->running, r->parts[0]);
		sample(&runnable, t->runnable - t->before->runnable, r->parts[1]);
		sample(&slices, t->slices, t->before->slices);
		/* A hole of a hundredth of the frame is one. */
		if (r->parts[PARTS - 1] > r->wall / 100) {
			unseen++;
			continue;
		}
		if (!vouches(t))
			continue;
		claimed++;
		if (!strcmp(r->top_cause, t->cause))
			causes++;
		else
			wrong_cause = r;
		if (!t->waker)
			continue;
		if (!*r->peer) {
			unseen++;
			continue;
		}
		named++;
		if (names_waker(r->peer, t->waker))
			wakers++;
		else
			wrong_waker = r;
	}
	if (!nr) {
		wrong("no complete frame");
		return;
	}
	check_boundary("the start", &starts);
	check_boundary("the end", &ends);
	check_boundary("the swap's length", &swaps);
	check_sum("running", &running, quantile(&slices, 50), SUM_SLICE_MAX);
	check_sum("runnable", &runnable, quantile(&slices, 50), WAKE_SLICE_MAX);
	if (unseen > 1 && unseen * 100 > nr * UNSEEN_MAX)
		off("in %u of %u frames part of the time or the waker is unknown", unseen, nr);
	if (causes * 100 < claimed * 99)
		off("%u of %u frames have another top cause, the one at %" PRIu64
		    " %s instead of %s",
		    claimed - causes, claimed, wrong_cause->start, wrong_cause->top_cause,
		    wrong_cause->fact->cause);
	if (wakers * 100 < named * 99)
		off("%u of %u frames have another top waker, the one at %" PRIu64
		    " \"%s\" instead of %d",
		    named - wakers, named, wrong_waker->start, wrong_waker->peer,
		    wrong_waker->fact->waker);
	busy = claimed * 2 < nr;
	if (wrongs + offs)
		printf("# ");
	else if (busy)
		printf("SKIP %s: the machine was too busy for the script to come out as written: ",
		       test);
	else
		printf("PASS %s: ", test);
	printf("%u frames, end %" PRId64 "/%" PRId64 " us median/p99, running %+" PRId64
	       " us, cause %u/%u, waker %u/%u, unseen %u\n",
	       nr, quantile(&ends, 50) / 1000, quantile(&ends, 99) / 1000,
	       quantile(&running, 50) / 1000, causes, claimed, wakers, named, unseen);
	free(starts.v);
	free(ends.v);
	free(swaps.v);
	free(running.v);
	free(runnable.v);
	free(slices.v);
}

int main(int argc, char **argv)
{
	if (argc != 4)
		die("usage: compare NAME TRUTH CSV");
	test = argv[1];
	read_truth(argv[2]);
	read_rows(argv[3]);
	for (size_t i = 0; i < nr_rows; i++) {
		check_row(&rows[i]);
		match(&rows[i]);
	}
	for (size_t i = 0; i < nr_facts; i++) {
		const struct fact *t = &facts[i];

		if (!t->found && t->before && t->required && t->before->required)
			wrong("the frame that ended at %" PRIu64 " on thread %d is missing", t->end,
			      t->tid);
	}
	check_timing();
	free(facts);
	free(rows);
	return wrongs ? 1 : offs ? 3 : busy ? 4 : 0;
}
