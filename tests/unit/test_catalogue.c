/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The built-in points, and the forms of --uprobe. */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <framescope/state.h>

#include "check.h"
#include "base/role.h"
#include "probe/catalogue.h"

static void test_roles(void)
{
	CU_ASSERT_STRING_EQUAL(role_name(FS_ROLE_SPAN), "span");
	CU_ASSERT_STRING_EQUAL(role_name(FS_ROLE_SWAP), "swap");
	CU_ASSERT_STRING_EQUAL(role_name(FS_ROLE_PRESENT), "present");
	CU_ASSERT_STRING_EQUAL(role_name(FS_ROLE_DEQUEUE), "dequeue");
	CU_ASSERT_STRING_EQUAL(role_name(FS_ROLE_QUEUE), "queue");
	CU_ASSERT_STRING_EQUAL(role_name(FS_ROLE_SLOT), "slot");
	CU_ASSERT_PTR_NULL(role_name(FS_ROLE_NR));
	CU_ASSERT_PTR_NULL(role_name(UINT32_MAX));
	CU_ASSERT_EQUAL(role_by_name("slot"), FS_ROLE_SLOT);
	CU_ASSERT_EQUAL(role_by_name("span"), FS_ROLE_SPAN);
	CU_ASSERT_EQUAL(role_by_name("swa"), -1);
	CU_ASSERT_EQUAL(role_by_name(""), -1);
}

/*
 * What each form of the catalogue says in full, by the name demangler of the toolchain ("*": what
 * begins like it), as the sources of Android have it; and how its arguments are to be read: by
 * r(eference), n(amed), numbered (#), only B(efore), and the detail.
 */
