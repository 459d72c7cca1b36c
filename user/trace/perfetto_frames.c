/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What SurfaceFlinger says about frames: stretches of its FrameTimeline, whose begin and end are
 * packets of their own with a cookie in common, and the steps of buffers.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "proto/perfetto.pb-c.h"
#include "trace/perfetto_parts.h"

/* Stretches that are open at a time. A frame is over within some hundred milliseconds. */
#define OPEN_MAX 65536

static void layer_of(char layer[FS_LAYER_LEN], const char *name)
{
	if (name)
		memcpy(layer, name, strnlen(name, FS_LAYER_LEN - 1));
}

static int begin(struct pf *pf, uint64_t cookie, const struct fs_timeline *what)
{
	struct fs_timeline *open = map64_get(&pf->open_timelines, cookie);

	if (open) {
		/* The end of the one before it was lost. */
		*open = *what;
		return 0;
	}
	if (pf->open_timelines.nr == OPEN_MAX) {
		pf->unfollowed++;
		return 0;
	}
	open = malloc(sizeof(*open));
	if (!open)
		return -ENOMEM;
	*open = *what;
	if (map64_put(&pf->open_timelines, cookie, open)) {
		free(open);
		return -ENOMEM;
	}
	return 0;
}

static int end(struct pf *pf, struct fs_timeline *t, uint64_t ns)
{
	int ret;

	t->h.time_ns = ns > t->start_ns ? ns : t->start_ns;
	ret = pf_record_add(pf, &t->h);
	free(t);
	return ret;
}

static struct fs_timeline new_timeline(uint32_t kind, uint32_t pid, uint64_t ns)
{
	return (struct fs_timeline){
		.h = { .tgid = pid,
		       .kind = FS_KIND_TIMELINE,
		       .size = sizeof(struct fs_timeline),
		       .cpu = FS_CPU_NONE },
		.start_ns = ns,
		.kind = kind,
	};
}

static int begin_display(struct pf *pf, const Perfetto__FrameTimelineEvent__Display *d,
			 uint32_t kind, uint64_t ns)
{
	struct fs_timeline t = new_timeline(kind, (uint32_t)d->pid, ns);

	t.token = d->token;
	t.flags = (d->on_time_finish ? FS_TIMELINE_ON_TIME : 0) |
		  (d->gpu_composition ? FS_TIMELINE_GPU : 0);
	t.jank = (uint32_t)d->jank_type;
	t.present = (uint32_t)d->present_type;
	t.prediction = (uint32_t)d->prediction_type;
	t.severity = (uint32_t)d->jank_severity_type;
	return begin(pf, (uint64_t)d->cookie, &t);
}

static int begin_surface(struct pf *pf, const Perfetto__FrameTimelineEvent__Surface *s,
			 uint32_t kind, uint64_t ns)
{
	struct fs_timeline t = new_timeline(kind, (uint32_t)s->pid, ns);

	t.token = s->token;
	t.display_token = s->display_frame_token;
	t.flags = (s->on_time_finish ? FS_TIMELINE_ON_TIME : 0) |
		  (s->gpu_composition ? FS_TIMELINE_GPU : 0) |
		  (s->is_buffer ? FS_TIMELINE_IS_BUFFER : 0);
	t.jank = (uint32_t)s->jank_type;
	t.present = (uint32_t)s->present_type;
	t.prediction = (uint32_t)s->prediction_type;
	t.severity = (uint32_t)s->jank_severity_type;
	layer_of(t.layer, s->layer_name);
	return begin(pf, (uint64_t)s->cookie, &t);
}

int pf_frame_timeline(struct pf *pf, const struct wire_field *event, uint64_t ns)
{
	Perfetto__FrameTimelineEvent *ft = perfetto__frame_timeline_event__unpack(
		pf_arena_reset(&pf->arena), event->len, event->data);
	struct fs_timeline *open;

	if (!ft) {
		pf->reader.malformed++;
		return 0;
	}
	if (ft->expected_display)
		return begin_display(pf, ft->expected_display, FS_TIMELINE_EXPECTED_DISPLAY, ns);
	if (ft->actual_display)
		return begin_display(pf, ft->actual_display, FS_TIMELINE_ACTUAL_DISPLAY, ns);
	if (ft->expected_surface)
		return begin_surface(pf, ft->expected_surface, FS_TIMELINE_EXPECTED_SURFACE, ns);
	if (ft->actual_surface)
		return begin_surface(pf, ft->actual_surface, FS_TIMELINE_ACTUAL_SURFACE, ns);
	if (!ft->frame_end)
		return 0;
	open = map64_take(&pf->open_timelines, (uint64_t)ft->frame_end->cookie);
	return open ? end(pf, open, ns) : 0;
}

static int by_start(const void *a, const void *b)
{
	const struct fs_timeline *x = *(struct fs_timeline *const *)a;
	const struct fs_timeline *y = *(struct fs_timeline *const *)b;

	if (x->start_ns != y->start_ns)
		return x->start_ns < y->start_ns ? -1 : 1;
	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	return x->token < y->token ? -1 : x->token > y->token;
}

/* The trace is over: what has no end is open, in an order that is the same each time. */
int pf_frames_finish(struct pf *pf)
{
	size_t nr = 0, room = pf->open_timelines.nr;
	struct fs_timeline **open = malloc((room + 1) * sizeof(void *));
	uint64_t last_ns = pf->last_ns;
	int ret = 0;

	if (!open)
		return -ENOMEM;
	for (size_t i = 0; i < pf->open_timelines.room; i++) {
		if (pf->open_timelines.slots[i].value)
			open[nr++] = pf->open_timelines.slots[i].value;
	}
	map64_clear(&pf->open_timelines, NULL);
	qsort(open, nr, sizeof(void *), by_start);
	for (size_t i = 0; i < nr; i++) {
		open[i]->flags |= FS_OPEN;
		if (ret)
			free(open[i]);
		else
			ret = end(pf, open[i], last_ns);
	}
	free(open);
	return ret;
}

int pf_graphics_frame(struct pf *pf, const struct wire_field *event, uint64_t ns)
{
	Perfetto__GraphicsFrameEvent *gf = perfetto__graphics_frame_event__unpack(
		pf_arena_reset(&pf->arena), event->len, event->data);
	struct fs_buffer rec = {
		.h = { .time_ns = ns,
		       .kind = FS_KIND_BUFFER,
		       .size = sizeof(rec),
		       .cpu = FS_CPU_NONE },
	};

	if (!gf || !gf->buffer_event) {
		pf->reader.malformed++;
		return 0;
	}
	rec.duration_ns = gf->buffer_event->duration_ns;
	rec.frame_number = gf->buffer_event->frame_number;
	rec.type = (uint32_t)gf->buffer_event->type;
	rec.buffer_id = gf->buffer_event->buffer_id;
	layer_of(rec.layer, gf->buffer_event->layer_name);
	return pf_record_add(pf, &rec.h);
}
