/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What HWUI calls the slots of a FrameInfo: in framestats, and in its log. */
#ifndef STREAM_SLOT_NAMES_H
#define STREAM_SLOT_NAMES_H

#include "stream/frame_slots.h"

const char *slot_name(enum frame_slot slot); /* "IntendedVsync" */

/*
 * What stands above a column of framestats. Android 12 to 15 have FrameInterval's name above
 * FrameStartTime's values and the other way round. NULL if there is no such column.
 */
const char *slot_heading(unsigned layout, unsigned column);

#endif
