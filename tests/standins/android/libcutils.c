// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Stand-in for Android's libcutils: the marker that newer HWUI sets where it skips a frame. */
#include "standins/android/link.h"

void atrace_instant_body(const char *name);

static const struct libcutils functions = { .instant = atrace_instant_body };

STANDIN_LINK(struct libcutils, functions)

void atrace_instant_body(const char *name)
{
	app->instant(name);
}
