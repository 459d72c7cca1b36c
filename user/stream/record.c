/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The table of record kinds. A new kind, field or enumerator is one row here; the text form and the
 * checks follow.
 */
#include "stream/record.h"

#include "base/role.h"
#include "stream/record_table.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static const char *const call_names[] = {
	[FS_CALL_UNKNOWN] = "unknown", [FS_CALL_NONE] = "none",   [FS_CALL_OTHER] = "other",
	[FS_CALL_COMPAT] = "compat",   [FS_CALL_FUTEX] = "futex", [FS_CALL_IOCTL] = "ioctl",
	[FS_CALL_READ] = "read",       [FS_CALL_POLL] = "poll",   [FS_CALL_SELECT] = "select",
	[FS_CALL_EPOLL] = "epoll",     [FS_CALL_SLEEP] = "sleep",
};
_Static_assert(COUNT(call_names) == FS_CALL_NR, "a new call needs a name here");

static const char *const file_names[] = {
	[FS_FILE_NONE] = "none",           [FS_FILE_UNKNOWN] = "unknown",
	[FS_FILE_REGULAR] = "regular",     [FS_FILE_BLOCK] = "block",
	[FS_FILE_CHAR] = "char",           [FS_FILE_GPU] = "gpu",
	[FS_FILE_BINDER] = "binder",       [FS_FILE_PIPE] = "pipe",
	[FS_FILE_SOCKET] = "socket",       [FS_FILE_EVENTFD] = "eventfd",
	[FS_FILE_TIMERFD] = "timerfd",     [FS_FILE_EPOLL] = "epoll",
	[FS_FILE_SIGNALFD] = "signalfd",   [FS_FILE_INOTIFY] = "inotify",
	[FS_FILE_SYNC_FILE] = "sync_file", [FS_FILE_DMA_BUF] = "dma_buf",
	[FS_FILE_ANON] = "anon",           [FS_FILE_TTY] = "tty",
};
_Static_assert(COUNT(file_names) == FS_FILE_NR, "a new kind of file needs a name here");

static const char *const context_names[] = {
	[FS_CTX_UNKNOWN] = "unknown",
	[FS_CTX_TASK] = "task",
	[FS_CTX_SOFTIRQ] = "softirq",
	[FS_CTX_HARDIRQ] = "hardirq",
};
_Static_assert(COUNT(context_names) == FS_CTX_NR, "a new context needs a name here");

static const char *const fence_op_names[] = {
	[FS_FENCE_INIT] = "init",         [FS_FENCE_EMIT] = "emit",
	[FS_FENCE_ENABLE] = "enable",     [FS_FENCE_SIGNALED] = "signaled",
	[FS_FENCE_DESTROY] = "destroy",   [FS_FENCE_WAIT_START] = "wait_start",
	[FS_FENCE_WAIT_END] = "wait_end", [FS_FENCE_RUN] = "run",
};
_Static_assert(COUNT(fence_op_names) == FS_FENCE_OP_NR, "a new fence operation needs a name here");

static const char *const ref_role_names[] = {
	[FS_REF_WAITED] = "waited", [FS_REF_ACQUIRE] = "acquire",     [FS_REF_RELEASE] = "release",
	[FS_REF_CANCEL] = "cancel", [FS_REF_WAIT_CALL] = "wait_call",
};
_Static_assert(COUNT(ref_role_names) == FS_REF_NR, "a new role of a fence needs a name here");

static const char *const info_part_names[] = {
	[FS_INFO_WHOLE] = "whole",
	[FS_INFO_AFTER] = "after",
	[FS_INFO_UI] = "ui",
};
_Static_assert(COUNT(info_part_names) == FS_INFO_NR, "a new part needs a name here");

static const char *const task_op_names[] = {
	[FS_TASK_NEW] = "new",       [FS_TASK_EXEC] = "exec", [FS_TASK_EXIT] = "exit",
	[FS_TASK_RENAME] = "rename", [FS_TASK_SEEN] = "seen", [FS_TASK_LAST] = "last",
};
_Static_assert(COUNT(task_op_names) == FS_TASK_OP_NR, "a new task operation needs a name here");

static const char *const lost_names[] = {
	[FS_LOST_RING] = "ring", [FS_LOST_MAP] = "map", [FS_LOST_DEPTH] = "depth",
	[FS_LOST_FILE] = "file", [FS_LOST_END] = "end",
};
_Static_assert(COUNT(lost_names) == FS_LOST_NR, "a new place of loss needs a name here");

