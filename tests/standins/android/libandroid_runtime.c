// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Stand-in for Android's libandroid_runtime: NativeDisplayEventReceiver::dispatchVsync(), as
 * Android 10 (LAYOUT 16), 11 (17), 12 (22) and later ones have it.
 */
#include "standins/android/link.h"

#define DISPATCH "_ZN7android26NativeDisplayEventReceiver13dispatchVsyncE"

static void dispatch(void *receiver, int64_t timestamp_ns, uint64_t display, uint32_t count,
		     const struct vsync_event_data *data);

static const struct libandroid_runtime functions = { .dispatch_vsync = dispatch };

STANDIN_LINK(struct libandroid_runtime, functions)

#if LAYOUT >= 22
void dispatch_vsync(void *receiver, int64_t timestamp_ns, uint64_t display, uint32_t count,
		    struct vsync_event_data data)
#if LAYOUT == 22
	__asm__(DISPATCH "lNS_17PhysicalDisplayIdEjNS_14VsyncEventDataE");
#else
	__asm__(DISPATCH "lNS_17PhysicalDisplayIdEjNS_3gui14VsyncEventDataE");
#endif

void dispatch_vsync(void *receiver, int64_t timestamp_ns, uint64_t display, uint32_t count,
		    struct vsync_event_data data)
{
	app->dispatch_vsync(receiver, timestamp_ns, display, count, &data);
}

static void dispatch(void *receiver, int64_t timestamp_ns, uint64_t display, uint32_t count,
		     const struct vsync_event_data *data)
{
	dispatch_vsync(receiver, timestamp_ns, display, count, *data);
}
#else
void dispatch_vsync(void *receiver, int64_t timestamp_ns, uint64_t display, uint32_t count)
#if LAYOUT == 17
	__asm__(DISPATCH "lNS_17PhysicalDisplayIdEj");
#else
	__asm__(DISPATCH "lmj");
#endif

void dispatch_vsync(void *receiver, int64_t timestamp_ns, uint64_t display, uint32_t count)
{
	app->dispatch_vsync(receiver, timestamp_ns, display, count, NULL);
}

static void dispatch(void *receiver, int64_t timestamp_ns, uint64_t display, uint32_t count,
		     const struct vsync_event_data *data)
{
	(void)data;
	dispatch_vsync(receiver, timestamp_ns, display, count);
}
#endif
