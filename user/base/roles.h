/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Which role each probed function has, by the id of its FS_KIND_POINT record. */
#ifndef BASE_ROLES_H
#define BASE_ROLES_H

#include <stdint.h>

/* Ids count up from 1; nobody probes more functions than that. */
#define ROLES_POINTS_MAX 65536

/* All zero is empty. */
struct roles {
	uint8_t *by_point;
	uint32_t nr;
};

/*
 * 0, -ENOMEM, or -ERANGE for an id that is too high. A role that is not known here (a newer
 * writer's) is kept as FS_ROLE_SPAN.
 */
int roles_set(struct roles *r, uint32_t point, uint32_t role);

/* The role (enum fs_role), or -1 if the point is not known. */
int roles_get(const struct roles *r, uint32_t point);

void roles_free(struct roles *r); /* leaves it empty */

#endif
