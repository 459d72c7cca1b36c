/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What the UI thread's slices say of a frame of HWUI: gathered while its doFrame() goes on, and
 * given to the thread that draws it when that begins. The UI thread waits for it then, inside its
 * doFrame(), so that no more than those which go on need be kept. From Android 12 on both name the
 * vsync; before, a process has one thread that waits in its draw.
 */
#include <errno.h>
#include <stdlib.h>

#include "trace/marks.h"

static void leave(struct marks_thread *mt, const struct intake_thread *t)
{
	struct marks_process *p = mt->process;
	unsigned i = 0;

	mt->ui = (struct marks_ui){ 0 };
	mt->process = NULL;
	if (!p)
		return;
	while (p->uis[i] != t)
		i++;
	p->uis[i] = p->uis[--p->nr];
	if (p->nr)
		return;
	idmap_remove(&mt->all->processes, p->tgid);
	free(p);
}

static int join(struct marks_thread *mt, struct intake_thread *t)
{
	struct marks_process *p = t->tgid ? idmap_get(&mt->all->processes, t->tgid) : NULL;

	/* More than a few are no app's. */
	if (!t->tgid || (p && p->nr == MARKS_UIS_MAX))
		return 0;
	if (!p) {
		p = calloc(1, sizeof(*p));
		if (!p)
			return -ENOMEM;
		p->tgid = t->tgid;
		if (idmap_put(&mt->all->processes, t->tgid, p)) {
			free(p);
			return -ENOMEM;
		}
	}
	p->uis[p->nr++] = t;
	mt->process = p;
	return 0;
}

/* Is it Choreographer's own slice? Others may have the same short names. */
static bool is_step(const struct marks_thread *mt)
{
	if (!mt->ui.start_ns)
		return false;
	/* Of a late frame there is one more slice around them, in some releases of another name. */
	for (unsigned i = 1; i <= 2 && i <= mt->nr; i++) {
		enum slice around = mt->stack[mt->nr - i].slice;

		if (around == SLICE_DO_FRAME)
			return true;
		if (around != SLICE_OTHER && around != SLICE_RESYNCED)
			return false;
	}
	return false;
}

static void note_first(uint64_t *ns, uint64_t now)
{
	if (!*ns)
		*ns = now;
}

int marks_ui_begin(const struct intake_at *at, struct intake_thread *t, enum slice slice,
		   const struct mark *m)
{
	struct marks_thread *mt = t->marks;
	struct marks_ui *ui = &mt->ui;

	switch (slice) {
	case SLICE_DO_FRAME:
		*ui = (struct marks_ui){
			.vsync_id = slice_vsync_id(slice, m->name, m->name_len),
			.start_ns = at->ns,
		};
		return join(mt, t);
	case SLICE_RESYNCED:
		if (is_step(mt))
			ui->vsync_id = slice_vsync_id(slice, m->name, m->name_len);
		return 0;
	case SLICE_INPUT:
		if (is_step(mt))
			note_first(&ui->input_ns, at->ns);
		return 0;
	case SLICE_ANIMATION:
		if (is_step(mt))
			note_first(&ui->animation_ns, at->ns);
		return 0;
	case SLICE_TRAVERSAL:
		if (is_step(mt))
			note_first(&ui->traversals_ns, at->ns);
		return 0;
	case SLICE_DRAW:
	case SLICE_RECORD:
		/* The next window's, unless it is inside another. */
		if (!ui->traversals_ns || mt->open & (1u << SLICE_DRAW | 1u << SLICE_RECORD))
			return 0;
		ui->draw_ns = at->ns;
		ui->queued_ns = 0;
		return 0;
	case SLICE_POST:
		if (ui->start_ns)
			ui->queued_ns = at->ns;
		return 0;
	default:
		return 0;
	}
}

void marks_ui_end(struct intake_thread *t, enum slice slice)
{
	struct marks_thread *mt = t->marks;

	if (slice == SLICE_DO_FRAME)
		leave(mt, t);
	if (slice == SLICE_POST)
		mt->ui.queued_ns = 0;
}

/* How likely the frame that is drawn is the thread's; 0: it is not. */
static unsigned likeness(const struct marks_thread *ui, int64_t draw_id)
{
	bool named = draw_id && ui->ui.vsync_id;
	unsigned n = 0;

	if (named && draw_id != ui->ui.vsync_id)
		return 0;
	n += named ? 4 : 0;
	n += ui->ui.queued_ns ? 2 : 0;
	n += ui->open & (1u << SLICE_DRAW | 1u << SLICE_RECORD) ? 1 : 0;
	return n;
}

/* The thread whose frame is drawn; NULL if that can't be said. */
static const struct intake_thread *find_ui(const struct marks_process *p,
					   const struct intake_thread *drawing, int64_t draw_id)
{
	const struct intake_thread *found = NULL;
	unsigned best = 0;

	for (unsigned i = 0; i < p->nr; i++) {
		unsigned n = likeness(p->uis[i]->marks, draw_id);

		if (!n || n < best || p->uis[i] == drawing)
			continue;
		found = n == best ? NULL : p->uis[i];
		best = n;
	}
	return found;
}

int marks_ui_tell(struct intake *in, const struct intake_at *at, struct intake_thread *t)
{
	struct marks_thread *mt = t->marks;
	const struct marks_process *p;
	const struct intake_thread *thread;
	const struct marks_ui *ui;

	p = t->tgid ? idmap_get(&mt->all->processes, t->tgid) : NULL;
	thread = p && !mt->told ? find_ui(p, t, mt->draw_id) : NULL;
	if (!thread)
		return 0;
	ui = &((const struct marks_thread *)thread->marks)->ui;
	mt->told = true;

	struct fs_frame_info rec = {
		.h = { .time_ns = at->ns,
		       .tid = t->tid,
		       .tgid = t->tgid,
		       .kind = FS_KIND_FRAME_INFO,
		       .cpu = at->cpu },
		/* Which window it is for is not known yet, unless there is only one. */
		.object = mt->surfaces ? 0 : t->tid,
		.sync_queued_ns = ui->queued_ns,
		.point = marks_point(SLICE_DRAW_FRAME),
		.part = FS_INFO_UI,
		.layout = FS_LAYOUT_MARKS,
		.count = FS_MARKS_NR,
		.slots = {
			[FS_MARKS_UI_TID] = thread->tid,
			[FS_MARKS_VSYNC_ID] = ui->vsync_id,
			[FS_MARKS_FRAME_START] = (int64_t)ui->start_ns,
			[FS_MARKS_INPUT_START] = (int64_t)ui->input_ns,
			[FS_MARKS_ANIMATION_START] = (int64_t)ui->animation_ns,
			[FS_MARKS_TRAVERSALS_START] = (int64_t)ui->traversals_ns,
			[FS_MARKS_DRAW_START] = (int64_t)ui->draw_ns,
		},
	};

	return intake_emit(in, &rec.h);
}
