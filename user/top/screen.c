// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The parts of a live view: the head, the list of producers, one producer's frames, the help. */
#include "top/screen.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "output/page.h"
#include "output/words.h"
#include "top/bar.h"

#define NUMBER_WIDTH 7
#define NAME_MAX_WIDTH 28
#define NAME_MIN_WIDTH 8
/* Pages narrower than this lose columns. */
#define ALL_COLUMNS 72
#define BAR_COLUMNS 48
#define P95_COLUMNS 26
#define KEYS_ROWS 10 /* shorter ones, the lines that only explain */
#define INDENT 2

/* What is printed to, and for which terminal. */
struct page {
	FILE *out;
	const struct screen *screen;
};

#define BOLD "\033[1m"
#define DIM "\033[2m"
#define WARN "\033[33m"
#define INVERSE "\033[7m"
#define OFF "\033[0m"

/* A line, cut to the page. */
static void put_line(const struct page *p, const char *style, const char *text)
{
	char line[4 * SCREEN_COLUMNS_MAX];

	words_fit(line, sizeof(line), text, p->screen->columns);
	if (p->screen->colour && *style)
		fprintf(p->out, "%s%s" OFF "\n", style, line);
	else
		fprintf(p->out, "%s\n", line);
}

/* Text that goes on in the next line, indented. */
static void put_text(const struct page *p, const char *text)
{
	unsigned indent = p->screen->columns > 4 * INDENT ? INDENT : 0;

	fprintf(p->out, "%*s", (int)indent, "");
	page_wrap(p->out, indent, indent, p->screen->columns, text);
}

/* With one decimal. */
static void tenths_text(char *dst, size_t len, uint64_t tenths, const char *unit)
{
	snprintf(dst, len, "%" PRIu64 ".%" PRIu64 "%s", tenths / 10, tenths % 10, unit);
}

/* "16.67" for 16 667 000 ns: ms in at most 6 characters, and what is longer than 10 s in s. */
static void ms_text(char *dst, size_t len, uint64_t ns)
{
	uint64_t hundredths = ns / 10000 + (ns % 10000 >= 5000);
	uint64_t tenths = ns / 100000 + (ns % 100000 >= 50000);

	if (hundredths < 100000)
		snprintf(dst, len, "%" PRIu64 ".%02" PRIu64, hundredths / 100, hundredths % 100);
	else if (tenths < 100000)
		tenths_text(dst, len, tenths, "");
	else if (tenths < 10000000)
		tenths_text(dst, len, tenths / 1000 + (tenths % 1000 >= 500), "s");
	else
		snprintf(dst, len, "%" PRIu64 "s", tenths / 10000);
}

static void rate_text(char *dst, size_t len, const struct figures *f)
{
	if (f->has_rate)
		tenths_text(dst, len, f->rate_mhz / 100 + (f->rate_mhz % 100 >= 50), "");
	else
		snprintf(dst, len, "-");
}

static uint64_t share_tenths(uint64_t part, uint64_t whole)
{
	return (uint64_t)((double)part * 1000 / (double)whole + 0.5);
}

static void jank_text(char *dst, size_t len, const struct figures *f)
{
	if (f->judged)
		tenths_text(dst, len, share_tenths(f->janky, f->judged), "%");
	else
		snprintf(dst, len, "-");
}

static void interval_text(char *dst, size_t len, const struct figures *f, uint64_t ns)
{
	if (f->has_interval)
		ms_text(dst, len, ns);
	else
		snprintf(dst, len, "-");
}

static void fences_text(char *dst, size_t len, bool known, uint64_t count)
{
	if (known)
		snprintf(dst, len, "%" PRIu64, count);
	else
		snprintf(dst, len, "-");
}

static void seconds_text(char *dst, size_t len, const struct screen *screen, uint64_t ns)
{
	uint64_t since = ns > screen->origin_ns ? ns - screen->origin_ns : 0;
	uint64_t ms = since / 1000000 + (since % 1000000 >= 500000);

	snprintf(dst, len, "%" PRIu64 ".%03" PRIu64, ms / 1000, ms % 1000);
}

