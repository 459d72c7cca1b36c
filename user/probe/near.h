/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Function names that may have been meant by one that was not found. */
#ifndef PROBE_NEAR_H
#define PROBE_NEAR_H

#include <stddef.h>

#include "probe/symbols.h"

/*
 * Up to `max` names of the `nr` tables that are nearest to `symbol`, nearest first and each once,
 * malloc'ed for the caller to free. Names with control characters are passed over. Returns how
 * many.
 */
int near_names(const struct symbols *tables, size_t nr, const char *symbol, char **names, int max);

#endif
