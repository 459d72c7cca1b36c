// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* framescope top: what the frames of running programs wait for, while they are made. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/text.h"
#include "cmd/capturing.h"
#include "cmd/cmd.h"
#include "cmd/interrupt.h"
#include "cmd/judging.h"
#include "model/outbox.h"
#include "model/producers.h"
#include "output/output.h"
#include "stream/live.h"
#include "top/screen.h"
#include "top/terminal.h"
#include "top/view.h"
#include "top/window.h"

#define INTERVAL_MIN_NS (100 * NSEC_PER_MSEC)
#define KEYS_MS 50 /* how late a key may be seen */
#define MESSAGE_NS (10 * NSEC_PER_SEC) /* how long one is shown */
#define MESSAGES_LEN 16384 /* of those kept for the end */
#define JUDGED_MAX 4096 /* windows whose state the judges keep, of 1.3 KB each */

static const char help[] =
	"usage: framescope top [OPTIONS] [-p PID]... [--comm NAME] [--package NAME] [-a]\n"
	"                      [-- CMD ARGS...]\n"
	"\n"
	"Show what the frames of running programs wait for, while they are made: of each\n"
	"producer the frames per second, how even they are, the share of janky ones,\n"
	"where their time goes and what they wait for longest. Needs root, like record.\n"
	"\n"
	"  -p, --pid PID         watch this process; may be repeated\n"
	"      --comm NAME       watch the processes of this name that run now\n"
	"      --package NAME    watch the processes of this Android package, those that\n"
	"                        run and those that start later; waits for the first one\n"
	"  -a, --all             watch every process\n"
	"  -- CMD ARGS...        start a program and watch it. What of its input and\n"
	"                        output is the terminal that top draws on, is /dev/null\n"
	"                        instead\n"
	"      --interval SEC    the length of an interval (default 1; 0.1 or more)\n"
	"      --once            one interval, as plain lines, then exit\n"
	"  -d, --duration SEC    stop after this time\n"
	"      --android RELEASE the release of Android to judge by (8 to 17), rather\n"
	"                        than the one that this is\n"
	"      --refresh-rate HZ the display's: for the jank of Android before 12\n"
	"      --uprobe LIB:SYMBOL[=ROLE], --uprobe LIB@0xOFFSET[=ROLE]\n"
	"                        probe one more function, as for record\n"
	"      --frame-info-layout N, --btf FILE, --buffer KIB, -v, -q\n"
	"                        as for record\n"
	"  -h, --help            this text\n"
	"      --version         the version\n"
	"\n"
	"On a terminal: h shows the keys, q quits. Elsewhere, and with --once, each\n"
	"interval is printed as plain lines. NO_COLOR: letters instead of colours. A\n"
	"frame counts in the interval in which it ended. An interval is shown when all of\n"
	"its frames are known: mostly a third of a second later; where a GPU has not\n"
	"finished a frame or a thread has not run since, up to 1.3 s later.\n"
	"Nothing is written to a file; to look closer, record.\n"
	"\n"
	"Exit status: 0 watched, 1 failed, 2 wrong usage.\n"
	"\n"
	"Example: every program that draws, and one of them for scripts:\n"
	"  sudo framescope top -a\n"
	"  sudo framescope top --once --interval 5 -p $(pidof glxgears)\n";

enum {
	OPT_INTERVAL = 0x100,
	OPT_ONCE,
};

static const struct option options[] = {
	CAPTURING_OPTIONS,
	{ "interval", required_argument, NULL, OPT_INTERVAL },
	{ "once", no_argument, NULL, OPT_ONCE },
	{ "android", required_argument, NULL, JUDGING_ANDROID },
	{ "refresh-rate", required_argument, NULL, JUDGING_REFRESH_RATE },
	{ 0 },
};

