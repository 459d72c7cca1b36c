/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* framescope report --gfxinfo: verdicts as dumpsys gfxinfo prints them. */
#ifndef CMD_REPORT_GFXINFO_H
#define CMD_REPORT_GFXINFO_H

#include "base/err.h"
#include "cmd/judging.h"

/* By the options of `j`, which the caller frees. 0 or a negative errno. */
int report_gfxinfo(const char *path, struct judging *j, struct err *e);

#endif
