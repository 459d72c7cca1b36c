/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Names of libraries, with and without their version. */
#include "base/libname.h"

#include <string.h>

bool libname_matches(const char *lib, const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;
	size_t len = strlen(lib);

	if (strncmp(name, lib, len) != 0)
		return false;
	/* what may follow is a version: ".1.1.0" */
	const char *version = name + len;
	if (!*version)
		return true;
	return version[0] == '.' && version[1] && strspn(version, "0123456789.") == strlen(version);
}
