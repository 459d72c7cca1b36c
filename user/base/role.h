/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The names of the roles of probed functions (enum fs_role), for options, dumps and reports. */
#ifndef BASE_ROLE_H
#define BASE_ROLE_H

/* The names by number, ended by NULL. */
extern const char *const role_names[];

/* "swap", "dequeue" ...; NULL for a number that is no role. */
const char *role_name(unsigned role);

/* The role called `name`, or -1. */
int role_by_name(const char *name);

#endif
