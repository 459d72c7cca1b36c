// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Stand-in for Android's libhwui. It is built like the real one: nothing of this is exported, but
 * for RenderProxy's functions up to Android 11 (LAYOUT 16 and 17), and all names are left in the
 * MiniDebugInfo only.
 */
#include "standins/android/link.h"

#define HWUI "_ZN7android10uirenderer"
#define THREAD HWUI "12renderthread"
#define EXPORTED __attribute__((visibility("default")))

#if LAYOUT <= 17
#define OLD_API EXPORTED
#define FINISH "11JankTracker11finishFrameERKNS0_9FrameInfoE"
#else
#define OLD_API
#define FINISH                                                                                     \
	"11JankTracker11finishFrameERNS0_9FrameInfoERNSt3__110unique_ptrINS0_20FrameMetrics"       \
	"ReporterENS4_14default_deleteIS6_EEEEli"
#endif

static const struct libhwui functions;

EXPORTED const void *standin_link(const void *its);
STANDIN_LINK(struct libhwui, functions)

OLD_API int sync_and_draw(void *proxy) __asm__(THREAD "11RenderProxy16syncAndDrawFrameEv");
int draw_frame(void *task) __asm__(THREAD "13DrawFrameTask9drawFrameEv");
void post_and_wait(void *task) __asm__(THREAD "13DrawFrameTask11postAndWaitEv");
void run(void *task) __asm__(THREAD "13DrawFrameTask3runEv");
bool sync_state(void *task,
		void *info) __asm__(THREAD "13DrawFrameTask14syncFrameStateERNS0_8TreeInfoE");
void unblock(void *task) __asm__(THREAD "13DrawFrameTask15unblockUiThreadEv");
void prepare_tree(void *context, void *info, int64_t *ui_slots, int64_t sync_queued_ns,
		  void *root) __asm__(THREAD "13CanvasContext11prepareTreeERNS0_8TreeInfoEPllPNS0_"
					     "10RenderNodeE");
int reserve_next(void *surface) __asm__(THREAD "15ReliableSurface11reserveNextEv");
void prepare_and_draw(void *context,
		      void *root) __asm__(THREAD
					  "13CanvasContext14prepareAndDrawEPNS0_10RenderNodeE");
void finish(void *tracker, void *info, void *reporter, int64_t frame_number,
	    int32_t control) __asm__(HWUI FINISH);

OLD_API int sync_and_draw(void *proxy)
{
	return app->sync_and_draw(proxy);
}

int draw_frame(void *task)
{
	return app->draw_frame(task);
}

void post_and_wait(void *task)
{
	app->post_and_wait(task);
}

void run(void *task)
{
	app->run(task);
}

bool sync_state(void *task, void *info)
{
	return app->sync_state(task, info);
}

void unblock(void *task)
{
	app->unblock(task);
}

void prepare_tree(void *context, void *info, int64_t *ui_slots, int64_t sync_queued_ns, void *root)
{
	app->prepare_tree(context, info, ui_slots, sync_queued_ns, root);
}

int reserve_next(void *surface)
{
	return app->reserve_next(surface);
}

void prepare_and_draw(void *context, void *root)
{
	app->prepare_and_draw(context, root);
}

void finish(void *tracker, void *info, void *reporter, int64_t frame_number, int32_t control)
{
	app->finish(tracker, info, reporter, frame_number, control);
}

#if LAYOUT >= 24
void draw_part(void *context, bool solely_textures) __asm__(THREAD "13CanvasContext4drawEb");

void draw_part(void *context, bool solely_textures)
{
	app->draw(context, solely_textures);
}
#else
void draw_all(void *context) __asm__(THREAD "13CanvasContext4drawEv");

void draw_all(void *context)
{
	app->draw(context, false);
}

static void draw_part(void *context, bool solely_textures)
{
	(void)solely_textures;
	draw_all(context);
}
#endif

#if LAYOUT >= 22
void legacy_jank(void *tracker,
		 void *info) __asm__(HWUI "11JankTracker19calculateLegacyJankERNS0_9FrameInfoE");
void on_stats(void *context, int control, const void *stats) __asm__(
	THREAD "13CanvasContext23onSurfaceStatsAvailableEPviRKNS_12SurfaceStatsE");

void legacy_jank(void *tracker, void *info)
{
	app->legacy_jank(tracker, info);
}

void on_stats(void *context, int control, const void *stats)
{
	app->on_stats(context, control, stats);
}
#endif

static const struct libhwui functions = {
	.sync_and_draw = sync_and_draw,
	.draw_frame = draw_frame,
	.post_and_wait = post_and_wait,
	.run = run,
	.sync_state = sync_state,
	.unblock = unblock,
	.prepare_tree = prepare_tree,
	.reserve_next = reserve_next,
	.draw = draw_part,
	.prepare_and_draw = prepare_and_draw,
#if LAYOUT >= 22
	.on_stats = on_stats,
	.legacy_jank = legacy_jank,
#endif
	.finish = finish,
};
