/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Explains what was not found. */
#include "capture/unfound.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "probe/elf.h"

#define NEAR_MAX 5

static void no_code(const struct point_spec *spec, const struct library *lib, struct err *e)
{
	err_set(e, -ENOENT, "offset 0x%llx of %s is not code", (unsigned long long)spec->offset,
		lib->name);
	err_hint(e,
		 "an offset in the file (not an address) inside an executable segment: "
		 "'readelf -lW %s' lists them",
		 lib->path);
}

static void no_symbol(const struct point_spec *spec, const struct library *lib,
		      struct elf_file *elf, struct err *e)
{
	const char *symbol = spec->forms[0].symbol;
	char *names[NEAR_MAX];
	char list[ERR_TEXT_LEN] = "";
	int n = elf_file_near(elf, symbol, names, NEAR_MAX);

	for (int i = 0; i < n; i++) {
		size_t len = strlen(list);

		snprintf(list + len, sizeof(list) - len, "%s%s", i ? ", " : "", names[i]);
		free(names[i]);
	}
	const char *problem = elf_file_debugdata_problem(elf);
	err_set(e, -ENOENT, "no function %s in %s%s%s", symbol, lib->name,
		problem ? ", of whose .gnu_debugdata " : "", problem ? problem : "");
	if (n)
		err_hint(e, "the nearest names there: %s", list);
	else
		err_hint(e, "%s@0xOFFSET for a file without symbols", spec->lib);
}

void unfound_function(const struct point_spec *spec, const struct library *lib, struct err *e)
{
	struct elf_file *elf;

	if (library_open(lib, &elf, e))
		return;
	if (elf_file_bits(elf) == 32) {
		err_set(e, -ENOEXEC, "%s is a 32-bit file: functions in it can't be probed",
			lib->name);
		err_hint(e, "the 64-bit program or library of that name");
	} else if (!spec->forms[0].symbol) {
		no_code(spec, lib, e);
	} else {
		no_symbol(spec, lib, elf, e);
	}
	elf_file_close(elf);
}

/* The path leads to something that has not been looked into: what it is not will be said here. */
static int open_there(void *ctx, const struct library *lib)
{
	struct elf_file *elf;
	int ret = library_open(lib, &elf, ctx);

	if (!ret)
		elf_file_close(elf);
	return ret;
}

void unfound_path(const struct point_spec *spec, struct err *e)
{
	if (!library_at(spec->lib, open_there, e, e))
		err_set(e, -ENOENT, "%s has just appeared", spec->lib);
}

struct near_lib {
	const char *wanted;
	char best[512]; /* a mapped or usual library with a name like it */
	unsigned distance;
};

static void weigh(void *ctx, const char *path)
{
	struct near_lib *near = ctx;
	const char *base = strrchr(path, '/');
	unsigned d;

	base = base ? base + 1 : path;
	d = text_distance(near->wanted, base);
	if (d < near->distance) {
		near->distance = d;
		snprintf(near->best, sizeof(near->best), "%s", base);
	}
}

static int weigh_mapped(void *ctx, const struct library *lib)
{
	weigh(ctx, lib->name);
	return 0;
}

void unfound_library(const struct point_spec *spec, const pid_t *pids, size_t nr, struct err *e)
{
	struct near_lib near = { .wanted = spec->lib, .distance = UINT32_MAX };

	for (size_t i = 0; i < nr; i++)
		library_each_mapped(pids[i], weigh_mapped, &near);
	library_usual_paths(weigh, &near);
	err_set(e, -ENOENT, "no library %s is mapped by what is recorded or lies in a usual place",
		spec->lib);
	err_hint(e, "its path in place of its name%s%s", near.best[0] ? ", or " : "", near.best);
}
