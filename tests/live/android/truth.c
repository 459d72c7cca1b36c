// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Reads the app's truth, line by line. */
#include "live/android/truth.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "live/pipeline/truth.h"

static int64_t signed_number(const char *line, const char *key)
{
	uint64_t v;

	truth_number(line, key, &v);
	return (int64_t)v;
}

static int read_app(struct android_truth *t, const char *line)
{
	struct app *a;

	t->apps = truth_grow(t->apps, &t->nr_apps, sizeof(*t->apps));
	if (!t->apps)
		return -ENOMEM;
	a = &t->apps[t->nr_apps - 1];
	truth_number(line, "pid", &a->pid);
	truth_number(line, "layout", &a->layout);
	truth_number(line, "settled_ns", &a->settled_ns);
	truth_text(line, "name", a->name, sizeof(a->name));
	a->is_whole = true;
	return a->layout && a->layout <= TRUTH_SLOTS_MAX ? 0 : -EPROTO;
}

static int read_slots(const char *line, struct app_frame *f)
{
	char text[1024], *at = text;
	unsigned nr = 0;

	if (!truth_text(line, "slots", text, sizeof(text)))
		return -EPROTO;
	while (*at && nr < TRUTH_SLOTS_MAX) {
		f->slots[nr++] = strtoll(at, &at, 10);
		at += *at == ',';
	}
	return nr ? 0 : -EPROTO;
}

static int read_frame(struct android_truth *t, const char *line)
{
	struct app_frame *f;
	uint64_t after;
	struct app *a;

	if (!t->nr_apps)
		return -EPROTO;
	a = &t->apps[t->nr_apps - 1];
	t->frames = truth_grow(t->frames, &t->nr_frames, sizeof(*t->frames));
	if (!t->frames)
		return -ENOMEM;
	f = &t->frames[t->nr_frames - 1];
	truth_number(line, "pid", &f->pid);
	truth_number(line, "ui_tid", &f->ui_tid);
	truth_number(line, "render_tid", &f->render_tid);
	truth_number(line, "tracker", &f->tracker);
	truth_number(line, "frame_number", &f->frame_number);
	f->vsync_id = signed_number(line, "vsync_id");
	truth_text(line, "kind", f->kind, sizeof(f->kind));
	truth_text(line, "skip_reason", f->skip_reason, sizeof(f->skip_reason));
	truth_text(line, "scenario", f->scenario, sizeof(f->scenario));
	f->is_skipped = !strcmp(f->kind, "skipped");
	f->is_finished = truth_number(line, "deadline_after", &after);
	f->deadline_after = (int64_t)after;
	f->janky = signed_number(line, "janky");
	f->janky_legacy = signed_number(line, "janky_legacy");
	f->stuffed = signed_number(line, "stuffed");
	f->davey = signed_number(line, "davey");
	f->counted_ns = signed_number(line, "counted_ns");
	truth_text(line, "types", f->types, sizeof(f->types));
	f->is_scripted = truth_text(line, "stage", f->stage, sizeof(f->stage)) &&
			 truth_text(line, "cause", f->cause, sizeof(f->cause));
	truth_number(line, "waker", &f->waker);
	truth_number(line, "dominant_ns", &f->dominant_ns);
	truth_number(line, "next_ns", &f->next_ns);
	truth_number(line, "begin_ns", &f->begin_ns);
	a->is_whole &= f->begin_ns >= a->settled_ns;
	truth_number(line, "called_ns", &f->called_ns);
	truth_number(line, "unblock_ns", &f->unblock_ns);
	truth_number(line, "left_ns", &f->left_ns);
	truth_number(line, "returned_ns", &f->returned_ns);
	truth_number(line, "dequeue_min_ns", &f->dequeue_min_ns);
	truth_number(line, "dequeue_max_ns", &f->dequeue_max_ns);
	truth_number(line, "queue_leave_ns", &f->queue_leave_ns);
	truth_number(line, "queue_end_ns", &f->queue_end_ns);
	f->has_message = truth_number(line, "message", &f->message);
	return read_slots(line, f);
}

static int read_message(struct android_truth *t, const char *line)
{
	struct app_message *m;

	t->messages = truth_grow(t->messages, &t->nr_messages, sizeof(*t->messages));
	if (!t->messages)
		return -ENOMEM;
	m = &t->messages[t->nr_messages - 1];
	truth_number(line, "pid", &m->pid);
	truth_number(line, "tid", &m->tid);
	truth_number(line, "number", &m->number);
	truth_number(line, "begin_min_ns", &m->begin_min_ns);
	truth_number(line, "begin_max_ns", &m->begin_max_ns);
	truth_number(line, "end_min_ns", &m->end_min_ns);
	truth_number(line, "end_max_ns", &m->end_max_ns);
	truth_number(line, "frames", &m->frames);
	m->vsync_id = signed_number(line, "vsync_id");
	return 0;
}

static int read_line(struct android_truth *t, const char *line)
{
	if (!strchr(line, '\n'))
		return -EPROTO;
	if (!strncmp(line, "app ", 4))
		return read_app(t, line);
	if (!strncmp(line, "frame ", 6))
		return read_frame(t, line);
	if (!strncmp(line, "message ", 8))
		return read_message(t, line);
	return -EPROTO;
}

int android_truth_read(struct android_truth *t, const char *path)
{
	FILE *in = fopen(path, "re");
	char line[4096];
	int err = 0;

	memset(t, 0, sizeof(*t));
	if (!in)
		return -errno;
	while (!err && fgets(line, sizeof(line), in))
		err = read_line(t, line);
	fclose(in);
	if (!err && (!t->nr_apps || !t->nr_frames))
		err = -EPROTO;
	for (size_t i = 0; i < t->nr_frames && !err; i++) {
		t->frames[i].app = android_truth_app(t, t->frames[i].pid);
		err = t->frames[i].app ? 0 : -EPROTO;
	}
	for (size_t i = 0; i < t->nr_messages && !err; i++) {
		t->messages[i].app = android_truth_app(t, t->messages[i].pid);
		err = t->messages[i].app ? 0 : -EPROTO;
	}
	return err;
}

const struct app *android_truth_app(const struct android_truth *t, uint64_t pid)
{
	for (size_t i = 0; i < t->nr_apps; i++)
		if (t->apps[i].pid == pid)
			return &t->apps[i];
	return NULL;
}

const struct app_message *android_truth_message(const struct android_truth *t, uint64_t pid,
						uint64_t number)
{
	for (size_t i = 0; i < t->nr_messages; i++)
		if (t->messages[i].pid == pid && t->messages[i].number == number)
			return &t->messages[i];
	return NULL;
}
