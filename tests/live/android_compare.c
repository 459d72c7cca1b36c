/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Compares what framescope says of the frames and messages of the stand-in Android app with what
 * the app wrote down, and prints one result line.
 *
 * android_compare [-m] [-e PERCENT] NAME TRUTH FRAMES.csv [MESSAGES.csv]
 *
 * -m: the recording has markers: why a frame was skipped must be said.
 * -e: so many percent (99) of the frames whose dominant stage and cause the app vouches for must
 *     have them.
 *
 * Every number that follows from the slots of a FrameInfo must be right to the nanosecond, and what
 * framescope measured must lie between the app's clock readings around it.
 *
 * Exit code: 0 all is right, 1 it is not, 2 usage, 3 only figures that depend on timing are off, so
 * that one more try is fair, 4 the machine was too busy for the script to come out as written.
 */
#include <inttypes.h>
#include <unistd.h>

#include "live/android/metrics.h"
#include "live/android/truth.h"
#include "live/pipeline/finding.h"
#include "live/pipeline/rows.h"

#define PARTS 12
#define UNSEEN_MAX 5 /* percent of the frames of which a part may be unknown */

static const char *const part_names[PARTS] = {
	"running", "runnable", "fence", "slot",  "gpu",   "lock",
	"binder",  "ipc",      "io",    "sleep", "other", "unknown",
};

static struct android_truth truth;
static bool has_markers;
static unsigned offs; /* of the findings those that depend on timing */
static unsigned dominant_percent = 99;

static struct {
	unsigned frames, numbers, skipped, messages, certain;
	unsigned scripted, vouched, dominant, wakers, wakers_right, unseen;
	char example[256];
} sum;

/* A number in decimal or 0x form, with a sign. */
static bool cell_number(const struct csv *c, const char *name, int64_t *v)
{
	const char *text = csv_cell(c, name);
	bool negative;
	char *end;

	*v = 0;
	if (!text)
		die("the CSV has no column %s", name);
	if (!*text)
		return false;
	negative = *text == '-';
	errno = 0;
	*v = (int64_t)strtoull(text + negative, &end, 0);
	if (errno || *end || end == text + negative)
		die("the CSV's column %s holds \"%s\", not a number", name, text);
	if (negative)
		*v = -*v;
	return true;
}

static bool is_text(const struct csv *c, const char *name, const char *text)
{
	const char *cell = csv_cell(c, name);

	if (!cell)
		die("the CSV has no column %s", name);
	return !strcmp(cell, text);
}

static bool within(int64_t v, uint64_t from, uint64_t to)
{
	return v >= 0 && (uint64_t)v >= from && (uint64_t)v <= to;
}

/* "the frame N of window W in SCENARIO" */
static const char *name_of(const struct app_frame *f)
{
	static char text[128];

	snprintf(text, sizeof(text), "frame %" PRIu64 " of 0x%" PRIx64 " (%s, at %" PRId64 ")",
		 f->frame_number, f->tracker, f->scenario, metrics_intended(f));
	return text;
}

/* The twelve parts with that prefix; how many of them there are. */
static unsigned parts(const struct csv *c, const char *prefix, int64_t *total, int64_t *unknown)
{
	unsigned nr = 0;

	*total = *unknown = 0;
	for (unsigned i = 0; i < PARTS; i++) {
		char name[48];
		int64_t ns;

		snprintf(name, sizeof(name), "%s%s_ns", prefix, part_names[i]);
		nr += cell_number(c, name, &ns);
		*total += ns;
		if (i == PARTS - 1)
			*unknown = ns;
	}
	return nr;
}

/*
 * What does not depend on earlier frames is always right. On Android 10 and 11 the state before
 * the first frame is as good as none, which framescope does not count on.
 */
static bool is_certain(const struct csv *c, const struct app_frame *f)
{
	return is_text(c, "hwui_confidence", "exact") || (f->app->layout < 22 && f->app->is_whole);
}

/* A list of words, each with that behind it, or at its end nothing. */
static bool has_word(const char *list, const char *word, char behind)
{
	size_t len = strlen(word);

	for (const char *at = list; at; at = strchr(at, behind)) {
		at += *at == behind;
		if (!strncmp(at, word, len) && (at[len] == behind || !at[len]))
			return true;
	}
	return false;
}

