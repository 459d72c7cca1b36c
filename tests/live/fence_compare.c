/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Compares what framescope says of waits for fences, and of the fences of frames, with what the
 * stand-in pipeline wrote down, and prints one result line.
 *
 * fence_compare [-e PERCENT] NAME TRUTH WAITS.csv [FRAMES.csv]
 *
 * WAITS.csv is of `framescope fences --waits`, FRAMES.csv of `framescope frames`. So many percent
 * (99) of the waits that blocked must be tied to their fence as `exact`; -e 0 is for kernels that
 * can't. None may be tied to a wrong one as `exact`, whatever PERCENT is.
 *
 * Exit code: 0 all is right, 1 it is not, 2 usage.
 */
#include <inttypes.h>
#include <unistd.h>

#include "live/pipeline/finding.h"
#include "live/pipeline/rows.h"
#include "live/pipeline/truth.h"

#define MS 1000000
#define LONG_NS (1 * MS) /* of a wait that counts in the result line */
/* How far a time may be off: the truth's clock is read around the calls, and emulated machines
 * and probes take their time. */
#define SLACK_NS (1 * MS)
#define LENGTH_SLACK_NS (3 * MS)
/* Percent of the rows of frames that must agree: the emulation stops a CPU now and then. */
#define FRAMES_MIN 95
#define TIMEOUTS_MIN 90 /* percent of those that must be said */

struct row {
	uint64_t pid, tid, fd, context, seqno, start_ns, end_ns, wait_ns, signal_ns, latency_ns;
	bool has_fd, has_identity, has_wait, has_signal, has_latency;
	char role[16], outcome[16], signaller[64], confidence[16], name[64];
};

static struct pipeline_truth truth;
static struct row *rows;
static size_t nr_rows;
static const struct truth_wait *missing; /* the first */

static struct {
	unsigned waits; /* that must have been seen */
	unsigned exact, weaker, wrong, missing;
	unsigned timeouts, unsaid, void_waits, instant;
	unsigned roles, roles_right;
	unsigned frames, frames_right, slots, releases;
	unsigned depths;
	unsigned names, unnamed;
	uint64_t slot_ns, true_slot_ns, release_ns, true_release_ns, runnable_ns;
} sum;

static void read_row(const struct csv *c)
{
	struct row *r;

	rows = truth_grow(rows, &nr_rows, sizeof(*rows));
	if (!rows)
		die("out of memory");
	r = &rows[nr_rows - 1];
	csv_number(c, "pid", &r->pid);
	csv_number(c, "tid", &r->tid);
	r->has_fd = csv_number(c, "fd", &r->fd);
	r->has_identity =
		csv_number(c, "context", &r->context) && csv_number(c, "seqno", &r->seqno);
	csv_number(c, "start_ns", &r->start_ns);
	csv_number(c, "end_ns", &r->end_ns);
	r->has_wait = csv_number(c, "wait_ns", &r->wait_ns);
	r->has_signal = csv_number(c, "signal_ns", &r->signal_ns);
	r->has_latency = csv_number(c, "run_latency_ns", &r->latency_ns);
	row_text(c, "role", r->role, sizeof(r->role));
	row_text(c, "outcome", r->outcome, sizeof(r->outcome));
	row_text(c, "signaller", r->signaller, sizeof(r->signaller));
	row_text(c, "confidence", r->confidence, sizeof(r->confidence));
	row_text(c, "name", r->name, sizeof(r->name));
}

static const struct truth_fence *fence_of(unsigned id)
{
	if (id >= truth.nr_fences)
		die("the truth speaks of a fence %u that it does not have", id);
	return &truth.fences[id];
}

/* When it signalled, as exactly as is known; 0: it did not. */
static uint64_t signalled_ns(const struct truth_fence *f)
{
	return f->signal_ns ? f->signal_ns : f->after_ns;
}

