/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Stand-in for Android's libgui: android::Surface's dequeueBuffer and queueBuffer, under the names
 * that the C++ compiler gives them.
 */
#include "standins/standin.h"

STANDIN_LIBRARY

int surface_dequeue(void *surface, void **buffer, int *fence) __asm__(
	"_ZN7android7Surface13dequeueBufferEPP19ANativeWindowBufferPi");
int surface_queue(void *surface, void *buffer,
		  int fence) __asm__("_ZN7android7Surface11queueBufferEP19ANativeWindowBufferi");

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
