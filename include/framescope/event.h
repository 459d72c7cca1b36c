/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The records that cross from the kernel side to user space, and that a capture file holds.
 *
 * Included by the BPF programs (after vmlinux.h) and by user space, so it has plain structs and
 * limits only.
 *
 * Rules of the format:
 *  - Kinds and enumerators are numbered explicitly and only ever appended.
 *  - `size` counts the whole record and is a multiple of 8. A record may be longer than the struct
 *    known here (a newer writer: the tail is ignored) or shorter down to its kind's minimum (an
 *    older writer: the tail reads as zero).
 *  - All times are CLOCK_MONOTONIC nanoseconds.
 */
#ifndef FRAMESCOPE_EVENT_H
#define FRAMESCOPE_EVENT_H

#ifndef __VMLINUX_H__
#include <linux/types.h>
#endif

#define FS_COMM_LEN 16
#define FS_SPAN_ARGS 4
#define FS_RECORD_MAX 4096 /* bytes; no record is longer */

enum fs_kind {
	FS_KIND_SPAN = 1,
	FS_KIND_OFFCPU = 2,
	FS_KIND_FENCE = 3,
	FS_KIND_FENCE_NAME = 4,
	FS_KIND_FENCE_REF = 5,
	FS_KIND_FRAME_INFO = 6,
	FS_KIND_TASK = 7,
	FS_KIND_MARKER = 8,
	FS_KIND_LOST = 9,
	FS_KIND_CLOCK = 10,
	FS_KIND_META = 11,
	FS_KIND_POINT = 12,
	FS_KIND_TEXT = 13,
	FS_KIND_TIMELINE = 14,
	FS_KIND_BUFFER = 15,
};

/*
 * Every record starts with this. `time_ns` is when the record became complete: the exit of a span,
 * the switch-in of an off-CPU interval, or, for one still open when the capture stopped, that stop.
 * A stream ordered by time_ns therefore delivers a thing when it ends.
 */
struct fs_header {
	__u64 time_ns;
	__u32 tid; /* the thread the record is about; 0 = none */
	__u32 tgid; /* its process; 0 = not known */
	__u16 kind; /* enum fs_kind */
	__u16 size; /* bytes, this header included */
	__u32 cpu; /* where it was emitted; FS_CPU_NONE for records made in user space */
};

#define FS_CPU_NONE 0xffffffffu

/* Flags shared by spans and off-CPU intervals. */
#define FS_OPEN 0x1u /* had not ended when the capture stopped */

/* One call of a probed function. */
struct fs_span {
	struct fs_header h; /* time_ns: exit */
	__u64 entry_ns;
	__u32 point; /* id of a FS_KIND_POINT record */
	__u32 flags; /* FS_OPEN */
	__u32 seq; /* this thread's span count, from 1; a gap means lost records */
	__u32 depth; /* probed calls of this thread that were open around it */
	__u32 off_seq; /* seq of the thread's last off-CPU interval before the exit: a reader that
			  has not seen that one knows of a hole before the span's end */
	__u32 pad;
	/*
	 * First integer arguments, as passed, but for some roles what they point to (0: not read):
	 * DEQUEUE that succeeded, QUEUE, CANCEL: [3] is the buffer.
	 * FRAME_TIMELINE: [1] is the number of the frame (0: not passed), [3] its vsync id.
	 * VSYNC: [1] is the timestamp of the vsync; RELEASED: [2] is the buffer's id, [3] the
	 * number of the frame that was in it.
	 */
	__u64 args[FS_SPAN_ARGS];
	__u64 ret; /* return value; 0 with FS_OPEN */
};

/* What a thread was doing in the kernel when it blocked. */
enum fs_call {
	FS_CALL_UNKNOWN = 0, /* could not be read */
	FS_CALL_NONE = 1, /* not in a system call: a page fault or another exception */
	FS_CALL_OTHER = 2, /* a system call with no class below */
	FS_CALL_COMPAT = 3, /* a 32-bit system call; its number means something else */
	FS_CALL_FUTEX = 4,
	FS_CALL_IOCTL = 5,
	FS_CALL_READ = 6, /* read, write, recv, send, fsync ...: the first argument is the file */
	FS_CALL_POLL = 7, /* poll, ppoll */
	FS_CALL_SELECT = 8, /* select, pselect6 */
	FS_CALL_EPOLL = 9, /* epoll_wait and kin */
	FS_CALL_SLEEP = 10, /* nanosleep, clock_nanosleep */
	FS_CALL_NR
};