/* The one that ended a wait for all of them: the last. NULL: not all of them have. */
static const struct truth_fence *last_of(const struct truth_set *set)
{
	const struct truth_fence *last = NULL;

	for (unsigned i = 0; i < set->nr; i++) {
		const struct truth_fence *f = fence_of(set->ids[i]);

		if (!signalled_ns(f))
			return NULL;
		if (!last || signalled_ns(f) > signalled_ns(last))
			last = f;
	}
	return last;
}

static bool within(uint64_t ns, uint64_t from, uint64_t to, uint64_t slack)
{
	return ns + slack >= from && ns <= to + slack;
}

/*
 * Whether the time is that of the fence's signal. What the kernel notes for one of a display is
 * when the picture was there, which may be before it gets round to signal it.
 */
static bool signal_time_fits(const struct truth_fence *f, uint64_t ns, uint64_t latest_ns)
{
	if (f->before_ns)
		return within(ns, f->before_ns, f->after_ns, SLACK_NS);
	return within(ns, f->signal_ns, latest_ns, SLACK_NS);
}

/* "name/tid". The kernel signals those of a display in an interrupt or by a kworker of its own. */
static bool signaller_fits(const struct truth_fence *f, const char *text)
{
	const char *slash = strrchr(text, '/');

	if (!f->signaller)
		return !strcmp(text, "irq") || !strncmp(text, "kworker/", 8);
	return slash && strtoull(slash + 1, NULL, 10) == f->signaller;
}

/* Without an identity in the truth, who signalled it and when is as good. */
static bool names_fence(const struct row *r, const struct truth_fence *f)
{
	if (f->has_identity)
		return r->has_identity && r->context == f->context && r->seqno == f->seqno;
	return r->has_signal && signal_time_fits(f, r->signal_ns, r->end_ns) &&
	       (!f->signaller || signaller_fits(f, r->signaller));
}

/*
 * epoll and select wait for descriptors that framescope may not name. A row's descriptor is
 * compared in the other calls.
 */
static bool is_of(const struct row *r, const struct truth_wait *w)
{
	if (r->pid != w->pid || r->tid != w->tid || r->start_ns < w->begin_ns ||
	    r->start_ns > w->end_ns)
		return false;
	return !r->has_fd || r->fd == w->fd || !strcmp(w->call, "epoll") ||
	       !strcmp(w->call, "select");
}

static void check_role(const struct row *r, const struct truth_wait *w)
{
	bool of_buffer = !strcmp(w->role, "release") || !strcmp(w->role, "acquire");

	sum.roles++;
	/* Others were met in nothing but the wait. */
	if (!strcmp(r->role, w->role) || (!of_buffer && !strcmp(r->role, "wait_call")))
		sum.roles_right++;
	else if (strcmp(r->role, "waited") != 0 && strcmp(r->role, "wait_call") != 0)
		wrong("the wait at %" PRIu64 " is for a fence with the role \"%s\", not \"%s\"",
		      r->start_ns, r->role, w->role);
}

/* The only function that is given a name. */
static void check_name(const struct row *r, const struct truth_wait *w)
{
	const char *name = strcmp(w->call, "Fence::waitForever") ? "" : "pipeline";

	sum.names += *name != '\0';
	sum.unnamed += *name && !*r->name;
	if (*r->name && strcmp(r->name, name) != 0)
		wrong("the wait at %" PRIu64 " is called \"%s\", not \"%s\"", r->start_ns, r->name,
		      name);
}

/* The rest of a row that names the right fence. */
static void check_details(const struct row *r, const struct truth_wait *w,
			  const struct truth_fence *f)
{
	check_role(r, w);
	check_name(r, w);
	if (!r->has_signal || !signal_time_fits(f, r->signal_ns, r->end_ns))
		wrong("the wait at %" PRIu64 ": its fence signalled at %" PRIu64 ", not %" PRIu64,
		      r->start_ns, signalled_ns(f), r->signal_ns);
	if (!signaller_fits(f, r->signaller))
		wrong("the wait at %" PRIu64 ": \"%s\" signalled its fence, not %" PRIu64,
		      r->start_ns, r->signaller, f->signaller);
	if (!r->has_wait || r->wait_ns > w->end_ns - w->begin_ns)
		wrong("the wait at %" PRIu64 " lasted at most %" PRIu64 " ns, not %" PRIu64,
		      r->start_ns, w->end_ns - w->begin_ns, r->wait_ns);
	if (!r->has_latency || r->latency_ns > w->end_ns - f->before_ns ||
	    r->latency_ns < w->late_ns)
		wrong("the wait at %" PRIu64 ": %" PRIu64
		      " ns from the signal to running, not %" PRIu64 " to %" PRIu64,
		      r->start_ns, r->latency_ns, w->late_ns, w->end_ns - f->before_ns);
}

