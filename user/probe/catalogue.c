/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The built-in probe points, where their libraries lie, and the parser of --uprobe. */
#include "probe/catalogue.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/libname.h"
#include "base/role.h"
#include "base/text.h"

#define SURFACE "_ZN7android7Surface"
#define ROLES_LEN 256

/*
 * libgui's candidates are the functions that do the work, in every form they have had. Their
 * hook_* entries are left out on purpose: since Android 11 HWUI puts an interceptor behind them, so
 * that hook_dequeueBuffer is called about twice per frame and one of the calls waits for nothing.
 * On Android 15 and 16 the short queueBuffer calls the long one: one span inside the other.
 */
const struct point_spec catalogue[] = {
	{ .lib = "libEGL.so", .symbol = "eglSwapBuffers", .role = FS_ROLE_SWAP },
	{ .lib = "libEGL.so", .symbol = "eglSwapBuffersWithDamageKHR", .role = FS_ROLE_SWAP },
	{ .lib = "libEGL.so", .symbol = "eglSwapBuffersWithDamageEXT", .role = FS_ROLE_SWAP },
	{ .lib = "libvulkan.so", .symbol = "vkQueuePresentKHR", .role = FS_ROLE_PRESENT },
	/* Android 8 to 16 QPR1, then 16 QPR2 and later */
	{ .lib = "libgui.so",
	  .symbol = SURFACE "13dequeueBufferEPP19ANativeWindowBufferPi",
	  .role = FS_ROLE_DEQUEUE },
	{ .lib = "libgui.so",
	  .symbol = SURFACE "13dequeueBufferEPNS_2spINS_13GraphicBufferEEEPi",
	  .role = FS_ROLE_DEQUEUE },
	/* Android 8 to 16 QPR1, 15 and 16, then 16 QPR2 and later */
	{ .lib = "libgui.so",
	  .symbol = SURFACE "11queueBufferEP19ANativeWindowBufferi",
	  .role = FS_ROLE_QUEUE },
	{ .lib = "libgui.so",
	  .symbol = SURFACE "11queueBufferEP19ANativeWindowBufferiPNS_24SurfaceQueueBufferOutputE",
	  .role = FS_ROLE_QUEUE },
	{ .lib = "libgui.so",
	  .symbol = SURFACE "11queueBufferEONS_2spINS_13GraphicBufferEEEi"
			    "PNS_24SurfaceQueueBufferOutputE",
	  .role = FS_ROLE_QUEUE,
	  .by_reference = true },
	/* Android 10 and later: waits on a condition variable for a free buffer, and only that */
	{ .lib = "libgui.so",
	  .symbol = "_ZNK7android19BufferQueueProducer25waitForFreeSlotThenRelock"
		    "ENS0_14FreeSlotCallerERNSt3__111unique_lockINS2_5mutexEEEPi",
	  .role = FS_ROLE_SLOT },
	/* Android 8 to 16 QPR1, then 16 QPR2 and later */
	{ .lib = "libgui.so",
	  .symbol = SURFACE "12cancelBufferEP19ANativeWindowBufferi",
	  .role = FS_ROLE_CANCEL },
	{ .lib = "libgui.so",
	  .symbol = SURFACE "12cancelBufferEONS_2spINS_13GraphicBufferEEEi",
	  .role = FS_ROLE_CANCEL,
	  .by_reference = true },
	/* The first two call the third */
	{ .lib = "libui.so",
	  .symbol = "_ZN7android5Fence4waitEi",
	  .role = FS_ROLE_FENCE_WAIT,
	  .by_reference = true },
	{ .lib = "libui.so",
	  .symbol = "_ZN7android5Fence11waitForeverEPKc",
	  .role = FS_ROLE_FENCE_WAIT,
	  .by_reference = true,
	  .named = true },
	{ .lib = "libsync.so", .symbol = "sync_wait", .role = FS_ROLE_FENCE_WAIT },
	{ .lib = NULL },
};

const char *const catalogue_search_dirs[] = {
	/* Android */
	"/system/lib64",
	"/system_ext/lib64",
	"/vendor/lib64",
	"/vendor/lib64/egl",
	"/apex/*/lib64",
/* multiarch distributions (Debian and its kin), then the others */
#if defined(__x86_64__)
	"/lib/x86_64-linux-gnu",
	"/usr/lib/x86_64-linux-gnu",
	"/usr/local/lib/x86_64-linux-gnu",
#elif defined(__aarch64__)
	"/lib/aarch64-linux-gnu",
	"/usr/lib/aarch64-linux-gnu",
	"/usr/local/lib/aarch64-linux-gnu",
#endif
	"/lib64",
	"/usr/lib64",
	"/usr/local/lib64",
	"/lib",
	"/usr/lib",
	"/usr/local/lib",
	NULL,
};

