/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The built-in points, the match of libraries, and the forms of --uprobe. */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

/* What each C++ symbol of the catalogue says in full, by the name demangler of the toolchain. */
static const char *const functions[][2] = {
	{ "android::Surface::dequeueBuffer(ANativeWindowBuffer**, int*)", "dequeue" },
	{ "android::Surface::dequeueBuffer(android::sp<android::GraphicBuffer>*, int*)",
	  "dequeue" },
	{ "android::Surface::queueBuffer(ANativeWindowBuffer*, int)", "queue" },
	{ "android::Surface::queueBuffer(ANativeWindowBuffer*, int, "
	  "android::SurfaceQueueBufferOutput*)",
	  "queue" },
	{ "android::Surface::queueBuffer(android::sp<android::GraphicBuffer>&&, int, "
	  "android::SurfaceQueueBufferOutput*)",
	  "queue" },
	{ "android::BufferQueueProducer::waitForFreeSlotThenRelock("
	  "android::BufferQueueProducer::FreeSlotCaller, std::__1::unique_lock<std::__1::mutex>&, "
	  "int*) const",
	  "slot" },
	{ "android::Surface::cancelBuffer(ANativeWindowBuffer*, int)", "cancel" },
	{ "android::Surface::cancelBuffer(android::sp<android::GraphicBuffer>&&, int)", "cancel" },
	{ "android::Fence::wait(int)", "fence_wait" },
	{ "android::Fence::waitForever(char const*)", "fence_wait" },
	{ "sync_wait", "fence_wait" },
	{ "eglSwapBuffers", "swap" },
	{ "eglSwapBuffersWithDamageKHR", "swap" },
	{ "eglSwapBuffersWithDamageEXT", "swap" },
	{ "vkQueuePresentKHR", "present" },
};

#define FUNCTIONS (sizeof(functions) / sizeof(*functions))

static const char *library_of(const char *function)
{
	return !strncmp(function, "egl", 3)    ? "libEGL.so"
	       : !strncmp(function, "vk", 2)   ? "libvulkan.so"
	       : !strncmp(function, "sync", 4) ? "libsync.so"
	       : strstr(function, "Fence::")   ? "libui.so"
					       : "libgui.so";
}

static void test_builtin(void)
{
	unsigned points = 0, found = 0;

	for (const struct point_spec *p = catalogue; p->lib; p++, points++) {
		char command[512], text[512] = "";

		CU_ASSERT_FALSE(p->user);
		snprintf(command, sizeof(command), "c++filt %s", p->symbol);
		FILE *f = popen(command, "re");
		CU_ASSERT_PTR_NOT_NULL_FATAL(f);
		CU_ASSERT_PTR_NOT_NULL(fgets(text, sizeof(text), f));
		pclose(f);
		text[strcspn(text, "\n")] = '\0';
		for (size_t i = 0; i < FUNCTIONS; i++) {
			if (strcmp(functions[i][0], text) != 0)
				continue;
			found++;
			CU_ASSERT_STRING_EQUAL(role_name(p->role), functions[i][1]);
			CU_ASSERT_STRING_EQUAL(p->lib, library_of(text));
			CU_ASSERT_EQUAL(p->by_reference,
					strstr(text, ">&&") || strstr(text, "Fence::"));
			CU_ASSERT_EQUAL(p->named, strstr(text, "char const*") != NULL);
		}
	}
	CU_ASSERT_EQUAL(points, FUNCTIONS);
	CU_ASSERT_EQUAL(found, FUNCTIONS);
}

