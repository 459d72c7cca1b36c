/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What the stand-in libraries and the player agree on. A stand-in library exports the probed names
 * of the library whose file name it bears; every call of one is handed to the player, whose script
 * decides what happens inside it.
 */
#ifndef TESTS_STANDIN_H
#define TESTS_STANDIN_H

enum standin_function {
	STANDIN_SWAP, /* eglSwapBuffers(display, surface) */
	STANDIN_SWAP_DAMAGE, /* eglSwapBuffersWithDamageKHR(display, surface, rects, n) */
	STANDIN_PRESENT, /* vkQueuePresentKHR(queue, info) */
	STANDIN_DEQUEUE, /* android::Surface::dequeueBuffer(buffer, fence) */
	STANDIN_QUEUE, /* android::Surface::queueBuffer(buffer, fence) */
	STANDIN_CANCEL, /* android::Surface::cancelBuffer(buffer, fence) */
	STANDIN_QUERY, /* android::Surface::query(what, value) */
	STANDIN_SLOT, /* android::BufferQueueProducer::waitForFreeSlotThenRelock(...) */
	STANDIN_FENCE_WAIT, /* android::Fence::wait(timeout) */
	STANDIN_FENCE_FOREVER, /* android::Fence::waitForever(name) */
};

/* A number among the arguments is handed on as a pointer of that value. */
typedef long (*standin_fn)(enum standin_function which, void *arg0, void *arg1, void *arg2);

/* Every library exports "standin_set" of this type: where its calls go from now on. */
typedef void (*standin_set_fn)(standin_fn fn);

/*
 * Part of every library. The call is no tail call, so that the time inside the callback is the
 * exported function's own.
 */
#define STANDIN_LIBRARY                                                                            \
	void standin_set(standin_fn fn);                                                           \
	static standin_fn standin_target;                                                          \
	void standin_set(standin_fn fn)                                                            \
	{                                                                                          \
		standin_target = fn;                                                               \
	}                                                                                          \
	static long standin_call(enum standin_function which, void *arg0, void *arg1, void *arg2)  \
	{                                                                                          \
		long ret = standin_target ? standin_target(which, arg0, arg1, arg2) : 0;           \
		__asm__ volatile("" ::: "memory");                                                 \
		return ret;                                                                        \
	}

#endif