/* "roles: span swap ..." */
static void list_roles(char text[ROLES_LEN])
{
	size_t len = (size_t)snprintf(text, ROLES_LEN, "roles:");

	for (const char *const *name = role_names; *name && len < ROLES_LEN; name++)
		len += (size_t)snprintf(text + len, ROLES_LEN - len, " %s", *name);
}

static int usage_error(struct err *e, const char *text, const char *why)
{
	char roles[ROLES_LEN];

	list_roles(roles);
	err_set(e, -EINVAL, "--uprobe %s: %s", text, why);
	return err_hint(
		e,
		"LIB:SYMBOL[=ROLE] or LIB@0xOFFSET[=ROLE], like libEGL.so:eglSwapBuffers=swap "
		"or /opt/game/libgame.so@0x1a40; %s",
		roles);
}

static int unknown_role(struct err *e, const char *text, const char *role)
{
	const char *near = text_nearest(role, role_names);
	char roles[ROLES_LEN];

	list_roles(roles);
	err_set(e, -EINVAL, "--uprobe %s: no role is called \"%s\"", text, role);
	if (near)
		return err_hint(e, "=%s; %s", near, roles);
	return err_hint(e, "%s", roles);
}

/* A whole number, decimal or with 0x. */
static bool parse_offset(const char *text, uint64_t *offset)
{
	bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
	const char *digits = hex ? text + 2 : text;
	char *end;

	if (!*digits ||
	    strspn(digits, hex ? "0123456789abcdefABCDEF" : "0123456789") != strlen(digits))
		return false;
	errno = 0;
	*offset = strtoull(digits, &end, hex ? 16 : 10);
	return errno == 0 && *end == '\0';
}

int point_spec_parse(const char *text, struct point_spec *spec, struct err *e)
{
	struct point_spec made = { .role = FS_ROLE_SPAN, .user = true };
	char *copy = strdup(text);
	char *lib = NULL, *symbol = NULL;
	int ret;

	if (!copy)
		return err_errno(e, -ENOMEM, "--uprobe %s", text);

	/* A '=' before the last separator belongs to the path. */
	char *eq = strrchr(copy, '=');
	if (eq && !strpbrk(eq, "/:@")) {
		*eq = '\0';
		int role = role_by_name(eq + 1);
		if (role < 0) {
			ret = unknown_role(e, text, eq + 1);
			goto out;
		}
		made.role = (enum fs_role)role;
	}

	char *at = strrchr(copy, '@');
	char *colon = strrchr(copy, ':');
	if (at && parse_offset(at + 1, &made.offset)) {
		*at = '\0';
	} else if (colon) {
		if (colon > copy && colon[-1] == ':') {
			ret = usage_error(e, text,
					  "a C++ function must be given by its mangled name "
					  "(nm -D LIB shows it)");
			goto out;
		}
		*colon = '\0';
		if (!colon[1]) {
			ret = usage_error(e, text, "there is no symbol after the colon");
			goto out;
		}
		symbol = strdup(colon + 1);
		if (!symbol) {
			ret = err_errno(e, -ENOMEM, "--uprobe %s", text);
			goto out;
		}
	} else {
		ret = usage_error(
			e, text, at ? "the offset is no number" : "neither a symbol nor an offset");
		goto out;
	}
	if (!*copy || copy[strlen(copy) - 1] == '/') {
		ret = usage_error(e, text, "there is no library");
		goto out;
	}
	lib = strdup(copy);
	if (!lib) {
		ret = err_errno(e, -ENOMEM, "--uprobe %s", text);
		goto out;
	}
	made.lib = lib;
	made.symbol = symbol;
	*spec = made;
	symbol = NULL;
	ret = 0;
out:
	free(symbol);
	free(copy);
	return ret;
}

void point_spec_free(struct point_spec *spec)
{
	free((char *)spec->lib);
	free((char *)spec->symbol);
	spec->lib = NULL;
	spec->symbol = NULL;
}

static bool same_file(const char *a, const char *b)
{
	struct stat sa, sb;

	return !stat(a, &sa) && !stat(b, &sb) && sa.st_dev == sb.st_dev && sa.st_ino == sb.st_ino;
}

bool point_spec_matches(const struct point_spec *spec, const char *path)
{
	if (strchr(spec->lib, '/'))
		return same_file(spec->lib, path);
	return libname_matches(spec->lib, path);
}