struct top {
	struct capturing c;
	struct judging judging;
	struct live *live;
	struct model *model;
	struct window *window;
	struct snapshot shown; /* the last interval, or, paused, the one before the pause */
	struct snapshot hidden; /* those during a pause */
	struct view view;
	struct keys keys;
	uint64_t interval_ns;
	uint64_t start_ns;
	bool once;
	bool on_screen;
	bool ended; /* all that was watched has */
	bool drawn; /* what is on the screen is what is to be seen */
	uint64_t frames;
	int error; /* negative errno of what failed in the sink */

	uint64_t message_ns; /* when the last one came; 0 = it is not shown any more */
	char message[512];
	char messages[MESSAGES_LEN]; /* what is to be said when the screen is gone */
	size_t messages_len;
};

static int parse(const struct command *self, struct top *t, int argc, char **argv)
{
	int opt, status;

	while ((opt = cmd_getopt(self, argc, argv, CAPTURING_SHORT, options)) != -1) {
		status = EXIT_OK;
		switch (opt) {
		case OPT_INTERVAL:
			if (!cmd_seconds(optarg, &t->interval_ns) ||
			    t->interval_ns < INTERVAL_MIN_NS)
				return cmd_usage(self,
						 "--interval takes seconds, like 1 or 0.5, from "
						 "0.1 to 31536000 (a year), not '%s'",
						 optarg);
			break;
		case OPT_ONCE:
			t->once = true;
			break;
		case JUDGING_ANDROID:
		case JUDGING_REFRESH_RATE:
			status = judging_option(self, &t->judging, opt, optarg);
			break;
		default:
			status = capturing_option(self, &t->c, opt, optarg);
		}
		if (status)
			return status;
	}
	return capturing_asked(self, &t->c, "watched", argc, argv);
}

static void on_frame(void *ctx, struct frame *f)
{
	struct top *t = ctx;

	if (t->error)
		return;
	t->frames++;
	t->error = judging_frame(&t->judging, t->model, f);
	if (!t->error)
		t->error = window_frame(t->window, t->model, f);
}

static void on_fence_wait(void *ctx, const struct fence_wait *wait)
{
	struct top *t = ctx;

	window_fence_wait(t->window, wait);
}

static int no_memory(struct err *e)
{
	return err_errno(e, -ENOMEM, "cannot follow the capture");
}

/* What the capture has given since the last time, to the model. */
static int pump(struct top *t, struct err *e)
{
	const struct fs_header *rec;
	int rc;

	while ((rc = live_next(t->live, &rec, e)) > 0) {
		if (rec->kind == FS_KIND_FENCE)
			window_fences_seen(t->window);
		if (model_feed(t->model, rec) || t->error)
			return no_memory(e);
	}
	window_lost(t->window, live_stats(t->live)->lost);
	return rc;
}

/*
 * The judges keep the state of each window that ever was. When these are too many, they begin anew,
 * as for an app that was there before.
 */
static void bound_judges(struct judging *j)
{
	if (j->verdicts && verdicts_window(j->verdicts, JUDGED_MAX))
		judging_free(j);
}

/* Whether it is over: then what it was is to be seen, unless this is a pause. */
static int close_interval(struct top *t, bool *over, struct err *e)
{
	uint64_t known = live_known_ns(t->live);
	int rc = 0;

	*over = false;
	if (known && known != UINT64_MAX)
		rc = window_close(t->window, t->model, model_settled_ns(t->model, known, OUTBOX_NS),
				  t->view.paused ? &t->hidden : &t->shown);
	if (rc < 0)
		return no_memory(e);
	if (rc)
		bound_judges(&t->judging);
	*over = rc && !t->view.paused;
	return 0;
}

static struct screen screen_of(const struct top *t)
{
	return (struct screen){
		.columns = SCREEN_PLAIN_COLUMNS,
		.ends_probed = model_stats(t->model)->ends_probed,
		.full = model_stats(t->model)->producers >= PRODUCERS_MAX,
		.origin_ns = t->start_ns,
	};
}

