// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * What happens to dma-fences, system-wide: they are few, and whose they are is not known when they
 * are made. Only the waits are those of watched threads.
 *
 * The context and sequence number are read from the struct, since the text fields of the tracepoint
 * cut them to 32 bits. A name can be read only by asking the fence's driver, which BPF can't; the
 * classic tracepoint has asked already, so its program takes the name from there, once for each
 * context.
 */
#include "compat.bpf.h"
#include "framescope.bpf.h"

/* By the low half of a context, which is all that the classic tracepoint has. */
struct context_name {
	__u64 context;
	__u32 named;
	__u32 pad;
};

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 4096);
	__type(key, __u32);
	__type(value, struct context_name);
} fence_contexts SEC(".maps");

static __always_inline void on_fence(void *ctx, struct dma_fence *fence, __u32 op)
{
	__u64 id = bpf_get_current_pid_tgid();
	struct fs_fence rec = {};

	rec.context = BPF_CORE_READ(fence, context);
	rec.seqno = BPF_CORE_READ(fence, seqno);
	rec.op = op;
	rec.irq = current_context(false);
	if (op == FS_FENCE_SIGNALED)
		rec.error = -BPF_CORE_READ(fence, error);
	fill_header(&rec.h, FS_KIND_FENCE, sizeof(rec), bpf_ktime_get_ns(), (__u32)id, id >> 32);
	emit(ctx, &rec, sizeof(rec));
}

static __always_inline void on_named(void *ctx, struct dma_fence *fence, __u32 op)
{
	struct context_name name = { .context = BPF_CORE_READ(fence, context) };
	__u32 key = (__u32)name.context;
	struct context_name *known = bpf_map_lookup_elem(&fence_contexts, &key);

	if (!known || known->context != name.context)
		bpf_map_update_elem(&fence_contexts, &key, &name, BPF_ANY);
	on_fence(ctx, fence, op);
}

static __always_inline void on_wait(void *ctx, struct dma_fence *fence, __u32 op)
{
	if (slot_of((__u32)bpf_get_current_pid_tgid()))
		on_fence(ctx, fence, op);
}

#define FENCE_PROGRAMS(name, handler, op)                                                          \
	SEC("?tp_btf/" #name)                                                                      \
	int name(__u64 *ctx)                                                                       \
	{                                                                                          \
		handler(ctx, (void *)ctx[0], op);                                                  \
		return 0;                                                                          \
	}                                                                                          \
	SEC("?raw_tp/" #name)                                                                      \
	int name##_raw(struct bpf_raw_tracepoint_args *ctx)                                        \
	{                                                                                          \
		handler(ctx, (void *)ctx->args[0], op);                                            \
		return 0;                                                                          \
	}

FENCE_PROGRAMS(dma_fence_init, on_named, FS_FENCE_INIT)
FENCE_PROGRAMS(dma_fence_emit, on_named, FS_FENCE_EMIT)
FENCE_PROGRAMS(dma_fence_enable_signal, on_fence, FS_FENCE_ENABLE)
FENCE_PROGRAMS(dma_fence_signaled, on_fence, FS_FENCE_SIGNALED)
FENCE_PROGRAMS(dma_fence_destroy, on_fence, FS_FENCE_DESTROY)
FENCE_PROGRAMS(dma_fence_wait_start, on_wait, FS_FENCE_WAIT_START)
FENCE_PROGRAMS(dma_fence_wait_end, on_wait, FS_FENCE_WAIT_END)

/*
 * The GPU scheduler (a module, as a rule) gives a job to the hardware. What others wait for is the
 * job's "finished" fence. The event had another name before 6.17.
 */
static __always_inline void on_run(void *ctx, struct drm_sched_job *job)
{
	struct drm_sched_fence *fences;

	if (!bpf_core_field_exists(job->s_fence))
		return;
	fences = BPF_CORE_READ(job, s_fence);
	on_fence(ctx, &fences->finished, FS_FENCE_RUN);
}

SEC("?raw_tp/drm_run_job")
int drm_run_job(struct bpf_raw_tracepoint_args *ctx)
{
	on_run(ctx, (void *)ctx->args[0]);
	return 0;
}

SEC("?raw_tp/drm_sched_job_run")
int drm_sched_job_run(struct bpf_raw_tracepoint_args *ctx)
{
	on_run(ctx, (void *)ctx->args[0]);
	return 0;
}

/* A __data_loc field: the offset of the string in its low half. */
#define DATA_LOC(ctx, field) ((void *)(ctx) + (BPF_CORE_READ(ctx, field) & 0xffff))

static __always_inline int on_text(struct trace_event_raw_dma_fence *ctx)
{
	struct fs_fence_name rec = {};
	__u32 key = BPF_CORE_READ(ctx, context);
	struct context_name *known = bpf_map_lookup_elem(&fence_contexts, &key);
	__u64 id;

	if (!known || known->named)
		return 0;
	known->named = true;
	id = bpf_get_current_pid_tgid();
	fill_header(&rec.h, FS_KIND_FENCE_NAME, sizeof(rec), bpf_ktime_get_ns(), (__u32)id,
		    id >> 32);
	rec.context = known->context;
	bpf_probe_read_kernel_str(rec.driver, sizeof(rec.driver), DATA_LOC(ctx, __data_loc_driver));
	bpf_probe_read_kernel_str(rec.timeline, sizeof(rec.timeline),
				  DATA_LOC(ctx, __data_loc_timeline));
	emit(ctx, &rec, sizeof(rec));
	return 0;
}

SEC("?tp/dma_fence/dma_fence_init")
int dma_fence_init_text(struct trace_event_raw_dma_fence *ctx)
{
	return on_text(ctx);
}

SEC("?tp/dma_fence/dma_fence_emit")
int dma_fence_emit_text(struct trace_event_raw_dma_fence *ctx)
{
	return on_text(ctx);
}