/* The kind of file that a blocking system call's descriptor names. */
enum fs_file {
	FS_FILE_NONE = 0, /* the call names no file */
	FS_FILE_UNKNOWN = 1, /* it does, but it could not be followed */
	FS_FILE_REGULAR = 2,
	FS_FILE_BLOCK = 3,
	FS_FILE_CHAR = 4, /* a character device with no kind below */
	FS_FILE_GPU = 5, /* DRM, KGSL, Mali, PowerVR, NVIDIA */
	FS_FILE_BINDER = 6,
	FS_FILE_PIPE = 7,
	FS_FILE_SOCKET = 8,
	FS_FILE_EVENTFD = 9,
	FS_FILE_TIMERFD = 10,
	FS_FILE_EPOLL = 11,
	FS_FILE_SIGNALFD = 12,
	FS_FILE_INOTIFY = 13,
	FS_FILE_SYNC_FILE = 14,
	FS_FILE_DMA_BUF = 15,
	FS_FILE_ANON = 16, /* another anonymous inode */
	FS_FILE_TTY = 17,
	FS_FILE_NR
};

/* Where a waking came from. */
enum fs_context {
	FS_CTX_UNKNOWN = 0, /* no waking was seen, or its context can't be read on this kernel */
	FS_CTX_TASK = 1,
	FS_CTX_SOFTIRQ = 2,
	FS_CTX_HARDIRQ = 3, /* or NMI */
	FS_CTX_NR
};

/* Off-CPU flags, beside FS_OPEN. */
#define FS_OFF_PREEMPTED 0x2u /* was still runnable when it left the CPU */
#define FS_OFF_NEW 0x4u /* a new thread's wait for its first CPU */
#define FS_OFF_NO_START 0x8u /* was already off-CPU when the capture began: out_ns is 0 */
#define FS_OFF_WOKEN_EARLY 0x10u /* the waking began before the switch-out: waking_ns = out_ns */
#define FS_OFF_NO_END 0x20u /* the kernel did not show its switch-in: it was before time_ns */

/*
 * One off-CPU interval, from switch-out to switch-in. Preempted: `peer` is who took the CPU.
 * Otherwise: `peer` is the waker, meaningful if `context` is FS_CTX_TASK (in an interrupt it would
 * name a bystander, so it is left 0) or FS_CTX_UNKNOWN.
 */
struct fs_offcpu {
	struct fs_header h; /* time_ns: switch-in; cpu: the CPU taken */
	__u64 out_ns;
	__u64 waking_ns; /* 0: no waking seen */
	__u32 seq; /* this thread's off-CPU count, from 1; a gap means lost records */
	__u32 flags;
	__u32 state; /* task state at switch-out: TASK_INTERRUPTIBLE 1, TASK_UNINTERRUPTIBLE 2 ...
		      */
	__s32 syscall; /* number, -1 = none or not known */
	__s32 fd; /* descriptor the call named (of several, the one that `file` describes), or -1 */
	__u32 nfds; /* descriptors the call waited for (of a select the first 64), 0 = none */
	__u32 cpu_out; /* the CPU left */
	__u8 call; /* enum fs_call */
	__u8 file; /* enum fs_file */
	__u8 context; /* enum fs_context */
	__u8 pad;
	__u32 peer_tid;
	__u32 peer_tgid;
	char peer_comm[FS_COMM_LEN];
	__s32 cpu_waking; /* the waker's CPU, -1 = no waking seen */
	__u32 pad2;
};

/* What happened to a dma-fence. */
enum fs_fence_op {
	FS_FENCE_INIT = 1,
	FS_FENCE_EMIT = 2,
	FS_FENCE_ENABLE = 3, /* signalling was asked for */
	FS_FENCE_SIGNALED = 4,
	FS_FENCE_DESTROY = 5,
	FS_FENCE_WAIT_START = 6, /* in-kernel wait of the thread tid */
	FS_FENCE_WAIT_END = 7,
	FS_FENCE_RUN = 8, /* the GPU scheduler gave the job that it stands for to the hardware */
	FS_FENCE_OP_NR
};