/* The interval as plain lines. */
static int print_interval(struct top *t, struct err *e)
{
	const struct screen screen = screen_of(t);
	const struct view view = { 0 };

	if (screen_print(stdout, &screen, &view, &t->shown))
		return no_memory(e);
	putchar('\n');
	/* A reader that has gone is no failure, but the end. */
	return output_finish(stdout, output_failed(stdout), e);
}

static int draw(struct top *t, struct err *e)
{
	const struct style style = style_for(stdout);
	struct screen screen = screen_of(t);
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);
	int rc;

	if (!out)
		return no_memory(e);
	terminal_size(&screen.columns, &screen.rows);
	if (screen.columns > SCREEN_COLUMNS_MAX)
		screen.columns = SCREEN_COLUMNS_MAX;
	screen.colour = *style.off;
	screen.keys = terminal_has_keys();
	screen.message = t->message_ns ? t->message : NULL;
	rc = screen_print(out, &screen, &t->view, &t->shown);
	if (fclose(out) || rc) {
		free(text);
		return no_memory(e);
	}
	rc = terminal_draw(text, len);
	free(text);
	if (rc < 0)
		return err_errno(e, -errno, "cannot write to the terminal");
	t->drawn = rc;
	return 0;
}

static void take_keys(struct top *t)
{
	unsigned char bytes[64];
	int n = terminal_read(bytes, sizeof(bytes)), key;

	for (int i = 0; i < n; i++) {
		key = keys_byte(&t->keys, bytes[i]);
		if (key)
			view_key(&t->view, key, &t->shown);
	}
	/* What begins a sequence and goes on later than that is a key of its own. */
	key = n > 0 ? KEY_NONE : keys_pause(&t->keys);
	if (key)
		view_key(&t->view, key, &t->shown);
	if (n > 0 || key)
		t->drawn = false;
	if (n < 0)
		t->view.quit = true;
	window_keep(t->window, t->view.picked);
}

/* What happens on the screen between two intervals. */
static int attend_screen(struct top *t, struct err *e)
{
	if (terminal_attend())
		t->drawn = false;
	take_keys(t);
	if (t->message_ns && clock_monotonic_ns() - t->message_ns > MESSAGE_NS) {
		t->message_ns = 0;
		t->drawn = false;
	}
	return t->drawn || t->view.quit ? 0 : draw(t, e);
}

static void on_message(void *ctx, const char *line)
{
	struct top *t = ctx;
	size_t room = sizeof(t->messages) - t->messages_len;
	int n = snprintf(t->messages + t->messages_len, room, "%s\n", line);

	if (n > 0 && (size_t)n < room)
		t->messages_len += (size_t)n;
	snprintf(t->message, sizeof(t->message), "%s", line);
	t->message_ns = clock_monotonic_ns();
	t->drawn = false;
}

static void open_screen(struct top *t)
{
	if (log_level() > LOG_INFO)
		log_set_level(LOG_INFO); /* what others print there would spoil it */
	log_divert(on_message, t);
	interrupt_last_words(terminal_last_words);
	terminal_open();
}

static void close_screen(struct top *t)
{
	if (!t->on_screen)
		return;
	terminal_close();
	log_divert(NULL, NULL);
	fwrite(t->messages, 1, t->messages_len, stderr);
}

/* One interval after the other, until somebody or something ends it. */
static int follow(struct top *t, uint64_t end_ns, struct err *e)
{
	int poll_ms = capturing_poll_ms(&t->c), err = 0;
	bool over;

	if (t->on_screen && poll_ms > KEYS_MS)
		poll_ms = KEYS_MS;
	while (!err && !interrupt_came() && !t->view.quit && !t->ended) {
		uint64_t now = clock_monotonic_ns();

		if (now >= end_ns)
			break;
		err = capturing_poll(&t->c, poll_ms, e);
		if (!err)
			err = pump(t, e);
		if (!err)
			err = close_interval(t, &over, e);
		if (err)
			break;
		t->drawn &= !over;
		if (t->on_screen)
			err = attend_screen(t, e);
		else if (over)
			err = print_interval(t, e);
		if ((over && t->once) || (!t->on_screen && ferror(stdout)))
			return err;
		t->ended = capturing_over(&t->c);
	}
	return err;
}

