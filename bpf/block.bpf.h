/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Why the running thread is about to block: the system call it is in, and the kind of file that the
 * call's descriptor names. Runs in sched_switch, with interrupts off: every read may fail, none may
 * sleep.
 */
#ifndef FRAMESCOPE_BLOCK_BPF_H
#define FRAMESCOPE_BLOCK_BPF_H

#include "compat.bpf.h"
#include "framescope.bpf.h"

#define POLL_MAX 4 /* descriptors of one poll that are looked at */

/* enum fs_call by system call number, filled by user space for this architecture. */
extern const volatile __u8 syscall_class[FS_SYSCALL_MAX];

/* From include/uapi/linux/magic.h and the drivers. */
#define ANON_INODE_FS_MAGIC 0x09041934
#define BINDERFS_SUPER_MAGIC 0x6c6f6f70
#define DMA_BUF_MAGIC 0x444d4142

#define S_IFMT 0170000
#define S_IFSOCK 0140000
#define S_IFBLK 0060000
#define S_IFCHR 0020000
#define S_IFIFO 0010000

#define DRM_MAJOR 226
#define NVIDIA_MAJOR 195
#define TTY_MAJOR 4
#define TTYAUX_MAJOR 5
#define PF_KTHREAD 0x00200000 /* task_struct.flags */

#define UNIX98_PTY_FIRST 128 /* masters 128 to 135, slaves 136 to 143 */
#define UNIX98_PTY_LAST 143

struct pollfd {
	__s32 fd;
	__s16 events;
	__s16 revents;
};

/* A file's name, cut to fit and zero-padded, compared as two words with a literal's. */
union name {
	char text[16];
	__u64 words[2];
};

#define BYTE(lit, i)                                                                               \
	((i) < sizeof(lit) - 1 ? (__u64)(__u8)(lit)[(i) % sizeof(lit)] << (i) % 8 * 8 : 0)
#define WORD(lit, i)                                                                               \
	(BYTE(lit, i) | BYTE(lit, i + 1) | BYTE(lit, i + 2) | BYTE(lit, i + 3) |                   \
	 BYTE(lit, i + 4) | BYTE(lit, i + 5) | BYTE(lit, i + 6) | BYTE(lit, i + 7))
#define IS(name, lit) ((name)->words[0] == WORD(lit, 0) && (name)->words[1] == WORD(lit, 8))
/* For literals of less than eight characters. */
#define BEGINS(name, lit)                                                                          \
	(((name)->words[0] & ((1ULL << (sizeof(lit) - 1) * 8) - 1)) == WORD(lit, 0))

static __always_inline void file_name(struct file *file, union name *name)
{
	name->words[0] = 0;
	name->words[1] = 0;
	bpf_probe_read_kernel_str(name->text, sizeof(name->text),
				  BPF_CORE_READ(file, f_path.dentry, d_name.name));
}

static __always_inline enum fs_file anon_kind(const union name *name)
{
	if (IS(name, "sync_file"))
		return FS_FILE_SYNC_FILE;
	if (IS(name, "[eventfd]"))
		return FS_FILE_EVENTFD;
	if (IS(name, "[timerfd]"))
		return FS_FILE_TIMERFD;
	if (IS(name, "[eventpoll]"))
		return FS_FILE_EPOLL;
	if (IS(name, "[signalfd]"))
		return FS_FILE_SIGNALFD;
	if (IS(name, "inotify"))
		return FS_FILE_INOTIFY;
	return FS_FILE_ANON;
}

static __always_inline enum fs_file char_kind(const union name *name, __u32 major)
{
	if (major == DRM_MAJOR || major == NVIDIA_MAJOR)
		return FS_FILE_GPU;
	if (major == TTY_MAJOR || major == TTYAUX_MAJOR ||
	    (major >= UNIX98_PTY_FIRST && major <= UNIX98_PTY_LAST))
		return FS_FILE_TTY;
	if (IS(name, "binder") || IS(name, "hwbinder") || IS(name, "vndbinder"))
		return FS_FILE_BINDER;
	if (BEGINS(name, "kgsl-") || BEGINS(name, "mali") || BEGINS(name, "pvr"))
		return FS_FILE_GPU;
	return FS_FILE_CHAR;
}

/* Sockets and pipes, which are waited for the most, are known by the least reading. */
static __always_inline enum fs_file file_kind(struct file *file)
{
	struct inode *inode = BPF_CORE_READ(file, f_inode);
	unsigned long magic;
	union name name;
	__u32 type;

	if (!inode)
		return FS_FILE_UNKNOWN;
	type = BPF_CORE_READ(inode, i_mode) & S_IFMT;
	if (type == S_IFSOCK)
		return FS_FILE_SOCKET;
	if (type == S_IFIFO)
		return FS_FILE_PIPE;
	magic = BPF_CORE_READ(inode, i_sb, s_magic);
	if (magic == DMA_BUF_MAGIC)
		return FS_FILE_DMA_BUF;
	if (magic == BINDERFS_SUPER_MAGIC)
		return FS_FILE_BINDER;
	if (magic == ANON_INODE_FS_MAGIC) {
		file_name(file, &name);
		return anon_kind(&name);
	}
	switch (type) {
	case S_IFBLK:
		return FS_FILE_BLOCK;
	case S_IFCHR:
		file_name(file, &name);
		return char_kind(&name, BPF_CORE_READ(inode, i_rdev) >> 20);
	default:
		return FS_FILE_REGULAR;
	}
}

static __always_inline enum fs_file fd_kind(bool typed, struct task_struct *task, __s32 fd)
{
	struct files_struct *files = READ(typed, task, files);
	struct fdtable *fdt = READ(typed, files, fdt);
	struct file **slots, *file = NULL;

	if (!fdt || fd < 0 || (__u32)fd >= READ(typed, fdt, max_fds))
		return FS_FILE_UNKNOWN;
	slots = READ(typed, fdt, fd);
	if (bpf_probe_read_kernel(&file, sizeof(file), slots + (__u32)fd) || !file)
		return FS_FILE_UNKNOWN;
	return file_kind(file);
}

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
	for (__u32 i = 0; i < POLL_MAX && i < nfds; i++) {
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

#endif
