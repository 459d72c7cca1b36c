/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A report for people, in 100 columns. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "output/figures.h"
#include "output/meta.h"
#include "output/output.h"
#include "output/page.h"
#include "output/quantiles.h"
#include "output/report_long.h"
#include "output/report_stages.h"
#include "output/report_timeline.h"
#include "output/report_trust.h"
#include "output/report_verdicts.h"
#include "output/words.h"

#define BAR_WIDTH 28
#define POINTS_SHOWN 8

static void print_heading(FILE *out, const struct style *style, const char *text)
{
	fprintf(out, "\n  %s%s%s\n", style->bold, text, style->off);
}

/* Were its frames only told of? Nothing is known of its threads then. */
static bool is_told(const struct producer_summary *p)
{
	return !p->producer->render_tid;
}

static double share(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

static void append(char *dst, size_t len, const char *piece)
{
	size_t used = strlen(dst);

	snprintf(dst + used, len - used, "%s", piece);
}

/* "eglSwapBuffers (libEGL.so.1), ... and 3 more" */
static void print_attached(FILE *out, const json_t *meta, bool trace)
{
	const json_t *attached = json_object_get(meta, "attached");
	char text[2048] = "", more[48], one[FS_SYMBOL_LEN * 4 + FS_LIB_LEN * 4];
	size_t shown = 0, others = 0;

	for (size_t i = 0; i < json_array_size(attached); i++) {
		const json_t *point = json_array_get(attached, i);
		const char *symbol = meta_string(point, "symbol"), *lib = meta_string(point, "lib");
		const char *slash = lib ? strrchr(lib, '/') : NULL;
		const char *role = meta_string(point, "role");

		/* What it is for says more than a mangled name. */
		if (role && symbol && !strncmp(symbol, "_Z", 2))
			symbol = role;
		snprintf(one, sizeof(one), "%s", symbol && *symbol ? symbol : "an offset");
		if (!trace) {
			append(one, sizeof(one), " (");
			append(one, sizeof(one), slash ? slash + 1 : lib ? lib : "?");
			append(one, sizeof(one), ")");
		}
		if (strstr(text, one))
			continue;
		if (shown == POINTS_SHOWN) {
			others++;
			continue;
		}
		append(text, sizeof(text), shown++ ? ", " : "");
		append(text, sizeof(text), one);
	}
	if (others) {
		snprintf(more, sizeof(more), " and %zu more", others);
		append(text, sizeof(text), more);
	}
	if (*text)
		page_labelled(out, trace ? "marks" : "probed", text);
}

static void print_missing(FILE *out, const json_t *meta)
{
	const json_t *missing = json_object_get(meta, "missing");
	char text[2048] = "";

	for (size_t i = 0; i < json_array_size(missing); i++) {
		append(text, sizeof(text), i ? ", " : "");
		append(text, sizeof(text), json_string_value(json_array_get(missing, i)));
	}
	if (*text)
		page_labelled(out, "missing", text);
}

/* Of a capture that was made on Android: "Android 14 (SDK 34), Pixel 8". */
static void print_platform(FILE *out, const json_t *meta)
{
	const char *release = meta_string(meta, "android_release");
	const char *model = meta_string(meta, "model");
	json_int_t sdk = json_integer_value(json_object_get(meta, "android_sdk"));

	if (!release && !model && !sdk)
		return;
	fputs("  platform  Android", out);
	if (release)
		fprintf(out, " %s", release);
	if (sdk)
		fprintf(out, " (SDK %" JSON_INTEGER_FORMAT ")", sdk);
	fprintf(out, "%s%s\n", model ? ", " : "", model ? model : "");
}

/* Of a trace of others: what it is, and of which clock its times are. */
static void print_source(FILE *out, const json_t *meta)
{
	const char *source = meta_string(meta, "source"), *dialect = meta_string(meta, "dialect");
	const char *clock = meta_string(meta, "clock");
	json_int_t error = json_integer_value(json_object_get(meta, "clock_error_ns"));
	char ms[32], within[64] = "";

	if (!source)
		return;
	if (error > 0) {
		words_ms(ms, sizeof(ms), (uint64_t)error);
		snprintf(within, sizeof(within), ", within %s ms", ms);
	}
	if (!strcmp(source, "ftrace text"))
		source = "text of ftrace";
	page_line(out, "source", "%s%s%s%s%s%s%s", source, dialect ? " (" : "",
		  dialect ? dialect : "", dialect ? ")" : "", clock ? ", clock: " : "",
		  clock ? clock : "", within);
}

static void print_head(FILE *out, const struct style *style, const struct report *r)
{
	const struct model_stats *m = r->model;
	char path[1024];
	json_t *meta = meta_parse(r->meta);
	const char *kernel = meta_string(meta, "kernel"), *machine = meta_string(meta, "machine");
	const char *command = meta_string(meta, "command"), *started = meta_string(meta, "started");

	probed_update(r->probed, meta);
	text_escape(path, sizeof(path), r->path, strlen(r->path));
	fprintf(out, "%sframescope report: %s%s\n", style->bold, path, style->off);
	if (kernel || machine)
		fprintf(out, "  kernel    %s%s%s\n", kernel ? kernel : "",
			kernel && machine ? ", " : "", machine ? machine : "");
	print_platform(out, meta);
	print_source(out, meta);
	if (command)
		page_labelled(out, "command", command);
	if (started)
		fprintf(out, "  started   %s\n", started);
	if (m->start_ns && m->stop_ns >= m->start_ns)
		fprintf(out, "  length    %.3f s", (double)(m->stop_ns - m->start_ns) / 1e9);
	else
		fputs("  length    not known", out);
	fprintf(out, ", %" PRIu64 " records\n", r->input->records);
	print_attached(out, meta, r->trace);
	print_missing(out, meta);
	json_decref(meta);
}

static void print_quantiles(FILE *out, const struct style *style, const struct producer_summary *p)
{
	quantiles_head(out, style);
	/* They differ only where frames do not follow one another without a gap. */
	if (quantiles_same(p->interval, p->wall)) {
		quantiles_row(out, "wall = interval", p->wall);
	} else {
		quantiles_row(out, "interval", p->interval);
		quantiles_row(out, "wall", p->wall);
	}
	quantiles_row(out, "swap", p->swap);
	quantiles_row(out, "dequeue", p->dequeue);
	quantiles_row(out, "queue", p->queue);
}

/* Parts of the budget, largest first. */
static void order_parts(const struct budget *b, unsigned order[BUDGET_NR])
{
	for (unsigned i = 0; i < BUDGET_NR; i++) {
		unsigned at = i;

		for (; at && b->ns[order[at - 1]] < b->ns[i]; at--)
			order[at] = order[at - 1];
		order[at] = i;
	}
}

/* In which column the words stand that say what a part is. */
#define WORDS_AT (2 + 9 + 1 + 5 + 3 + BAR_WIDTH + 1 + 9 + 1 + 9 + 2)

static void print_budget(FILE *out, const struct style *style, const struct producer_summary *p,
			 bool trace)
{
	uint64_t total = budget_total(&p->total), frames = p->counts[FRAME_COMPLETE];
	unsigned order[BUDGET_NR] = { 0 };
	char mean[32], p95[32], bar[BAR_WIDTH + 1];

	print_heading(out, style, "Where the time went, per frame");
	fprintf(out, "  %s%-9s %7s %-*s %9s %9s%s\n", style->bold, "part", "share", BAR_WIDTH, "",
		"mean ms", "p95 ms", style->off);
	order_parts(&p->total, order);
	for (unsigned i = 0; i < BUDGET_NR; i++) {
		unsigned part = order[i];
		uint64_t ns = p->total.ns[part];

		if (!ns)
			break;
		double percent = share(ns, total);
		/* A sum of forged times may have wrapped, and a share be anything. */
		size_t bar_len = (size_t)((percent < 100 ? percent : 100) * BAR_WIDTH / 100 + 0.5);
		memset(bar, '#', bar_len);
		bar[bar_len] = '\0';
		words_ms(mean, sizeof(mean), ns / frames);
		words_ms(p95, sizeof(p95), quantile_at(p->parts[part], 950));
		fprintf(out, "  %s%-9s %5.1f %% %-*s %9s %9s  ",
			part == BUDGET_UNKNOWN ? style->warn : "", budget_part_name(part), percent,
			BAR_WIDTH, bar, mean, p95);
		page_wrap(out, WORDS_AT, WORDS_AT, REPORT_WIDTH + 2,
			  part == BUDGET_UNKNOWN && trace
				  ? "not observed, or blocked in what the trace does not say"
				  : words_part(part));
		fputs(part == BUDGET_UNKNOWN ? style->off : "", out);
	}
}

#define DETAIL_WIDTH 25
#define WAKER_WIDTH 21

static void print_blockers(FILE *out, const struct style *style, const struct producer_summary *p)
{
	uint64_t waited = figure_waited(p);

	if (!waited)
		return;
	print_heading(out, style, "What it waited for: share of the time in which it did not run");
	fprintf(out, "  %s%7s %11s %7s  %-8s  %-*s  %-*s  %s%s\n", style->bold, "share", "total ms",
		"times", "cause", DETAIL_WIDTH, "waiting in", WAKER_WIDTH, "woken by", "certainty",
		style->off);
	for (unsigned i = 0; i < p->nr_blockers; i++) {
		const struct blocker *b = &p->blockers[i];
		char ms[32], detail[WORDS_LEN], cut[WORDS_LEN], waker[WORDS_LEN];

		if (b->cause == BUDGET_UNKNOWN && !b->blocked)
			continue;
		words_ms(ms, sizeof(ms), b->ns);
		words_waker(waker, sizeof(waker), b, WAKER_WIDTH);
		words_taker(detail, sizeof(detail), b, DETAIL_WIDTH - strlen("CPU to "));
		if (*detail)
			snprintf(cut, sizeof(cut), "CPU to %.*s", WORDS_LEN / 2, detail);
		else
			words_detail(cut, sizeof(cut), b);
		words_fit(detail, sizeof(detail), *cut ? cut : "-", DETAIL_WIDTH);

		fprintf(out, "  %5.1f %% %11s %7" PRIu64 "  %-8s  ", share(b->ns, waited), ms,
			b->count, budget_part_name(b->cause));
		page_pad(out, detail, DETAIL_WIDTH + 2);
		page_pad(out, *waker ? waker : "-", WAKER_WIDTH + 2);
		fprintf(out, "%s\n", confidence_name(b->confidence));
	}
}

static void print_worst(FILE *out, const struct style *style, const struct producer_summary *p,
			uint64_t origin_ns)
{
	if (!p->nr_worst)
		return;
	print_heading(out, style,
		      is_told(p) ? "Longest frames, and their jank, if it is known"
				 : "Longest frames, and what most of each went to");
	fprintf(out, "  %s%6s %10s %8s %8s  %s%s\n", style->bold, "frame", "start ms", "wall ms",
		"most ms", "why", style->off);
	for (unsigned i = 0; i < p->nr_worst; i++) {
		const struct frame *f = &p->worst[i];
		char start[32] = "-", wall[32], most[32] = "-", why[2 * WORDS_LEN];
		uint64_t most_ns;

		if (f->start_ns >= origin_ns)
			words_ms(start, sizeof(start), f->start_ns - origin_ns);
		words_ms(wall, sizeof(wall), f->end_ns - f->start_ns);
		frame_top_cause(f, &most_ns);
		if (!is_told(p))
			words_ms(most, sizeof(most), most_ns);
		words_why(why, sizeof(why), f);
		fprintf(out, "  %6" PRIu64 " %10s %8s %8s  ", f->number, start, wall, most);
		page_wrap(out, 39, 41, REPORT_WIDTH, *why ? why : "-");
	}
}

/* The longest wait with that cause that a thread ended, or NULL. */
static const struct blocker *ended_by_thread(const struct producer_summary *p,
					     enum budget_part part)
{
	for (unsigned i = 0; i < p->nr_blockers; i++) {
		const struct blocker *b = &p->blockers[i];

		if (b->cause == part && b->peer_tid && b->context != FS_CTX_SOFTIRQ &&
		    b->context != FS_CTX_HARDIRQ)
			return b;
	}
	return NULL;
}

/* Of an app: does its UI thread run for longer in the stages than its RenderThread? */
static bool ui_runs_most(const struct producer_summary *p)
{
	uint64_t ns[STAGE_OF_GPU + 1] = { 0 };

	for (unsigned i = 0; i < STAGE_NR; i++)
		ns[stage_thread((enum stage)i)] += p->stages.total[i].ns[BUDGET_RUNNING];
	return ns[STAGE_OF_UI] > ns[STAGE_OF_RENDER];
}

#define ADVICE_MAX 4
#define ADVICE_SHARE 20.0 /* per cent of the time from which on a part is worth a look */

/* What to do about the parts that most of a producer's time went to. */
static void print_advice(FILE *out, const struct style *style, const struct producer_summary *p)
{
	static const char *const advice[BUDGET_NR] = {
		[BUDGET_RUNNING] = "its own work; a CPU profile shows which code that is",
		[BUDGET_RUNNABLE] =
			"ready, but not on a CPU: see who took it, and look at priorities, CPU "
			"affinity and the number of busy threads",
		[BUDGET_FENCE] =
			"whoever signals these fences had not finished: framescope fences FILE "
			"--waits names them; of the GPU, make its work smaller, or look at what "
			"else keeps it busy",
		[BUDGET_SLOT] =
			"no buffer was free, for the consumer gave them back late: framescope "
			"fences FILE --waits says what it waited for; if the frame interval is "
			"that of the display, the producer is merely fast enough",
		[BUDGET_GPU] =
			"the GPU driver blocked it: look for uploads, shader compilation and full "
			"command queues in the longest frames",
		[BUDGET_LOCK] =
			"another thread ended these waits: look at what it was doing until then",
		[BUDGET_BINDER] =
			"another process answered late: record it too, and look at what it was "
			"doing until then",
		[BUDGET_IPC] =
			"another thread sent what was waited for: look at what it was doing until "
			"then; if the frame interval is that of the display, this may be no more "
			"than the wait for the next frame",
		[BUDGET_IO] =
			"storage or page faults: look for file reads and first uses of memory on "
			"this thread, and move them off it",
		[BUDGET_SLEEP] =
			"it slept by its own wish, most likely a frame limiter: look at the "
			"longest frames rather than at the sum",
		[BUDGET_OTHER] =
			"it blocked in calls that have no class of their own; 'waiting in' names "
			"them as far as they are known",
		[BUDGET_UNKNOWN] =
			"this was not observed: read the end of this report before using the rest",
	};
	uint64_t total = budget_total(&p->total);
	unsigned order[BUDGET_NR] = { 0 };

	print_heading(out, style, "What to do next");
	if (p->stages.on_top[STAGE_GPU] * 2 > p->counts[FRAME_COMPLETE])
		page_note(out, "gpu: in most frames its work, behind all that is in the table of "
			       "parts, is the longest: what it draws (overdraw, shaders, "
			       "resolution) is the place to look, not a CPU profile.");
	order_parts(&p->total, order);
	for (unsigned i = 0; i < ADVICE_MAX; i++) {
		unsigned part = order[i];
		double percent = share(p->total.ns[part], total);
		const struct blocker *b = ended_by_thread(p, part);
		char waker[WORDS_LEN], tool[WORDS_LEN + 64] = "";

		if (i && percent < ADVICE_SHARE)
			break;
		if (part == BUDGET_UNKNOWN && p->unknown_wait_ns > p->total.ns[part] / 2) {
			page_note(out,
				  "unknown, %.0f %%: it was blocked, and nothing says in which "
				  "call: look at what those who ended these waits ('woken "
				  "by') were doing until then.",
				  percent);
			continue;
		}
		if (part == BUDGET_RUNNING) {
			snprintf(tool, sizeof(tool), " (%sperf record -g -t %" PRIu32 ")",
				 ui_runs_most(p) ? "mostly the UI thread: " : "",
				 ui_runs_most(p) ? p->producer->ui_tid : p->producer->render_tid);
		} else if (b &&
			   (part == BUDGET_LOCK || part == BUDGET_BINDER || part == BUDGET_IPC)) {
			words_waker(waker, sizeof(waker), b, WORDS_NO_LIMIT);
			snprintf(tool, sizeof(tool), " (mostly %s: perf record -g -t %" PRIu32 ")",
				 waker, b->peer_tid);
		}
		page_note(out, "%s, %.0f %%: %s%s.", budget_part_name(part), percent, advice[part],
			  tool);
	}
}

static void print_identity(FILE *out, const struct style *style, const struct producer *p)
{
	char name[4 * sizeof(p->name) + 1];

	text_escape(name, sizeof(name), p->name, sizeof(p->name));
	fprintf(out, "\n%s%s%s  (", style->bold, *name ? name : "a process without a name",
		style->off);
	if (p->pid)
		fprintf(out, "pid %" PRIu32 ", ", p->pid);
	if (!p->render_tid) {
		fputs("a layer that SurfaceFlinger tells of)\n", out);
		return;
	}
	if (p->ui_tid != p->render_tid && p->ui_tid)
		fprintf(out, "UI thread %" PRIu32 ", render ", p->ui_tid);
	fprintf(out, "thread %" PRIu32, p->render_tid);
	if (!p->surface_made_up)
		fprintf(out, ", surface 0x%" PRIx64, p->surface);
	fputs(")\n", out);
}

static void print_verdicts(FILE *out, const struct style *style, const struct report *r,
			   const struct producer_summary *p)
{
	const struct window_verdicts *w = r->verdicts ? verdicts_window(r->verdicts, 0) : NULL;

	for (; w; w = verdicts_next_window(w))
		if (w->producer == p->producer)
			report_verdicts(out, style, w);
}

static void print_producer(FILE *out, const struct style *style, const struct report *r,
			   const struct producer_summary *p)
{
	double fps = figure_fps(p);

	print_identity(out, style, p->producer);
	fprintf(out, "  frames    %" PRIu64 " complete, %" PRIu64 " lossy, %" PRIu64 " truncated",
		p->counts[FRAME_COMPLETE], p->counts[FRAME_LOSSY], p->counts[FRAME_TRUNCATED]);
	if (fps > 0)
		fprintf(out, "; %.1f frames per second", fps);
	putc('\n', out);
	report_kinds(out, &p->stages);
	if (is_told(p))
		page_labelled(out, "stages",
			      "none: the input does not say what its threads did for these frames, "
			      "only what SurfaceFlinger says of them");
	else if (r->model->implausible && !stage_summary_any(&p->stages))
		page_labelled(out, "stages",
			      r->trace ? "none: the marks of HWUI's frames are in no order; see "
					 "the end of this report"
				       : "none: HWUI's FrameInfos made no sense, most likely for "
					 "their layout; see the end of this report");
	else if (r->model->surfaces_probed && !stage_summary_any(&p->stages))
		page_labelled(out, "stages",
			      r->trace ? "none: it draws without HWUI (a game, Flutter, a video), "
					 "or none of HWUI's marks are in the trace"
				       : "none: it draws without HWUI (a game, Flutter, a video), "
					 "or nothing of HWUI was probed; its frames are seen by "
					 "their buffers");
	if (!p->counts[FRAME_COMPLETE]) {
		report_timeline(out, style, &p->timeline);
		fprintf(out, "  No complete frame to add up: record for longer%s.\n",
			r->trace ? "" : " (-d SEC)");
		return;
	}
	print_quantiles(out, style, p);
	report_stages(out, style, &p->stages);
	print_verdicts(out, style, r, p);
	report_timeline(out, style, &p->timeline);
	if (!is_told(p)) {
		print_budget(out, style, p, r->trace);
		print_blockers(out, style, p);
	}
	print_worst(out, style, p, r->origin_ns);
	if (!is_told(p))
		print_advice(out, style, p);
}

void report_text(FILE *out, const struct style *style, const struct report *r)
{
	const struct producer_summary *p;
	uint64_t lossy = 0, truncated = 0;

	print_head(out, style, r);
	for (unsigned i = 0; (p = summary_producer(r->summary, i)); i++) {
		print_producer(out, style, r, p);
		lossy += p->counts[FRAME_LOSSY];
		truncated += p->counts[FRAME_TRUNCATED];
	}
	if (!summary_producer(r->summary, 0))
		report_no_frames(out, style, r);
	if (r->long_messages)
		report_long(out, style, r->long_messages, r->origin_ns);
	report_trust(out, style, r, lossy, truncated);
}
