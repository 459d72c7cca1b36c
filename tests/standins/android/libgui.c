// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Stand-in for Android's libgui, the producer's side, as Android 10 (LAYOUT 16), 11 (17), 12 (22),
 * 13 (23), 16 (24) and its second quarterly release (25) have it.
 */
#include "standins/android/link.h"

#define SURFACE "_ZN7android7Surface"

static const struct libgui functions;

STANDIN_LINK(struct libgui, functions)

/* From the second release of Android 16 on with strong pointers, which are one pointer each. */
int surface_dequeue(void *surface, void **buffer, int *fence)
#if LAYOUT >= 25
	__asm__(SURFACE "13dequeueBufferEPNS_2spINS_13GraphicBufferEEEPi");
#else
	__asm__(SURFACE "13dequeueBufferEPP19ANativeWindowBufferPi");
#endif
int surface_hook_dequeue(void *window, void **buffer, int *fence) __asm__(
	SURFACE "18hook_dequeueBufferEP13ANativeWindowPP19ANativeWindowBufferPi");

int surface_dequeue(void *surface, void **buffer, int *fence)
{
	return app->dequeue(surface, buffer, fence);
}

/* Behind it HWUI puts its interceptor. */
int surface_hook_dequeue(void *window, void **buffer, int *fence)
{
	return app->hook_dequeue(window, buffer, fence);
}

#if LAYOUT >= 25
int surface_queue(void *surface, void **buffer, int fence, void *output) __asm__(
	SURFACE "11queueBufferEONS_2spINS_13GraphicBufferEEEiPNS_24SurfaceQueueBufferOutputE");

int surface_queue(void *surface, void **buffer, int fence, void *output)
{
	(void)output;
	return app->queue(surface, *buffer, fence);
}

static int queue(void *surface, void *buffer, int fence)
{
	return surface_queue(surface, &buffer, fence, NULL);
}
#else
int surface_queue(void *surface, void *buffer,
		  int fence) __asm__(SURFACE "11queueBufferEP19ANativeWindowBufferi");

#if LAYOUT >= 24
/* The short one calls the long one. */
int surface_queue_output(void *surface, void *buffer, int fence, void *output) __asm__(
	SURFACE "11queueBufferEP19ANativeWindowBufferiPNS_24SurfaceQueueBufferOutputE");

int surface_queue_output(void *surface, void *buffer, int fence, void *output)
{
	(void)output;
	return app->queue(surface, buffer, fence);
}

int surface_queue(void *surface, void *buffer, int fence)
{
	return surface_queue_output(surface, buffer, fence, NULL);
}
#else
int surface_queue(void *surface, void *buffer, int fence)
{
	return app->queue(surface, buffer, fence);
}
#endif

static int queue(void *surface, void *buffer, int fence)
{
	return surface_queue(surface, buffer, fence);
}
#endif

#if LAYOUT >= 23
int surface_set_timeline(void *surface, uint64_t frame_number, const void *info)
#if LAYOUT == 23
	__asm__(SURFACE "20setFrameTimelineInfoEmRKNS_17FrameTimelineInfoE");
#else
	__asm__(SURFACE "20setFrameTimelineInfoEmRKNS_3gui17FrameTimelineInfoE");
#endif

int surface_set_timeline(void *surface, uint64_t frame_number, const void *info)
{
	return app->set_timeline(surface, frame_number, info);
}
#elif LAYOUT == 22
/* Android 12 is not told the frame's number. */
int surface_set_timeline_12(void *surface, const void *info) __asm__(
	SURFACE "20setFrameTimelineInfoERKNS_17FrameTimelineInfoE");

int surface_set_timeline_12(void *surface, const void *info)
{
	return app->set_timeline(surface, 0, info);
}

static int surface_set_timeline(void *surface, uint64_t frame_number, const void *info)
{
	(void)frame_number;
	return surface_set_timeline_12(surface, info);
}
#endif

int wait_for_free_slot(const void *producer, int caller, void *lock, int *slot) __asm__(
	"_ZNK7android19BufferQueueProducer25waitForFreeSlotThenRelockENS0_14FreeSlotCallerERNSt3__1"
	"11unique_lockINS2_5mutexEEEPi");

int wait_for_free_slot(const void *producer, int caller, void *lock, int *slot)
{
	return app->wait_for_free_slot(producer, caller, lock, slot);
}

#if LAYOUT >= 17
int handle_event(void *dispatcher, int fd, int events,
		 void *data) __asm__("_ZN7android22DisplayEventDispatcher11handleEventEiiPv");

int handle_event(void *dispatcher, int fd, int events, void *data)
{
	return app->handle_event(dispatcher, fd, events, data);
}
#endif

#if LAYOUT >= 22
#define RELEASE                                                                                    \
	"_ZN7android16BLASTBufferQueue21releaseBufferCallbackERKNS_17ReleaseCallbackIdE"           \
	"RKNS_2spINS_5FenceEEE"

void release_buffer(void *queue, const struct release_callback_id *id, const void *fence,
		    uint64_t max_acquired)
#if LAYOUT == 22
	__asm__(RELEASE "jj");
#else
	__asm__(RELEASE "NSt3__18optionalIjEE");
#endif

void release_buffer(void *queue_of, const struct release_callback_id *id, const void *fence,
		    uint64_t max_acquired)
{
	app->release(queue_of, id, fence, max_acquired);
}
#endif

static const struct libgui functions = {
#if LAYOUT >= 17
	.handle_event = handle_event,
#endif
	.dequeue = surface_dequeue,
	.hook_dequeue = surface_hook_dequeue,
	.queue = queue,
	.wait_for_free_slot = wait_for_free_slot,
#if LAYOUT >= 22
	.set_timeline = surface_set_timeline,
	.release = release_buffer,
#endif
};
