/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Where dumps of `dumpsys gfxinfo` from real devices are. They are not part of this repository:
 * whoever has some names their folder in FRAMESCOPE_REALDATA.
 */
#ifndef TESTS_REALDATA_H
#define TESTS_REALDATA_H

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#define REALDATA_MISSING "FRAMESCOPE_REALDATA names no folder of dumps from real devices"

/* The folder, or its part "gfxinfo"; NULL if there is none. */
static inline const char *realdata_dir(void)
{
	static char part[4096];
	const char *dir = getenv("FRAMESCOPE_REALDATA");
	struct stat st;

	if (!dir)
		return NULL;
	snprintf(part, sizeof(part), "%s/gfxinfo", dir);
	if (stat(part, &st) == 0 && S_ISDIR(st.st_mode))
		return part;
	return stat(dir, &st) == 0 && S_ISDIR(st.st_mode) ? dir : NULL;
}

#endif