static void print_head(const struct page *p, const struct view *v, const struct snapshot *s)
{
	char from[32], to[32], fences[32], line[WORDS_LEN] = "framescope top";

	if (!s->to_ns) {
		words_append(line, sizeof(line), ": the first interval is not over yet");
		put_line(p, BOLD, line);
		return;
	}
	seconds_text(from, sizeof(from), p->screen, s->from_ns);
	seconds_text(to, sizeof(to), p->screen, s->to_ns);
	fences_text(fences, sizeof(fences), s->has_fences, s->fences_in_flight);
	words_append(line, sizeof(line), "%s: %s to %s s, %u producer%s, %s fence%s in flight",
		     v->paused ? " (paused)" : "", from, to, s->nr, s->nr == 1 ? "" : "s", fences,
		     s->has_fences && s->fences_in_flight == 1 ? "" : "s");
	words_append(line, sizeof(line), ", %" PRIu64 " lost", s->lost);
	if (s->lost_before)
		words_append(line, sizeof(line), " (%" PRIu64 " before)", s->lost_before);
	put_line(p, s->lost ? WARN : BOLD, line);
	if (p->screen->full)
		put_line(p, WARN,
			 "New producers are not seen: there were too many. Start top again.");
	if (!s->dropped)
		return;
	snprintf(line, sizeof(line),
		 "%" PRIu64 " frames are in no figure: there were too many at once", s->dropped);
	put_line(p, WARN, line);
}

static void print_keys(const struct page *p, const struct view *v)
{
	char line[WORDS_LEN] = "";

	if (!p->screen->keys || p->screen->rows < KEYS_ROWS)
		return;
	if (v->opened)
		snprintf(line, sizeof(line), "esc back  up/down another  p pause  h help  q quit");
	else
		snprintf(line, sizeof(line),
			 "by %s%s: s sort  r reverse  up/down pick  enter open  p pause  h help  "
			 "q quit",
			 top_sort_name(v->sort), v->reverse ? ", reversed" : "");
	put_line(p, DIM, line);
}

/* The widths of a list's columns; 0: it has no such column. */
struct layout {
	unsigned name, p95, others, bar;
};

/* fps always; then p95, jank and the bar; then p50, p99 and the fences. */
static struct layout layout_of(unsigned columns)
{
	struct layout l = { 0 };
	unsigned used;

	l.p95 = columns >= P95_COLUMNS;
	l.bar = columns >= BAR_COLUMNS;
	l.others = columns >= ALL_COLUMNS;
	used = NUMBER_WIDTH * (1 + l.p95 + l.bar + 3 * l.others);
	l.name = columns / 4 < NAME_MAX_WIDTH ? columns / 4 : NAME_MAX_WIDTH;
	if (!l.bar)
		l.name = columns > used + NAME_MIN_WIDTH ? columns - used : NAME_MIN_WIDTH;
	else
		l.bar = columns - used - l.name - INDENT;
	return l;
}

static void print_title(const struct page *p, const struct layout *l)
{
	char line[WORDS_LEN];

	snprintf(line, sizeof(line), "%-*s%*s", (int)l->name, "  producer", NUMBER_WIDTH, "fps");
	if (l->others)
		words_append(line, sizeof(line), "%*s", NUMBER_WIDTH, "p50ms");
	if (l->p95)
		words_append(line, sizeof(line), "%*s", NUMBER_WIDTH, "p95ms");
	if (l->others)
		words_append(line, sizeof(line), "%*s", NUMBER_WIDTH, "p99ms");
	if (l->bar)
		words_append(line, sizeof(line), "%*s", NUMBER_WIDTH, "jank");
	if (l->others)
		words_append(line, sizeof(line), "%*s", NUMBER_WIDTH, "fences");
	if (l->bar)
		words_append(line, sizeof(line), "  budget");
	put_line(p, BOLD, line);
}

