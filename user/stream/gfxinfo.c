/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Where in a dump a line stands, and what it therefore is. Dumps are joined, cut and mixed with
 * other text: any line that begins another part ends the part before it, whatever is missing of
 * that.
 */
#include "stream/gfxinfo.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "stream/gfxinfo_parts.h"
#include "stream/source.h"

enum part { OUTSIDE, IN_STATS, IN_ROWS, IN_TIMES, IN_LATENCY };

struct gfxinfo {
	int fd;
	const char *path;
	struct gfxinfo_lines *lines;
	struct gfxinfo_line line;
	struct gfxinfo_line rest; /* what the line was split from; empty = nothing */
	bool again; /* the line ended a part, and is looked at again */
	bool held; /* held_item is still to come, after the dump that it is of */
	struct gfxinfo_item held_item;

	enum part part;
	bool cut_inside; /* the last line ended a part by not being whole */
	uint64_t dump_line; /* where a dump begins, whose Uptime: may follow; 0 = none does */
	bool foreign; /* the last line in totals was none of theirs */
	bool headed; /* the header of rows came */
	uint64_t uptime_ms;
	struct gfxinfo_place place;
	unsigned times_columns;
	uint64_t refresh_ns; /* 0 = the line before was none of --latency */

	struct gfxinfo_rows rows;
	struct gfxinfo_stats stats;
	struct gfxinfo_item item;
	struct gfxinfo_input input;
	uint64_t unreadable;
};

static const char *const fault_names[] = {
	[FAULT_NONE] = NULL,     [FAULT_UNFINISHED] = "unfinished",
	[FAULT_STALE] = "stale", [FAULT_NO_TIME] = "no_time",
	[FAULT_CUT] = "cut",
};
_Static_assert(sizeof(fault_names) / sizeof(*fault_names) == FAULT_NR, "a name for every fault");

const char *gfxinfo_fault_name(enum gfxinfo_fault fault)
{
	return (unsigned)fault < FAULT_NR ? fault_names[fault] : NULL;
}

static struct gfxinfo_item *new_item(struct gfxinfo *g, enum gfxinfo_kind kind)
{
	g->item = (struct gfxinfo_item){
		.kind = kind,
		.line = g->line.number,
		.process = "",
		.window = "",
	};
	if (kind == GFXINFO_DUMP || kind == GFXINFO_LATENCY)
		return &g->item;
	g->item.pid = g->place.pid;
	g->item.process = g->place.process;
	g->item.window = g->place.window;
	g->item.window_nr = g->place.window_nr;
	return &g->item;
}

/* What a line turned out to be. */
enum taken {
	OTHER, /* nothing of this part */
	TAKEN,
	ITEM, /* and it, or what it ended, is g->item */
};

static enum taken begin_dump(struct gfxinfo *g, uint64_t uptime_ms)
{
	struct gfxinfo_item *item = new_item(g, GFXINFO_DUMP);

	item->line = g->dump_line;
	item->uptime_ms = uptime_ms;
	g->dump_line = 0;
	g->uptime_ms = uptime_ms;
	gfxinfo_place_clear(&g->place);
	g->input.dumps++;
	return ITEM;
}

/* The line behind a dump's first. */
static enum taken take_uptime(struct gfxinfo *g)
{
	const char *p = gfxinfo_take(g->line.s, g->line.s + g->line.len, "Uptime: ");
	uint64_t uptime_ms = 0;

	/* a number that may be cut is none */
	g->again = !p;
	p = p ? gfxinfo_take_number(p, &uptime_ms) : NULL;
	if (!p || (p == g->line.s + g->line.len && !g->line.ended))
		uptime_ms = 0;
	return begin_dump(g, uptime_ms);
}

static enum taken take_process(struct gfxinfo *g)
{
	g->input.processes++;
	new_item(g, GFXINFO_PROCESS);
	return ITEM;
}

