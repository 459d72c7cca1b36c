// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The lists of frames and messages, and how they are written: what the words mean says record.h. */
#include "standins/android/record.h"

#include <stdarg.h>

#include "standins/truth.h"

#define FRAMES_MAX 8192
#define MESSAGES_MAX 8192

static struct frame *frames;
static struct message *messages;
static _Atomic unsigned nr_frames, nr_messages;

void die(int err, const char *fmt, ...)
{
	va_list ap;

	fputs("androidapp: ", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fprintf(stderr, "%s%s\n", err ? ": " : "", err ? strerror(-err) : "");
	_exit(1);
}

/* Page faults now rather than in the frames. */
static void *list_new(size_t nr, size_t size)
{
	void *list = malloc(nr * size);

	if (!list)
		die(-ENOMEM, "can't keep the truth");
	memset(list, 0, nr * size);
	return list;
}

void record_open(void)
{
	frames = list_new(FRAMES_MAX, sizeof(*frames));
	messages = list_new(MESSAGES_MAX, sizeof(*messages));
}

struct frame *frame_new(struct window *window)
{
	unsigned i = atomic_fetch_add(&nr_frames, 1);

	if (i >= FRAMES_MAX)
		die(-ENOSPC, "too many frames");
	frames[i].window = window;
	frames[i].scenario = plan.scenario;
	frames[i].kind = "normal";
	frames[i].vsync_id = -1;
	frames[i].message = -1;
	frames[i].begin_ns = now_ns();
	return &frames[i];
}

struct message *message_new(void)
{
	unsigned i = atomic_fetch_add(&nr_messages, 1);

	if (i >= MESSAGES_MAX)
		die(-ENOSPC, "too many messages");
	messages[i].tid = gettid();
	messages[i].vsync_id = -1;
	return &messages[i];
}

int message_number(const struct message *m)
{
	return (int)(m - messages);
}

static _Thread_local int schedstat = -1;

struct mark mark_now(void)
{
	struct mark m;
	char text[96], *at;
	ssize_t n;

	if (schedstat < 0)
		schedstat = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
	n = pread(schedstat, text, sizeof(text) - 1, 0);
	if (n <= 0)
		die(n ? -errno : -EIO, "can't read schedstat");
	text[n] = '\0';
	strtoull(text, &at, 10);
	m.runnable = strtoull(at, NULL, 10);
	m.running = truth_clock(CLOCK_THREAD_CPUTIME_ID);
	m.ns = now_ns();
	return m;
}

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t less(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

void frame_spend_since(struct frame *f, enum stage stage, uint64_t from_ns,
		       const struct mark *before, const struct mark *to)
{
	const uint64_t ns[] = { to->running - before->running, to->runnable - before->runnable };
	uint64_t wall = less(to->ns, from_ns), outside = less(from_ns, before->ns);
	uint64_t sum_least = 0, sum_most = 0;
	struct spending *s = &f->spent[stage];

	for (int i = SPENT_RUNNING; i <= SPENT_RUNNABLE; i++) {
		uint64_t at_least = least(wall, less(ns[i], outside));
		uint64_t at_most = least(wall, ns[i]);

		s->least[i] += at_least;
		s->most[i] += at_most;
		sum_least += at_least;
		sum_most += at_most;
	}
	s->least[SPENT_BLOCKED] += less(wall, sum_most);
	s->most[SPENT_BLOCKED] += less(wall, sum_least);
}

void frame_spend(struct frame *f, enum stage stage, const struct mark *from, const struct mark *to)
{
	frame_spend_since(f, stage, from->ns, from, to);
}

void frame_spend_wait(struct frame *f, enum stage stage, int64_t from_ns, int64_t to_ns)
{
	uint64_t ns = to_ns > from_ns ? (uint64_t)(to_ns - from_ns) : 0;

	f->spent[stage].least[SPENT_BLOCKED] += ns;
	f->spent[stage].most[SPENT_BLOCKED] += ns;
}

static void print_number(FILE *f, const char *key, uint64_t v)
{
	if (v)
		fprintf(f, " %s=%" PRIu64, key, v);
}

/* How long the scripted one was, and what came next to it. */
static void print_dominant(FILE *out, const struct frame *f)
{
	int scripted = strcmp(f->part, "running") ? SPENT_BLOCKED : SPENT_RUNNING;
	uint64_t dominant = f->spent[f->stage].least[scripted], next = 0;

	for (int stage = 0; stage < STAGES; stage++) {
		for (int i = 0; i < SPENTS; i++) {
			uint64_t ns = f->spent[stage].most[i];

			if ((stage != (int)f->stage || i != scripted) && ns > next)
				next = ns;
		}
	}
	fprintf(out, " stage=%s cause=%s", stage_names[f->stage], f->part);
	if (f->waker)
		fprintf(out, " waker=%d", f->waker);
	fprintf(out, " dominant_ns=%" PRIu64 " next_ns=%" PRIu64, dominant, next);
}

static void print_frame(FILE *out, const struct frame *f)
{
	fprintf(out,
		"frame pid=%d ui_tid=%d render_tid=%d tracker=0x%" PRIx64 " frame_number=%" PRIu64
		" vsync_id=%" PRId64 " kind=%s",
		getpid(), f->ui_tid, f->render_tid, f->tracker, f->frame_number, f->vsync_id,
		f->kind);
	if (f->skip_reason)
		fprintf(out, " skip_reason=%s", f->skip_reason);
	fprintf(out, " scenario=%s window=%u slots=", f->scenario->name, f->window_number);
	for (unsigned i = 0; i < layout; i++)
		fprintf(out, "%s%" PRId64, i ? "," : "", f->slots[i]);
	if (f->is_finished) {
		fprintf(out, " deadline_after=%" PRId64, f->deadline_after);
		jank_print(out, &f->verdict);
	}
	if (f->is_scripted)
		print_dominant(out, f);
	print_number(out, "begin_ns", f->begin_ns);
	print_number(out, "called_ns", f->called_ns);
	print_number(out, "queued_ns", f->queued_ns);
	print_number(out, "unblock_ns", f->unblock_ns);
	print_number(out, "released_ns", f->released_ns);
	print_number(out, "left_ns", f->left_ns);
	print_number(out, "returned_ns", f->returned_ns);
	fprintf(out, " dequeue_min_ns=%" PRIu64 " dequeue_max_ns=%" PRIu64, f->dequeue_min_ns,
		f->dequeue_max_ns);
	print_number(out, "queue_ns", f->queue_ns);
	print_number(out, "queue_leave_ns", f->queue_leave_ns);
	print_number(out, "queue_end_ns", f->queue_end_ns);
	if (f->message >= 0)
		fprintf(out, " message=%d", f->message);
	fputc('\n', out);
}

static void print_message(FILE *out, const struct message *m)
{
	fprintf(out,
		"message pid=%d tid=%d number=%d begin_min_ns=%" PRIu64 " begin_max_ns=%" PRIu64
		" end_min_ns=%" PRIu64 " end_max_ns=%" PRIu64 " frames=%u vsync_id=%" PRId64 "\n",
		getpid(), m->tid, message_number(m), m->begin_min_ns, m->begin_max_ns,
		m->end_min_ns, m->end_max_ns, m->frames, m->vsync_id);
}

int record_save(const char *path)
{
	char name[64] = "";
	int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
	FILE *out = fopen(path, "ae");

	if (!out || fd < 0 || read(fd, name, sizeof(name) - 1) <= 0)
		return -errno;
	close(fd);
	fprintf(out, "app pid=%d name=%s layout=%u settled_ns=%" PRIu64 "\n", getpid(), name,
		layout, plan.settled_ns);
	for (unsigned i = 0; i < nr_frames; i++)
		print_frame(out, &frames[i]);
	for (unsigned i = 0; i < nr_messages; i++)
		print_message(out, &messages[i]);
	if (ferror(out)) {
		fclose(out);
		return -EIO;
	}
	return fclose(out) ? -errno : 0;
}