static void print_row(const struct page *p, const struct layout *l, const struct snapshot *s,
		      const struct figures *f, bool picked)
{
	char name[WORDS_LEN], cut[WORDS_LEN], number[32], line[2 * WORDS_LEN];
	unsigned pad;

	text_escape(name, sizeof(name), f->producer->name, sizeof(f->producer->name));
	words_fit_producer(cut, sizeof(cut), name, l->name - INDENT);
	pad = l->name - INDENT - words_width(cut);
	rate_text(number, sizeof(number), f);
	snprintf(line, sizeof(line), "%s%s%*s%*s", picked ? "> " : "  ", cut, (int)pad, "",
		 NUMBER_WIDTH, number);
	if (l->others) {
		interval_text(number, sizeof(number), f, f->p50_ns);
		words_append(line, sizeof(line), "%*s", NUMBER_WIDTH, number);
	}
	if (l->p95) {
		interval_text(number, sizeof(number), f, f->p95_ns);
		words_append(line, sizeof(line), "%*s", NUMBER_WIDTH, number);
	}
	if (l->others) {
		interval_text(number, sizeof(number), f, f->p99_ns);
		words_append(line, sizeof(line), "%*s", NUMBER_WIDTH, number);
	}
	if (l->bar) {
		jank_text(number, sizeof(number), f);
		words_append(line, sizeof(line), "%*s", NUMBER_WIDTH, number);
	}
	if (l->others) {
		fences_text(number, sizeof(number), s->has_fences, f->in_flight);
		words_append(line, sizeof(line), "%*s", NUMBER_WIDTH, number);
	}
	if (!l->bar) {
		put_line(p, picked ? INVERSE : "", line);
		return;
	}
	fprintf(p->out, "%s%s%s  ", picked && p->screen->colour ? INVERSE : "", line,
		picked && p->screen->colour ? OFF : "");
	bar_print(p->out, &f->budget, l->bar, p->screen->colour);
	putc('\n', p->out);
}

/* What it waited for longest, with what in the interval is not to be trusted in front. */
static void why_text(char *dst, size_t len, const struct snapshot *s, const struct figures *f)
{
	const struct blocker *b = &f->blocker;
	uint64_t total = budget_total(&f->budget);
	char text[WORDS_LEN];

	*dst = '\0';
	if (f->left_out)
		words_append(dst, len, "%" PRIu64 " of %" PRIu64 " frames lossy or cut; ",
			     f->left_out, f->frames);
	if (f->late)
		words_append(dst, len, "%" PRIu64 " came too late for their interval; ", f->late);
	if (!f->frames) {
		tenths_text(text, sizeof(text), (s->to_ns - f->last_end_ns) / 100000000, "");
		words_append(dst, len, f->last_end_ns ? "no frame for %s s" : "no frame yet", text);
		return;
	}
	if (!f->has_blocker || !total) {
		words_append(dst, len, total ? "never waited" : "no whole frame");
		return;
	}
	tenths_text(text, sizeof(text), share_tenths(b->ns, total), " %");
	words_append(dst, len, "%s ", text);
	words_append(dst, len, "%s",
		     b->blocked ? "blocked in what is not known" : words_part(b->cause));
	words_detail(text, sizeof(text), b);
	if (*text)
		words_append(dst, len, " (%s)", text);
	words_timeline(text, sizeof(text), &f->fence);
	if (*text)
		words_append(dst, len, " of %s", text);
	words_waker(text, sizeof(text), b, WORDS_NO_LIMIT);
	if (*text)
		words_append(dst, len, ", woken by %s", text);
	words_taker(text, sizeof(text), b, WORDS_NO_LIMIT);
	if (*text)
		words_append(dst, len, ", the CPU taken by %s", text);
	if (b->confidence == CONF_PROBABLE)
		words_append(dst, len, " (probable)");
}

static void print_why(const struct page *p, const struct snapshot *s, const struct figures *f)
{
	char why[3 * WORDS_LEN] = "    ";

	why_text(why + 4, sizeof(why) - 4, s, f);
	put_line(p, DIM, why);
}

/* The letters or colours of what the bars have in them. */
static void print_legend(const struct page *p, const struct snapshot *s)
{
	struct budget all = { 0 };

	if (p->screen->rows && p->screen->rows < KEYS_ROWS)
		return;
	for (unsigned i = 0; i < s->nr; i++)
		for (unsigned part = 0; part < BUDGET_NR; part++)
			all.ns[part] += s->figures[i].budget.ns[part];
	bar_legend(p->out, &all, p->screen->columns, p->screen->colour);
}

