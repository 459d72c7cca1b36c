/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The kernel types that the BPF programs read, written small by hand. Every struct has only the
 * members that are read; CO-RE finds where they really are in the running kernel. The names are the
 * kernel's own. Where a kernel release changed one, the older shape is a ___flavour in
 * bpf/compat.bpf.h.
 */
#ifndef __VMLINUX_H__
#define __VMLINUX_H__

typedef unsigned char __u8;
typedef signed char __s8;
typedef unsigned short __u16;
typedef short __s16;
typedef unsigned int __u32;
typedef int __s32;
typedef unsigned long long __u64;
typedef long long __s64;
typedef __u16 __be16;
typedef __u32 __be32;
typedef __u64 __be64;
typedef __u16 __le16;
typedef __u32 __le32;
typedef __u64 __le64;
typedef __u32 __wsum;
typedef __u8 u8;
typedef __u16 u16;
typedef __u32 u32;
typedef __u64 u64;
typedef __s32 s32;
typedef __s64 s64;
typedef _Bool bool;
enum { false = 0, true = 1 };

/* From include/uapi/linux/bpf.h: numbers of the ABI. */
enum bpf_map_type {
	BPF_MAP_TYPE_ARRAY = 2,
	BPF_MAP_TYPE_PERF_EVENT_ARRAY = 4,
	BPF_MAP_TYPE_LRU_HASH = 9,
	BPF_MAP_TYPE_STACK = 23,
};
enum { BPF_ANY = 0, BPF_NOEXIST = 1, BPF_EXIST = 2 };
#define BPF_F_MMAPABLE 0x400
#define BPF_F_CURRENT_CPU 0xffffffffULL
enum bpf_func_id {
	BPF_FUNC_get_current_task_btf = 158,
	BPF_FUNC_get_attach_cookie = 174,
	BPF_FUNC_task_pt_regs = 175,
};

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct list_head {
	struct list_head *next, *prev;
};

#if defined(__TARGET_ARCH_x86)
#include "x86.h"
#elif defined(__TARGET_ARCH_arm64)
#include "arm64.h"
#else
#error "no part for this architecture"
#endif

struct rb_node {
	struct rb_node *rb_right;
	struct rb_node *rb_left;
};

struct rb_root {
	struct rb_node *rb_node;
};

struct rb_root_cached {
	struct rb_root rb_root;
};

struct super_block {
	unsigned long s_magic;
};

struct inode {
	unsigned short i_mode;
	struct super_block *i_sb;
	u32 i_rdev;
};

struct qstr {
	const unsigned char *name;
};

struct dentry {
	struct qstr d_name;
};

struct path {
	struct dentry *dentry;
};

struct file {
	struct path f_path;
	struct inode *f_inode;
	const struct file_operations *f_op;
	void *private_data;
};

struct epoll_filefd {
	struct file *file;
	int fd;
};

struct epitem {
	struct rb_node rbn;
	struct epoll_filefd ffd;
};

struct eventpoll {
	struct rb_root_cached rbr;
};

struct fdtable {
	unsigned int max_fds;
	struct file **fd;
};

struct files_struct {
	struct fdtable *fdt;
};

struct cfs_rq {
	struct rq *rq; /* with CONFIG_FAIR_GROUP_SCHED */
};

struct sched_entity {
	struct cfs_rq *cfs_rq;
};

struct task_struct {
	struct thread_info thread_info;
	unsigned int __state;
	void *stack;
	unsigned int flags;
	struct sched_entity se;
	int pid;
	int tgid;
	struct files_struct *files;
	char comm[16];
};

struct dma_fence;

struct dma_fence_ops {
	const char *(*get_driver_name)(struct dma_fence *fence);
};

enum dma_fence_flag_bits {
	DMA_FENCE_FLAG_SIGNALED_BIT,
	DMA_FENCE_FLAG_TIMESTAMP_BIT,
};

struct dma_fence {
	const struct dma_fence_ops *ops;
	s64 timestamp;
	u64 context;
	u64 seqno;
	unsigned long flags;
	int error;
};

struct dma_fence_array {
	struct dma_fence base;
	unsigned int num_fences;
	struct dma_fence **fences;
};

struct dma_fence_chain {
	struct dma_fence base;
	struct dma_fence *prev;
	struct dma_fence *fence;
};

struct sync_file {
	struct dma_fence *fence;
};

struct drm_sched_fence {
	struct dma_fence finished;
};

struct drm_sched_job {
	struct drm_sched_fence *s_fence;
};

struct dma_resv_list {
	u32 num_fences; /* from 5.19 on; then the pointers have their usage in the low bits */
	struct dma_fence *table[];
};

struct dma_resv {
	struct dma_resv_list *fences;
};

struct dma_buf {
	struct dma_resv *resv;
};

struct trace_entry {
	unsigned short type;
	unsigned char flags;
	unsigned char preempt_count;
	int pid;
};

struct trace_event_raw_dma_fence {
	struct trace_entry ent;
	u32 __data_loc_driver;
	u32 __data_loc_timeline;
	unsigned int context;
	unsigned int seqno;
};

#pragma clang attribute pop

struct bpf_raw_tracepoint_args {
	__u64 args[0];
};

struct linux_binprm;

#endif
