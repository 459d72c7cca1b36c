/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The names are those of Choreographer, ViewRootImpl and ThreadedRenderer (Java), of libs/hwui, and
 * of Surface, BufferQueue, EGL and Vulkan (ATRACE_CALL: the function's name) in Android 8 to 16.
 */
#include "trace/marks_slices.h"

#include <string.h>

#include "trace/marks_text.h"

#define BIT(slice) (1u << SLICE_##slice)
#define ENDS (BIT(SWAP) | BIT(PRESENT))
#define BUFFERS (BIT(DEQUEUE) | BIT(QUEUE) | BIT(SLOT))

/*
 * A dequeue may be inside another: that of Surface calls that of BufferQueueProducer. The same
 * holds for queues.
 */
static const struct slice_kind kinds[] = {
	[SLICE_OTHER] = { 0 },
	[SLICE_DO_FRAME] = { "Choreographer#doFrame", FS_ROLE_SPAN,
			     BIT(DO_FRAME) | BIT(POST) | BUFFERS | ENDS },
	[SLICE_RESYNCED] = { 0 },
	[SLICE_INPUT] = { 0 },
	[SLICE_ANIMATION] = { 0 },
	[SLICE_TRAVERSAL] = { 0 },
	[SLICE_DRAW] = { 0 },
	[SLICE_RECORD] = { 0 },
	[SLICE_POST] = { "postAndWait", FS_ROLE_UI_SYNC, BIT(POST) },
	[SLICE_DRAW_FRAME] = { "DrawFrame", FS_ROLE_RENDER_FRAME,
			       BIT(DRAW_FRAME) | BIT(SYNC) | BUFFERS | ENDS },
	[SLICE_SYNC] = { "syncFrameState", FS_ROLE_SYNC_STATE, BIT(SYNC) | BUFFERS | ENDS },
	[SLICE_DEQUEUE] = { "dequeueBuffer", FS_ROLE_DEQUEUE, BIT(QUEUE) | BIT(SLOT) },
	[SLICE_QUEUE] = { "queueBuffer", FS_ROLE_QUEUE, BIT(DEQUEUE) | BIT(SLOT) | BIT(SYNC) },
	[SLICE_SWAP] = { "eglSwapBuffers", FS_ROLE_SWAP, BUFFERS | BIT(SYNC) },
	[SLICE_PRESENT] = { "vkQueuePresentKHR", FS_ROLE_PRESENT, BUFFERS | BIT(SYNC) },
	[SLICE_SLOT] = { "waiting for free buffer", FS_ROLE_SLOT, BIT(SLOT) | BIT(QUEUE) },
	[SLICE_GPU_DONE] = { "waiting for GPU completion", FS_ROLE_FENCE_WAIT,
			     BIT(GPU_DONE) | BIT(HWC_DONE) },
	[SLICE_HWC_DONE] = { "waiting for HWC release", FS_ROLE_FENCE_WAIT,
			     BIT(GPU_DONE) | BIT(HWC_DONE) },
	[SLICE_SYNC_WAIT] = { "sync_wait", FS_ROLE_FENCE_WAIT, BIT(SYNC_WAIT) },
};
_Static_assert(sizeof(kinds) / sizeof(*kinds) == SLICE_NR, "one for every slice");

#define DO_FRAME "Choreographer#doFrame"
#define RESYNCED "Choreographer#doFrame - resynced to "

static const char of_surface[] = "dequeueBuffer - ";

/* A name, or what one begins with. */
struct word {
	const char *text;
	enum slice slice;
	enum { ALONE, FOLLOWED, BEGINS } rest; /* nothing, a blank, anything may follow; or less */
	size_t len;
};

#define WORD(word, kind, rest)                                                                     \
	{                                                                                          \
		word, SLICE_##kind, rest, sizeof(word) - 1                                         \
	}

/*
 * In the order of their first letters. Of what another name begins with, the longer is first. Those
 * that nothing may follow are so because other slices begin with the same words.
 */
static const struct word words[] = {
	WORD(RESYNCED, RESYNCED, BEGINS),
	WORD(DO_FRAME, DO_FRAME, FOLLOWED),
	WORD("DrawFrames", DRAW_FRAME, FOLLOWED),
	WORD("DrawFrame", DRAW_FRAME, FOLLOWED),
	WORD("QueuePresentKHR", PRESENT, FOLLOWED),
	WORD("Record View#draw()", RECORD, FOLLOWED),
	WORD("animation", ANIMATION, ALONE),
	WORD("dequeueBuffer", DEQUEUE, FOLLOWED),
	WORD("draw", DRAW, ALONE),
	WORD("draw-", DRAW, BEGINS),
	WORD("eglSwapBuffers", SWAP, BEGINS),
	WORD("input", INPUT, ALONE),
	WORD("postAndWait", POST, FOLLOWED),
	WORD("queueBuffer", QUEUE, FOLLOWED),
	WORD("syncFrameState", SYNC, FOLLOWED),
	WORD("sync_wait", SYNC_WAIT, FOLLOWED),
	WORD("traversal", TRAVERSAL, ALONE),
	WORD("vkQueuePresentKHR", PRESENT, FOLLOWED),
	WORD("waiting for GPU completion", GPU_DONE, FOLLOWED),
	WORD("waiting for HWC release", HWC_DONE, FOLLOWED),
	WORD("waiting for free buffer", SLOT, FOLLOWED),
};

const struct slice_kind *slice_kind(enum slice slice)
{
	return &kinds[slice];
}

static bool is_word(const struct word *w, const char *name, size_t len)
{
	if (len < w->len || memcmp(name, w->text, w->len) != 0)
		return false;
	return len == w->len || w->rest == BEGINS || (w->rest == FOLLOWED && name[w->len] == ' ');
}

enum slice slice_of(const char *name, size_t len)
{
	const struct word *w = words, *end = words + sizeof(words) / sizeof(*words);

	if (!len)
		return SLICE_OTHER;
	while (w < end && w->text[0] < name[0])
		w++;
	for (; w < end && w->text[0] == name[0]; w++) {
		if (is_word(w, name, len))
			return w->slice;
	}
	return SLICE_OTHER;
}

int64_t slice_vsync_id(enum slice slice, const char *name, size_t len)
{
	const char *blank;

	if (slice == SLICE_RESYNCED)
		return mark_number(name, len, sizeof(RESYNCED) - 1);
	if (slice == SLICE_DO_FRAME)
		return mark_number(name, len, sizeof(DO_FRAME));
	blank = memchr(name, ' ', len);
	return blank ? mark_number(name, len, (size_t)(blank - name) + 1) : 0;
}

const char *slice_surface(const char *name, size_t len, size_t *surface_len)
{
	size_t skip = sizeof(of_surface) - 1;

	if (len <= skip || memcmp(name, of_surface, skip) != 0)
		return NULL;
	*surface_len = len - skip;
	return name + skip;
}
