// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The source that reads ftrace's text: its life, and all lines that are no events. */
#include "trace/text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "stream/merge.h"
#include "trace/absent.h"
#include "trace/input.h"
#include "trace/intake_parts.h"
#include "trace/text_clock.h"
#include "trace/text_parts.h"

#define BANNER "TRACE:"
#define TRACER "# tracer:"

struct text {
	struct text_input *input;
	struct intake *intake;
	struct text_state state;
	struct text_clock clock;
	const char *dialect;
	bool begun; /* the trace's text has: what can't be read counts from here on */
	bool met; /* an event was */
	uint64_t last_ns; /* of the last event, with the offset */
};

static bool line_begins(struct text_line line, const char *with)
{
	size_t len = strlen(with);

	return line.end - line.s >= (ptrdiff_t)len && !memcmp(line.s, with, len);
}

static bool next_line(const unsigned char **at, const unsigned char *end, struct text_line *line)
{
	const unsigned char *s = *at, *newline = memchr(s, '\n', (size_t)(end - s));

	if (!newline)
		return false;
	*line = (struct text_line){ (char *)s, (char *)newline };
	if (newline > s && newline[-1] == '\r')
		line->end--;
	*at = newline + 1;
	return true;
}

/* trace-cmd's own first line: "cpus=8", or the version of its file. */
static bool is_trace_cmd(struct text_line line)
{
	return line_begins(line, "cpus=") || line_begins(line, "version = ");
}

/* By a line that only such texts have: a banner, a comment of the tracer, or an event. */
static bool is_text(const unsigned char *head, size_t len)
{
	unsigned char copy[SOURCE_HEAD_LEN];
	const unsigned char *at = copy;
	struct text_event ev;
	struct text_line line;
	bool trace_cmd = false;

	memcpy(copy, head, len);
	while (next_line(&at, copy + len, &line)) {
		if (line_begins(line, TRACER) || line_begins(line, BANNER))
			return true;
		if (text_event_parse(line, &ev))
			return true;
		trace_cmd |= is_trace_cmd(line);
	}
	return trace_cmd;
}

static bool detect(const unsigned char *head, size_t len)
{
	unsigned char room[SOURCE_HEAD_LEN];
	const unsigned char *plain = input_head(head, &len, room);

	return plain && (text_html_head(plain, len) || is_text(plain, len));
}

static int open_text(struct source *s, struct err *e)
{
	unsigned char head[SOURCE_HEAD_LEN];
	struct text *t = calloc(1, sizeof(*t));
	ssize_t len = pread(s->fd, head, sizeof(head), 0);
	int ret;

	if (!t)
		return source_no_memory(s, e);
	s->priv = t;
	if (len < 0)
		return err_errno(e, -errno, "cannot read '%s'", s->path);
	ret = text_input_open(s, head, (size_t)len, &t->input, e);
	if (ret)
		return ret;
	t->intake = intake_new(s);
	if (!t->intake)
		return source_no_memory(s, e);
	t->dialect = text_input_is_html(t->input) ? "systrace" : "ftrace";
	return 0;
}

static int describe(struct text *t)
{
	char json[256], error[64] = "";

	if (t->clock.known)
		snprintf(error, sizeof(error), ", \"clock_error_ns\": %" PRIu64, t->clock.error_ns);
	snprintf(json, sizeof(json),
		 "{\"source\": \"ftrace text\", \"dialect\": \"%s\", \"clock\": \"%s\"%s}",
		 t->dialect, t->clock.known ? "monotonic" : "the trace's own", error);
	return intake_meta(t->intake, json);
}

/* The rest of the block is looked at for the clock before the first event goes in. */
static int first_event(struct text *t, struct text_line line, const struct text_event *ev)
{
	struct text_line rest = text_input_rest(t->input);

	t->met = t->begun = true;
	*ev->dash = '-';
	t->clock = text_clock_find(line.s, (size_t)(rest.end - line.s));
	*ev->dash = '\0';
	return describe(t);
}

/* "CPU:2 [LOST 48 EVENTS]", "CPU:2 [LOST EVENTS]", and of trace-cmd without the CPU. */
static bool parse_lost(struct text_line line, uint32_t *cpu, uint64_t *count)
{
	const char *p = line.s, *end = line.end;
	uint64_t number;

	*cpu = FS_CPU_NONE;
	*count = 0;
	while (p < end && *p == ' ')
		p++;
	if (end - p > 4 && !memcmp(p, "CPU:", 4)) {
		p += 4;
		if (!text_number(&p, end, UINT16_MAX, &number) || p == end || *p++ != ' ')
			return false;
		*cpu = (uint32_t)number;
	}
	if (end - p < 6 || memcmp(p, "[LOST ", 6) != 0)
		return false;
	p += 6;
	text_number(&p, end, UINT64_MAX, count);
	return true;
}

