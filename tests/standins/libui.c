/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Stand-in for Android's libui: the waits of android::Fence, by the names that C++ gives them. */
#include <stdint.h>
#include <stddef.h>

#include "standins/standin.h"

STANDIN_LIBRARY

int fence_wait(void *fence, int timeout_ms) __asm__("_ZN7android5Fence4waitEi");
int fence_wait_forever(void *fence, const char *name) __asm__("_ZN7android5Fence11waitForeverEPKc");

int fence_wait(void *fence, int timeout_ms)
{
	return (int)standin_call(STANDIN_FENCE_WAIT, fence, (void *)(intptr_t)timeout_ms, NULL);
}

int fence_wait_forever(void *fence, const char *name)
{
	return (int)standin_call(STANDIN_FENCE_FOREVER, fence, (void *)name, NULL);
}
