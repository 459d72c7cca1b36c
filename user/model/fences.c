// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The table of fences, and of their contexts' last signals. */
#include "model/fences.h"

#include <errno.h>
#include <stdlib.h>

/* On allocation failure uthash leaves the element out and says so here. */
#undef uthash_nonfatal_oom
#define uthash_nonfatal_oom(element) failed = true

struct fence_context {
	uint64_t context;
	uint64_t signal_ns; /* the last */
	UT_hash_handle hh;
};

static const char *const outcome_names[] = {
	[WAIT_SIGNALED] = "signaled",
	[WAIT_TIMEOUT] = "timeout",
	[WAIT_OTHER] = "other",
	[WAIT_OPEN] = "open",
};
_Static_assert(sizeof(outcome_names) / sizeof(outcome_names[0]) == WAIT_OUTCOME_NR,
	       "a name for every outcome");

const char *wait_outcome_name(enum wait_outcome o)
{
	return (unsigned)o < WAIT_OUTCOME_NR ? outcome_names[o] : NULL;
}

void fences_free(struct fences *f)
{
	struct fence *fence, *next;
	struct fence_context *context, *after;

	HASH_ITER (hh, f->by_id, fence, next) {
		HASH_DEL(f->by_id, fence);
		free(fence);
	}
	HASH_ITER (hh, f->contexts, context, after) {
		HASH_DEL(f->contexts, context);
		free(context);
	}
}

struct fence *fences_find(const struct fences *f, struct fence_id id)
{
	struct fence *fence;

	HASH_FIND(hh, f->by_id, &id, sizeof(id), fence);
	return fence;
}

static struct fence *get(struct fences *f, struct fence_id id)
{
	struct fence *fence = fences_find(f, id);
	bool failed = false;

	if (fence)
		return fence;
	if (HASH_COUNT(f->by_id) >= FENCES_MAX) {
		struct fence *oldest = f->by_id;

		HASH_DEL(f->by_id, oldest);
		free(oldest);
	}
	fence = calloc(1, sizeof(*fence));
	if (!fence)
		return NULL;
	fence->id = id;
	fence->signal_cpu = FS_CPU_NONE;
	HASH_ADD(hh, f->by_id, id, sizeof(id), fence);
	if (failed) {
		free(fence);
		return NULL;
	}
	return fence;
}

static struct fence_context *get_context(struct fences *f, uint64_t number)
{
	struct fence_context *context;
	bool failed = false;

	HASH_FIND(hh, f->contexts, &number, sizeof(number), context);
	if (context)
		return context;
	if (HASH_COUNT(f->contexts) >= CONTEXTS_MAX) {
		struct fence_context *oldest = f->contexts;

		HASH_DEL(f->contexts, oldest);
		free(oldest);
	}
	context = calloc(1, sizeof(*context));
	if (!context)
		return NULL;
	context->context = number;
	HASH_ADD(hh, f->contexts, context, sizeof(context->context), context);
	if (failed) {
		free(context);
		return NULL;
	}
	return context;
}

static void note_order(struct fences *f, const struct fence *fence)
{
	struct fence *before;

	if (fence->signal_cpu >= FENCE_CPUS)
		return;
	before = fences_find(f, f->last_signal[fence->signal_cpu]);
	if (before && before->signal_cpu == fence->signal_cpu)
		before->next_signal_ns = fence->signal_ns;
	f->last_signal[fence->signal_cpu] = fence->id;
}

static int note_signal(struct fences *f, struct fence *fence, const struct fs_fence *rec)
{
	bool interrupt = rec->irq == FS_CTX_SOFTIRQ || rec->irq == FS_CTX_HARDIRQ;
	struct fence_context *context;
	uint64_t from;

	/* It can signal only once: what was met as signalled is now seen to have been. */
	if (fence->signal_cpu != FS_CPU_NONE)
		return 0;
	fence->signal_ns = rec->h.time_ns;
	fence->signal_cpu = rec->h.cpu;
	fence->context = rec->irq < FS_CTX_NR ? (uint8_t)rec->irq : FS_CTX_UNKNOWN;
	fence->signaller_tid = interrupt ? 0 : rec->h.tid;
	note_order(f, fence);
	context = get_context(f, fence->id.context);
	if (!context)
		return -ENOMEM;
	/* One context's fences signal in order: its hardware was free from the one before on. */
	from = fence->submitted_ns > context->signal_ns ? fence->submitted_ns : context->signal_ns;
	if (fence->submitted_ns && from < fence->signal_ns)
		fence->gpu_ns = fence->signal_ns - from;
	context->signal_ns = fence->signal_ns;
	return 0;
}

int fences_feed(struct fences *f, const struct fs_fence *rec)
{
	struct fence *fence;

	if (rec->op != FS_FENCE_INIT && rec->op != FS_FENCE_EMIT && rec->op != FS_FENCE_SIGNALED)
		return 0;
	fence = get(f, (struct fence_id){ rec->context, rec->seqno });
	if (!fence)
		return -ENOMEM;
	if (rec->op == FS_FENCE_SIGNALED)
		return note_signal(f, fence, rec);
	fence->submitted_ns = rec->h.time_ns;
	return 0;
}

int fences_met(struct fences *f, const struct fs_fence_ref *rec)
{
	struct fence *fence;

	if (!(rec->flags & FS_REF_SIGNALED) || !rec->signal_ns)
		return 0;
	fence = get(f, (struct fence_id){ rec->context, rec->seqno });
	if (!fence)
		return -ENOMEM;
	if (!fence->signal_ns)
		fence->signal_ns = rec->signal_ns;
	return 0;
}
