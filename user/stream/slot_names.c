/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "stream/slot_names.h"

#include <stddef.h>

static const char *const names[] = {
	[SLOT_FLAGS] = "Flags",
	[SLOT_VSYNC_ID] = "FrameTimelineVsyncId",
	[SLOT_INTENDED_VSYNC] = "IntendedVsync",
	[SLOT_VSYNC] = "Vsync",
	[SLOT_OLDEST_INPUT] = "OldestInputEvent",
	[SLOT_NEWEST_INPUT] = "NewestInputEvent",
	[SLOT_INPUT_EVENT_ID] = "InputEventId",
	[SLOT_HANDLE_INPUT_START] = "HandleInputStart",
	[SLOT_ANIMATION_START] = "AnimationStart",
	[SLOT_PERFORM_TRAVERSALS_START] = "PerformTraversalsStart",
	[SLOT_DRAW_START] = "DrawStart",
	[SLOT_FRAME_DEADLINE] = "FrameDeadline",
	[SLOT_FRAME_START] = "FrameStartTime",
	[SLOT_FRAME_INTERVAL] = "FrameInterval",
	[SLOT_WORKLOAD_TARGET] = "WorkloadTarget",
	[SLOT_ANIMATION_TIME] = "AnimationTime",
	[SLOT_SYNC_QUEUED] = "SyncQueued",
	[SLOT_SYNC_START] = "SyncStart",
	[SLOT_ISSUE_DRAW_COMMANDS_START] = "IssueDrawCommandsStart",
	[SLOT_SWAP_BUFFERS] = "SwapBuffers",
	[SLOT_FRAME_COMPLETED] = "FrameCompleted",
	[SLOT_DEQUEUE_DURATION] = "DequeueBufferDuration",
	[SLOT_QUEUE_DURATION] = "QueueBufferDuration",
	[SLOT_GPU_COMPLETED] = "GpuCompleted",
	[SLOT_SWAP_BUFFERS_COMPLETED] = "SwapBuffersCompleted",
	[SLOT_DISPLAY_PRESENT_TIME] = "DisplayPresentTime",
	[SLOT_COMMAND_SUBMISSION_COMPLETED] = "CommandSubmissionCompleted",
};
_Static_assert(sizeof(names) / sizeof(*names) == SLOT_NR, "a name for every slot");

const char *slot_name(enum frame_slot slot)
{
	return names[slot];
}

const char *slot_heading(unsigned layout, unsigned column)
{
	const uint8_t *order = frame_slots_order(layout);
	enum frame_slot slot;

	if (!order || column >= layout)
		return NULL;
	slot = (enum frame_slot)order[column];
	if (layout < SLOTS_16 && slot == SLOT_FRAME_START)
		slot = SLOT_FRAME_INTERVAL;
	else if (layout < SLOTS_16 && slot == SLOT_FRAME_INTERVAL)
		slot = SLOT_FRAME_START;
	return names[slot];
}
