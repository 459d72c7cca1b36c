/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Stand-in for Android's libgui: what android::Surface does with buffers, its query(), which
 * framescope does not know of, and the wait for a free buffer below dequeueBuffer(), under the
 * names that the C++ compiler gives them.
 */
#include <stdint.h>
#include <stddef.h>

#include "standins/standin.h"

STANDIN_LIBRARY

int surface_dequeue(void *surface, void **buffer, int *fence) __asm__(
	"_ZN7android7Surface13dequeueBufferEPP19ANativeWindowBufferPi");
int surface_queue(void *surface, void *buffer,
		  int fence) __asm__("_ZN7android7Surface11queueBufferEP19ANativeWindowBufferi");
int surface_cancel(void *surface, void *buffer,
		   int fence) __asm__("_ZN7android7Surface12cancelBufferEP19ANativeWindowBufferi");
int surface_query(const void *surface, int what,
		  int *value) __asm__("_ZNK7android7Surface5queryEiPi");
int wait_for_free_slot(const void *producer, int caller, void *lock, int *slot) __asm__(
	"_ZNK7android19BufferQueueProducer25waitForFreeSlotThenRelockENS0_14FreeSlotCallerERNSt3__1"
	"11unique_lockINS2_5mutexEEEPi");

int surface_dequeue(void *surface, void **buffer, int *fence)
{
	return (int)standin_call(STANDIN_DEQUEUE, surface, buffer, fence);
}

int surface_queue(void *surface, void *buffer, int fence)
{
	return (int)standin_call(STANDIN_QUEUE, surface, buffer, (void *)(intptr_t)fence);
}

int surface_cancel(void *surface, void *buffer, int fence)
{
	return (int)standin_call(STANDIN_CANCEL, surface, buffer, (void *)(intptr_t)fence);
}

int surface_query(const void *surface, int what, int *value)
{
	(void)what;
	return (int)standin_call(STANDIN_QUERY, (void *)surface, value, NULL);
}

int wait_for_free_slot(const void *producer, int caller, void *lock, int *slot)
{
	(void)caller;
	return (int)standin_call(STANDIN_SLOT, (void *)producer, lock, slot);
}
