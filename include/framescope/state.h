/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What the kernel side keeps between records: the state of each watched thread, and the records
 * that wait for others to be sent with. User space reads it when the capture stops, to record what
 * is still open. Never written to disk.
 */
#ifndef FRAMESCOPE_STATE_H
#define FRAMESCOPE_STATE_H

#include <framescope/event.h>

#define FS_TID_MAX (4u << 20) /* the kernel's highest possible pid_max */
/* Bits of preempt_count that say "in a hard interrupt", on different kernels. */
#define FS_HARDIRQ_LOW 0x00ff0000u
#define FS_HARDIRQ_HIGH 0x0f000000u

/*
 * What a uprobe program is told of its function: the number of the point; above it the role, how to
 * read the arguments (FS_COOKIE_...), and what else the role wants to know.
 */
#define FS_COOKIE_ROLE_SHIFT 32
#define FS_COOKIE_ROLE_MASK 0xffu
/*
 * DEQUEUE, QUEUE, CANCEL, FENCE_WAIT: the buffer or fence is passed by reference, so to say: as a
 * pointer to the buffer's pointer, or to the android::Fence that holds the descriptor. VSYNC:
 * args[1] points to where the timestamp is at the return.
 */
#define FS_COOKIE_BY_REFERENCE (1ull << 40)
/*
 * FENCE_WAIT: args[1] is a string that is its name. MARKER: args[1] is the name, behind a category,
 * in place of args[0].
 */
#define FS_COOKIE_NAMED (1ull << 41)
/*
 * FRAME_INFO: args[3], FRAME_TIMELINE: args[1] is the number of the frame. MARKER: the counter's
 * value has 64 bits, not 32.
 */
#define FS_COOKIE_NUMBERED (1ull << 42)
/* FRAME_INFO: what the function leaves in the slots is not the last word. */
#define FS_COOKIE_BEFORE_ONLY (1ull << 43)
/*
 * FRAME_TIMELINE: where in its struct the vsync id is; RELEASED: likewise the buffer's id, which
 * the frame's number follows; MARKER: the letter of its phase.
 */
#define FS_COOKIE_DETAIL_SHIFT 48
#define FS_COOKIE_DETAIL_MASK 0xffu

#define FS_SPAN_DEPTH 8 /* a power of two */
#define FS_SYSCALL_MAX 512
#define FS_WAITED_MAX 4 /* descriptors of one call that are looked at */

/*
 * The table of watched threads, in pages: before 5.16 an element of an array could not be large. It
 * holds of a tid 0, not watched, or the slot of its state, from 1. There is none at FS_SLOT_NONE:
 * it was to be watched and there was no room.
 */
#define FS_SLOT_NONE 0xffffu
#define FS_PAGE_TIDS 4096 /* a power of two */
#define FS_SLOTS_RUN 1024 /* that one run of a program makes free */

struct fs_slot_page {
	__u16 slots[FS_PAGE_TIDS];
};

struct fs_open_span {
	__u64 entry_ns;
	__u64 args[FS_SPAN_ARGS];
	__u64 sp; /* stack pointer at the entry: lower for calls further in */
	__u32 point;
	__u32 pad;
};

/*
 * Written under the run-queue lock of the thread's switches (off, in_ns), by its own uprobes
 * (spans) and by its wakers (waking), one of each at a time.
 */
struct fs_thread {
	__u32 tid;
	__u32 tgid;
	/* Filled at switch-out, sent from here at switch-in. out_ns is 0 while on a CPU. */
	struct fs_offcpu off;
	__u64 in_ns; /* last switch-in */
	/* The last waking; kept while running, for it may belong to the next switch-out. */
	__u64 waking_ns;
	__u32 waker_tid;
	__u32 waker_tgid;
	__u32 waker_context; /* enum fs_context */
	__u32 waker_cpu;
	__u32 span_seq;
	__u32 depth; /* open spans */
	__u32 too_deep; /* calls entered beyond FS_SPAN_DEPTH and not returned from */
	char waker_comm[FS_COMM_LEN];
	struct fs_open_span spans[FS_SPAN_DEPTH];
	/*
	 * What is being sent, by the thread's own uprobes or when it blocks, which it does not in
	 * one of these; and the files that it is about. Here rather than on the BPF stack: of that
	 * the verifier would follow every field through every turn of the loops; and a kernel may
	 * have one for each CPU (from 6.13 on), which the uprobes of another thread write over when
	 * this one is preempted.
	 */
	union {
		struct fs_span span;
		struct fs_text text;
		struct fs_lost lost;
		struct fs_frame_info info;
		struct fs_marker marker;
	};
	struct fs_fence_ref ref;
	__u64 files[FS_WAITED_MAX];
	__s32 fds[FS_WAITED_MAX];
};

#define FS_BATCH 8 /* a power of two */

/*
 * Finished intervals of one CPU that are sent as one sample: a sample costs several times what a
 * copy does. User space has those sent that wait for more.
 */
struct fs_batch {
	__u32 nr;
	__u32 busy; /* a program of this CPU is at it; another that interrupts it stays away */
	__u8 pad[56]; /* the rest of a cache line, so that CPUs share none */
	struct fs_offcpu recs[FS_BATCH];
};

#endif