/* The kinds of jank that HWUI counted. */
static void check_types(const struct csv *c, const struct app_frame *f)
{
	static const struct {
		const char *name;
		bool is_of_state; /* Android 12 on: it follows from earlier frames, too */
	} types[] = {
		{ "missed_vsync", false },
		{ "high_input_latency", true },
		{ "slow_ui_thread", false },
		{ "slow_bitmap_uploads", false },
		{ "slow_issue_draw_commands", false },
		{ "frame_deadline_missed", false },
		{ "frame_deadline_missed_legacy", true },
	};
	const char *cell = csv_cell(c, "hwui_jank_types");
	bool certain = is_certain(c, f);

	for (unsigned i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		if (!certain && (f->app->layout < 22 || types[i].is_of_state))
			continue;
		if (has_word(cell, types[i].name, ' ') != has_word(f->types, types[i].name, ','))
			wrong("%s is janky for \"%s\", not \"%s\"", name_of(f), cell, f->types);
	}
	sum.certain += certain;
}

/* What follows from the slots. */
static void check_numbers(const struct csv *c, const struct app_frame *f)
{
	bool is_canvas = !strcmp(f->kind, "surface_canvas");
	struct expected expected[EXPECTED_MAX];
	unsigned nr = metrics_of(f, is_certain(c, f), expected);

	for (unsigned i = 0; i < nr; i++) {
		const struct expected *e = &expected[i];
		int64_t value;
		bool has = cell_number(c, e->column, &value);

		sum.numbers++;
		if (has && e->has_value && value == e->value)
			continue;
		if (!has && (!e->has_value || e->may_miss || (is_canvas && e->is_metric)))
			continue;
		/* The number of the frame is not always told, but can be known. */
		if (!e->has_value && !strcmp(e->column, "frame_number") &&
		    value == (int64_t)f->frame_number)
			continue;
		if (!has)
			wrong("%s has no %s, not %" PRId64, name_of(f), e->column, e->value);
		else if (!e->has_value)
			wrong("%s has a %s of %" PRId64 ", not none", name_of(f), e->column, value);
		else
			wrong("%s has a %s of %" PRId64 ", not %" PRId64, name_of(f), e->column,
			      value, e->value);
	}
}

/* The length of something that the app saw begin and end. */
static void check_length(const struct csv *c, const struct app_frame *f, const char *column,
			 uint64_t from, uint64_t to)
{
	int64_t ns;

	if (!cell_number(c, column, &ns))
		wrong("%s has no %s, not %" PRIu64 " to %" PRIu64, name_of(f), column, from, to);
	else if (!within(ns, from, to))
		wrong("%s has a %s of %" PRId64 ", not %" PRIu64 " to %" PRIu64, name_of(f), column,
		      ns, from, to);
}

static void check_ui(const struct csv *c, const struct app_frame *f, int64_t start)
{
	const struct app_message *m =
		f->has_message ? android_truth_message(&truth, f->pid, f->message) : NULL;
	int64_t total, unknown, end = 0, tid;

	if (!f->returned_ns)
		return;
	if (!cell_number(c, "ui_tid", &tid) || tid != (int64_t)f->ui_tid)
		wrong("%s has the UI thread %" PRId64 ", not %" PRIu64, name_of(f), tid, f->ui_tid);
	if (parts(c, "ui_", &total, &unknown) != PARTS)
		wrong("%s does not say what its UI thread did", name_of(f));
	else if (!within(start + total, f->unblock_ns, f->returned_ns))
		wrong("%s has its UI thread released after %" PRId64 ", not %" PRId64
		      " to %" PRId64,
		      name_of(f), total, (int64_t)f->unblock_ns - start,
		      (int64_t)f->returned_ns - start);
	if (csv_cell(c, "ui_end_ns") && cell_number(c, "ui_end_ns", &end) && end != start + total)
		wrong("%s has parts of the UI thread that do not add up to its end", name_of(f));
	if (m && m->end_min_ns)
		check_length(c, f, "commit_ns",
			     m->end_min_ns > f->returned_ns ? m->end_min_ns - f->returned_ns : 0,
			     m->end_max_ns - f->left_ns);
}

