/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Why a function that the user named (--uprobe) can't be probed, and what may have been meant. */
#ifndef CAPTURE_UNFOUND_H
#define CAPTURE_UNFOUND_H

#include <stddef.h>
#include <sys/types.h>

#include "base/err.h"
#include "probe/catalogue.h"
#include "probe/library.h"

/* This library, which spec names, does not have it, or not so that it can be probed. Sets e. */
void unfound_function(const struct point_spec *spec, const struct library *lib, struct err *e);

/* There is nothing to look into at the path that spec names. Sets e. */
void unfound_path(const struct point_spec *spec, struct err *e);

/*
 * No library has the name that spec says: none that these processes map or that lies in the usual
 * places. Sets e.
 */
void unfound_library(const struct point_spec *spec, const pid_t *pids, size_t nr, struct err *e);

#endif