/* The rest, when it was not somebody who ended it. */
static int finish(struct top *t, uint64_t end_ns, struct err *e)
{
	uint64_t stop_ns;
	int rc = session_stop(t->c.running, e);

	if (!rc)
		rc = capturing_close(&t->c, e);
	if (!rc)
		rc = pump(t, e);
	if (rc)
		return rc;
	if (model_finish(t->model) || t->error)
		return no_memory(e);
	stop_ns = model_end_ns(t->model) < end_ns ? model_end_ns(t->model) : end_ns;
	while ((rc = window_close(t->window, t->model, stop_ns, &t->shown)) > 0)
		if (print_interval(t, e) || ferror(stdout) || t->once)
			return e->code;
	if (!rc)
		rc = window_finish(t->window, t->model, stop_ns, &t->shown);
	if (rc < 0)
		return no_memory(e);
	return rc > 0 ? print_interval(t, e) : 0;
}

static int run(struct top *t, struct err *e)
{
	const struct model_sink sink = { .frame = on_frame, .fence_wait = on_fence_wait, .ctx = t };
	uint64_t end_ns = UINT64_MAX;
	int err = capturing_start(&t->c, e);

	if (err)
		return err;
	t->start_ns = clock_monotonic_ns();
	if (t->c.duration_ns)
		end_ns = t->start_ns + t->c.duration_ns;
	t->model = model_new(&sink);
	t->window = window_new(t->start_ns, t->interval_ns);
	if (!t->model || !t->window)
		return no_memory(e);
	log_info("watching; %s", t->on_screen ? "h shows the keys, q quits" : "Ctrl-C stops");
	if (t->on_screen)
		open_screen(t);
	err = follow(t, end_ns, e);
	close_screen(t);
	if (!err && !interrupt_came() && !t->view.quit && !(t->once && t->shown.to_ns) &&
	    !ferror(stdout))
		err = finish(t, end_ns, e);
	if (!err && t->ended)
		log_info("all that was watched has ended");
	if (!err && !t->frames)
		log_warn("no frame was seen");
	return err;
}

static int top(const struct command *self, int argc, char **argv)
{
	struct top *t = calloc(1, sizeof(*t));
	struct err e = { 0 }, close_err = { 0 };
	const char *term = getenv("TERM");
	int status, err;

	if (!t) {
		err_errno(&e, -ENOMEM, "cannot start");
		return cmd_fail(&e);
	}
	judging_init(&t->judging);
	t->interval_ns = NSEC_PER_SEC;
	status = parse(self, t, argc, argv);
	if (status)
		goto out;
	output_begin();
	interrupt_catch();
	t->on_screen = !t->once && terminal_is_there() && !(term && !strcmp(term, "dumb"));
	t->c.child.off_terminal = t->on_screen;
	t->live = live_new();
	if (t->live) {
		t->c.session.sink = live_sink(t->live);
		err = capturing_open(&t->c, &e);
	} else {
		err = no_memory(&e);
	}
	if (!err)
		err = run(t, &e);
	if (capturing_close(&t->c, &close_err) && !err) {
		err = close_err.code;
		e = close_err;
	}
	if (err)
		status = cmd_fail(&e);
out:
	snapshot_free(&t->shown);
	snapshot_free(&t->hidden);
	window_free(t->window);
	judging_free(&t->judging);
	model_free(t->model);
	live_free(t->live);
	capturing_free(&t->c);
	free(t);
	return status;
}

const struct command cmd_top = {
	.name = "top",
	.summary = "watch frames while they are made (needs root)",
	.help = help,
	.run = top,
};