/* All that is of no single frame: sums, boundaries and the threads. */
static void check_frame(const struct csv *c, const struct app_frame *f)
{
	int64_t start, end, wall, total, unknown, render_start, tid;

	cell_number(c, "start_ns", &start);
	cell_number(c, "end_ns", &end);
	cell_number(c, "wall_ns", &wall);
	render_start = start;
	if (csv_cell(c, "render_start_ns"))
		cell_number(c, "render_start_ns", &render_start);
	if (start != metrics_intended(f))
		wrong("%s begins at %" PRId64, name_of(f), start);
	if (!within(end, f->queue_leave_ns, f->queue_end_ns))
		wrong("%s ends at %" PRId64 ", not %" PRIu64 " to %" PRIu64, name_of(f), end,
		      f->queue_leave_ns, f->queue_end_ns);
	parts(c, "render_", &total, &unknown);
	if (end - start != wall || end - render_start != total)
		wrong("%s: wall %" PRId64 ", end - start %" PRId64 ", RenderThread %" PRId64
		      " from %" PRId64 " on",
		      name_of(f), wall, end - start, total, render_start);
	if (!cell_number(c, "render_tid", &tid) || tid != (int64_t)f->render_tid)
		wrong("%s has the RenderThread %" PRId64 ", not %" PRIu64, name_of(f), tid,
		      f->render_tid);
	if (!is_text(c, "frame_kind", f->kind))
		wrong("%s is \"%s\", not %s", name_of(f), csv_cell(c, "frame_kind"), f->kind);
	if (!is_text(c, "status", "complete"))
		wrong("%s is %s", name_of(f), csv_cell(c, "status"));
	check_length(c, f, "sync_dequeue_ns", f->dequeue_min_ns, f->dequeue_max_ns);
	check_ui(c, f, start);
}

/* Is there a hole of a hundredth of the frame? */
static bool is_unseen(const struct csv *c, const struct app_frame *f)
{
	int64_t total, ui, render;

	parts(c, "ui_", &total, &ui);
	parts(c, "render_", &total, &render);
	return (ui + render) * 100 > metrics_total(f);
}

static void check_waker(const struct csv *c, const struct app_frame *f)
{
	const char *waker = csv_cell(c, "top_waker");
	const char *slash = waker ? strrchr(waker, '/') : NULL;

	if (!f->waker)
		return;
	sum.wakers++;
	if (slash && strtoull(slash + 1, NULL, 10) == f->waker)
		sum.wakers_right++;
	else
		snprintf(sum.example, sizeof(sum.example), "%s waited for \"%s\", not %" PRIu64,
			 name_of(f), waker ? waker : "", f->waker);
}

/*
 * Only where by the app's clocks the scripted one led by a tenth of the frame: on a busy machine
 * the script does not always come out as written.
 */
static void check_dominant(const struct csv *c, const struct app_frame *f)
{
	if (!f->is_scripted)
		return;
	sum.scripted++;
	if (f->dominant_ns <= f->next_ns + (uint64_t)metrics_total(f) / 10)
		return;
	if (is_unseen(c, f)) {
		sum.unseen++;
		return;
	}
	sum.vouched++;
	if (is_text(c, "top_stage", f->stage) && is_text(c, "top_cause", f->cause)) {
		sum.dominant++;
		check_waker(c, f);
	} else {
		snprintf(sum.example, sizeof(sum.example), "%s is due to %s, %s, not %s, %s",
			 name_of(f), csv_cell(c, "top_stage"), csv_cell(c, "top_cause"), f->stage,
			 f->cause);
	}
}

static struct app_frame *finished_frame(const struct csv *c, uint64_t pid)
{
	int64_t tracker, intended;

	if (!cell_number(c, "jank_tracker", &tracker) ||
	    !cell_number(c, "intended_vsync_ns", &intended))
		return NULL;
	for (size_t i = 0; i < truth.nr_frames; i++) {
		struct app_frame *f = &truth.frames[i];

		if (f->pid == pid && f->is_finished && f->tracker == (uint64_t)tracker &&
		    metrics_intended(f) == intended)
			return f;
	}
	return NULL;
}