static const struct function {
	const char *text;
	const char *lib;
	const char *role;
	const char *how;
} functions[] = {
	/* clang-format off */
	{ "eglSwapBuffers", "libEGL.so", "swap", "" },
	{ "eglSwapBuffersWithDamageKHR", "libEGL.so", "swap", "" },
	{ "eglSwapBuffersWithDamageEXT", "libEGL.so", "swap", "" },
	{ "vkQueuePresentKHR", "libvulkan.so", "present", "" },
	{ "android::Surface::dequeueBuffer(ANativeWindowBuffer**, int*)", "libgui.so", "dequeue",
	  "" },
	{ "android::Surface::dequeueBuffer(android::sp<android::GraphicBuffer>*, int*)",
	  "libgui.so", "dequeue", "" },
	{ "android::Surface::queueBuffer(ANativeWindowBuffer*, int)", "libgui.so", "queue", "" },
	{ "android::Surface::queueBuffer(ANativeWindowBuffer*, int, "
	  "android::SurfaceQueueBufferOutput*)", "libgui.so", "queue", "" },
	{ "android::Surface::queueBuffer(android::sp<android::GraphicBuffer>&&, int, "
	  "android::SurfaceQueueBufferOutput*)", "libgui.so", "queue", "r" },
	{ "android::BufferQueueProducer::waitForFreeSlotThenRelock("
	  "android::BufferQueueProducer::FreeSlotCaller, std::__1::unique_lock<std::__1::mutex>&, "
	  "int*) const", "libgui.so", "slot", "" },
	{ "android::BufferQueueProducer::waitForFreeSlotThenRelock() const*", "libgui.so", "slot",
	  "" },
	{ "android::Surface::cancelBuffer(ANativeWindowBuffer*, int)", "libgui.so", "cancel", "" },
	{ "android::Surface::cancelBuffer(android::sp<android::GraphicBuffer>&&, int)",
	  "libgui.so", "cancel", "r" },
	{ "android::Surface::setFrameTimelineInfo(android::FrameTimelineInfo const&)",
	  "libgui.so", "frame_timeline", "0" },
	{ "android::Surface::setFrameTimelineInfo(unsigned long, "
	  "android::FrameTimelineInfo const&)", "libgui.so", "frame_timeline", "#0" },
	{ "android::Surface::setFrameTimelineInfo(unsigned long, "
	  "android::gui::FrameTimelineInfo const&)", "libgui.so", "frame_timeline", "#8" },
	{ "android::BBQSurface::setFrameTimelineInfo(android::FrameTimelineInfo const&)",
	  "libgui.so", "frame_timeline", "0" },
	{ "android::BBQSurface::setFrameTimelineInfo(unsigned long, "
	  "android::FrameTimelineInfo const&)", "libgui.so", "frame_timeline", "#0" },
	{ "android::BBQSurface::setFrameTimelineInfo(unsigned long, "
	  "android::gui::FrameTimelineInfo const&)", "libgui.so", "frame_timeline", "#8" },
	{ "android::BLASTBufferQueue::releaseBufferCallback(android::ReleaseCallbackId const&, "
	  "android::sp<android::Fence> const&, unsigned int, unsigned int)", "libgui.so",
	  "released", "8" },
	{ "android::BLASTBufferQueue::releaseBufferCallback(android::ReleaseCallbackId const&, "
	  "android::sp<android::Fence> const&, std::__1::optional<unsigned int>)", "libgui.so",
	  "released", "8" },
	{ "android::Choreographer::dispatchVsync(long, android::PhysicalDisplayId, unsigned int, "
	  "android::gui::VsyncEventData)", "libgui.so", "vsync", "" },
	{ "android::Choreographer::dispatchVsync(long)*", "libgui.so", "vsync", "" },
	{ "android::DisplayEventDispatcher::processPendingEvents(long*, "
	  "android::PhysicalDisplayId*, unsigned int*)", "libgui.so", "vsync", "r" },
	{ "android::DisplayEventDispatcher::processPendingEvents(long*, "
	  "android::PhysicalDisplayId*, unsigned int*, android::VsyncEventData*)", "libgui.so",
	  "vsync", "r" },
	{ "android::DisplayEventDispatcher::processPendingEvents(long*, "
	  "android::PhysicalDisplayId*, unsigned int*, android::gui::VsyncEventData*)",
	  "libgui.so", "vsync", "r" },
	{ "android::DisplayEventDispatcher::processPendingEvents(long*)*", "libgui.so", "vsync",
	  "r" },
	{ "android::DisplayEventDispatcher::handleEvent(int, int, void*)", "libgui.so", "span",
	  "" },
	{ "android::Fence::wait(int)", "libui.so", "fence_wait", "r" },
	{ "android::Fence::waitForever(char const*)", "libui.so", "fence_wait", "rn" },
	{ "sync_wait", "libsync.so", "fence_wait", "" },
	{ "android::uirenderer::JankTracker::finishFrame(android::uirenderer::FrameInfo&, "
	  "std::__1::unique_ptr<android::uirenderer::FrameMetricsReporter, "
	  "std::__1::default_delete<android::uirenderer::FrameMetricsReporter> >&, long, int)",
	  "libhwui.so", "frame_info", "#" },
	{ "android::uirenderer::JankTracker::finishFrame(android::uirenderer::FrameInfo const&)",
	  "libhwui.so", "frame_info", "" },
	{ "android::uirenderer::JankTracker::finishFrame()*", "libhwui.so", "frame_info", "#" },
	{ "android::uirenderer::JankTracker::calculateLegacyJank(android::uirenderer::FrameInfo&)",
	  "libhwui.so", "frame_info", "B" },
	{ "android::uirenderer::JankTracker::addFrame(android::uirenderer::FrameInfo const&)",
	  "libhwui.so", "frame_info", "" },
	{ "android::uirenderer::renderthread::CanvasContext::prepareTree("
	  "android::uirenderer::TreeInfo&, long*, long, android::uirenderer::RenderNode*)",
	  "libhwui.so", "frame_ui", "" },
	{ "android::uirenderer::renderthread::CanvasContext::prepareTree("
	  "android::uirenderer::TreeInfo&, long*, long)*", "libhwui.so", "frame_ui", "" },
	{ "android::uirenderer::renderthread::RenderProxy::syncAndDrawFrame()", "libhwui.so",
	  "ui_sync", "" },
	{ "android::uirenderer::renderthread::DrawFrameTask::postAndWait()", "libhwui.so",
	  "ui_sync", "" },
	{ "android::uirenderer::renderthread::DrawFrameTask::run()", "libhwui.so", "render_frame",
	  "" },
	{ "android::uirenderer::renderthread::CanvasContext::prepareAndDraw("
	  "android::uirenderer::RenderNode*)", "libhwui.so", "render_frame", "" },
	{ "android::uirenderer::renderthread::CanvasContext::prepareAndDraw()*", "libhwui.so",
	  "render_frame", "" },
	{ "android::uirenderer::renderthread::DrawFrameTask::syncFrameState("
	  "android::uirenderer::TreeInfo&)", "libhwui.so", "sync_state", "" },
	{ "android::uirenderer::renderthread::DrawFrameTask::syncFrameState()*", "libhwui.so",
	  "sync_state", "" },
	{ "android::uirenderer::renderthread::DrawFrameTask::unblockUiThread()", "libhwui.so",
	  "ui_release", "" },
	{ "android::NativeDisplayEventReceiver::dispatchVsync(long, android::PhysicalDisplayId, "
	  "unsigned int)", "libandroid_runtime.so", "vsync", "" },
	{ "android::NativeDisplayEventReceiver::dispatchVsync(long, android::PhysicalDisplayId, "
	  "unsigned int, android::VsyncEventData)", "libandroid_runtime.so", "vsync", "" },
	{ "android::NativeDisplayEventReceiver::dispatchVsync(long, android::PhysicalDisplayId, "
	  "unsigned int, android::gui::VsyncEventData)", "libandroid_runtime.so", "vsync", "" },
	{ "android::NativeDisplayEventReceiver::dispatchVsync(long)*", "libandroid_runtime.so",
	  "vsync", "" },
	{ "android::Looper::pollOnce(int, int*, int*, void**)", "libutils.so", "poll", "" },
	{ "atrace_begin_body", "libcutils.so", "marker", "B" },
	{ "atrace_end_body", "libcutils.so", "marker", "E" },
	{ "atrace_async_begin_body", "libcutils.so", "marker", "S" },
	{ "atrace_async_end_body", "libcutils.so", "marker", "F" },
	{ "atrace_async_for_track_begin_body", "libcutils.so", "marker", "G" },
	{ "atrace_async_for_track_end_body", "libcutils.so", "marker", "H" },
	{ "atrace_instant_body", "libcutils.so", "marker", "I" },
	{ "atrace_instant_for_track_body", "libcutils.so", "marker", "N" },
	{ "atrace_int_body", "libcutils.so", "marker", "C" },
	{ "atrace_int64_body", "libcutils.so", "marker", "#C" },
	{ "tracing_perfetto::traceBegin(unsigned long, char const*)", "libtracing_perfetto.so",
	  "marker", "nB" },
	{ "tracing_perfetto::traceFormatBegin(unsigned long, char const*, ...)",
	  "libtracing_perfetto.so", "marker", "nB" },
	{ "tracing_perfetto::traceEnd(unsigned long)", "libtracing_perfetto.so", "marker", "E" },
	{ "tracing_perfetto::traceInstant(unsigned long, char const*)", "libtracing_perfetto.so",
	  "marker", "nI" },
	/* clang-format on */
};

