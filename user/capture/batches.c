// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Batches of finished intervals. A program runs on a given CPU when asked to by a test run (from
 * 5.10 on), so nothing needs a timer, and an idle CPU is not woken.
 */
#include "capture/batches.h"

#include <bpf/bpf.h>
#include <errno.h>

#include <framescope/state.h>

int batches_send(const struct batches *b, struct err *e)
{
	for (uint32_t cpu = 0; cpu < b->cpus; cpu++) {
		struct bpf_test_run_opts opts = {
			.sz = sizeof(opts),
			.cpu = cpu,
			.flags = BPF_F_TEST_RUN_ON_CPU,
		};
		struct fs_batch batch;
		int err;

		if (bpf_map_lookup_elem(b->map_fd, &cpu, &batch) || !batch.nr)
			continue;
		err = bpf_prog_test_run_opts(b->send_fd, &opts);
		if (err && err != -ENXIO)
			return err_errno(e, err, "CPU %u cannot be asked for its records", cpu);
	}
	return 0;
}

void batches_rest(const struct batches *b, void (*fn)(void *ctx, const struct fs_header *rec),
		  void *ctx)
{
	for (uint32_t cpu = 0; cpu < b->cpus; cpu++) {
		struct fs_batch batch;

		if (bpf_map_lookup_elem(b->map_fd, &cpu, &batch))
			continue;
		for (uint32_t i = 0; i < batch.nr && i < FS_BATCH; i++)
			fn(ctx, &batch.recs[i].h);
	}
}