struct fs_fence {
	struct fs_header h; /* tid: the running task; for SIGNALED in an interrupt, a bystander */
	__u64 context;
	__u64 seqno;
	__u32 op; /* enum fs_fence_op */
	__u32 irq; /* enum fs_context it happened in */
	__u32 error; /* SIGNALED: the errno that the driver set; 0 = none */
	__u32 pad;
};

#define FS_DRIVER_LEN 32
#define FS_TIMELINE_LEN 64

/* Where a descriptor of a fence was met. */
enum fs_ref_role {
	FS_REF_WAITED = 1, /* by the system call that the thread blocks in */
	FS_REF_ACQUIRE = 2, /* given away with a queued buffer */
	FS_REF_RELEASE = 3, /* came with a dequeued buffer */
	FS_REF_CANCEL = 4, /* given back with a buffer that was not drawn into */
	FS_REF_WAIT_CALL = 5, /* argument of a probed function that waits for it */
	FS_REF_NR
};

#define FS_REF_SIGNALED 0x1u /* had signalled by then, at signal_ns if that is not 0 */
#define FS_REF_DMA_BUF 0x2u /* one of a dma-buf's fences: the descriptor is the buffer's */
#define FS_REF_MORE 0x4u /* there were more than are recorded */

#define FS_REF_MEMBERS 32 /* of one container that are recorded */

/*
 * A fence that a descriptor stands for. A container (dma_fence_array, dma_fence_chain) gives a
 * record for each fence that it holds.
 */
struct fs_fence_ref {
	struct fs_header h; /* tid: who met it */
	__u64 context;
	__u64 seqno;
	__u64 container; /* context and seqno of the container it was found in */
	__u64 container_seqno; /* (meaningful if count is not 0) */
	__u64 signal_ns;
	__u64 object; /* ACQUIRE, RELEASE, CANCEL: the window (the call's first argument) */
	__s64 timeout_ns; /* WAITED: how long the call may wait; -1 = for ever, or not known */
	__u32 role; /* enum fs_ref_role */
	__s32 fd;
	__u32 index; /* of `count` members, from 0 */
	__u32 count; /* 0: not in a container */
	__u32 off_seq; /* WAITED: of the off-CPU interval that begins here; else of the last one */
	__u32 flags;
};

/* The names of a fence context, once per context. NUL-terminated, cut to fit. */
struct fs_fence_name {
	struct fs_header h;
	__u64 context;
	char driver[FS_DRIVER_LEN];
	char timeline[FS_TIMELINE_LEN];
};

#define FS_TEXT_LEN 48

/*
 * A string that a probed call was given, at its entry: behind the references to the fence that the
 * call waits for. NUL-terminated, cut to fit.
 */
struct fs_text {
	struct fs_header h; /* time_ns: the entry */
	__u32 point; /* id of a FS_KIND_POINT record */
	__u32 pad;
	char text[FS_TEXT_LEN];
};

#define FS_FRAME_SLOTS 25 /* of the longest android::uirenderer::FrameInfo known */

enum fs_info_part {
	FS_INFO_WHOLE = 1, /* as it was when the frame was finished */
	FS_INFO_AFTER = 2, /* the same when that call returned: the deadline may have been moved */
	FS_INFO_UI = 3, /* the UI thread's part, before the RenderThread begins its own */
	FS_INFO_NR
};

#define FS_INFO_FOLLOWED 0x1u /* WHOLE: the one of AFTER is to come */

/*
 * A layout that is none of the platform's: what marks in a trace say of the UI thread's part. Its
 * slots are the following; 0 = not said.
 */
#define FS_LAYOUT_MARKS 1

enum fs_marks_slot {
	FS_MARKS_UI_TID = 0, /* which thread is the UI thread */
	FS_MARKS_VSYNC_ID = 1,
	FS_MARKS_FRAME_START = 2, /* doFrame() began, like the next in ns */
	FS_MARKS_INPUT_START = 3,
	FS_MARKS_ANIMATION_START = 4,
	FS_MARKS_TRAVERSALS_START = 5,
	FS_MARKS_DRAW_START = 6,
	FS_MARKS_NR
};

