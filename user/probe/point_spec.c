/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The user's own points: the parser of --uprobe. */
#include "probe/catalogue.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/role.h"
#include "base/text.h"

#define ROLES_LEN 512

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
	made.forms[0].symbol = symbol;
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
	free((char *)spec->forms[0].symbol);
	spec->lib = NULL;
	spec->forms[0].symbol = NULL;
}