static const char *const clock_names[] = {
	[FS_CLOCK_START] = "start",
	[FS_CLOCK_TICK] = "tick",
	[FS_CLOCK_STOP] = "stop",
};
_Static_assert(COUNT(clock_names) == FS_CLOCK_NR, "a new clock mark needs a name here");

static const char *const timeline_kind_names[] = {
	[FS_TIMELINE_EXPECTED_DISPLAY] = "expected_display",
	[FS_TIMELINE_ACTUAL_DISPLAY] = "actual_display",
	[FS_TIMELINE_EXPECTED_SURFACE] = "expected_surface",
	[FS_TIMELINE_ACTUAL_SURFACE] = "actual_surface",
};
_Static_assert(COUNT(timeline_kind_names) == FS_TIMELINE_NR, "a new kind needs a name here");

/* By bit number. */
static const char *const span_flags[] = { "open" };
_Static_assert(FS_OPEN == 1u << 0, "flag names are by bit");

static const char *const ref_flags[] = { "signaled", "dma_buf", "more" };
_Static_assert(FS_REF_SIGNALED == 1u << 0 && FS_REF_DMA_BUF == 1u << 1 && FS_REF_MORE == 1u << 2,
	       "flag names are by bit");

static const char *const info_flags[] = { "followed" };
_Static_assert(FS_INFO_FOLLOWED == 1u << 0, "flag names are by bit");

static const char *const timeline_flags[] = { "open", "on_time", "gpu", "is_buffer" };
_Static_assert(FS_TIMELINE_ON_TIME == 1u << 1 && FS_TIMELINE_GPU == 1u << 2 &&
		       FS_TIMELINE_IS_BUFFER == 1u << 3,
	       "flag names are by bit");

static const char *const offcpu_flags[] = {
	"open", "preempted", "new", "no_start", "woken_early", "no_end",
};
_Static_assert(FS_OFF_PREEMPTED == 1u << 1 && FS_OFF_NEW == 1u << 2 && FS_OFF_NO_START == 1u << 3 &&
		       FS_OFF_WOKEN_EARLY == 1u << 4 && FS_OFF_NO_END == 1u << 5,
	       "flag names are by bit");

