/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The built-in probe points.
 *
 * A point is one function in every form that it has had, for a C++ name says the arguments too.
 * Where a release is named, the form was read in its sources; a form with '*' is for those to come.
 * Whether a library has a form says more than the release that it claims to be: vendors mix them.
 *
 * Left out on purpose are the hook_* entries of libgui: since Android 11 HWUI puts an interceptor
 * behind them, so that hook_dequeueBuffer is called about twice per frame and one of the calls
 * waits for nothing.
 */
#include "probe/catalogue.h"

#include <stddef.h>

#include <framescope/state.h>

#define SURFACE "_ZN7android7Surface"
#define BBQ_SURFACE "_ZN7android10BBQSurface"
#define BLAST "_ZN7android16BLASTBufferQueue"
#define HWUI "_ZN7android10uirenderer"
#define RENDER_THREAD HWUI "12renderthread"
#define EVENTS "_ZN7android22DisplayEventDispatcher"
#define RECEIVER "_ZN7android26NativeDisplayEventReceiver"
#define TRACING "_ZN16tracing_perfetto"

#define DETAIL(n) ((uint64_t)(n) << FS_COOKIE_DETAIL_SHIFT)
/* The vsync id of gui::FrameTimelineInfo, a parcelable, is behind a pointer to its functions; */
#define PARCELABLE DETAIL(8)
/* the older FrameTimelineInfo begins with it. */
#define PLAIN DETAIL(0)
#define MARK(letter) DETAIL(letter)