static enum taken end_stats(struct gfxinfo *g)
{
	g->part = OUTSIDE;
	if (!g->stats.printed)
		return TAKEN;
	g->stats.scope = g->place.scope;
	memcpy(g->stats.name, g->place.name, sizeof(g->stats.name));
	struct gfxinfo_item *item = new_item(g, GFXINFO_STATS);
	item->line = g->stats.line;
	item->stats = &g->stats;
	return ITEM;
}

/* Is what a block of totals ends with there? The GPU's follows on newer releases. */
static bool stats_complete(const struct gfxinfo_stats *s)
{
	static const uint32_t gpu = 0xfu << FIGURE_GPU_PERCENTILES;

	return s->printed & 1u << FIGURE_HISTOGRAM &&
	       (!(s->printed & gpu) || s->printed & 1u << FIGURE_GPU_HISTOGRAM);
}

/* Is the line of a log, say, that was written to the same terminal or file? */
static bool foreign(const struct gfxinfo *g)
{
	const char *p = g->line.s, *end = p + g->line.len;
	struct gfxinfo_item item = { 0 };

	return p != end && gfxinfo_take(p, end, GFXINFO_ROWS_LINE) != end &&
	       gfxinfo_take(p, end, GFXINFO_DUMP_LINE) != end &&
	       !gfxinfo_place_takes(&g->place, &g->line) && !gfxinfo_times_header(p, end) &&
	       !gfxinfo_rows_is_header(p, end) &&
	       gfxinfo_latency_line(&g->line, &item) != LATENCY_REFRESH;
}

static enum taken in_stats(struct gfxinfo *g)
{
	enum gfxinfo_stats_line is = gfxinfo_stats_line(&g->stats, &g->line);

	g->foreign = is == STATS_OTHER && foreign(g);
	if (g->foreign)
		return TAKEN;
	switch (is) {
	case STATS_OTHER:
	case STATS_NEXT:
		g->again = true;
		g->cut_inside = !g->line.ended;
		return end_stats(g);
	case STATS_UNREADABLE:
		g->unreadable++;
		return TAKEN;
	default:
		return TAKEN;
	}
}

/* The first line of totals, of any of them. */
static enum taken begin_stats(struct gfxinfo *g)
{
	/* only where it was used: it is large, and most lines begin none */
	if (g->stats.printed || g->stats.filtered)
		g->stats = (struct gfxinfo_stats){ 0 };
	g->stats.line = g->line.number;
	switch (gfxinfo_stats_line(&g->stats, &g->line)) {
	case STATS_TAKEN:
		g->part = IN_STATS;
		return TAKEN;
	case STATS_SKIPPED:
		g->cut_inside = !g->line.ended;
		return OTHER;
	default:
		return OTHER;
	}
}

static enum taken count_row(struct gfxinfo *g, enum gfxinfo_fault fault)
{
	struct gfxinfo_item *item = new_item(g, GFXINFO_ROW);

	item->fault = fault;
	item->slots = g->rows.slots;
	g->input.rows++;
	g->input.faults[fault] += fault != FAULT_NONE;
	return ITEM;
}

static enum taken in_rows(struct gfxinfo *g)
{
	const char *p = g->line.s, *end = p + g->line.len;

	if (p == end)
		return TAKEN;
	if (gfxinfo_is_digit(*p) || *p == ',' || (*p == '-' && gfxinfo_is_digit(p[1])))
		return count_row(g, gfxinfo_rows_line(&g->rows, p, end, g->uptime_ms));
	if (gfxinfo_take(p, end, GFXINFO_ROWS_LINE) != end)
		return OTHER;
	g->part = OUTSIDE;
	return TAKEN;
}

static enum taken in_times(struct gfxinfo *g)
{
	struct gfxinfo_item item = { 0 };

	if (!gfxinfo_times_line(&g->line, g->times_columns, &item))
		return OTHER;
	struct gfxinfo_item *to = new_item(g, GFXINFO_TIMES);
	to->fault = item.fault;
	to->nr_times = item.nr_times;
	memcpy(to->times_ns, item.times_ns, sizeof(to->times_ns));
	return ITEM;
}

