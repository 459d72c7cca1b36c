// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The words for a fence's timeline. */
#include "model/fence_name.h"

#include <stdio.h>
#include <string.h>

/*
 * What the kernel's dma_fence_driver_name() and dma_fence_timeline_name() (from 6.17 on) and its
 * sync_file give for a fence that has signalled, when the driver must not be asked any more.
 */
static const char *const placeholders[] = {
	"detached-driver",   "driver-whose-fence-is-signaled",
	"signaled-driver",   "driver-signaled",
	"signaled-timeline", "signaled",
};

static bool is_placeholder(const char *name)
{
	for (size_t i = 0; i < sizeof(placeholders) / sizeof(placeholders[0]); i++)
		if (!strcmp(name, placeholders[i]))
			return true;
	return !*name;
}

void fence_name_copy(char *dst, size_t len, const char *src)
{
	memset(dst, 0, len);
	if (!is_placeholder(src))
		memcpy(dst, src, strnlen(src, len - 1));
}

void member_names_add(struct member_names *of, const char *text)
{
	for (unsigned i = 0; i < of->nr; i++)
		if (!strcmp(of->text[i], text))
			return;
	if (of->nr == MEMBERS_NAMED)
		of->more = true;
	else
		snprintf(of->text[of->nr++], MEMBER_NAME_LEN, "%s", text);
}

void member_names_join(struct member_names *of, const struct member_names *more)
{
	for (unsigned i = 0; i < more->nr; i++)
		member_names_add(of, more->text[i]);
	of->more |= more->more;
}

static const char *or_unknown(const char *name)
{
	return *name ? name : "?";
}

bool fence_name_pair(char *dst, const char *driver, const char *timeline)
{
	if (!*driver && !*timeline)
		return false;
	snprintf(dst, MEMBER_NAME_LEN, "%.*s/%s", FS_DRIVER_LEN, or_unknown(driver),
		 or_unknown(timeline));
	return true;
}

static void copy(char *dst, size_t len, const char *src)
{
	size_t n = strnlen(src, len - 1);

	memcpy(dst, src, n);
	dst[n] = '\0';
}

void fence_name_make(struct fence_name *name, const char *driver, const char *timeline,
		     const struct member_names *of)
{
	size_t used;

	copy(name->driver, sizeof(name->driver), driver);
	if (!of || !of->nr || (*timeline && strcmp(timeline, FENCE_UNBOUND) != 0)) {
		copy(name->timeline, sizeof(name->timeline), timeline);
		return;
	}
	used = (size_t)snprintf(name->timeline, sizeof(name->timeline), "of %s", of->text[0]);
	for (unsigned i = 1; i < of->nr; i++)
		used += (size_t)snprintf(name->timeline + used, sizeof(name->timeline) - used,
					 ", %s", of->text[i]);
	if (of->more)
		snprintf(name->timeline + used, sizeof(name->timeline) - used, ", ...");
}