/* A wait whose time was over. */
static void check_timeout(const struct truth_wait *w)
{
	const struct row *found = NULL;

	for (size_t i = 0; i < nr_rows; i++) {
		const struct row *r = &rows[i];

		if (!is_of(r, w))
			continue;
		if (!strcmp(r->outcome, "timeout"))
			found = r;
		if (!strcmp(r->outcome, "signaled") || r->has_signal || *r->signaller)
			wrong("the wait at %" PRIu64 " timed out, but ended by %" PRIu64
			      ":%" PRIu64,
			      r->start_ns, r->context, r->seqno);
	}
	if (w->begin_ns < truth.settled_ns)
		return;
	sum.timeouts++;
	if (!found) {
		if (!sum.unsaid++)
			missing = w;
		return;
	}
	check_role(found, w);
	check_name(found, w);
	/* An emulated CPU that stops keeps it from blocking at once. */
	if (!found->has_wait || found->wait_ns < w->timeout_ms * MS / 4 * 3 ||
	    found->wait_ns > w->end_ns - w->begin_ns)
		wrong("the wait at %" PRIu64 " timed out after %" PRIu64 " ns", w->begin_ns,
		      found->wait_ns);
}

/* Another fence that got the descriptor's number ended it, before it blocked. */
static bool is_void(const struct truth_wait *w, const struct truth_fence *f)
{
	return (f->before_ns ? f->before_ns : f->signal_ns) > w->end_ns;
}

/* A wait that a fence ended, or that did not block as the fence had signalled before. */
static void check_wait(const struct truth_wait *w)
{
	const struct truth_fence *f = last_of(&w->set);
	const struct row *right = NULL;
	bool misled = false;
	bool must;

	if (!f)
		die("the wait at %" PRIu64 " ended without its fence", w->begin_ns);
	if (is_void(w, f)) {
		sum.void_waits++;
		return;
	}
	must = w->begin_ns >= truth.settled_ns && w->blocked && signalled_ns(f) > w->begin_ns;
	sum.instant += signalled_ns(f) <= w->begin_ns;
	for (size_t i = 0; i < nr_rows; i++) {
		const struct row *r = &rows[i];

		if (!is_of(r, w) || strcmp(r->outcome, "signaled") != 0)
			continue;
		if (names_fence(r, f)) {
			right = r;
			continue;
		}
		misled = true;
		if (!strcmp(r->confidence, "exact"))
			wrong("the wait at %" PRIu64 " is surely not for %" PRIu64 ":%" PRIu64
			      ", but for %" PRIu64 ":%" PRIu64,
			      r->start_ns, r->context, r->seqno, f->context, f->seqno);
	}
	if (right)
		check_details(right, w, f);
	if (!must)
		return;
	sum.waits++;
	if (misled) {
		sum.wrong++;
	} else if (!right) {
		if (!sum.missing++)
			missing = w;
	} else if (!strcmp(right->confidence, "exact")) {
		sum.exact++;
	} else {
		sum.weaker++;
	}
}