static struct app_frame *skipped_frame(const struct csv *c, uint64_t pid)
{
	int64_t start;

	cell_number(c, "start_ns", &start);
	for (size_t i = 0; i < truth.nr_frames; i++) {
		struct app_frame *f = &truth.frames[i];

		if (f->pid == pid && f->is_skipped && !f->is_found && metrics_intended(f) == start)
			return f;
	}
	return NULL;
}

static bool is_required(const struct app_frame *f)
{
	return f->begin_ns >= f->app->settled_ns;
}

/* Nothing of what comes with the end of a frame is known of it. */
static void check_skipped(const struct csv *c, const struct app_frame *f)
{
	static const char *const none[] = { "total_ns",        "command_issue_ns",
					    "swap_buffers_ns", "gpu_duration_ns",
					    "frame_number",    "jank_tracker" };
	const char *reason = csv_cell(c, "skip_reason");
	int64_t v;

	sum.skipped++;
	for (unsigned i = 0; i < sizeof(none) / sizeof(none[0]); i++) {
		if (cell_number(c, none[i], &v))
			wrong("the skipped %s has a %s of %" PRId64, name_of(f), none[i], v);
	}
	if (strcmp(reason, f->skip_reason) != 0 && (*reason || has_markers))
		wrong("the %s was skipped for \"%s\", not %s", name_of(f), reason, f->skip_reason);
	if (f->vsync_id > 0 && (!cell_number(c, "vsync_id", &v) || v != f->vsync_id))
		wrong("the skipped %s has the vsync id %" PRId64 ", not %" PRId64, name_of(f), v,
		      f->vsync_id);
}

static void read_frame_row(const struct csv *c)
{
	const struct app *app;
	struct app_frame *f;
	int64_t pid, start;

	cell_number(c, "pid", &pid);
	app = android_truth_app(&truth, (uint64_t)pid);
	if (!app)
		return;
	cell_number(c, "start_ns", &start);
	if (is_text(c, "frame_kind", "skipped"))
		f = skipped_frame(c, app->pid);
	else
		f = finished_frame(c, app->pid);
	if (!f) {
		/* Behind the last frame of a window one may have begun. */
		if (is_text(c, "status", "truncated") && is_text(c, "frame_kind", ""))
			return;
		if ((uint64_t)start >= app->settled_ns || is_text(c, "status", "complete"))
			wrong("there is a %s frame at %" PRId64 " that was none, \"%s\", to %s",
			      csv_cell(c, "status"), start, csv_cell(c, "frame_kind"),
			      csv_cell(c, "end_ns"));
		return;
	}
	if (f->is_found)
		wrong("%s is there twice", name_of(f));
	f->is_found = true;
	/* What began before the recorder was ready may be known in part only. */
	if (!is_required(f))
		return;
	if (f->is_skipped) {
		check_skipped(c, f);
		return;
	}
	sum.frames++;
	check_numbers(c, f);
	check_types(c, f);
	check_frame(c, f);
	check_dominant(c, f);
}

static void read_message_row(const struct csv *c)
{
	int64_t pid, tid, start, end, wall, total, unknown, frames, id;
	const struct app *app;
	struct app_message *m = NULL;

	cell_number(c, "pid", &pid);
	cell_number(c, "tid", &tid);
	cell_number(c, "start_ns", &start);
	cell_number(c, "end_ns", &end);
	cell_number(c, "wall_ns", &wall);
	cell_number(c, "frames", &frames);
	app = android_truth_app(&truth, (uint64_t)pid);
	if (!app || tid != pid || (uint64_t)start < app->settled_ns ||
	    !is_text(c, "status", "complete"))
		return;
	for (size_t i = 0; i < truth.nr_messages && !m; i++) {
		struct app_message *of = &truth.messages[i];

		if (of->pid == (uint64_t)pid && within(start, of->begin_min_ns, of->begin_max_ns))
			m = of;
	}
	if (!m) {
		wrong("there is a message at %" PRId64 " that was none", start);
		return;
	}
	if (m->is_found)
		wrong("the message at %" PRId64 " is there twice", start);
	m->is_found = true;
	sum.messages++;
	if (!within(end, m->end_min_ns, m->end_max_ns))
		wrong("the message at %" PRId64 " ends at %" PRId64 ", not %" PRIu64 " to %" PRIu64,
		      start, end, m->end_min_ns, m->end_max_ns);
	parts(c, "", &total, &unknown);
	if (end - start != wall || total != wall)
		wrong("the message at %" PRId64 ": wall %" PRId64 ", end - start %" PRId64
		      ", parts %" PRId64,
		      start, wall, end - start, total);
	if (frames != (int64_t)m->frames)
		wrong("the message at %" PRId64 " holds %" PRId64 " frames, not %" PRIu64, start,
		      frames, m->frames);
	if (!cell_number(c, "vsync_id", &id))
		id = -1;
	if (id != m->vsync_id)
		wrong("the message at %" PRId64 " has the vsync id %" PRId64 ", not %" PRId64,
		      start, id, m->vsync_id);
	if (!is_text(c, "process", m->app->name))
		wrong("the message at %" PRId64 " is of \"%s\", not %s", start,
		      csv_cell(c, "process"), m->app->name);
}