/* clang-format off */
#define PLAIN(strct, type, member) \
	{ #member, FIELD_##type, offsetof(struct strct, member), 0, 0, NULL }
#define NAMED(strct, type, member, names) \
	{ #member, FIELD_##type, offsetof(struct strct, member), 0, COUNT(names), names }
#define STRING(strct, member) \
	{ #member, FIELD_STRING, offsetof(struct strct, member), \
	  sizeof(((struct strct *)0)->member), 0, NULL }
#define END(strct, member) \
	(offsetof(struct strct, member) + sizeof(((struct strct *)0)->member) - 1)

const struct kind record_kinds[RECORD_KINDS] = {
	[FS_KIND_SPAN] = { "span", sizeof(struct fs_span), sizeof(struct fs_span), {}, {
		PLAIN(fs_span, U64, entry_ns),
		PLAIN(fs_span, U32, point),
		NAMED(fs_span, FLAGS, flags, span_flags),
		PLAIN(fs_span, U32, seq),
		PLAIN(fs_span, U32, depth),
		PLAIN(fs_span, U32, off_seq),
		{ "arg0", FIELD_HEX64, offsetof(struct fs_span, args[0]), 0, 0, NULL },
		{ "arg1", FIELD_HEX64, offsetof(struct fs_span, args[1]), 0, 0, NULL },
		{ "arg2", FIELD_HEX64, offsetof(struct fs_span, args[2]), 0, 0, NULL },
		{ "arg3", FIELD_HEX64, offsetof(struct fs_span, args[3]), 0, 0, NULL },
		PLAIN(fs_span, HEX64, ret),
	} },
	/* Without its tail an interval reads as one whose waker was not seen. */
	[FS_KIND_OFFCPU] = { "offcpu", offsetof(struct fs_offcpu, peer_tid),
			     sizeof(struct fs_offcpu), { END(fs_offcpu, peer_comm) }, {
		PLAIN(fs_offcpu, U64, out_ns),
		PLAIN(fs_offcpu, U64, waking_ns),
		PLAIN(fs_offcpu, U32, seq),
		NAMED(fs_offcpu, FLAGS, flags, offcpu_flags),
		PLAIN(fs_offcpu, HEX32, state),
		PLAIN(fs_offcpu, S32, syscall),
		PLAIN(fs_offcpu, S32, fd),
		PLAIN(fs_offcpu, U32, nfds),
		PLAIN(fs_offcpu, CPU, cpu_out),
		NAMED(fs_offcpu, ENUM8, call, call_names),
		NAMED(fs_offcpu, ENUM8, file, file_names),
		NAMED(fs_offcpu, ENUM8, context, context_names),
		PLAIN(fs_offcpu, U32, peer_tid),
		PLAIN(fs_offcpu, U32, peer_tgid),
		STRING(fs_offcpu, peer_comm),
		PLAIN(fs_offcpu, S32, cpu_waking),
	} },
	[FS_KIND_FENCE] = { "fence", offsetof(struct fs_fence, error), sizeof(struct fs_fence), {}, {
		PLAIN(fs_fence, U64, context),
		PLAIN(fs_fence, U64, seqno),
		NAMED(fs_fence, ENUM32, op, fence_op_names),
		NAMED(fs_fence, ENUM32, irq, context_names),
		PLAIN(fs_fence, U32, error),
	} },
	[FS_KIND_FENCE_NAME] = { "fence_name", sizeof(struct fs_fence_name),
				 sizeof(struct fs_fence_name),
				 { END(fs_fence_name, driver), END(fs_fence_name, timeline) }, {
		PLAIN(fs_fence_name, U64, context),
		STRING(fs_fence_name, driver),
		STRING(fs_fence_name, timeline),
	} },
	[FS_KIND_FENCE_REF] = { "fence_ref", sizeof(struct fs_fence_ref),
				sizeof(struct fs_fence_ref), {}, {
		NAMED(fs_fence_ref, ENUM32, role, ref_role_names),
		PLAIN(fs_fence_ref, S32, fd),
		PLAIN(fs_fence_ref, U64, context),
		PLAIN(fs_fence_ref, U64, seqno),
		PLAIN(fs_fence_ref, U32, index),
		PLAIN(fs_fence_ref, U32, count),
		PLAIN(fs_fence_ref, U64, container),
		PLAIN(fs_fence_ref, U64, container_seqno),
		PLAIN(fs_fence_ref, U64, signal_ns),
		PLAIN(fs_fence_ref, HEX64, object),
		PLAIN(fs_fence_ref, S64, timeout_ns),
		PLAIN(fs_fence_ref, U32, off_seq),
		NAMED(fs_fence_ref, FLAGS, flags, ref_flags),
	} },
	[FS_KIND_FRAME_INFO] = { "frame_info", sizeof(struct fs_frame_info),
				 sizeof(struct fs_frame_info), {}, {
		PLAIN(fs_frame_info, HEX64, object),
		PLAIN(fs_frame_info, U64, frame_number),
		PLAIN(fs_frame_info, U64, sync_queued_ns),
		PLAIN(fs_frame_info, U32, point),
		NAMED(fs_frame_info, ENUM16, part, info_part_names),
		PLAIN(fs_frame_info, U16, layout),
		PLAIN(fs_frame_info, U32, count),
		NAMED(fs_frame_info, FLAGS, flags, info_flags),
		{ "slots", FIELD_S64_LIST, offsetof(struct fs_frame_info, slots),
		  sizeof(((struct fs_frame_info *)0)->slots), 0, NULL },
	} },
	[FS_KIND_MARKER] = { "marker", sizeof(struct fs_marker), sizeof(struct fs_marker),
			     { END(fs_marker, track), END(fs_marker, text) }, {
		PLAIN(fs_marker, LETTER, phase),
		PLAIN(fs_marker, U64, cookie),
		PLAIN(fs_marker, S64, value),
		STRING(fs_marker, track),
		STRING(fs_marker, text),
	} },
	[FS_KIND_TASK] = { "task", sizeof(struct fs_task), sizeof(struct fs_task),
			   { END(fs_task, comm) }, {
		NAMED(fs_task, ENUM32, op, task_op_names),
		PLAIN(fs_task, U32, parent),
		STRING(fs_task, comm),
		PLAIN(fs_task, U32, off_seq),
		PLAIN(fs_task, U32, span_seq),
	} },
	[FS_KIND_LOST] = { "lost", sizeof(struct fs_lost), sizeof(struct fs_lost), {}, {
		PLAIN(fs_lost, U64, count),
		NAMED(fs_lost, ENUM32, where, lost_names),
	} },
	[FS_KIND_CLOCK] = { "clock", sizeof(struct fs_clock), sizeof(struct fs_clock), {}, {
		PLAIN(fs_clock, U64, boottime_ns),
		PLAIN(fs_clock, U64, realtime_ns),
		NAMED(fs_clock, ENUM32, mark, clock_names),
	} },
	[FS_KIND_META] = { "meta", sizeof(struct fs_meta), sizeof(struct fs_meta), {}, {
		{ "text", FIELD_TEXT, offsetof(struct fs_meta, text), 0, 0, NULL },
	} },
	[FS_KIND_POINT] = { "point", sizeof(struct fs_point), sizeof(struct fs_point),
			    { END(fs_point, lib), END(fs_point, symbol) }, {
		PLAIN(fs_point, U32, id),
		{ "role", FIELD_ENUM32, offsetof(struct fs_point, role), 0, FS_ROLE_NR, role_names },
		PLAIN(fs_point, HEX64, offset),
		STRING(fs_point, lib),
		STRING(fs_point, symbol),
	} },
	[FS_KIND_TEXT] = { "text", sizeof(struct fs_text), sizeof(struct fs_text),
			   { END(fs_text, text) }, {
		PLAIN(fs_text, U32, point),
		STRING(fs_text, text),
	} },
	[FS_KIND_TIMELINE] = { "timeline", sizeof(struct fs_timeline), sizeof(struct fs_timeline),
			       { END(fs_timeline, layer) }, {
		NAMED(fs_timeline, ENUM32, kind, timeline_kind_names),
		PLAIN(fs_timeline, U64, start_ns),
		PLAIN(fs_timeline, S64, token),
		PLAIN(fs_timeline, S64, display_token),
		NAMED(fs_timeline, FLAGS, flags, timeline_flags),
		PLAIN(fs_timeline, HEX32, jank),
		PLAIN(fs_timeline, U32, present),
		PLAIN(fs_timeline, U32, prediction),
		PLAIN(fs_timeline, U32, severity),
		STRING(fs_timeline, layer),
	} },
	[FS_KIND_BUFFER] = { "buffer", sizeof(struct fs_buffer), sizeof(struct fs_buffer),
			     { END(fs_buffer, layer) }, {
		PLAIN(fs_buffer, U32, type),
		PLAIN(fs_buffer, U32, frame_number),
		PLAIN(fs_buffer, U32, buffer_id),
		PLAIN(fs_buffer, U64, duration_ns),
		STRING(fs_buffer, layer),
	} },
};
/* clang-format on */

/* A struct that grows needs its new field in the table, and its old size as the kind's minimum. */
_Static_assert(sizeof(struct fs_header) == 24, "header");
_Static_assert(sizeof(struct fs_span) == 96, "span");
_Static_assert(sizeof(struct fs_offcpu) == 104, "offcpu");
_Static_assert(sizeof(struct fs_fence) == 56, "fence");
_Static_assert(sizeof(struct fs_fence_ref) == 104, "fence_ref");
_Static_assert(sizeof(struct fs_fence_name) == 128, "fence_name");
_Static_assert(sizeof(struct fs_frame_info) == 264, "frame_info");
_Static_assert(sizeof(struct fs_marker) == 160, "marker");
_Static_assert(sizeof(struct fs_task) == 56, "task");
_Static_assert(sizeof(struct fs_lost) == 40, "lost");
_Static_assert(sizeof(struct fs_clock) == 48, "clock");
_Static_assert(sizeof(struct fs_meta) == 24, "meta");
_Static_assert(sizeof(struct fs_point) == 296, "point");
_Static_assert(sizeof(struct fs_text) == 80, "text");
_Static_assert(sizeof(struct fs_timeline) == 168, "timeline");
_Static_assert(sizeof(struct fs_buffer) == 144, "buffer");

static const char *name_at(const char *const *names, size_t count, unsigned value)
{
	return value < count ? names[value] : NULL;
}

const char *record_call_name(unsigned call)
{
	return name_at(call_names, COUNT(call_names), call);
}

const char *record_file_name(unsigned file)
{
	return name_at(file_names, COUNT(file_names), file);
}

const char *record_context_name(unsigned context)
{
	return name_at(context_names, COUNT(context_names), context);
}

const char *record_ref_role_name(unsigned role)
{
	return name_at(ref_role_names, COUNT(ref_role_names), role);
}

bool record_known(unsigned kind)
{
	return kind < RECORD_KINDS && record_kinds[kind].name;
}

size_t record_full_size(unsigned kind)
{
	return kind < RECORD_KINDS ? record_kinds[kind].full_size : 0;
}

enum record_fit record_check(struct fs_header *rec)
{
	if (!record_known(rec->kind))
		return RECORD_UNKNOWN;

	const struct kind *kind = &record_kinds[rec->kind];
	if (rec->size < kind->min_size)
		return RECORD_MALFORMED;
	for (size_t i = 0; i < COUNT(kind->string_ends); i++) {
		size_t end = kind->string_ends[i];

		if (end != 0 && end < rec->size)
			((char *)rec)[end] = '\0';
	}
	return RECORD_FITS;
}