#define FUNCTIONS (sizeof(functions) / sizeof(*functions))

/* Of a name with a '*', what it says up to there. */
static void demangle(const char *symbol, char *text, size_t len)
{
	char command[512];
	size_t n = strcspn(symbol, "*");

	snprintf(command, sizeof(command), "c++filt %.*s%s", (int)n, symbol,
		 symbol[n] && symbol[n - 1] == 'E' ? "v" : "");
	FILE *f = popen(command, "re");
	CU_ASSERT_PTR_NOT_NULL_FATAL(f);
	CU_ASSERT_PTR_NOT_NULL(fgets(text, (int)len, f));
	pclose(f);
	snprintf(text + strcspn(text, "\n"), 2, "%s", symbol + n);
}

static void expect_how(const struct function *fn, uint64_t how)
{
	const size_t flags = strspn(fn->how, "rn#");
	const char detail = fn->how[flags];
	uint64_t want = 0;

	if (memchr(fn->how, 'r', flags))
		want |= FS_COOKIE_BY_REFERENCE;
	if (memchr(fn->how, 'n', flags))
		want |= FS_COOKIE_NAMED;
	if (memchr(fn->how, '#', flags))
		want |= FS_COOKIE_NUMBERED;
	if (!strcmp(fn->role, "marker"))
		want |= (uint64_t)detail << FS_COOKIE_DETAIL_SHIFT;
	else if (detail == 'B')
		want |= FS_COOKIE_BEFORE_ONLY;
	else if (detail)
		want |= (uint64_t)(detail - '0') << FS_COOKIE_DETAIL_SHIFT;
	CU_ASSERT_EQUAL(how, want);
}