/* The cell "CONTEXT:SEQNO" names the last fence of the set, or the one around them. */
static bool cell_names(const char *cell, const struct truth_set *set, const struct truth_wait *w)
{
	const struct truth_fence *f = last_of(set);
	char last[48] = "", array[48] = "";

	if (!set->nr)
		return !*cell;
	if (!f)
		f = fence_of(set->ids[0]);
	if (!f->has_identity)
		return *cell;
	snprintf(last, sizeof(last), "%" PRIu64 ":%" PRIu64, f->context, f->seqno);
	if (w && w->in_array)
		snprintf(array, sizeof(array), "%" PRIu64 ":%" PRIu64, w->context, w->seqno);
	return !strcmp(cell, last) || (*array && !strcmp(cell, array));
}

static const struct truth_wait *release_wait(const struct truth_frame *f)
{
	for (size_t i = 0; i < truth.nr_waits; i++) {
		const struct truth_wait *w = &truth.waits[i];

		if (w->tid == f->tid && w->frame == f->frame && !strcmp(w->role, "release"))
			return w;
	}
	return NULL;
}

/* How long it was blocked for its buffer's fence, at least. */
static uint64_t release_ns(const struct truth_wait *w)
{
	const struct truth_fence *last = w ? last_of(&w->set) : NULL;
	uint64_t end = last ? last->signal_ns ? last->signal_ns : last->before_ns : 0;

	if (w && w->timed_out)
		end = w->end_ns;

	return w && w->blocked && end > w->begin_ns ? end - w->begin_ns : 0;
}

/* Is what the pipeline wrote of the frame's wait of no use? */
static bool is_unclear(const struct truth_frame *f)
{
	const struct truth_wait *w = release_wait(f);
	const struct truth_fence *last = w && !w->timed_out ? last_of(&w->set) : NULL;

	return last && is_void(w, last);
}

/* All its waits for fences. */
static uint64_t fences_ns(const struct truth_frame *f)
{
	uint64_t ns = 0;

	for (size_t i = 0; i < truth.nr_waits; i++) {
		const struct truth_wait *w = &truth.waits[i];

		if (w->tid == f->tid && w->frame == f->frame)
			ns += w->end_ns - w->begin_ns;
	}
	return ns;
}

/* At most what the pipeline saw from outside, and at least that without what it did not block. */
static bool about(uint64_t ns, uint64_t outer_ns, uint64_t should_ns, uint64_t other_ns)
{
	return ns <= outer_ns + LENGTH_SLACK_NS && ns + other_ns + LENGTH_SLACK_NS >= should_ns;
}

/* What the row says of the frame's waits, by the truth. */
static bool lengths_fit(const struct csv *c, const struct truth_frame *f)
{
	const struct truth_wait *w = release_wait(f);
	uint64_t fence_ns, slot_ns, wait_ns, running_ns, runnable_ns, other_ns;

	csv_number(c, "render_fence_ns", &fence_ns);
	csv_number(c, "render_slot_ns", &slot_ns);
	csv_number(c, "render_running_ns", &running_ns);
	csv_number(c, "render_runnable_ns", &runnable_ns);
	csv_number(c, "release_wait_ns", &wait_ns);
	other_ns = running_ns + runnable_ns;
	sum.slots += f->slot_ns > LONG_NS;
	sum.releases += release_ns(w) > LONG_NS;
	sum.runnable_ns += runnable_ns;
	sum.slot_ns += slot_ns;
	sum.true_slot_ns += f->slot_ns;
	sum.release_ns += wait_ns;
	sum.true_release_ns += release_ns(w);
	if (about(slot_ns, f->slot_ns, f->slot_ns, other_ns) &&
	    about(wait_ns, w ? w->end_ns - w->begin_ns : 0, release_ns(w), other_ns) &&
	    about(fence_ns, fences_ns(f), wait_ns, 0))
		return true;
	printf("#   %s: frame %" PRIu64 " of thread %" PRIu64 ": slot %" PRIu64 ", not %" PRIu64
	       "; release %" PRIu64 ", not %" PRIu64 "; fences %" PRIu64 ", not %" PRIu64 "\n",
	       test, f->frame, f->tid, slot_ns, f->slot_ns, wait_ns, release_ns(w), fence_ns,
	       fences_ns(f));
	return false;
}

