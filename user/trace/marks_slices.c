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

static const char do_frame[] = "Choreographer#doFrame";
static const char resynced[] = "Choreographer#doFrame - resynced to ";
static const char of_surface[] = "dequeueBuffer - ";

/* Slices with a name of their own; blanks and more may follow. */
static const struct {
	const char *word;
	enum slice slice;
} words[] = {
	{ do_frame, SLICE_DO_FRAME },
	{ "Record View#draw()", SLICE_RECORD },
	{ "DrawFrames", SLICE_DRAW_FRAME },
	{ "DrawFrame", SLICE_DRAW_FRAME },
	{ "syncFrameState", SLICE_SYNC },
	{ "postAndWait", SLICE_POST },
	{ "dequeueBuffer", SLICE_DEQUEUE },
	{ "queueBuffer", SLICE_QUEUE },
	{ "vkQueuePresentKHR", SLICE_PRESENT },
	{ "QueuePresentKHR", SLICE_PRESENT },
	{ "waiting for free buffer", SLICE_SLOT },
	{ "waiting for GPU completion", SLICE_GPU_DONE },
	{ "waiting for HWC release", SLICE_HWC_DONE },
	{ "sync_wait", SLICE_SYNC_WAIT },
};

static bool begins(const char *name, size_t len, const char *start)
{
	size_t n = strlen(start);

	return len >= n && !memcmp(name, start, n);
}

static bool is(const char *name, size_t len, const char *word)
{
	return len == strlen(word) && !memcmp(name, word, len);
}

const struct slice_kind *slice_kind(enum slice slice)
{
	return &kinds[slice];
}

/* Those that nothing may follow: other slices begin with the same words. */
static enum slice exact(const char *name, size_t len)
{
	if (is(name, len, "input"))
		return SLICE_INPUT;
	if (is(name, len, "animation"))
		return SLICE_ANIMATION;
	if (is(name, len, "traversal"))
		return SLICE_TRAVERSAL;
	if (is(name, len, "draw") || begins(name, len, "draw-"))
		return SLICE_DRAW;
	return SLICE_OTHER;
}

enum slice slice_of(const char *name, size_t len)
{
	static const char first[] = "CRDspdqvQweiat";

	/* Most names begin with none of these. */
	if (!len || !memchr(first, name[0], sizeof(first) - 1))
		return SLICE_OTHER;
	if (begins(name, len, resynced))
		return SLICE_RESYNCED;
	if (begins(name, len, "eglSwapBuffers"))
		return SLICE_SWAP;
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		if (mark_name_is(name, len, words[i].word))
			return words[i].slice;
	}
	return exact(name, len);
}

int64_t slice_vsync_id(enum slice slice, const char *name, size_t len)
{
	const char *blank;

	if (slice == SLICE_RESYNCED)
		return mark_number(name, len, sizeof(resynced) - 1);
	if (slice == SLICE_DO_FRAME)
		return mark_number(name, len, sizeof(do_frame));
	blank = memchr(name, ' ', len);
	return blank ? mark_number(name, len, (size_t)(blank - name) + 1) : 0;
}

const char *slice_surface(const char *name, size_t len, size_t *surface_len)
{
	size_t skip = sizeof(of_surface) - 1;

	if (!begins(name, len, of_surface) || len == skip)
		return NULL;
	*surface_len = len - skip;
	return name + skip;
}
