/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* framescope report on a text of dumpsys. */
#ifndef CMD_REPORT_DUMP_H
#define CMD_REPORT_DUMP_H

#include <stdbool.h>

#include "base/err.h"
#include "cmd/judging.h"

/*
 * By the options of `j`, which the caller frees. 0 or a negative errno; *wrong is whether the text
 * contradicts itself, or has nothing that could.
 */
int report_dump(const char *path, struct judging *j, bool json, bool *wrong, struct err *e);

#endif
