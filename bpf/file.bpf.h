/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* From a descriptor of the running thread to its file, and what kind of file that is. */
#ifndef FRAMESCOPE_FILE_BPF_H
#define FRAMESCOPE_FILE_BPF_H

#include "compat.bpf.h"

/* From include/uapi/linux/magic.h and the drivers. */
#define ANON_INODE_FS_MAGIC 0x09041934
#define BINDERFS_SUPER_MAGIC 0x6c6f6f70
#define DMA_BUF_MAGIC 0x444d4142

/* Address of sync_file's table of operations, found by user space; 0 = not known. */
extern const volatile __u64 sync_file_fops;

#define S_IFMT 0170000
#define S_IFSOCK 0140000
#define S_IFBLK 0060000
#define S_IFCHR 0020000
#define S_IFIFO 0010000

#define DRM_MAJOR 226
#define NVIDIA_MAJOR 195
#define TTY_MAJOR 4
#define TTYAUX_MAJOR 5

#define UNIX98_PTY_FIRST 128 /* masters 128 to 135, slaves 136 to 143 */
#define UNIX98_PTY_LAST 143

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
		enum fs_file kind;

		file_name(file, &name);
		kind = anon_kind(&name);
		if (kind == FS_FILE_SYNC_FILE && sync_file_fops &&
		    (__u64)BPF_CORE_READ(file, f_op) != sync_file_fops)
			return FS_FILE_ANON;
		return kind;
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

static __always_inline struct file *fd_file(bool typed, struct task_struct *task, __s32 fd)
{
	struct files_struct *files = READ(typed, task, files);
	struct fdtable *fdt = READ(typed, files, fdt);
	struct file **slots, *file = NULL;

	if (!fdt || fd < 0 || (__u32)fd >= READ(typed, fdt, max_fds))
		return NULL;
	slots = READ(typed, fdt, fd);
	if (bpf_probe_read_kernel(&file, sizeof(file), slots + (__u32)fd))
		return NULL;
	return file;
}

static __always_inline enum fs_file fd_kind(bool typed, struct task_struct *task, __s32 fd)
{
	struct file *file = fd_file(typed, task, fd);

	return file ? file_kind(file) : FS_FILE_UNKNOWN;
}

#endif
