/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Stand-in for libEGL: the swaps. */
#include <stddef.h>

#include "standins/standin.h"

STANDIN_LIBRARY

unsigned int eglSwapBuffers(void *display, void *surface);
unsigned int eglSwapBuffersWithDamageKHR(void *display, void *surface, const int *rects, int n);

unsigned int eglSwapBuffers(void *display, void *surface)
{
	return (unsigned int)standin_call(STANDIN_SWAP, display, surface, NULL);
}

unsigned int eglSwapBuffersWithDamageKHR(void *display, void *surface, const int *rects, int n)
{
	(void)rects;
	(void)n;
	return (unsigned int)standin_call(STANDIN_SWAP_DAMAGE, display, surface, NULL);
}
