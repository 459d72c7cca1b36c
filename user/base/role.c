/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The one table of role names. */
#include "base/role.h"

#include <linux/types.h>
#include <stddef.h>
#include <string.h>

#include <framescope/event.h>

/* clang-format off */
const char *const role_names[] = {
	[FS_ROLE_SPAN] = "span",
	[FS_ROLE_SWAP] = "swap",
	[FS_ROLE_PRESENT] = "present",
	[FS_ROLE_DEQUEUE] = "dequeue",
	[FS_ROLE_QUEUE] = "queue",
	[FS_ROLE_SLOT] = "slot",
	[FS_ROLE_CANCEL] = "cancel",
	[FS_ROLE_FENCE_WAIT] = "fence_wait",
	[FS_ROLE_FRAME_INFO] = "frame_info",
	[FS_ROLE_FRAME_UI] = "frame_ui",
	[FS_ROLE_UI_SYNC] = "ui_sync",
	[FS_ROLE_RENDER_FRAME] = "render_frame",
	[FS_ROLE_SYNC_STATE] = "sync_state",
	[FS_ROLE_UI_RELEASE] = "ui_release",
	[FS_ROLE_FRAME_TIMELINE] = "frame_timeline",
	[FS_ROLE_VSYNC] = "vsync",
	[FS_ROLE_RELEASED] = "released",
	[FS_ROLE_POLL] = "poll",
	[FS_ROLE_MARKER] = "marker",
	[FS_ROLE_NR] = NULL,
};
/* clang-format on */

_Static_assert(FS_ROLE_NR == 19, "a new role needs a name here");

const char *role_name(unsigned role)
{
	return role < FS_ROLE_NR ? role_names[role] : NULL;
}

int role_by_name(const char *name)
{
	for (unsigned role = 0; role < FS_ROLE_NR; role++) {
		if (!strcmp(name, role_names[role]))
			return (int)role;
	}
	return -1;
}
