/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A table that grows with the highest id. */
#include "base/roles.h"

#include <errno.h>
#include <linux/types.h>
#include <stdlib.h>
#include <string.h>

#include <framescope/event.h>

#define NOT_KNOWN UINT8_MAX
_Static_assert(FS_ROLE_NR < NOT_KNOWN, "a role fits its byte");

int roles_set(struct roles *r, uint32_t point, uint32_t role)
{
	if (point >= ROLES_POINTS_MAX)
		return -ERANGE;
	if (point >= r->nr) {
		uint32_t nr = point + 64;
		uint8_t *by_point = realloc(r->by_point, nr);

		if (!by_point)
			return -ENOMEM;
		memset(by_point + r->nr, NOT_KNOWN, nr - r->nr);
		r->by_point = by_point;
		r->nr = nr;
	}
	r->by_point[point] = role < FS_ROLE_NR ? (uint8_t)role : FS_ROLE_SPAN;
	return 0;
}

int roles_get(const struct roles *r, uint32_t point)
{
	return point < r->nr && r->by_point[point] != NOT_KNOWN ? r->by_point[point] : -1;
}

void roles_free(struct roles *r)
{
	free(r->by_point);
	*r = (struct roles){ 0 };
}