/* What it says of its fences. One that is missing is not wrong, but the frame is not right. */
static bool frame_fits(const struct csv *c, const struct truth_frame *f)
{
	const struct truth_fence *acquire = last_of(&f->acquire);
	const char *fence = csv_cell(c, "release_fence");
	uint64_t ns;

	if (!cell_names(fence, &f->release, release_wait(f))) {
		if (!*fence)
			return false;
		wrong("frame %" PRIu64 " has the release fence \"%s\"", f->frame, fence);
		return false;
	}
	fence = csv_cell(c, "acquire_fence");
	if (!cell_names(fence, &f->acquire, NULL)) {
		if (!*fence)
			return false;
		wrong("frame %" PRIu64 " has the acquire fence \"%s\"", f->frame, fence);
		return false;
	}
	if (!csv_number(c, "acquire_signal_ns", &ns))
		return false;
	if (!acquire || !signal_time_fits(acquire, ns, acquire->signal_ns)) {
		wrong("frame %" PRIu64 " has its acquire fence signalled at %" PRIu64, f->frame,
		      ns);
		return false;
	}
	return lengths_fit(c, f);
}

/* The kernel says so of a fence some time after it has traced its signal. */
static unsigned signalling(uint64_t from_ns, uint64_t to_ns)
{
	unsigned nr = 0;

	for (size_t i = 0; i < truth.nr_fences; i++)
		nr += truth.fences[i].before_ns && truth.fences[i].before_ns <= to_ns &&
		      truth.fences[i].after_ns >= from_ns;
	return nr;
}

/* How many buffers the consumer had when the dequeue began. */
static void check_depth(const struct csv *c, const struct truth_frame *f)
{
	unsigned late = signalling(f->dequeue_ns, f->dequeued_ns);
	uint64_t depth;

	if (!csv_number(c, "queue_depth", &depth))
		return;
	sum.depths++;
	if (depth + late < f->depth_in || depth > f->depth_before)
		wrong("frame %" PRIu64 " has %" PRIu64 " buffers in flight, not %" PRIu64
		      " to %" PRIu64,
		      f->frame, depth, f->depth_in, f->depth_before);
}

/* But for time in which it waited for a CPU, not more than a fifth may be lost, or too much. */
static void check_total(const char *what, uint64_t ns, uint64_t true_ns)
{
	uint64_t slack = true_ns / 5 + sum.frames * LONG_NS;

	if (ns > true_ns + slack || ns + sum.runnable_ns + slack < true_ns)
		wrong("the waits for a %s are %" PRIu64 " ms in all, not %" PRIu64, what, ns / MS,
		      true_ns / MS);
}

/* Whose frame it is, is told by its thread and its end. */
static void check_frame(const struct csv *c)
{
	char status[16];
	uint64_t tid, end_ns;

	if (!csv_cell(c, "release_fence") || !csv_cell(c, "acquire_fence"))
		die("the CSV has no columns of fences");
	row_text(c, "status", status, sizeof(status));
	csv_number(c, "render_tid", &tid);
	csv_number(c, "end_ns", &end_ns);
	for (size_t i = 0; i < truth.nr_frames; i++) {
		const struct truth_frame *f = &truth.frames[i];

		if (f->tid != tid || !within(end_ns, f->leave_ns, f->end_ns, 0) ||
		    strcmp(status, "complete") != 0 || f->dequeue_ns < truth.settled_ns ||
		    is_unclear(f))
			continue;
		sum.frames++;
		sum.frames_right += frame_fits(c, f);
		check_depth(c, f);
	}
}

static void check_frames(const char *path)
{
	rows_read(path, check_frame);
	if (sum.frames * 2 < truth.nr_frames)
		wrong("only %u of %zu frames are complete", sum.frames, truth.nr_frames);
	check_total("slot", sum.slot_ns, sum.true_slot_ns);
	check_total("buffer's fence", sum.release_ns, sum.true_release_ns);
	if ((sum.frames_right + 1) * 100 < sum.frames * FRAMES_MIN)
		wrong("fences and waits are right in %u of %u frames only", sum.frames_right,
		      sum.frames);
	/* What comes first may have been queued before, and the last buffers do not come back. */
	if ((sum.depths + 6) * 100 < sum.frames * FRAMES_MIN)
		wrong("only %u of %u frames have a queue depth", sum.depths, sum.frames);
}