static enum taken in_latency(struct gfxinfo *g)
{
	struct gfxinfo_item item = { 0 };

	if (!g->line.len)
		return TAKEN;
	switch (gfxinfo_latency_line(&g->line, &item)) {
	case LATENCY_REFRESH:
		g->refresh_ns = item.refresh_ns;
		return TAKEN;
	case LATENCY_FRAME: {
		struct gfxinfo_item *to = new_item(g, GFXINFO_LATENCY);

		to->fault = item.fault;
		to->refresh_ns = g->refresh_ns;
		to->desired_ns = item.desired_ns;
		to->present_ns = item.present_ns;
		to->ready_ns = item.ready_ns;
		return ITEM;
	}
	case LATENCY_UNUSED:
		return TAKEN;
	default:
		return OTHER;
	}
}

/* A number alone on its line, and three on the next, is what --latency prints. */
static enum taken begin_latency(struct gfxinfo *g)
{
	struct gfxinfo_item item = { 0 };
	enum gfxinfo_latency_line is = gfxinfo_latency_line(&g->line, &item);

	if (is == LATENCY_REFRESH) {
		g->refresh_ns = item.refresh_ns;
		return TAKEN;
	}
	if (g->refresh_ns && (is == LATENCY_UNUSED || (is == LATENCY_FRAME && !item.fault))) {
		g->part = IN_LATENCY;
		return in_latency(g);
	}
	return OTHER;
}

static enum taken take_header(struct gfxinfo *g, const char *p, const char *end)
{
	const char *rest = gfxinfo_rows_header(&g->rows, p, end);

	g->part = IN_ROWS;
	g->headed = true;
	/* a newline was lost, and a row follows */
	if (rest < end) {
		g->line.s = rest;
		g->line.len = (size_t)(end - rest);
		g->again = true;
	}
	return TAKEN;
}

/* A line that begins a part or says what the next is of, whatever the part that it stands in. */
static enum taken begin_part(struct gfxinfo *g)
{
	const char *p = g->line.s, *end = p + g->line.len;
	enum taken taken = OTHER;

	if (p == end)
		return OTHER;
	if (gfxinfo_is_digit(*p))
		taken = begin_latency(g);
	else
		g->refresh_ns = 0;
	if (taken == OTHER && strchr("STJNHG0123456789", *p))
		taken = begin_stats(g);
	if (taken != OTHER)
		return taken;

	if (gfxinfo_take(p, end, GFXINFO_ROWS_LINE) == end) {
		g->part = IN_ROWS;
		g->headed = false;
		g->rows = (struct gfxinfo_rows){ 0 };
		return TAKEN;
	}
	if (gfxinfo_take(p, end, GFXINFO_DUMP_LINE) == end) {
		g->dump_line = g->line.number;
		return TAKEN;
	}
	switch (gfxinfo_place_line(&g->place, &g->line)) {
	case PLACE_PROCESS:
		return take_process(g);
	case PLACE_TAKEN:
		return TAKEN;
	case PLACE_OTHER:
		break;
	}
	g->times_columns = gfxinfo_times_header(p, end);
	if (g->times_columns) {
		g->part = IN_TIMES;
		return TAKEN;
	}
	return gfxinfo_rows_is_header(p, end) ? take_header(g, p, end) : OTHER;
}

static enum taken in_part(struct gfxinfo *g)
{
	switch (g->part) {
	case IN_STATS:
		return in_stats(g);
	case IN_ROWS:
		return in_rows(g);
	case IN_TIMES:
		return in_times(g);
	case IN_LATENCY:
		return in_latency(g);
	case OUTSIDE:
		break;
	}
	return OTHER;
}

static enum taken take_line(struct gfxinfo *g)
{
	if (g->dump_line && g->line.len)
		return take_uptime(g);