static void test_matches(void)
{
	const struct point_spec egl = { .lib = "libEGL.so" }, one = { .lib = "libEGL.so.1" };

	CU_ASSERT_TRUE(point_spec_matches(&egl, "/usr/lib/libEGL.so"));
	CU_ASSERT_TRUE(point_spec_matches(&egl, "/usr/lib/libEGL.so.1"));
	CU_ASSERT_TRUE(point_spec_matches(&egl, "/usr/lib/libEGL.so.1.1.0"));
	CU_ASSERT_TRUE(point_spec_matches(&egl, "libEGL.so"));
	CU_ASSERT_TRUE(point_spec_matches(&one, "/usr/lib/libEGL.so.1.1.0"));
	CU_ASSERT_FALSE(point_spec_matches(&one, "/usr/lib/libEGL.so"));
	CU_ASSERT_FALSE(point_spec_matches(&one, "/usr/lib/libEGL.so.12"));
	CU_ASSERT_FALSE(point_spec_matches(&egl, "/usr/lib/libEGL.so.bak"));
	CU_ASSERT_FALSE(point_spec_matches(&egl, "/usr/lib/libEGL.so.1~"));
	CU_ASSERT_FALSE(point_spec_matches(&egl, "/usr/lib/libEGL.so."));
	CU_ASSERT_FALSE(point_spec_matches(&egl, "/usr/lib/libEGL_mesa.so.0"));
	CU_ASSERT_FALSE(point_spec_matches(&egl, "/usr/lib/mylibEGL.so"));
	CU_ASSERT_FALSE(point_spec_matches(&egl, "/usr/libEGL.so/other.so"));
	CU_ASSERT_FALSE(point_spec_matches(&egl, ""));
}

/* A path means a file, by whatever name it is reached. */
static void test_matches_path(void)
{
	char dir[] = "/tmp/test_catalogue.XXXXXX", file[64], other[64], link_path[64];

	CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(dir));
	snprintf(file, sizeof(file), "%s/lib.so", dir);
	snprintf(other, sizeof(other), "%s/sub", dir);
	snprintf(link_path, sizeof(link_path), "%s/alias", dir);
	fclose(fopen(file, "we"));
	fclose(fopen(other, "we"));
	CU_ASSERT_EQUAL(symlink("lib.so", link_path), 0);

	const struct point_spec spec = { .lib = link_path, .user = true };
	CU_ASSERT_TRUE(point_spec_matches(&spec, file));
	CU_ASSERT_TRUE(point_spec_matches(&spec, link_path));
	CU_ASSERT_FALSE(point_spec_matches(&spec, other));
	unlink(file);
	CU_ASSERT_FALSE(point_spec_matches(&spec, file)); /* neither exists: not the same */
	unlink(other);
	unlink(link_path);
	rmdir(dir);
}

static void expect_symbol(const char *text, const char *lib, const char *symbol, enum fs_role role)
{
	struct point_spec spec = { 0 };
	struct err e = { 0 };

	CU_ASSERT_EQUAL_FATAL(point_spec_parse(text, &spec, &e), 0);
	CU_ASSERT_TRUE(spec.user);
	CU_ASSERT_STRING_EQUAL(spec.lib, lib);
	CU_ASSERT_PTR_NOT_NULL_FATAL(spec.symbol);
	CU_ASSERT_STRING_EQUAL(spec.symbol, symbol);
	CU_ASSERT_EQUAL(spec.role, role);
	point_spec_free(&spec);
}

static void expect_offset(const char *text, const char *lib, uint64_t offset, enum fs_role role)
{
	struct point_spec spec = { 0 };
	struct err e = { 0 };

	CU_ASSERT_EQUAL_FATAL(point_spec_parse(text, &spec, &e), 0);
	CU_ASSERT_STRING_EQUAL(spec.lib, lib);
	CU_ASSERT_PTR_NULL(spec.symbol);
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

static void test_search_dirs(void)
{
	bool system = false, multiarch = false;

	for (const char *const *dir = catalogue_search_dirs; *dir; dir++) {
		CU_ASSERT_EQUAL((*dir)[0], '/');
		system |= !strcmp(*dir, "/system/lib64");
		multiarch |= !strncmp(*dir, "/usr/lib/", 9) && strstr(*dir, "-linux-gnu");
	}
	CU_ASSERT_TRUE(system);
	CU_ASSERT_TRUE(multiarch);
}

int main(void)
{
	static const struct check_case cases[] = {
		/* clang-format off */
		{ "roles", test_roles },
		{ "builtin", test_builtin },
		{ "matches", test_matches },
		{ "matches_path", test_matches_path },
		{ "parse", test_parse },
		{ "parse_refused", test_parse_refused },
		{ "search_dirs", test_search_dirs },
		{ NULL, NULL },
		/* clang-format on */
	};

	return check_main("catalogue", cases);
}
