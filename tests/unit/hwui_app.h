/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A process with HWUI whose calls are made by hand: what one of its frames does, and its messages.
 */
#ifndef TESTS_UNIT_HWUI_APP_H
#define TESTS_UNIT_HWUI_APP_H

#include <string.h>

#include "events.h"
#include "model/thread.h"

#define UI TID
#define RT (TID + 1)
#define CALLBACK (TID + 2)
#define TRACKER 0xb400007000
#define CONTEXT 0xb400008000
#define WINDOW 0x9000

/* What one frame did, in times after its intended vsync; a layout of 23 slots. */
struct script {
	uint64_t vsync;
	int64_t id;
	int64_t flags;
	uint64_t number;
	uint64_t lock_from, lock_to; /* the UI thread waits for a lock */
	uint64_t slot_from, slot_to; /* the RenderThread does, inside the dequeue */
	bool no_queue, no_finish, no_after, no_ui;
	uint64_t moved_deadline;
	uint64_t window, tracker, context; /* if not the usual ones */
};

/* Sequence numbers of the threads. */
static struct {
	uint32_t off[3], span[3];
} seq;

static struct message messages[16];
static unsigned nr_messages;

static inline void on_message(void *ctx, const struct message *m)
{
	(void)ctx;
	if (nr_messages < 16)
		messages[nr_messages++] = *m;
}

static inline void begin(struct world *w)
{
	const struct model_sink sink = {
		.frame = world_frame, .fence_wait = world_wait, .message = on_message, .ctx = w
	};

	memset(&seq, 0, sizeof(seq));
	nr_messages = 0;
	*w = (struct world){ 0 };
	w->model = model_new(&sink);
	CLOCK(w, START, 1000);
	for (uint32_t role = 0; role < FS_ROLE_NR; role++)
		FEED(w, POINT, fs_point, .id = role, .role = role);
	for (uint32_t tid = UI; tid <= CALLBACK; tid++)
		TASK(w, SEEN, 1000, .h.tid = tid, .comm = "app");
}

static inline void call(struct world *w, uint32_t tid, enum fs_role role, uint64_t entry,
			uint64_t exit, uint32_t depth, uint64_t arg0, uint64_t arg1, uint64_t arg3)
{
	CALL(w, role, ++seq.span[tid - UI], entry, exit, .h.tid = tid, .depth = depth,
	     .args = { arg0, arg1, 0, arg3 }, .off_seq = seq.off[tid - UI]);
}

static inline void off(struct world *w, uint32_t tid, uint64_t from, uint64_t wake, uint64_t to)
{
	LOCK(w, ++seq.off[tid - UI], from, wake, to, .h.tid = tid);
}

static inline void info(struct world *w, const struct script *s, enum fs_info_part part,
			uint64_t at, uint64_t deadline)
{
	uint64_t v = s->vsync;
	uint32_t tid = part == FS_INFO_UI ? RT : CALLBACK;
	const int64_t slots[] = {
		s->flags,  s->id,    v,       v,         0,         v + 1000, v + 2000, v + 3000,
		v + 4000,  deadline, v + 500, 16000,     v + 5000,  v + 6000, v + 8000, v + 9000,
		v + 15000, 1,        1,       v + 15000, v + 10000, 929,      v + 9500,
	};
	struct fs_frame_info rec = {
		.h = { .time_ns = at, .tid = tid },
		.object = part == FS_INFO_UI ? (s->context ? s->context : CONTEXT)
					     : (s->tracker ? s->tracker : TRACKER),
		.frame_number = part == FS_INFO_UI ? 0 : s->number,
		.sync_queued_ns = part == FS_INFO_UI ? v + 5000 : 0,
		.part = (__u16)part,
		.layout = 23,
		.count = FS_FRAME_SLOTS,
		.flags = part == FS_INFO_WHOLE && !s->no_after ? FS_INFO_FOLLOWED : 0,
	};

	memcpy(rec.slots, slots, sizeof(slots));
	if (s->flags & FRAME_FLAG_RT_ANIMATION) {
		for (unsigned i = 5; i <= 8; i++)
			rec.slots[i] = (int64_t)v;
	}
	feed(w, &rec.h, FS_KIND_FRAME_INFO, sizeof(rec));
}

/* Up to the return of the RenderThread's call, at vsync + 11000. */
static inline void draw(struct world *w, const struct script *s)
{
	uint64_t v = s->vsync, window = s->window ? s->window : WINDOW;

	if (s->lock_to)
		off(w, UI, v + s->lock_from, v + s->lock_to - 10, v + s->lock_to);
	info(w, s, FS_INFO_UI, v + 5900, v + 16000);
	if (s->slot_to)
		off(w, RT, v + s->slot_from, v + s->slot_to - 10, v + s->slot_to);
	call(w, RT, FS_ROLE_DEQUEUE, v + 6500, v + 7500, 3, window, 0, 0);
	call(w, RT, FS_ROLE_FRAME_UI, v + 5900, v + 7600, 2, CONTEXT, 0, 0);
	call(w, RT, FS_ROLE_SYNC_STATE, v + 5800, v + 7700, 1, 0, 0, 0);
	call(w, RT, FS_ROLE_UI_RELEASE, v + 7750, v + 7760, 1, 0, 0, 0);
	if (!s->no_ui)
		call(w, UI, FS_ROLE_UI_SYNC, v + 4900, v + 7800, 0, 0, 0, 0);
	call(w, RT, FS_ROLE_FRAME_TIMELINE, v + 8100, v + 8110, 1, window, s->number,
	     (uint64_t)s->id);
	if (!s->no_queue)
		call(w, RT, FS_ROLE_QUEUE, v + 9100, v + 9900, 1, window, 0, 0);
	call(w, RT, FS_ROLE_RENDER_FRAME, v + 5700, v + 11000, 0, 0, 0, 0);
}

static inline void finish(struct world *w, const struct script *s)
{
	uint64_t v = s->vsync;

	if (s->no_finish)
		return;
	info(w, s, FS_INFO_WHOLE, v + 15100, v + 16000);
	if (!s->no_after)
		info(w, s, FS_INFO_AFTER, v + 15200,
		     s->moved_deadline ? v + s->moved_deadline : v + 16000);
}

static inline void frame(struct world *w, const struct script *s)
{
	draw(w, s);
	finish(w, s);
}

/* Some frames, then the end. Those of which the first is cut by the capture's beginning are left.
 */
static inline void end(struct world *w, uint64_t stop)
{
	world_stop(w, stop);
	for (size_t i = 0; i < w->nr; i++)
		CU_ASSERT_TRUE(frame_is_sound(&w->frames[i]));
}

#endif