	enum taken taken = in_part(g);
	if (taken != OTHER)
		return taken;

	enum part before = g->part;
	g->part = OUTSIDE;
	taken = begin_part(g);
	if (taken == OTHER && before == IN_ROWS && g->headed) {
		g->part = before;
		g->unreadable++;
	} else if (before != OUTSIDE) {
		g->cut_inside = !g->line.ended;
	}
	return taken;
}

/*
 * Where a dump was cut in a line and something follows, that stands on the same line. So does what
 * follows a lost newline.
 */
static void split_line(struct gfxinfo *g)
{
	static const char *const begins[] = { GFXINFO_DUMP_LINE, GFXINFO_ROWS_LINE };
	struct gfxinfo_line *line = &g->line;
	size_t at = 0;

	for (size_t i = 0; i < sizeof(begins) / sizeof(*begins); i++) {
		size_t len = strlen(begins[i]);

		if (line->len <= len)
			continue;
		if (!memcmp(line->s + line->len - len, begins[i], len))
			at = line->len - len;
		else if (!memcmp(line->s, begins[i], len))
			at = len;
	}
	if (!at)
		return;
	g->rest = *line;
	g->rest.s += at;
	g->rest.len -= at;
	line->len = at;
	line->ended = false;
}

/* 1, 0 at the end, or a negative errno. */
static int next_line(struct gfxinfo *g, struct err *e)
{
	int ret = 1;

	if (g->again) {
		g->again = false;
	} else if (g->rest.len) {
		g->line = g->rest;
		g->rest.len = 0;
	} else {
		ret = gfxinfo_lines_next(g->lines, &g->line);
		g->input.bytes = gfxinfo_lines_bytes(g->lines);
		g->input.lines = gfxinfo_lines_number(g->lines);
		g->input.encoding = gfxinfo_lines_encoding(g->lines);
		if (ret == 1) {
			g->cut_inside = false;
			split_line(g);
		}
	}
	g->input.unreadable = g->unreadable + gfxinfo_lines_skipped(g->lines);
	return ret < 0 ? err_errno(e, ret, "cannot read '%s'", g->path) : ret;
}

/* The end of the text, and of what it ends in. */
static enum taken finish(struct gfxinfo *g)
{
	static const uint32_t late =
		((1u << GFXINFO_TYPES) - 1) << FIGURE_TYPES | 1u << FIGURE_HISTOGRAM;

	bool behind = g->part == IN_STATS && g->foreign && stats_complete(&g->stats);

	if (g->part == IN_ROWS || g->cut_inside ||
	    (g->part != OUTSIDE && !behind && !g->line.ended) ||
	    (g->part == IN_STATS && !(g->stats.printed & late)))
		g->input.cut = true;
	if (g->dump_line)
		return begin_dump(g, 0);
	return g->part == IN_STATS ? end_stats(g) : OTHER;
}

/* The first line of a dump may be missing. */
static void hold_item(struct gfxinfo *g)
{
	if (g->input.dumps || g->item.kind == GFXINFO_LATENCY)
		return;
	g->held_item = g->item;
	g->held = true;
	g->input.dumps++;
	g->item = (struct gfxinfo_item){
		.kind = GFXINFO_DUMP,
		.line = g->held_item.line,
		.process = "",
		.window = "",
	};
}

int gfxinfo_next(struct gfxinfo *g, const struct gfxinfo_item **item, struct err *e)
{
	enum taken taken = TAKEN;
	int ret = 1;

	if (g->held) {
		g->held = false;
		g->item = g->held_item;
		*item = &g->item;
		return 1;
	}
	while (ret == 1 && taken != ITEM) {
		if (g->rows.glued) {
			taken = count_row(g, gfxinfo_rows_glued(&g->rows, g->uptime_ms));
			break;
		}
		ret = next_line(g, e);
		if (ret < 0)
			return ret;
		taken = ret ? take_line(g) : finish(g);
	}
	if (taken != ITEM)
		return 0;
	hold_item(g);
	*item = &g->item;
	return 1;
}