/* The slots of a FrameInfo of Android's HWUI. */
struct fs_frame_info {
	struct fs_header h; /* time_ns: when they were read; tid: who was in the call */
	__u64 object; /* WHOLE, AFTER: the JankTracker, one per window; UI: the CanvasContext */
	__u64 frame_number; /* WHOLE, AFTER: of the buffer, as the call was told; 0 = it was not */
	__u64 sync_queued_ns; /* UI: when the UI thread posted the frame to the RenderThread */
	__u32 point; /* id of a FS_KIND_POINT record */
	__u16 part; /* enum fs_info_part */
	__u16 layout; /* how many slots the platform's FrameInfo has; 0 = not known; or
			 FS_LAYOUT_MARKS */
	__u32 count; /* of slots[] that could be read; those behind are 0 */
	__u32 flags; /* FS_INFO_FOLLOWED */
	__s64 slots[FS_FRAME_SLOTS];
};

#define FS_MARKER_LEN 80
#define FS_TRACK_LEN 32

/*
 * A call of one of the atrace or tracing_perfetto functions that mark what a program does. The
 * phases are those of trace_marker: B and E begin and end a slice of the thread; S and F an
 * asynchronous one, G and H one on a track, which `cookie` ties together; I is an instant, N one on
 * a track; C sets a counter to `value`.
 */
struct fs_marker {
	struct fs_header h;
	__u64 cookie;
	__s64 value;
	__u32 phase; /* a letter */
	__u32 pad;
	char track[FS_TRACK_LEN]; /* G, H, N */
	char text[FS_MARKER_LEN]; /* NUL-terminated, cut to fit; E and H have none */
};

enum fs_task_op {
	FS_TASK_NEW = 1, /* forked or cloned by `parent` */
	FS_TASK_EXEC = 2,
	FS_TASK_EXIT = 3,
	FS_TASK_RENAME = 4,
	FS_TASK_SEEN = 5, /* was there when the watch began (from /proc) */
	FS_TASK_LAST = 6, /* was on a CPU when the capture stopped */
	FS_TASK_OP_NR
};

struct fs_task {
	struct fs_header h;
	__u32 op; /* enum fs_task_op */
	__u32 parent; /* tid of the creator (NEW), of the parent process (SEEN), else 0 */
	char comm[FS_COMM_LEN]; /* its name after the event; empty for LAST */
	__u32 off_seq; /* EXIT, LAST: seq of its last off-CPU interval and span, to tell whether */
	__u32 span_seq; /* all of them arrived; 0 = it had none */
};

/* Where records were lost. */
enum fs_lost_where {
	FS_LOST_RING = 1, /* the per-CPU ring was full (PERF_RECORD_LOST, or a failed output) */
	FS_LOST_MAP = 2, /* no room in a kernel-side map: that thread is not followed any more */
	FS_LOST_DEPTH = 3, /* a probed call nested too deep */
	FS_LOST_FILE = 4, /* a damaged part of a capture file was skipped */
	FS_LOST_END = 5, /* in a trace: what began a call of thread tid has no end */
	FS_LOST_NR
};

struct fs_lost {
	struct fs_header h; /* time_ns: they were lost after this; cpu: whose ring */
	__u64 count; /* records, at least; 0 = some, number not known */
	__u32 where; /* enum fs_lost_where */
	__u32 pad;
};

/* Three clocks read at one instant; h.time_ns is the MONOTONIC one. */
enum fs_clock_mark {
	FS_CLOCK_START = 1, /* a thread is followed from its SEEN or NEW record on */
	FS_CLOCK_TICK = 2,
	FS_CLOCK_STOP = 3, /* nothing after this is complete */
	FS_CLOCK_NR
};

struct fs_clock {
	struct fs_header h;
	__u64 boottime_ns;
	__u64 realtime_ns;
	__u32 mark; /* enum fs_clock_mark */
	__u32 pad;
};

/* JSON text about the capture (kernel, machine, arguments), not NUL-terminated, padded with NUL. */
struct fs_meta {
	struct fs_header h;
	char text[];
};