/* Nothing outside of a wait may be one. The capture may be of other programs, too. */
static void check_invented(void)
{
	for (size_t i = 0; i < nr_rows; i++) {
		bool ours = false, known = strcmp(rows[i].outcome, "signaled") != 0;

		for (size_t j = 0; j < truth.nr_waits && !known; j++) {
			ours = ours || rows[i].pid == truth.waits[j].pid;
			known = is_of(&rows[i], &truth.waits[j]);
		}
		if (ours && !known)
			wrong("thread %" PRIu64 " waited for no fence at %" PRIu64, rows[i].tid,
			      rows[i].start_ns);
	}
}

int main(int argc, char **argv)
{
	unsigned percent = 99;
	int opt, err;

	while ((opt = getopt(argc, argv, "e:")) != -1) {
		if (opt != 'e')
			die("usage: fence_compare [-e PERCENT] NAME TRUTH WAITS.csv [FRAMES.csv]");
		percent = (unsigned)strtoul(optarg, NULL, 10);
	}
	if (argc - optind < 3 || argc - optind > 4)
		die("usage: fence_compare [-e PERCENT] NAME TRUTH WAITS.csv [FRAMES.csv]");
	test = argv[optind];
	err = truth_read(&truth, argv[optind + 1]);
	if (err)
		die("can't read the truth %s: %s", argv[optind + 1], strerror(-err));
	rows_read(argv[optind + 2], read_row);
	for (size_t i = 0; i < truth.nr_waits; i++) {
		if (truth.waits[i].timed_out)
			check_timeout(&truth.waits[i]);
		else
			check_wait(&truth.waits[i]);
	}
	check_invented();
	if (argv[optind + 3])
		check_frames(argv[optind + 3]);
	/* Of less than a hundred, one may be known less surely: that is no percentage yet. */
	if ((sum.exact + (sum.weaker > 0)) * 100 < sum.waits * percent)
		wrong("%u of %u waits are tied to their fence exactly, %u weaker, %u wrongly, %u "
		      "not "
		      "seen",
		      sum.exact, sum.waits, sum.weaker, sum.wrong, sum.missing);
	/* A string that is not in memory yet can't be read. */
	if (sum.unnamed > 1 + sum.names / 20)
		wrong("%u of %u named waits have no name", sum.unnamed, sum.names);
	if (missing)
		printf("#   %s: not seen: fd %" PRIu64 " of thread %" PRIu64 ", %" PRIu64
		       " to %" PRIu64 "\n",
		       test, missing->fd, missing->tid, missing->begin_ns, missing->end_ns);
	/* Where a CPU stops before the thread blocks, the block is shorter than its time. */
	if (sum.unsaid * 100 > (sum.timeouts + 10) * (100 - TIMEOUTS_MIN))
		wrong("of %u time-outs %u are not said", sum.timeouts, sum.unsaid);
	if (!sum.waits && !sum.timeouts && !sum.instant)
		wrong("there was no wait to judge");
	if ((sum.roles_right + 1) * 100 < sum.roles * 99)
		wrong("the role of the fence is right in %u of %u waits", sum.roles_right,
		      sum.roles);
	return result("%s, %u waits: exact %u, weaker %u, wrong %u, missing %u; time-outs %u/%u, "
		      "instant %u, void %u; frames %u/%u (slot %u, release %u, depth %u)",
		      truth.source, sum.waits, sum.exact, sum.weaker, sum.wrong, sum.missing,
		      sum.timeouts - sum.unsaid, sum.timeouts, sum.instant, sum.void_waits,
		      sum.frames_right, sum.frames, sum.slots, sum.releases, sum.depths);
}
