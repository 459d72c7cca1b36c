/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Stand-in for Android's libgui: android::Surface's dequeueBuffer and queueBuffer, and query, which
 * framescope does not know of, under the names that the C++ compiler gives them.
 */
#include "standins/standin.h"

STANDIN_LIBRARY

int surface_dequeue(void *surface, void **buffer, int *fence) __asm__(
	"_ZN7android7Surface13dequeueBufferEPP19ANativeWindowBufferPi");
int surface_queue(void *surface, void *buffer,
		  int fence) __asm__("_ZN7android7Surface11queueBufferEP19ANativeWindowBufferi");
int surface_query(const void *surface, int what,
		  int *value) __asm__("_ZNK7android7Surface5queryEiPi");

int surface_dequeue(void *surface, void **buffer, int *fence)
{
	(void)fence;
	return (int)standin_call(STANDIN_DEQUEUE, surface, buffer);
}

int surface_queue(void *surface, void *buffer, int fence)
{
	(void)fence;
	return (int)standin_call(STANDIN_QUEUE, surface, buffer);
}

int surface_query(const void *surface, int what, int *value)
{
	(void)what;
	return (int)standin_call(STANDIN_QUERY, (void *)surface, value);
}