const struct gfxinfo_input *gfxinfo_input(const struct gfxinfo *g)
{
	return &g->input;
}

static int open_error(const char *path, int code, struct err *e)
{
	err_errno(e, code, "cannot open '%s'", path);
	if (code == -ENOENT)
		return err_hint(e, "check the name; 'adb shell dumpsys gfxinfo PACKAGE framestats "
				   "> FILE' makes such a file");
	if (code == -EACCES)
		return err_hint(e, "as the user that it belongs to, or chmod it");
	return err_hint(e, "another file, or - for standard input");
}

/* Why a text has nothing to read in it. */
static int unknown_text(const char *path, const unsigned char *head, size_t len, struct err *e)
{
	if (!len) {
		err_set(e, -EINVAL, "'%s' is empty (0 bytes): dumpsys printed nothing", path);
		return err_hint(e, "see that 'adb shell dumpsys gfxinfo PACKAGE framestats' prints "
				   "something, and save that again");
	}
	if (gfxinfo_no_process(head, len)) {
		err_set(e, -EINVAL, "'%s' has no frames: dumpsys found no process of that name",
			path);
		return err_hint(e,
				"start the app, give its package as 'adb shell pm list packages' "
				"has it, and save the dump again");
	}
	if (source_detect(head, len)) {
		err_set(e, -EINVAL, "'%s' has a capture or a trace, which is not read from a pipe",
			path);
		return err_hint(e, "save it to a file first");
	}
	err_set(e, -EINVAL,
		"'%s' is no text of dumpsys gfxinfo or SurfaceFlinger --latency: none of their "
		"lines is in its first %u KiB",
		path, GFXINFO_HEAD >> 10);
	return err_hint(e, "the text of 'adb shell dumpsys gfxinfo PACKAGE framestats'; captures "
			   "and traces are read from files only");
}

static int open_text(struct gfxinfo *g, const char *path, struct err *e)
{
	const unsigned char *head;
	struct stat st;

	g->fd = strcmp(path, "-") != 0 ? open(path, O_RDONLY | O_CLOEXEC) : STDIN_FILENO;
	if (g->fd < 0)
		return open_error(g->path, -errno, e);
	if (fstat(g->fd, &st))
		return err_errno(e, -errno, "cannot examine '%s'", g->path);
	if (S_ISDIR(st.st_mode)) {
		err_errno(e, -EISDIR, "cannot read '%s'", g->path);
		return err_hint(e, "the name of a file in it");
	}
	g->lines = gfxinfo_lines_new(g->fd);
	if (!g->lines)
		return err_errno(e, -ENOMEM, "cannot open '%s'", g->path);

	long len = gfxinfo_lines_head(g->lines, &head);
	if (len < 0)
		return err_errno(e, (int)len, "cannot read '%s'", g->path);
	return gfxinfo_detect(head, (size_t)len) ? 0 : unknown_text(g->path, head, (size_t)len, e);
}

int gfxinfo_open(const char *path, struct gfxinfo **out, struct err *e)
{
	struct gfxinfo *g = calloc(1, sizeof(*g));

	if (!g)
		return err_errno(e, -ENOMEM, "cannot open '%s'", path);
	g->fd = -1;
	g->path = strdup(strcmp(path, "-") != 0 ? path : "standard input");
	int ret = g->path ? open_text(g, path, e) : err_errno(e, -ENOMEM, "cannot open '%s'", path);
	if (ret) {
		gfxinfo_close(g);
		return ret;
	}
	gfxinfo_place_clear(&g->place);
	g->input.encoding = gfxinfo_lines_encoding(g->lines);
	*out = g;
	return 0;
}

void gfxinfo_close(struct gfxinfo *g)
{
	if (!g)
		return;
	if (g->fd > STDIN_FILENO)
		close(g->fd);
	free(g->lines);
	free((char *)g->path);
	free(g);
}
