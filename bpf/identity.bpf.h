/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Which fences a descriptor stands for: files -> sync_file -> dma_fence, or dma_buf -> the fences
 * of its reservation object. The thread holds the descriptor, so what is read here can't go away;
 * every read may fail all the same.
 *
 * Containers are known by the address of their driver-name function, which every kernel lists; the
 * address of their table of operations it may not.
 */
#ifndef FRAMESCOPE_IDENTITY_BPF_H
#define FRAMESCOPE_IDENTITY_BPF_H

#include "compat.bpf.h"
#include "file.bpf.h"
#include "framescope.bpf.h"

#define RESV_FENCES 8 /* of a dma-buf that are looked at */

/* Addresses, found by user space; 0 = not known. */
extern const volatile __u64 array_driver_name;
extern const volatile __u64 chain_driver_name;

struct dma_resv_list___before_5_19 {
	u32 shared_count;
	struct dma_fence *shared[];
} __attribute__((preserve_access_index));

struct dma_resv___before_5_19 {
	struct dma_fence *fence_excl;
	struct dma_resv_list___before_5_19 *fence;
} __attribute__((preserve_access_index));

static __always_inline __u32 fence_flag(unsigned long flags, __u32 bit)
{
	return flags >> bit & 1;
}

/*
 * One record of the fence, or member of a container. Without branches: the loops around it have the
 * verifier walk each path through it dozens of times.
 */
static __noinline int emit_ref(void *ctx, struct fs_fence_ref *rec, struct dma_fence *fence)
{
	unsigned long flags = BPF_CORE_READ(fence, flags);
	__u32 signaled = fence_flag(
		flags, bpf_core_enum_value(enum dma_fence_flag_bits, DMA_FENCE_FLAG_SIGNALED_BIT));
	/* Until it is set, the time's place is used for something else. */
	__u32 timed = fence_flag(
		flags, bpf_core_enum_value(enum dma_fence_flag_bits, DMA_FENCE_FLAG_TIMESTAMP_BIT));

	__u64 failed;

	rec->context = BPF_CORE_READ(fence, context);
	rec->seqno = BPF_CORE_READ(fence, seqno);
	rec->signal_ns = BPF_CORE_READ(fence, timestamp) * (signaled & timed);
	rec->flags = (rec->flags & ~FS_REF_SIGNALED) | signaled * FS_REF_SIGNALED;
	failed = bpf_perf_event_output(ctx, &events, BPF_F_CURRENT_CPU, rec, sizeof(*rec));
	failed >>= 63;
	__sync_fetch_and_add(&refused_samples, failed);
	__sync_fetch_and_add(&refused_records, failed);
	return 0;
}

static __always_inline void in_container(struct fs_fence_ref *rec, struct dma_fence *fence)
{
	rec->container = BPF_CORE_READ(fence, context);
	rec->container_seqno = BPF_CORE_READ(fence, seqno);
}

static __noinline int emit_array(void *ctx, struct fs_fence_ref *rec, struct dma_fence *fence)
{
	struct dma_fence_array *array = (void *)fence;
	struct dma_fence **members = BPF_CORE_READ(array, fences);
	__u32 count = BPF_CORE_READ(array, num_fences);

	in_container(rec, fence);
	rec->count = count;
	if (count > FS_REF_MEMBERS)
		rec->flags |= FS_REF_MORE;
	for (__u32 i = 0; i < FS_REF_MEMBERS && i < count; i++) {
		struct dma_fence *member = NULL;

		if (bpf_probe_read_kernel(&member, sizeof(member), members + i) || !member)
			break;
		rec->index = i;
		emit_ref(ctx, rec, member);
	}
	return 0;
}

/* The newest first. What has signalled may have been dropped from the chain's old end. */
static __noinline int emit_chain(void *ctx, struct fs_fence_ref *rec, struct dma_fence *fence)
{
	struct dma_fence *node = fence;

	in_container(rec, fence);
	for (__u32 i = 0; i < FS_REF_MEMBERS && node; i++) {
		struct dma_fence_chain *chain = (void *)node;
		struct dma_fence *member = node;

		/* The oldest node may be an ordinary fence. */
		if ((__u64)BPF_CORE_READ(node, ops, get_driver_name) == chain_driver_name) {
			member = BPF_CORE_READ(chain, fence);
			node = BPF_CORE_READ(chain, prev);
		} else {
			node = NULL;
		}
		if (!member)
			break;
		rec->index = i;
		rec->count = i + 1;
		if (node && i == FS_REF_MEMBERS - 1)
			rec->flags |= FS_REF_MORE;
		emit_ref(ctx, rec, member);
	}
	return 0;
}