static void expect_form(const struct point_spec *p, const struct point_form *form)
{
	unsigned found = 0;
	char text[512] = "";

	demangle(form->symbol, text, sizeof(text) - 1);
	for (size_t i = 0; i < FUNCTIONS; i++) {
		if (strcmp(functions[i].text, text) != 0)
			continue;
		found++;
		CU_ASSERT_STRING_EQUAL(p->lib, functions[i].lib);
		CU_ASSERT_STRING_EQUAL(role_name(p->role), functions[i].role);
		expect_how(&functions[i], form->how);
	}
	CU_ASSERT_EQUAL(found, 1);
	if (found != 1)
		printf("# %s: %s\n", p->name, text);
}

static void test_builtin(void)
{
	unsigned forms = 0;

	for (const struct point_spec *p = catalogue; p->lib; p++) {
		CU_ASSERT_FALSE(p->user);
		CU_ASSERT_PTR_NOT_NULL_FATAL(p->name);
		CU_ASSERT_PTR_NOT_NULL(p->loss);
		CU_ASSERT_PTR_NOT_NULL(p->forms[0].symbol);
		for (const struct point_form *form = p->forms; form->symbol; form++, forms++)
			expect_form(p, form);
		for (const struct point_spec *other = catalogue; other < p; other++) {
			CU_ASSERT_STRING_NOT_EQUAL(p->name, other->name);
			/* those of one library are together */
			if (!strcmp(p->lib, other->lib))
				CU_ASSERT_STRING_EQUAL(p->lib, p[-1].lib);
		}
	}
	CU_ASSERT_EQUAL(forms, FUNCTIONS);
}

static void expect_symbol(const char *text, const char *lib, const char *symbol, enum fs_role role)
{
	struct point_spec spec = { 0 };
	struct err e = { 0 };

	CU_ASSERT_EQUAL_FATAL(point_spec_parse(text, &spec, &e), 0);
	CU_ASSERT_TRUE(spec.user);
	CU_ASSERT_STRING_EQUAL(spec.lib, lib);
	CU_ASSERT_PTR_NOT_NULL_FATAL(spec.forms[0].symbol);
	CU_ASSERT_STRING_EQUAL(spec.forms[0].symbol, symbol);
	CU_ASSERT_EQUAL(spec.role, role);
	point_spec_free(&spec);
}

static void expect_offset(const char *text, const char *lib, uint64_t offset, enum fs_role role)
{
	struct point_spec spec = { 0 };
	struct err e = { 0 };

	CU_ASSERT_EQUAL_FATAL(point_spec_parse(text, &spec, &e), 0);
	CU_ASSERT_STRING_EQUAL(spec.lib, lib);
	CU_ASSERT_PTR_NULL(spec.forms[0].symbol);
	CU_ASSERT_EQUAL(spec.offset, offset);
	CU_ASSERT_EQUAL(spec.role, role);
	point_spec_free(&spec);
}