static void check_missing(bool has_messages)
{
	for (size_t i = 0; i < truth.nr_frames; i++) {
		const struct app_frame *f = &truth.frames[i];

		if (is_required(f) && !f->is_found)
			wrong("%s%s is missing", f->is_skipped ? "the skipped " : "", name_of(f));
	}
	for (size_t i = 0; i < truth.nr_messages && has_messages; i++) {
		const struct app_message *m = &truth.messages[i];

		if (m->end_max_ns && m->begin_min_ns >= m->app->settled_ns && !m->is_found)
			wrong("the message at %" PRIu64 " with %" PRIu64 " frames is missing",
			      m->begin_min_ns, m->frames);
	}
}

/* At least that many percent; of less than a hundred one may be missing. */
static void check_share(const char *what, unsigned right, unsigned of, unsigned percent)
{
	if (right >= of || (of - right == 1 && of < 100) || right * 100 >= of * percent)
		return;
	offs++;
	wrong("%s is right in %u of %u frames only; %s", what, right, of, sum.example);
}

int main(int argc, char **argv)
{
	static const char usage[] = "usage: android_compare [-m] [-e PERCENT] NAME TRUTH "
				    "FRAMES.csv [MESSAGES.csv]";
	bool is_busy;
	int opt, err, status;

	while ((opt = getopt(argc, argv, "me:")) != -1) {
		if (opt == 'm')
			has_markers = true;
		else if (opt == 'e')
			dominant_percent = (unsigned)strtoul(optarg, NULL, 10);
		else
			die("%s", usage);
	}
	if (argc - optind < 3 || argc - optind > 4)
		die("%s", usage);
	test = argv[optind];
	err = android_truth_read(&truth, argv[optind + 1]);
	if (err)
		die("can't read the truth %s: %s", argv[optind + 1], strerror(-err));
	rows_read(argv[optind + 2], read_frame_row);
	if (argv[optind + 3])
		rows_read(argv[optind + 3], read_message_row);
	check_missing(argv[optind + 3]);
	if (!sum.frames)
		wrong("there was no frame to judge");
	check_share("the dominant stage and cause", sum.dominant, sum.vouched, dominant_percent);
	check_share("who ended the wait", sum.wakers_right, sum.wakers, dominant_percent);
	check_share("all that threads did", sum.vouched, sum.vouched + sum.unseen,
		    100 - UNSEEN_MAX);
	is_busy = sum.scripted && sum.vouched * 2 < sum.scripted;
	if (is_busy && !findings) {
		printf("SKIP %s: the machine was too busy for the script to come out as written: "
		       "%u of %u frames\n",
		       test, sum.vouched, sum.scripted);
		return 4;
	}
	status = result("layout %" PRIu64 ", %u frames, %u verdicts in full, %u numbers, %u "
			"skipped, dominant %u/%u of %u, wakers "
			"%u/%u, unseen %u; %u messages",
			truth.apps[0].layout, sum.frames, sum.certain, sum.numbers, sum.skipped,
			sum.dominant, sum.vouched, sum.scripted, sum.wakers_right, sum.wakers,
			sum.unseen, sum.messages);
	return status && findings == offs ? 3 : status;
}