static __always_inline void emit_fence(void *ctx, struct fs_fence_ref *rec, struct dma_fence *fence)
{
	__u64 driver_name = (__u64)BPF_CORE_READ(fence, ops, get_driver_name);

	if (array_driver_name && driver_name == array_driver_name)
		emit_array(ctx, rec, fence);
	else if (chain_driver_name && driver_name == chain_driver_name)
		emit_chain(ctx, rec, fence);
	else
		emit_ref(ctx, rec, fence);
}

/*
 * The fences of a dma-buf that a poll for reading waits for (those of writers), or one for writing
 * (all but bookkeeping).
 */
static __noinline int emit_resv(void *ctx, struct fs_fence_ref *rec, struct file *file)
{
	struct dma_buf *buf = BPF_CORE_READ(file, private_data);
	struct dma_resv *resv = BPF_CORE_READ(buf, resv);
	__u32 count;

	rec->flags |= FS_REF_DMA_BUF;
	if (bpf_core_field_exists(resv->fences)) {
		struct dma_resv_list *list = BPF_CORE_READ(resv, fences);
		void *table = (void *)list + bpf_core_field_offset(struct dma_resv_list, table);

		count = BPF_CORE_READ(list, num_fences);
		for (__u32 i = 0; i < RESV_FENCES && i < count; i++) {
			__u64 tagged = 0;

			bpf_probe_read_kernel(&tagged, sizeof(tagged), table + i * 8);
			if (tagged & ~3ULL && (tagged & 3) < 3)
				emit_ref(ctx, rec, (void *)(tagged & ~3ULL));
		}
	} else {
		struct dma_resv___before_5_19 *old = (void *)resv;
		struct dma_resv_list___before_5_19 *list;
		struct dma_fence *fence;
		void *table;

		if (!bpf_core_field_exists(old->fence_excl))
			return 0;
		fence = BPF_CORE_READ(old, fence_excl);
		if (fence)
			emit_ref(ctx, rec, fence);
		list = BPF_CORE_READ(old, fence);
		count = list ? BPF_CORE_READ(list, shared_count) : 0;
		table = (void *)list +
			bpf_core_field_offset(struct dma_resv_list___before_5_19, shared);
		for (__u32 i = 0; i < RESV_FENCES && i < count; i++) {
			fence = NULL;
			bpf_probe_read_kernel(&fence, sizeof(fence), table + i * 8);
			if (fence)
				emit_ref(ctx, rec, fence);
		}
	}
	return 0;
}

/* The file's fences, if it is a fence or a dma-buf. */
static __noinline int name_file(void *ctx, struct fs_fence_ref *rec, struct file *file, __s32 fd)
{
	struct sync_file *sync;
	struct dma_fence *fence;
	enum fs_file kind;

	/* All that one file leaves behind, so that the verifier finds the next one's start the
	 * same. */
	rec->context = 0;
	rec->seqno = 0;
	rec->container = 0;
	rec->container_seqno = 0;
	rec->signal_ns = 0;
	rec->index = 0;
	rec->count = 0;
	rec->flags = 0;
	rec->h.kind = FS_KIND_FENCE_REF;
	rec->h.size = sizeof(*rec);
	rec->fd = fd;
	if (!file || !bpf_core_type_exists(struct sync_file))
		return 0;
	kind = file_kind(file);
	if (kind == FS_FILE_DMA_BUF) {
		emit_resv(ctx, rec, file);
	} else if (kind == FS_FILE_SYNC_FILE) {
		sync = BPF_CORE_READ(file, private_data);
		fence = BPF_CORE_READ(sync, fence);
		if (fence)
			emit_fence(ctx, rec, fence);
	}
	return 0;
}

/*
 * Record which fences the descriptor stands for. The caller has filled the header but for its kind
 * and size, role, object, timeout_ns and off_seq.
 */
static __always_inline void name_fences(void *ctx, bool typed, struct fs_fence_ref *rec,
					struct task_struct *task, __s32 fd)
{
	name_file(ctx, rec, fd_file(typed, task, fd), fd);
}

#endif
