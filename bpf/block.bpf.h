/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Why the running thread is about to block: the system call it is in, and the kind of file that the
 * call's descriptor names. Runs in sched_switch, with interrupts off: every read may fail, none may
 * sleep.
 */
#ifndef FRAMESCOPE_BLOCK_BPF_H
#define FRAMESCOPE_BLOCK_BPF_H

#include "compat.bpf.h"
#include "identity.bpf.h"

/* enum fs_call by system call number, filled by user space for this architecture. */
extern const volatile __u8 syscall_class[FS_SYSCALL_MAX];

#define PF_KTHREAD 0x00200000 /* task_struct.flags */

struct pollfd {
	__s32 fd;
	__s16 events;
	__s16 revents;
};

/* Of several descriptors the one that says most: a fence, a buffer or a GPU before the others. */
static __always_inline __u32 worth(enum fs_file file)
{
	switch (file) {
	case FS_FILE_NONE:
		return 0;
	case FS_FILE_UNKNOWN:
		return 1;
	case FS_FILE_SYNC_FILE:
	case FS_FILE_DMA_BUF:
	case FS_FILE_GPU:
		return 3;
	default:
		return 2;
	}
}

static __always_inline void describe_poll(bool typed, struct fs_offcpu *off,
					  struct task_struct *task, __u64 fds, __u32 nfds)
{
	off->nfds = nfds;
	if (nfds)
		off->file = FS_FILE_UNKNOWN;
	for (__u32 i = 0; i < FS_WAITED_MAX && i < nfds; i++) {
		struct pollfd pfd;
		enum fs_file file;

		if (bpf_probe_read_user(&pfd, sizeof(pfd),
					(void *)(unsigned long)(fds + i * sizeof(pfd))))
			return;
		if (pfd.fd < 0) { /* a slot that is switched off */
			if (!--off->nfds)
				off->file = FS_FILE_NONE;
			continue;
		}
		file = fd_kind(typed, task, pfd.fd);
		if (off->fd < 0 || worth(file) > worth(off->file)) {
			off->fd = pfd.fd;
			off->file = file;
		}
	}
}

static __always_inline __u32 count_bits(__u64 set)
{
	set -= (set >> 1) & 0x5555555555555555ULL;
	set = (set & 0x3333333333333333ULL) + ((set >> 2) & 0x3333333333333333ULL);
	set = (set + (set >> 4)) & 0x0f0f0f0f0f0f0f0fULL;
	return (set * 0x0101010101010101ULL) >> 56;
}

/* Only the first 64 descriptors of a select are looked at. */
static __always_inline void describe_select(bool typed, struct fs_offcpu *off,
					    struct task_struct *task, __u32 width, __u64 readers,
					    __u64 writers)
{
	__u64 set = 0, more = 0;

	if (!width)
		return;
	off->file = FS_FILE_UNKNOWN;
	if (readers)
		bpf_probe_read_user(&set, sizeof(set), (void *)(unsigned long)readers);
	if (writers)
		bpf_probe_read_user(&more, sizeof(more), (void *)(unsigned long)writers);
	set |= more;
	if (width < 64)
		set &= (1ULL << width) - 1;
	off->nfds = count_bits(set);
	if (!set) {
		off->nfds = width; /* among those beyond */
		return;
	}
	off->fd = (__s32)count_bits((set & -set) - 1);
	off->file = fd_kind(typed, task, off->fd);
}

/*
 * Fill call, syscall, fd, nfds and file of `off` for the current task, which is `task`; typed: as
 * an argument of a tp_btf program.
 */
static __always_inline void describe_block(bool typed, struct fs_offcpu *off,
					   struct task_struct *task)
{
	struct syscall sc;

	off->syscall = -1;
	off->fd = -1;
	off->nfds = 0;
	off->file = FS_FILE_NONE;
	if (READ(typed, task, flags) & PF_KTHREAD) {
		off->call = FS_CALL_OTHER; /* it never entered the kernel */
		return;
	}
	current_syscall(task, &sc);
	if (sc.nr < 0) {
		off->call = FS_CALL_NONE;
		return;
	}
	if (compat_syscall(typed, task) || (sc.nr & X32_SYSCALL_BIT)) {
		off->call = FS_CALL_COMPAT;
		return;
	}
	off->syscall = sc.nr;
	/* No system call has a number that the mask would change; a call without one can't block.
	 */
	off->call = syscall_class[sc.nr & (FS_SYSCALL_MAX - 1)];
	switch (off->call) {
	case FS_CALL_IOCTL:
	case FS_CALL_READ:
	case FS_CALL_EPOLL:
		off->fd = (__s32)sc.arg0;
		off->nfds = 1;
		off->file = fd_kind(typed, task, off->fd);
		break;
	case FS_CALL_POLL:
		describe_poll(typed, off, task, sc.arg0, (__u32)sc.arg1);
		break;
	case FS_CALL_SELECT:
		describe_select(typed, off, task, (__u32)sc.arg0, sc.arg1, sc.arg2);
		break;
	}
}

