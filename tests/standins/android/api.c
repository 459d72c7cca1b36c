// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Loads the stand-in libraries, and tells them who does what they are called for. */
#include "standins/android/api.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "standins/android/backend.h"
#include "standins/android/jank.h"
#include "standins/android/looper.h"
#include "standins/android/record.h"
#include "standins/android/render.h"
#include "standins/android/ui.h"
#include "standins/android/window.h"
#include "standins/standin.h"

struct api api;

static const struct libutils utils = {
	.poll_once = looper_poll_once,
	.poll_inner = looper_poll_inner,
	.wake = looper_wake,
};

static void no_instant(const char *name)
{
	(void)name;
}

static const struct libcutils cutils = { .instant = no_instant };

static const struct libandroid_runtime runtime = { .dispatch_vsync = looper_dispatch_vsync };

static const struct libgui gui = {
	.handle_event = looper_handle_event,
	.dequeue = surface_dequeue,
	.hook_dequeue = surface_hook_dequeue,
	.queue = surface_queue,
	.set_timeline = surface_set_timeline,
	.wait_for_free_slot = producer_wait_for_free_slot,
	.release = producer_release,
};

static const struct libhwui hwui = {
	.sync_and_draw = ui_sync_and_draw,
	.draw_frame = ui_draw_frame,
	.post_and_wait = ui_post_and_wait,
	.run = render_run,
	.sync_state = render_sync_state,
	.unblock = ui_unblock,
	.prepare_tree = render_prepare_tree,
	.reserve_next = surface_reserve_next,
	.draw = render_draw,
	.prepare_and_draw = render_prepare_and_draw,
	.on_stats = backend_on_stats,
	.legacy_jank = jank_legacy,
	.finish = jank_finish,
};

/* What the libraries that the pipeline has, too, are called for. */
static long on_call(enum standin_function which, void *arg0, void *arg1, void *arg2)
{
	(void)arg2;
	switch (which) {
	case STANDIN_SWAP_DAMAGE:
		return render_swap(arg1);
	case STANDIN_FENCE_FOREVER:
		return backend_fence_forever(arg0);
	default:
		return 0;
	}
}

static void *load(const char *folder, const char *name)
{
	char path[PATH_MAX + NAME_MAX];
	void *lib;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	lib = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!lib)
		die(0, "%s", dlerror());
	return lib;
}

static void *find(void *lib, const char *name)
{
	void *found = dlsym(lib, name);

	if (!found)
		die(0, "%s", dlerror());
	return found;
}

static const void *link_to(const char *folder, const char *name, const void *app)
{
	standin_link_fn link;

	*(void **)&link = find(load(folder, name), "standin_link");
	return link(app);
}

static void *load_shared(const char *folder, const char *name)
{
	void *lib = load(folder, name);
	standin_set_fn set;

	*(void **)&set = find(lib, "standin_set");
	set(on_call);
	return lib;
}

void api_load(const char *folder)
{
	char beside[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", beside, sizeof(beside) - 1);

	if (n <= 0)
		die(-errno, "can't read /proc/self/exe");
	beside[n] = '\0';
	*strrchr(beside, '/') = '\0';
	api.utils = link_to(folder, "libutils.so", &utils);
	api.cutils = link_to(folder, "libcutils.so", &cutils);
	api.runtime = link_to(folder, "libandroid_runtime.so", &runtime);
	api.gui = link_to(folder, "libgui.so", &gui);
	api.hwui = link_to(folder, "libhwui.so", &hwui);
	*(void **)&api.swap = find(load_shared(beside, "libEGL.so"), "eglSwapBuffersWithDamageKHR");
	*(void **)&api.fence_forever =
		find(load_shared(beside, "libui.so"), "_ZN7android5Fence11waitForeverEPKc");
	*(void **)&api.sync_wait = find(load(beside, "libsync.so"), "sync_wait");
}
