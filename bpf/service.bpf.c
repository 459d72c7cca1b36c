// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Programs that user space runs itself, by test runs, and that are attached to nothing. */
#include "framescope.bpf.h"

__u32 slots_left;

/* Make a part of the slots free; the lowest last, which are then taken first. */
SEC("?raw_tp")
int free_some_slots(void *ctx)
{
	for (int i = 0; i < FS_SLOTS_RUN; i++) {
		__u32 slot = slots_left;

		if (!slot)
			break;
		if (bpf_map_push_elem(&free_slots, &slot, BPF_ANY))
			break;
		slots_left = slot - 1;
	}
	return 0;
}

/* User space runs it on a CPU whose batch has waited long enough. */
SEC("?raw_tp")
int send_batch(void *ctx)
{
	__u32 cpu = bpf_get_smp_processor_id(), nr;
	struct fs_batch *b = bpf_map_lookup_elem(&batches, &cpu);

	if (!b || b->busy)
		return 0;
	b->busy = 1;
	barrier();
	nr = b->nr & (FS_BATCH - 1);
	if (nr)
		emit_many(ctx, b->recs, nr * sizeof(*b->recs), nr);
	b->nr = 0;
	barrier();
	b->busy = 0;
	return 0;
}