/* clang-format off */
const struct point_spec catalogue[] = {
	{
		.name = "egl.swap", .lib = "libEGL.so", .role = FS_ROLE_SWAP,
		.loss = "the frames of programs that draw with EGL",
		.forms = {
			{ "eglSwapBuffers", NULL, 0 },
			{ "eglSwapBuffersWithDamageKHR", NULL, 0 },
			{ "eglSwapBuffersWithDamageEXT", NULL, 0 },
		},
	},
	{
		.name = "vulkan.present", .lib = "libvulkan.so", .role = FS_ROLE_PRESENT,
		.loss = "the frames of programs that draw with Vulkan",
		.forms = { { "vkQueuePresentKHR", NULL, 0 } },
	},
	{
		.name = "gui.dequeue", .lib = "libgui.so", .role = FS_ROLE_DEQUEUE,
		.loss = "how long a frame waits for its buffer, and for that buffer's fence",
		.forms = {
			{ SURFACE "13dequeueBufferEPP19ANativeWindowBufferPi", "8 to 16 QPR1", 0 },
			{ SURFACE "13dequeueBufferEPNS_2spINS_13GraphicBufferEEEPi", "16 QPR2+", 0 },
		},
	},
	{
		/* On Android 15 and 16 the short one calls the long one: one span in the other. */
		.name = "gui.queue", .lib = "libgui.so", .role = FS_ROLE_QUEUE,
		.loss = "when a frame's buffer is handed on, and its fence",
		.forms = {
			{ SURFACE "11queueBufferEP19ANativeWindowBufferi", "8 to 16 QPR1", 0 },
			{ SURFACE "11queueBufferEP19ANativeWindowBufferi"
				  "PNS_24SurfaceQueueBufferOutputE", "15, 16", 0 },
			{ SURFACE "11queueBufferEONS_2spINS_13GraphicBufferEEEi"
				  "PNS_24SurfaceQueueBufferOutputE", "16 QPR2+",
			  FS_COOKIE_BY_REFERENCE },
		},
	},
	{
		/* Waits on a condition variable for a free buffer, and only that. */
		.name = "gui.wait_for_slot", .lib = "libgui.so", .role = FS_ROLE_SLOT,
		.optional = true,
		.loss = "which part of the wait for a buffer was for one to be free",
		.forms = {
			{ "_ZNK7android19BufferQueueProducer25waitForFreeSlotThenRelock"
			  "ENS0_14FreeSlotCallerERNSt3__111unique_lockINS2_5mutexEEEPi", "10+", 0 },
			{ "_ZNK7android19BufferQueueProducer25waitForFreeSlotThenRelockE*",
			  "9, and later ones", 0 },
		},
	},
	{
		.name = "gui.cancel", .lib = "libgui.so", .role = FS_ROLE_CANCEL,
		.optional = true,
		.loss = "buffers that are given back undrawn",
		.forms = {
			{ SURFACE "12cancelBufferEP19ANativeWindowBufferi", "8 to 16 QPR1", 0 },
			{ SURFACE "12cancelBufferEONS_2spINS_13GraphicBufferEEEi", "16 QPR2+",
			  FS_COOKIE_BY_REFERENCE },
		},
	},
	{
		.name = "gui.frame_timeline", .lib = "libgui.so", .role = FS_ROLE_FRAME_TIMELINE,
		.optional = true,
		.loss = "which vsync a buffer was drawn for",
		.forms = {
			{ SURFACE "20setFrameTimelineInfoERKNS_17FrameTimelineInfoE", "12", PLAIN },
			{ SURFACE "20setFrameTimelineInfoEmRKNS_17FrameTimelineInfoE", "13",
			  FS_COOKIE_NUMBERED | PLAIN },
			{ SURFACE "20setFrameTimelineInfoEmRKNS_3gui17FrameTimelineInfoE", "14+",
			  FS_COOKIE_NUMBERED | PARCELABLE },
		},
	},
	{
		/* The same of the surfaces that an app draws to since BLAST: it overrides it. */
		.name = "gui.blast_timeline", .lib = "libgui.so", .role = FS_ROLE_FRAME_TIMELINE,
		.optional = true,
		.loss = "which vsync a buffer of a BLAST queue was drawn for",
		.forms = {
			{ BBQ_SURFACE "20setFrameTimelineInfoERKNS_17FrameTimelineInfoE", "12",
			  PLAIN },
			{ BBQ_SURFACE "20setFrameTimelineInfoEmRKNS_17FrameTimelineInfoE", "13",
			  FS_COOKIE_NUMBERED | PLAIN },
			{ BBQ_SURFACE "20setFrameTimelineInfoEmRKNS_3gui17FrameTimelineInfoE", "14+",
			  FS_COOKIE_NUMBERED | PARCELABLE },
		},
	},
	{
		/* ReleaseCallbackId is a parcelable too: buffer id at 8, frame number at 16. */
		.name = "gui.release", .lib = "libgui.so", .role = FS_ROLE_RELEASED,
		.optional = true,
		.loss = "when the display gives a buffer back",
		.forms = {
			{ BLAST "21releaseBufferCallbackERKNS_17ReleaseCallbackId"
				"ERKNS_2spINS_5FenceEEEjj", "12, 12L", PARCELABLE },
			{ BLAST "21releaseBufferCallbackERKNS_17ReleaseCallbackId"
				"ERKNS_2spINS_5FenceEEENSt3__18optionalIjEE", "13+", PARCELABLE },
		},
	},
	{
		.name = "gui.vsync", .lib = "libgui.so", .role = FS_ROLE_VSYNC,
		.optional = true,
		.loss = "vsyncs of threads with a native choreographer",
		.forms = {
			{ "_ZN7android13Choreographer13dispatchVsyncElNS_17PhysicalDisplayIdEj"
			  "NS_3gui14VsyncEventDataE", "13+", 0 },
			{ "_ZN7android13Choreographer13dispatchVsyncEl*", "later ones", 0 },
		},
	},
	{
		.name = "gui.vsync_read", .lib = "libgui.so", .role = FS_ROLE_VSYNC,
		.optional = true,
		.loss = "when a thread reads that there was a vsync",
		.forms = {
			{ EVENTS "20processPendingEventsEPlPNS_17PhysicalDisplayIdEPj", "11",
			  FS_COOKIE_BY_REFERENCE },
			{ EVENTS "20processPendingEventsEPlPNS_17PhysicalDisplayIdEPj"
				 "PNS_14VsyncEventDataE", "12", FS_COOKIE_BY_REFERENCE },
			{ EVENTS "20processPendingEventsEPlPNS_17PhysicalDisplayIdEPj"
				 "PNS_3gui14VsyncEventDataE", "13", FS_COOKIE_BY_REFERENCE },
			{ EVENTS "20processPendingEventsEPl*", "later ones",
			  FS_COOKIE_BY_REFERENCE },
		},
	},
	{
		.name = "gui.display_event", .lib = "libgui.so", .role = FS_ROLE_SPAN,
		.optional = true,
		.loss = "how long a thread handles what the display tells it",
		.forms = { { EVENTS "11handleEventEiiPv", "11+", 0 } },
	},
	{
		/* Both call sync_wait(). */
		.name = "ui.fence_wait", .lib = "libui.so", .role = FS_ROLE_FENCE_WAIT,
		.loss = "what a wait for a fence is for",
		.forms = {
			{ "_ZN7android5Fence4waitEi", "8+", FS_COOKIE_BY_REFERENCE },
			{ "_ZN7android5Fence11waitForeverEPKc", "8+",
			  FS_COOKIE_BY_REFERENCE | FS_COOKIE_NAMED },
		},
	},
	{
		.name = "sync.wait", .lib = "libsync.so", .role = FS_ROLE_FENCE_WAIT,
		.loss = "waits for fences that are over before they block",
		.forms = { { "sync_wait", NULL, 0 } },
	},
	{
		/*
		 * What is called with the finished frame. finishFrame() calls the fallback of 12
		 * and later first and may move the deadline after that.
		 */
		.name = "hwui.finish_frame", .lib = "libhwui.so", .role = FS_ROLE_FRAME_INFO,
		.exclusive = true,
		.loss = "stages, deadlines and jank of the frames of apps",
		.forms = {
			{ HWUI "11JankTracker11finishFrameERNS0_9FrameInfoERNSt3__110unique_ptr"
			       "INS0_20FrameMetricsReporterENS4_14default_deleteIS6_EEEEli",
			  "12 to 15", FS_COOKIE_NUMBERED },
			{ HWUI "11JankTracker11finishFrameERKNS0_9FrameInfoE", "9 to 11", 0 },
			{ HWUI "11JankTracker11finishFrameE*", "later ones", FS_COOKIE_NUMBERED },
			{ HWUI "11JankTracker19calculateLegacyJankERNS0_9FrameInfoE",
			  "12+, as a fallback", FS_COOKIE_BEFORE_ONLY },
			{ HWUI "11JankTracker8addFrameERKNS0_9FrameInfoE", "8", 0 },
		},
	},
	{
		.name = "hwui.prepare_tree", .lib = "libhwui.so", .role = FS_ROLE_FRAME_UI,
		.optional = true,
		.loss = "the UI thread's stages of frames that are not finished",
		.forms = {
			{ RENDER_THREAD "13CanvasContext11prepareTreeERNS0_8TreeInfoEPll"
					"PNS0_10RenderNodeE", "8+", 0 },
			{ RENDER_THREAD "13CanvasContext11prepareTreeERNS0_8TreeInfoEPll*",
			  "later ones", 0 },
		},
	},
	{
		.name = "hwui.sync_and_draw", .lib = "libhwui.so", .role = FS_ROLE_UI_SYNC,
		.loss = "how long the UI thread is at handing a frame to the RenderThread",
		.forms = { { RENDER_THREAD "11RenderProxy16syncAndDrawFrameEv", "8+", 0 } },
	},
	{
		.name = "hwui.post_and_wait", .lib = "libhwui.so", .role = FS_ROLE_UI_SYNC,
		.optional = true,
		.loss = "which part of the UI thread's sync is the wait for the RenderThread",
		.forms = { { RENDER_THREAD "13DrawFrameTask11postAndWaitEv", "8+", 0 } },
	},
	{
		.name = "hwui.draw_frame", .lib = "libhwui.so", .role = FS_ROLE_RENDER_FRAME,
		.loss = "what the RenderThread does of a frame",
		.forms = { { RENDER_THREAD "13DrawFrameTask3runEv", "8+", 0 } },
	},
	{
		.name = "hwui.prepare_and_draw", .lib = "libhwui.so", .role = FS_ROLE_RENDER_FRAME,
		.optional = true,
		.loss = "frames that the RenderThread makes without the UI thread",
		.forms = {
			{ RENDER_THREAD "13CanvasContext14prepareAndDrawEPNS0_10RenderNodeE", "8+",
			  0 },
			{ RENDER_THREAD "13CanvasContext14prepareAndDrawE*", "later ones", 0 },
		},
	},
	{
		.name = "hwui.sync_state", .lib = "libhwui.so", .role = FS_ROLE_SYNC_STATE,
		.optional = true,
		.loss = "which part of the sync is the wait for a buffer",
		.forms = {
			{ RENDER_THREAD "13DrawFrameTask14syncFrameStateERNS0_8TreeInfoE", "8+", 0 },
			{ RENDER_THREAD "13DrawFrameTask14syncFrameStateE*", "later ones", 0 },
		},
	},
	{
		.name = "hwui.unblock_ui", .lib = "libhwui.so", .role = FS_ROLE_UI_RELEASE,
		.optional = true,
		.loss = "when the RenderThread lets the UI thread go on",
		.forms = { { RENDER_THREAD "13DrawFrameTask15unblockUiThreadEv", "8+", 0 } },
	},
	{
		.name = "runtime.vsync", .lib = "libandroid_runtime.so", .role = FS_ROLE_VSYNC,
		.loss = "vsyncs of UI threads",
		.forms = {
			{ RECEIVER "13dispatchVsyncElNS_17PhysicalDisplayIdEj", "11", 0 },
			{ RECEIVER "13dispatchVsyncElNS_17PhysicalDisplayIdEjNS_14VsyncEventDataE",
			  "12", 0 },
			{ RECEIVER "13dispatchVsyncElNS_17PhysicalDisplayIdEj"
				   "NS_3gui14VsyncEventDataE", "13+", 0 },
			{ RECEIVER "13dispatchVsyncEl*", "8 to 10, and later ones", 0 },
		},
	},
	{
		.name = "utils.poll", .lib = "libutils.so", .role = FS_ROLE_POLL,
		.optional = true,
		.loss = "when a UI thread has nothing to do",
		.forms = { { "_ZN7android6Looper8pollOnceEiPiS1_PPv", "8+", 0 } },
	},
	{
		.name = "atrace.begin", .lib = "libcutils.so", .role = FS_ROLE_MARKER,
		.optional = true, .loss = "slices",
		.forms = { { "atrace_begin_body", "8+", MARK('B') } },
	},
	{
		.name = "atrace.end", .lib = "libcutils.so", .role = FS_ROLE_MARKER,
		.optional = true, .loss = "the ends of slices",
		.forms = { { "atrace_end_body", "8+", MARK('E') } },
	},
	{
		.name = "atrace.async_begin", .lib = "libcutils.so", .role = FS_ROLE_MARKER,
		.optional = true, .loss = "asynchronous slices",
		.forms = { { "atrace_async_begin_body", "8+", MARK('S') } },
	},
	{
		.name = "atrace.async_end", .lib = "libcutils.so", .role = FS_ROLE_MARKER,
		.optional = true, .loss = "the ends of asynchronous slices",
		.forms = { { "atrace_async_end_body", "8+", MARK('F') } },
	},
	{
		.name = "atrace.track_begin", .lib = "libcutils.so", .role = FS_ROLE_MARKER,
		.optional = true, .loss = "slices on tracks",
		.forms = { { "atrace_async_for_track_begin_body", "14+", MARK('G') } },
	},
	{
		.name = "atrace.track_end", .lib = "libcutils.so", .role = FS_ROLE_MARKER,
		.optional = true, .loss = "the ends of slices on tracks",
		.forms = { { "atrace_async_for_track_end_body", "14+", MARK('H') } },
	},
	{
		.name = "atrace.instant", .lib = "libcutils.so", .role = FS_ROLE_MARKER,
		.optional = true, .loss = "instants",
		.forms = { { "atrace_instant_body", "14+", MARK('I') } },
	},
	{
		.name = "atrace.track_instant", .lib = "libcutils.so", .role = FS_ROLE_MARKER,
		.optional = true, .loss = "instants on tracks",
		.forms = { { "atrace_instant_for_track_body", "14+", MARK('N') } },
	},
	{
		.name = "atrace.counter", .lib = "libcutils.so", .role = FS_ROLE_MARKER,
		.optional = true, .loss = "counters",
		.forms = {
			{ "atrace_int_body", "8+", MARK('C') },
			{ "atrace_int64_body", "8+", MARK('C') | FS_COOKIE_NUMBERED },
		},
	},
	{
		.name = "perfetto.begin", .lib = "libtracing_perfetto.so", .role = FS_ROLE_MARKER,
		.optional = true, .loss = "slices of Java and of the compositor",
		.forms = {
			{ TRACING "10traceBeginEmPKc", "15+", FS_COOKIE_NAMED | MARK('B') },
			{ TRACING "16traceFormatBeginEmPKcz", "15+", FS_COOKIE_NAMED | MARK('B') },
		},
	},
	{
		.name = "perfetto.end", .lib = "libtracing_perfetto.so", .role = FS_ROLE_MARKER,
		.optional = true, .loss = "the ends of slices of Java and of the compositor",
		.forms = { { TRACING "8traceEndEm", "15+", MARK('E') } },
	},
	{
		.name = "perfetto.instant", .lib = "libtracing_perfetto.so", .role = FS_ROLE_MARKER,
		.optional = true, .loss = "instants of Java and of the compositor",
		.forms = { { TRACING "12traceInstantEmPKc", "15+", FS_COOKIE_NAMED | MARK('I') } },
	},
	{ .lib = NULL },
};
/* clang-format on */

size_t catalogue_size(void)
{
	size_t n = 0;

	while (catalogue[n].lib)
		n++;
	return n;
}
