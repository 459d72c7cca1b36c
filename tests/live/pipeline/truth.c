// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Reads the truth, line by line. Words that it does not know are passed over. */
#include "live/pipeline/truth.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool truth_text(const char *line, const char *key, char *value, size_t size)
{
	size_t len = strlen(key);

	for (const char *at = strchr(line, ' '); at; at = strchr(at, ' ')) {
		at++;
		if (!strncmp(at, key, len) && at[len] == '=') {
			snprintf(value, size, "%.*s", (int)strcspn(at + len + 1, " \n"),
				 at + len + 1);
			return true;
		}
	}
	return false;
}

bool truth_number(const char *line, const char *key, uint64_t *value)
{
	char text[32];

	*value = 0;
	if (!truth_text(line, key, text, sizeof(text)))
		return false;
	*value = strtoull(text, NULL, 0);
	return true;
}

static void truth_set(const char *line, const char *key, struct truth_set *set)
{
	char text[96], *at = text;

	set->nr = 0;
	if (!truth_text(line, key, text, sizeof(text)))
		return;
	while (*at && set->nr < TRUTH_SET_MAX) {
		set->ids[set->nr++] = (unsigned)strtoul(at, &at, 10);
		at += *at == ',';
	}
}

void *truth_grow(void *array, size_t *nr, size_t size)
{
	char *grown = array;

	if (!(*nr & (*nr - 1)))
		grown = realloc(array, (*nr ? *nr * 2 : 1) * size);
	if (grown)
		memset(grown + (*nr)++ * size, 0, size);
	return grown;
}

static int read_fence(struct pipeline_truth *t, const char *line)
{
	struct truth_fence *f;

	t->fences = truth_grow(t->fences, &t->nr_fences, sizeof(*t->fences));
	if (!t->fences)
		return -ENOMEM;
	f = &t->fences[t->nr_fences - 1];
	f->has_identity = truth_number(line, "context", &f->context) &&
			  truth_number(line, "seqno", &f->seqno);
	truth_text(line, "driver", f->driver, sizeof(f->driver));
	truth_text(line, "timeline", f->timeline, sizeof(f->timeline));
	truth_number(line, "asked_ns", &f->asked_ns);
	truth_number(line, "made_ns", &f->made_ns);
	truth_number(line, "before_ns", &f->before_ns);
	truth_number(line, "after_ns", &f->after_ns);
	truth_number(line, "signal_ns", &f->signal_ns);
	truth_number(line, "signaller", &f->signaller);
	return 0;
}

static int read_wait(struct pipeline_truth *t, const char *line)
{
	char result[16] = "";
	struct truth_wait *w;

	t->waits = truth_grow(t->waits, &t->nr_waits, sizeof(*t->waits));
	if (!t->waits)
		return -ENOMEM;
	w = &t->waits[t->nr_waits - 1];
	truth_number(line, "frame", &w->frame);
	truth_number(line, "pid", &w->pid);
	truth_number(line, "tid", &w->tid);
	truth_number(line, "fd", &w->fd);
	truth_text(line, "comm", w->comm, sizeof(w->comm));
	truth_text(line, "role", w->role, sizeof(w->role));
	truth_text(line, "call", w->call, sizeof(w->call));
	truth_set(line, "fences", &w->set);
	truth_number(line, "begin_ns", &w->begin_ns);
	truth_number(line, "end_ns", &w->end_ns);
	truth_number(line, "timeout_ms", &w->timeout_ms);
	truth_number(line, "blocked", &w->blocked);
	truth_number(line, "late_ns", &w->late_ns);
	truth_text(line, "result", result, sizeof(result));
	w->timed_out = !strcmp(result, "timeout");
	w->in_array = truth_number(line, "context", &w->context) &&
		      truth_number(line, "seqno", &w->seqno);
	return 0;
}

static int read_frame(struct pipeline_truth *t, const char *line)
{
	struct truth_frame *f;

	t->frames = truth_grow(t->frames, &t->nr_frames, sizeof(*t->frames));
	if (!t->frames)
		return -ENOMEM;
	f = &t->frames[t->nr_frames - 1];
	truth_number(line, "frame", &f->frame);
	truth_number(line, "pid", &f->pid);
	truth_number(line, "tid", &f->tid);
	truth_number(line, "leave_ns", &f->leave_ns);
	truth_number(line, "end_ns", &f->end_ns);
	truth_number(line, "slot_ns", &f->slot_ns);
	truth_number(line, "dequeue_ns", &f->dequeue_ns);
	truth_number(line, "dequeued_ns", &f->dequeued_ns);
	truth_number(line, "depth_before", &f->depth_before);
	truth_number(line, "depth_in", &f->depth_in);
	truth_set(line, "release", &f->release);
	truth_set(line, "acquire", &f->acquire);
	return 0;
}

static int read_cancel(struct pipeline_truth *t, const char *line)
{
	char fd[16] = "-";
	struct truth_cancel *e;

	t->cancels = truth_grow(t->cancels, &t->nr_cancels, sizeof(*t->cancels));
	if (!t->cancels)
		return -ENOMEM;
	e = &t->cancels[t->nr_cancels - 1];
	truth_number(line, "frame", &e->frame);
	truth_number(line, "pid", &e->pid);
	truth_number(line, "tid", &e->tid);
	truth_number(line, "surface", &e->surface);
	truth_text(line, "fd", fd, sizeof(fd));
	e->has_fd = *fd != '-' && truth_number(line, "fd", &e->fd);
	truth_set(line, "fences", &e->set);
	truth_number(line, "begin_ns", &e->begin_ns);
	truth_number(line, "end_ns", &e->end_ns);
	return 0;
}

static int read_scenario(struct pipeline_truth *t, const char *line)
{
	truth_text(line, "name", t->name, sizeof(t->name));
	truth_text(line, "source", t->source, sizeof(t->source));
	truth_number(line, "settled_ns", &t->settled_ns);
	truth_number(line, "hold_ns", &t->hold_ns);
	truth_number(line, "held_ns", &t->held_ns);
	return 0;
}

static int read_line(struct pipeline_truth *t, const char *line)
{
	static const struct {
		const char *word;
		int (*read)(struct pipeline_truth *t, const char *line);
	} kinds[] = {
		{ "scenario ", read_scenario }, { "fence ", read_fence },   { "wait ", read_wait },
		{ "frame ", read_frame },       { "cancel ", read_cancel },
	};

	if (!strchr(line, '\n'))
		return -EPROTO;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (!strncmp(line, kinds[i].word, strlen(kinds[i].word)))
			return kinds[i].read(t, line);
	return -EPROTO;
}

int truth_read(struct pipeline_truth *t, const char *path)
{
	FILE *in = fopen(path, "re");
	char line[1024];
	int err = 0;

	memset(t, 0, sizeof(*t));
	if (!in)
		return -errno;
	while (!err && fgets(line, sizeof(line), in))
		err = read_line(t, line);
	fclose(in);
	if (!err && (!*t->name || !t->nr_waits || !t->nr_frames))
		err = -EPROTO;
	return err;
}