static void test_parse(void)
{
	expect_symbol("libEGL.so:eglSwapBuffers", "libEGL.so", "eglSwapBuffers", FS_ROLE_SPAN);
	expect_symbol("libEGL.so:eglSwapBuffers=swap", "libEGL.so", "eglSwapBuffers", FS_ROLE_SWAP);
	expect_symbol("/a:b/l@1.so:f=queue", "/a:b/l@1.so", "f", FS_ROLE_QUEUE);
	expect_symbol("/a=b/lib.so:f", "/a=b/lib.so", "f", FS_ROLE_SPAN);
	expect_symbol("libc.so.6:memcpy@GLIBC_2.14", "libc.so.6", "memcpy@GLIBC_2.14",
		      FS_ROLE_SPAN);
	expect_symbol("/a/base.apk!/lib/arm64-v8a/libx.so:f", "/a/base.apk!/lib/arm64-v8a/libx.so",
		      "f", FS_ROLE_SPAN);
	expect_offset("lib.so@0x1a40", "lib.so", 0x1a40, FS_ROLE_SPAN);
	expect_offset("lib.so@0X1A40=dequeue", "lib.so", 0x1a40, FS_ROLE_DEQUEUE);
	expect_offset("/x/lib.so@6720=slot", "/x/lib.so", 6720, FS_ROLE_SLOT);
	expect_offset("lib.so@010", "lib.so", 10, FS_ROLE_SPAN);
	expect_offset("a:b.so@0xffffffffffffffff", "a:b.so", UINT64_MAX, FS_ROLE_SPAN);
}

static void expect_refused(const char *text, const char *what, const char *hint)
{
	struct point_spec spec = { .lib = "untouched" };
	struct err e = { 0 };

	CU_ASSERT_EQUAL(point_spec_parse(text, &spec, &e), -EINVAL);
	CU_ASSERT_EQUAL(e.code, -EINVAL);
	CU_ASSERT_PTR_NOT_NULL(strstr(e.what, what));
	CU_ASSERT_PTR_NOT_NULL(strstr(e.hint, hint));
	CU_ASSERT_STRING_EQUAL(spec.lib, "untouched");
}

static void test_parse_refused(void)
{
	static const char forms[] = "LIB:SYMBOL[=ROLE] or LIB@0xOFFSET[=ROLE]";
	static const char roles[] = "roles: span swap present dequeue queue slot";

	expect_refused("", "neither a symbol nor an offset", forms);
	expect_refused("libEGL.so", "neither a symbol nor an offset", roles);
	expect_refused("libEGL.so:", "no symbol", forms);
	expect_refused("libEGL.so:=swap", "no symbol", forms);
	expect_refused(":eglSwapBuffers", "no library", forms);
	expect_refused("@0x10", "no library", forms);
	expect_refused("/usr/lib/:f", "no library", forms);
	expect_refused("lib.so@0x12g", "offset", forms);
	expect_refused("lib.so@-1", "offset", forms);
	expect_refused("lib.so@0x", "offset", forms);
	expect_refused("lib.so@0x1ffffffffffffffff", "offset", forms);
	expect_refused("libgui.so:android::Surface::queueBuffer", "mangled", forms);
	expect_refused("libEGL.so:eglSwapBuffers=swop", "\"swop\"", "=swap; roles:");
	expect_refused("libEGL.so:eglSwapBuffers=zzzzzzzz", "\"zzzzzzzz\"", roles);
	expect_refused("libEGL.so:eglSwapBuffers=", "\"\"", roles);
}

int main(void)
{
	static const struct check_case cases[] = {
		/* clang-format off */
		{ "roles", test_roles },
		{ "builtin", test_builtin },
		{ "parse", test_parse },
		{ "parse_refused", test_parse_refused },
		{ NULL, NULL },
		/* clang-format on */
	};

	return check_main("catalogue", cases);
}