static void print_none(const struct page *p, const struct snapshot *s)
{
	if (!s->to_ns)
		return;
	put_line(p, "", "No frame has ended.");
	if (p->screen->ends_probed)
		put_text(p, "The functions that end frames are probed, and none has returned: "
			    "nothing may have changed on the screen, or what is watched does not "
			    "draw with EGL or Vulkan.");
	else
		put_text(p, "No function that ends frames was found in what the watched processes "
			    "have mapped: name the process that draws (-p PID, or -- CMD), or add "
			    "its swap function (--uprobe LIB:SYMBOL=swap).");
}

/*
 * Two lines for each producer if they fit, else one; the picked one among them. `used` lines are
 * taken already.
 */
static void print_list(const struct page *p, const struct view *v, const struct snapshot *s,
		       unsigned used)
{
	const struct layout l = layout_of(p->screen->columns);
	unsigned order[TOP_PRODUCERS], first = 0, shown = s->nr;
	unsigned rows = p->screen->rows > used + 1 ? p->screen->rows - used - 1 : 0;
	bool both = !p->screen->rows || 2 * s->nr <= rows;

	if (!s->nr) {
		print_none(p, s);
		return;
	}
	view_order(v, s, order);
	if (p->screen->rows && s->nr > rows) {
		/* One line says how many more there are. */
		shown = rows > 1 ? rows - 1 : 1;
		for (unsigned i = 0; i < s->nr; i++)
			if (s->figures[order[i]].producer->id == v->picked && i >= shown)
				first = i + 1 - shown;
	}
	print_title(p, &l);
	for (unsigned i = first; i < first + shown; i++) {
		const struct figures *f = &s->figures[order[i]];

		print_row(p, &l, s, f, f->producer->id == v->picked);
		if (both)
			print_why(p, s, f);
	}
	if (shown < s->nr) {
		char more[64];

		snprintf(more, sizeof(more), "  %u more", s->nr - shown);
		put_line(p, DIM, more);
	}
}

static void print_shares(const struct page *p, const struct budget *b)
{
	uint64_t total = budget_total(b);
	char text[3 * WORDS_LEN] = "", share[32];

	for (unsigned i = 0; i < BUDGET_NR && total; i++) {
		if (!b->ns[i])
			continue;
		tenths_text(share, sizeof(share), share_tenths(b->ns[i], total), " %");
		words_append(text, sizeof(text), "%s%s %s", *text ? ", " : "",
			     budget_part_name((enum budget_part)i), share);
	}
	put_text(p, *text ? text : "no whole frame in this interval");
}

static void print_identity(const struct page *p, const struct producer *producer)
{
	char name[WORDS_LEN], line[3 * WORDS_LEN];

	text_escape(name, sizeof(name), producer->name, sizeof(producer->name));
	snprintf(line, sizeof(line), "%s  process %" PRIu32, name, producer->pid);
	if (producer->render_tid)
		words_append(line, sizeof(line), ", drawn by thread %" PRIu32,
			     producer->render_tid);
	put_line(p, BOLD, line);
}

static void print_figures(const struct page *p, const struct snapshot *s, const struct figures *f)
{
	char rate[32], p50[32], p95[32], p99[32], jank[32], fences[32], line[2 * WORDS_LEN];

	rate_text(rate, sizeof(rate), f);
	interval_text(p50, sizeof(p50), f, f->p50_ns);
	interval_text(p95, sizeof(p95), f, f->p95_ns);
	interval_text(p99, sizeof(p99), f, f->p99_ns);
	jank_text(jank, sizeof(jank), f);
	fences_text(fences, sizeof(fences), s->has_fences, f->in_flight);
	snprintf(line, sizeof(line),
		 "%s fps, %" PRIu64 " frames, interval %s / %s / %s ms (p50 / p95 / p99), jank %s, "
		 "fences in flight %s",
		 rate, f->frames, p50, p95, p99, jank, fences);
	put_text(p, line);
}