struct timespec64 {
	__s64 sec;
	__s64 nsec;
};

static __always_inline bool may_name(const struct fs_offcpu *off)
{
	return off->file == FS_FILE_SYNC_FILE || off->file == FS_FILE_DMA_BUF ||
	       (off->call == FS_CALL_EPOLL && off->file == FS_FILE_EPOLL);
}

/* How long the call may wait, -1 for ever or not known. */
static __always_inline __s64 poll_timeout(const struct syscall *sc)
{
	struct timespec64 ts;

	if (sc->nr != SYSCALL_PPOLL)
		return (__s32)sc->arg2 < 0 ? -1 : (__s64)(__s32)sc->arg2 * 1000000;
	if (!sc->arg2 || bpf_probe_read_user(&ts, sizeof(ts), (void *)(unsigned long)sc->arg2))
		return -1;
	return ts.sec * 1000000000 + ts.nsec;
}

static __always_inline void add_file(struct fs_thread *t, __u32 i, struct file *file, __s32 fd)
{
	t->files[i] = (__u64)file;
	t->fds[i] = fd;
}

static __always_inline void add_item(struct fs_thread *t, __u32 i, struct rb_node *node)
{
	struct epitem *item = (void *)node - bpf_core_field_offset(struct epitem, rbn);

	add_file(t, i, BPF_CORE_READ(item, ffd.file), BPF_CORE_READ(item, ffd.fd));
}

/* Of what an epoll instance watches the top of its tree, which is all of a small one. */
static __always_inline void add_epoll(struct fs_thread *t, struct file *file)
{
	struct eventpoll *ep = BPF_CORE_READ(file, private_data);
	struct rb_node *root = BPF_CORE_READ(ep, rbr.rb_root.rb_node);

	add_item(t, 0, root);
	add_item(t, 1, BPF_CORE_READ(root, rb_left));
	add_item(t, 2, BPF_CORE_READ(root, rb_right));
}

static __always_inline void add_poll(struct fs_thread *t, bool typed, struct task_struct *task,
				     __u64 fds, __u32 nfds)
{
	for (__u32 i = 0; i < FS_WAITED_MAX && i < nfds; i++) {
		struct pollfd pfd = { .fd = -1 };

		bpf_probe_read_user(&pfd, sizeof(pfd),
				    (void *)(unsigned long)(fds + i * sizeof(pfd)));
		add_file(t, i, fd_file(typed, task, pfd.fd), pfd.fd);
	}
}

/*
 * Record the fences that the call waits for, if may_name() says that there may be some. The
 * verifier walks this anew for everything that it finds different before it, and what is in its
 * loop for each turn: so it reads the call by itself, has no state from before but `t`, and one
 * loop.
 */
static __always_inline void name_waited(void *ctx, bool typed, struct fs_thread *t,
					struct task_struct *task)
{
	const struct fs_offcpu *off = &t->off;
	struct fs_fence_ref *rec = &t->ref;
	struct syscall call, *sc = &call;

	fill_header(&rec->h, 0, 0, off->out_ns, t->tid, t->tgid);
	current_syscall(task, sc);
	rec->role = FS_REF_WAITED;
	rec->off_seq = off->seq;
	rec->timeout_ns = -1;
	rec->object = 0;
	__builtin_memset(t->files, 0, sizeof(t->files));
	if (off->call == FS_CALL_POLL) {
		rec->timeout_ns = poll_timeout(sc);
		add_poll(t, typed, task, sc->arg0, (__u32)sc->arg1);
	} else if (off->call == FS_CALL_EPOLL) {
		add_epoll(t, fd_file(typed, task, off->fd));
	} else {
		add_file(t, 0, fd_file(typed, task, off->fd), off->fd);
	}
	for (__u32 i = 0; i < FS_WAITED_MAX; i++)
		name_file(ctx, rec, (void *)t->files[i], t->fds[i]);
}

#endif
