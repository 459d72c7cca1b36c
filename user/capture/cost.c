// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The run-time statistics of our programs, sampled. */
#include "capture/cost.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <linux/types.h>
#include <stdbool.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"

#define WINDOW_NS (100 * NSEC_PER_MSEC)
#define PERIOD_NS NSEC_PER_SEC

static bool read_stats(const struct bpf_program *prog, uint64_t *runs, uint64_t *ns)
{
	struct bpf_prog_info info = { 0 };
	__u32 len = sizeof(info);
	int fd = bpf_program__fd(prog);

	if (fd < 0 || bpf_obj_get_info_by_fd(fd, &info, &len))
		return false;
	*runs = info.run_cnt;
	*ns = info.run_time_ns;
	return true;
}

static void switch_on(struct cost *c, uint64_t now_ns)
{
	struct bpf_program *prog;
	unsigned i = 0;

	c->since_ns = now_ns;
	c->fd = bpf_enable_stats(BPF_STATS_RUN_TIME);
	if (c->fd < 0)
		return;
	bpf_object__for_each_program (prog, c->obj) {
		if (i == COST_PROGRAMS)
			break;
		read_stats(prog, &c->programs[i].runs_before, &c->programs[i].ns_before);
		i++;
	}
}

void cost_stop(struct cost *c, uint64_t now_ns)
{
	struct bpf_program *prog;
	unsigned i = 0;
	uint64_t runs, ns;

	if (c->fd < 0)
		return;
	bpf_object__for_each_program (prog, c->obj) {
		if (i == COST_PROGRAMS)
			break;
		if (read_stats(prog, &runs, &ns)) {
			c->programs[i].runs += runs - c->programs[i].runs_before;
			c->programs[i].ns += ns - c->programs[i].ns_before;
		}
		i++;
	}
	c->measured_ns += now_ns - c->since_ns;
	close(c->fd);
	c->fd = -1;
}

void cost_start(struct cost *c, const struct bpf_object *obj, uint64_t now_ns)
{
	*c = (struct cost){ .obj = obj };
	switch_on(c, now_ns);
}

void cost_tick(struct cost *c, uint64_t now_ns)
{
	if (c->fd >= 0 && now_ns - c->since_ns >= WINDOW_NS)
		cost_stop(c, now_ns);
	else if (c->fd < 0 && now_ns - c->since_ns >= PERIOD_NS)
		switch_on(c, now_ns);
}

void cost_print(const struct cost *c)
{
	double seconds = (double)c->measured_ns / NSEC_PER_SEC;
	struct bpf_program *prog;
	uint64_t total = 0;
	unsigned i = 0;

	if (!c->measured_ns)
		return;
	log_info("  %-28s %12s %8s %16s", "kernel side", "runs/s", "ns/run", "% of one CPU");
	bpf_object__for_each_program (prog, c->obj) {
		uint64_t runs, ns;

		if (i == COST_PROGRAMS)
			break;
		runs = c->programs[i].runs;
		ns = c->programs[i].ns;
		i++;
		if (!runs)
			continue;
		total += ns;
		log_info("  %-28s %12.0f %8llu %16.3f", bpf_program__name(prog),
			 (double)runs / seconds, (unsigned long long)(ns / runs),
			 (double)ns / seconds * 100 / NSEC_PER_SEC);
	}
	log_info("  kernel side in all: %.2f %% of one CPU (measured for %.1f s)",
		 (double)total / seconds * 100 / NSEC_PER_SEC, seconds);
}