static void print_slow(const struct page *p, const struct snapshot *s, const struct figures *f)
{
	char line[2 * WORDS_LEN], ago[32];

	if (f->judged)
		snprintf(line, sizeof(line), "Its last janky frames, by HWUI's rules");
	else
		snprintf(line, sizeof(line),
			 "Its last slow frames: longer than %d.%d times the median",
			 TOP_SLOW_PERCENT / 100, TOP_SLOW_PERCENT / 10 % 10);
	put_line(p, BOLD, line);
	for (unsigned i = 0; i < f->nr_slow; i++) {
		const struct slow_frame *slow = &f->slow[i];

		tenths_text(ago, sizeof(ago), (s->to_ns - slow->end_ns) / 100000000, "");
		snprintf(line, sizeof(line), "%s s ago, frame %" PRIu64 ": %s", ago, slow->number,
			 slow->why);
		put_text(p, line);
	}
	if (!f->nr_slow)
		put_text(p, "none yet");
}

static void print_opened(const struct page *p, const struct view *v, const struct snapshot *s)
{
	const struct figures *f = view_picked(v, s);
	unsigned columns = p->screen->columns;

	if (!f) {
		put_line(p, "", "It has made no frame for a long time, and is forgotten.");
		return;
	}
	print_identity(p, f->producer);
	print_figures(p, s, f);
	if (columns > 2 * INDENT && budget_total(&f->budget)) {
		fprintf(p->out, "%*s", INDENT, "");
		bar_print(p->out, &f->budget, columns - INDENT, p->screen->colour);
		putc('\n', p->out);
		bar_legend(p->out, &f->budget, columns, p->screen->colour);
	}
	print_shares(p, &f->budget);
	print_why(p, s, f);
	print_slow(p, s, f);
}

static void print_help(const struct page *p)
{
	static const char *const lines[] = {
		"up, down, k, j   pick a producer",
		"enter            see its last slow frames; esc goes back",
		"s, r             sort by fps, p95, jank, name; reverse",
		"p, space         pause, go on",
		"q                quit",
		"",
		"Figures are of the last interval: frames that ended in it. It is shown when all",
		"of them are known: mostly a third of a second later, at most 1.3.",
		"p50, p95, p99: from one frame's end to the next one's, in ms.",
		"jank: the share that is janky by HWUI's rules; - where these don't apply.",
		"fences: made by its process and not signalled yet. -: not known.",
		"budget: where the time of its whole frames went; under it what they waited for",
		"longest, with its share of that time.",
		"",
		"Any key goes back.",
	};

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		put_line(p, "", lines[i]);
}

/* How many lines have been printed into it so far. */
static unsigned count_lines(FILE *out, char *const *text, const size_t *len)
{
	unsigned lines = 0;

	fflush(out);
	for (size_t i = 0; i < *len; i++)
		lines += (*text)[i] == '\n';
	return lines;
}

/* The first `rows` lines, 0: all. */
static void copy_lines(FILE *out, const char *text, size_t len, unsigned rows)
{
	const char *end = text + len;

	for (unsigned i = 0; text < end && (!rows || i < rows); i++) {
		const char *line_end = memchr(text, '\n', (size_t)(end - text));
		const char *next = line_end ? line_end + 1 : end;

		fwrite(text, 1, (size_t)(next - text), out);
		text = next;
	}
}

int screen_print(FILE *out, const struct screen *screen, const struct view *v,
		 const struct snapshot *s)
{
	char *text = NULL, line[WORDS_LEN];
	size_t len = 0;
	const struct page p = { .out = open_memstream(&text, &len), .screen = screen };
	bool failed;

	if (!p.out)
		return -ENOMEM;
	print_head(&p, v, s);
	if (v->help) {
		print_help(&p);
	} else {
		print_keys(&p, v);
		if (screen->message && *screen->message) {
			snprintf(line, sizeof(line), "%s", screen->message);
			put_line(&p, WARN, line);
		}
		if (v->opened) {
			print_opened(&p, v, s);
		} else {
			print_legend(&p, s);
			print_list(&p, v, s, count_lines(p.out, &text, &len));
		}
	}
	failed = ferror(p.out);
	if (fclose(p.out) || failed) {
		free(text);
		return -ENOMEM;
	}
	copy_lines(out, text, len, screen->rows);
	free(text);
	return 0;
}