/* What a probed function means for the model. */
enum fs_role {
	FS_ROLE_SPAN = 0, /* no meaning beyond its own time */
	FS_ROLE_SWAP = 1, /* ends a frame; args[1] names the surface (EGL) */
	FS_ROLE_PRESENT = 2, /* ends a frame; args[0] names the queue (Vulkan) */
	FS_ROLE_DEQUEUE = 3, /* takes a free buffer; args[0] names the surface */
	FS_ROLE_QUEUE = 4, /* hands a finished buffer on; args[0] names the surface */
	FS_ROLE_SLOT = 5, /* waits for a free buffer and nothing else */
	FS_ROLE_CANCEL = 6, /* gives a buffer back undrawn; args[0] names the surface */
	FS_ROLE_FENCE_WAIT = 7, /* waits for the fence whose descriptor is args[0], or is in the
				   android::Fence that args[0] points to */
	FS_ROLE_FRAME_INFO = 8, /* finishes a frame of HWUI: args[0] is its JankTracker, args[1]
				   points to its FrameInfo */
	FS_ROLE_FRAME_UI = 9, /* begins the RenderThread's part of one: args[0] is the
				 CanvasContext, args[2] points to the UI thread's slots, args[3] is
				 when it was posted */
	FS_ROLE_UI_SYNC = 10, /* the UI thread posts a frame and waits until it may go on */
	FS_ROLE_RENDER_FRAME = 11, /* the RenderThread makes a frame */
	FS_ROLE_SYNC_STATE = 12, /* the part of that for which the UI thread waits */
	FS_ROLE_UI_RELEASE = 13, /* lets the UI thread go on */
	FS_ROLE_FRAME_TIMELINE = 14, /* says which vsync id a frame has; args[0] names the surface
				      */
	FS_ROLE_VSYNC = 15, /* tells a thread of a vsync */
	FS_ROLE_RELEASED = 16, /* the consumer gives a buffer back */
	FS_ROLE_POLL = 17, /* a looper waits for its next message */
	FS_ROLE_MARKER = 18, /* marks what a program does */
	FS_ROLE_NR
};

#define FS_LAYER_LEN 96

enum fs_timeline_kind {
	FS_TIMELINE_EXPECTED_DISPLAY = 1,
	FS_TIMELINE_ACTUAL_DISPLAY = 2,
	FS_TIMELINE_EXPECTED_SURFACE = 3,
	FS_TIMELINE_ACTUAL_SURFACE = 4,
	FS_TIMELINE_NR
};

#define FS_TIMELINE_ON_TIME 0x2u /* SurfaceFlinger's on_time_finish */
#define FS_TIMELINE_GPU 0x4u /* composed by the GPU */
#define FS_TIMELINE_IS_BUFFER 0x8u

/*
 * A stretch of SurfaceFlinger's FrameTimeline, as a Perfetto trace has it. The numbers of the jank
 * bits, present type, prediction type and severity are those of Perfetto's messages. 0 = it was not
 * said.
 */
struct fs_timeline {
	struct fs_header h; /* time_ns: its end; tgid: the process it is about */
	__u64 start_ns;
	__s64 token; /* of a surface's frame, the vsync id that the app was given */
	__s64 display_token; /* of a surface's frame: the display's frame that it was in */
	__u32 kind; /* enum fs_timeline_kind */
	__u32 flags; /* FS_OPEN, FS_TIMELINE_* */
	__u32 jank; /* bits; 1 = none */
	__u32 present;
	__u32 prediction;
	__u32 severity;
	char layer[FS_LAYER_LEN];
};

/* A step of a buffer on its way, of Perfetto's GraphicsFrameEvent. */
struct fs_buffer {
	struct fs_header h;
	__u64 duration_ns;
	__u32 frame_number;
	__u32 type; /* a number of Perfetto's BufferEventType: DEQUEUE 1, QUEUE 2 ... */
	__u32 buffer_id;
	__u32 pad;
	char layer[FS_LAYER_LEN];
};

#define FS_LIB_LEN 128
#define FS_LIB_MARKER "marker" /* no library: its calls are slices that marks in a trace show */
#define FS_SYMBOL_LEN 128

/* A probed function. Comes before the first span that names it. */
struct fs_point {
	struct fs_header h;
	__u32 id; /* from 1 */
	__u32 role; /* enum fs_role */
	__u64 offset; /* in the file */
	char lib[FS_LIB_LEN]; /* path, cut at its front to fit */
	char symbol[FS_SYMBOL_LEN]; /* mangled name, or empty for a bare offset; cut to fit */
};

#endif