/*
 * "##### CPU 2 buffer started ####": the kernel prints it where events of that CPU were overwritten
 * before its first one.
 */
static bool parse_started(struct text_line line, uint32_t *cpu)
{
	static const char begin[] = "##### CPU ";
	const char *p = line.s + strlen(begin);
	uint64_t number;

	if (!line_begins(line, begin) || !text_number(&p, line.end, UINT16_MAX, &number))
		return false;
	*cpu = (uint32_t)number;
	return line.end - p >= 7 && !memcmp(p, " buffer", 7);
}

static bool is_blank(struct text_line line)
{
	while (line.s < line.end && (*line.s == ' ' || *line.s == '\t'))
		line.s++;
	return line.s == line.end;
}

/* What no event says. */
static int take_comment(struct text *t, struct source *s, struct text_line line)
{
	uint64_t count = 0;
	uint32_t cpu;

	if (*line.s == '#' && !parse_started(line, &cpu)) {
		t->begun |= line_begins(line, TRACER);
		return 0;
	}
	if (*line.s == '#' || parse_lost(line, &cpu, &count))
		return t->met ? intake_lost(t->intake, t->last_ns, cpu, count) : 0;
	if (line_begins(line, BANNER)) {
		text_input_banner(t->input);
		if (!text_input_is_html(t->input))
			t->dialect = "atrace";
		return 0;
	}
	if (is_trace_cmd(line)) {
		t->dialect = "trace-cmd report";
		return 0;
	}
	/* "CPU 3 is empty" */
	if (!t->begun || line_begins(line, "CPU "))
		return 0;
	s->stats.malformed++;
	return 0;
}

static int take_line(struct text *t, struct source *s, struct text_line line)
{
	struct text_event ev;
	int ret;

	if (is_blank(line))
		return 0;
	if (*line.s == '#' || !text_event_parse(line, &ev))
		return take_comment(t, s, line);
	if (!t->met) {
		ret = first_event(t, line, &ev);
		if (ret)
			return ret;
	}
	ev.at.ns = text_clock_time(&t->clock, ev.at.ns);
	t->last_ns = ev.at.ns;
	/* The trace lasts from its first event to its last one, whichever they are. */
	ret = intake_begin(t->intake, ev.at.ns, ev.at.cpu);
	if (!ret)
		ret = text_event_feed(&t->state, t->intake, &ev);
	if (ret > 0) {
		s->stats.malformed++;
		ret = 0;
	}
	return ret;
}

static int finish(struct source *s, struct err *e)
{
	struct text *t = s->priv;

	s->done = true;
	s->stats.cut = text_input_cut(t->input);
	s->stats.malformed += text_input_too_long(t->input);
	if (!t->met && text_input_is_html(t->input)) {
		err_set(e, -EINVAL, "'%s' is a web page without a trace of ftrace in it", s->path);
		return err_hint(e, "a page that systrace has made");
	}
	if (!t->met && (describe(t) || intake_finish(t->intake)))
		return source_no_memory(s, e);
	if (t->met && intake_finish(t->intake))
		return source_no_memory(s, e);
	merge_round(s->merge, UINT64_MAX);
	return 0;
}

/* One block. Events of its last instant may follow. */
static int read_text(struct source *s, struct err *e)
{
	struct text *t = s->priv;
	struct text_line line;
	int ret = text_input_fill(t->input, e);

	if (ret < 0)
		return ret;
	if (ret == 0)
		return finish(s, e);
	while (text_input_next(t->input, &line)) {
		if (text_input_new_block(t->input))
			t->begun = false;
		if (take_line(t, s, line))
			return source_no_memory(s, e);
	}
	if (t->last_ns)
		merge_round(s->merge, t->last_ns - 1);
	return 0;
}

static void warn_text(const struct source *s)
{
	const struct text *t = s->priv;

	intake_warn(t->intake);
}

static bool absence(const struct source *s, unsigned index, struct source_absence *a)
{
	const struct text *t = s->priv;

	return absent_nth(intake_counts(t->intake), ABSENT_IN_TEXT, index, a);
}

static void close_text(struct source *s)
{
	struct text *t = s->priv;

	intake_free(t->intake);
	text_input_free(t->input);
}

const struct source_ops ftrace_text_source = {
	.detect = detect,
	.open = open_text,
	.read = read_text,
	.warn = warn_text,
	.absence = absence,
	.close = close_text,
};
