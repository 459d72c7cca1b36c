// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The governors of cpufreq, by sysfs: a virtual machine has none. */
#include "probe/governor.h"

#include <dirent.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GOVERNOR_LEN 16 /* CPUFREQ_NAME_LEN */
#define GOVERNORS_MAX 8

static bool read_one(const char *dir, const char *cpu, char name[GOVERNOR_LEN + 1])
{
	char path[PATH_MAX];
	FILE *f;
	int n;

	snprintf(path, sizeof(path), "%s/%s/cpufreq/scaling_governor", dir, cpu);
	f = fopen(path, "re");
	if (!f)
		return false;
	n = fscanf(f, "%16s", name);
	fclose(f);
	return n == 1;
}

static int compare(const void *a, const void *b)
{
	return strcmp(a, b);
}

static bool is_new(char names[][GOVERNOR_LEN + 1], unsigned nr, const char *name)
{
	for (unsigned i = 0; i < nr; i++)
		if (!strcmp(names[i], name))
			return false;
	return true;
}

void governor_read_in(const char *dir, char *text, size_t len)
{
	char names[GOVERNORS_MAX][GOVERNOR_LEN + 1], name[GOVERNOR_LEN + 1];
	DIR *d = opendir(dir);
	struct dirent *entry;
	unsigned nr = 0;
	size_t used = 0;

	*text = '\0';
	while (d && nr < GOVERNORS_MAX && (entry = readdir(d))) {
		if (strncmp(entry->d_name, "cpu", 3) != 0 || !read_one(dir, entry->d_name, name) ||
		    !is_new(names, nr, name))
			continue;
		memcpy(names[nr++], name, sizeof(name));
	}
	if (d)
		closedir(d);
	qsort(names, nr, sizeof(*names), compare);
	for (unsigned i = 0; i < nr && used < len; i++)
		used += (size_t)snprintf(text + used, len - used, "%s%s", i ? ", " : "", names[i]);
}

void governor_read(char *text, size_t len)
{
	governor_read_in("/sys/devices/system/cpu", text, len);
}
