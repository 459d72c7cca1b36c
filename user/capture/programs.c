// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Twins and optional programs: chosen by what the kernel has, attached in one order. */
#include "capture/programs.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <linux/types.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <framescope/capture.h>
#include <framescope/state.h>

#include "base/log.h"
#include "capture/kernel_side.h"
#include "probe/kernel.h"
#include "probe/percpu.h"
#include "probe/syscalls.h"

#define NAMES_LOSS "names of fence timelines"
#define RUN_LOSS "when the GPU scheduler gives jobs to the hardware"

/*
 * Wakers and the life of threads before the switches, so that no interval begins unprepared. The
 * fence programs before their text twins, which name only contexts that the former have seen.
 */
const struct program programs[] = {
	{ .name = "sched_process_fork" },
	{ .name = "sched_process_exec", .loss = "programs that a watched process executes" },
	{ .name = "sched_process_exit", .loss = "ends of threads" },
	{ .name = "task_rename", .loss = "new names of threads" },
	{ .name = "sched_wakeup_new", .loss = "how long new threads wait for a CPU" },
	{ .name = "sched_waking", .loss = "who wakes a blocked thread, and when" },
	{ .name = "sched_switch" },
	{ .name = "dma_fence_init", .loss = "when fences are made" },
	{ .name = "dma_fence_emit", .loss = "when fences are submitted" },
	{ .name = "dma_fence_enable_signal", .loss = "when signalling is asked for" },
	{ .name = "dma_fence_signaled", .loss = "when fences signal" },
	{ .name = "dma_fence_destroy", .loss = "when fences are freed" },
	{ .name = "dma_fence_wait_start", .loss = "fence waits inside drivers" },
	{ .name = "dma_fence_wait_end", .loss = "fence waits inside drivers" },
	{ .name = "dma_fence_init_text", .loss = NAMES_LOSS, .event = "dma_fence/dma_fence_init" },
	{ .name = "dma_fence_emit_text", .loss = NAMES_LOSS, .event = "dma_fence/dma_fence_emit" },
	{ .name = "drm_run_job",
	  .loss = RUN_LOSS,
	  .event = "gpu_scheduler/drm_run_job",
	  .optional = true },
	{ .name = "drm_sched_job_run",
	  .loss = RUN_LOSS,
	  .event = "gpu_scheduler/drm_sched_job_run",
	  .optional = true },
	{ 0 },
};

#define SWITCH_ARGS_WITH_STATE 4 /* preempt, prev, next, prev_state */

static bool without(const char *feature)
{
	const char *list = getenv("FRAMESCOPE_WITHOUT");
	size_t len = strlen(feature);

	while (list && *list) {
		size_t word = strcspn(list, ",");

		if (word == len && !strncmp(list, feature, len))
			return true;
		list += word + (list[word] == ',');
	}
	return false;
}

static struct bpf_program *find(struct framescope_bpf *skel, const struct program *p, bool raw)
{
	char name[64];

	snprintf(name, sizeof(name), "%s%s", p->name, raw ? "_raw" : "");
	return bpf_object__find_program_by_name(skel->obj, name);
}

bool program_available(const struct program *p)
{
	return p->event ? kernel_has_trace_event(p->event) : kernel_has_tracepoint(p->name);
}

/* What FRAMESCOPE_WITHOUT may name. */
static const char *const features[] = { "tp_btf", "prev_state", "task_pt_regs", "attach_cookie" };

static void check_without(void)
{
	const char *list = getenv("FRAMESCOPE_WITHOUT");

	while (list && *list) {
		size_t word = strcspn(list, ","), i = 0;

		while (i < sizeof(features) / sizeof(*features) &&
		       (strlen(features[i]) != word || strncmp(list, features[i], word) != 0))
			i++;
		if (i == sizeof(features) / sizeof(*features))
			log_warn("FRAMESCOPE_WITHOUT knows tp_btf, prev_state, task_pt_regs and "
				 "attach_cookie, not '%.*s'",
				 (int)word, list);
		list += word + (list[word] == ',');
	}
}

bool programs_only_raw(void)
{
	check_without();
	return without("tp_btf") || !kernel_has_own_btf();
}

/* Containers of fences are told by functions of theirs, sync_files by more than their name. */
static void find_symbols(struct framescope_bpf *skel)
{
	struct kernel_symbol symbols[] = { { .name = "dma_fence_array_get_driver_name" },
					   { .name = "dma_fence_chain_get_driver_name" },
					   { .name = "sync_file_fops" } };

	kernel_symbols(symbols, 3);
	skel->rodata->array_driver_name = symbols[0].address;
	skel->rodata->chain_driver_name = symbols[1].address;
	skel->rodata->sync_file_fops = symbols[2].address;
}

int programs_choose(struct framescope_bpf *skel, bool raw, struct err *e)
{
	for (const struct program *p = programs; p->name; p++) {
		if (program_available(p)) {
			bpf_program__set_autoload(find(skel, p, raw && !p->event), true);
		} else if (!p->loss) {
			err_set(e, -ENOTSUP, "this kernel has no tracepoint %s", p->name);
			return err_hint(e,
					"a kernel with CONFIG_TRACEPOINTS, CONFIG_BPF_EVENTS and "
					"CONFIG_DEBUG_INFO_BTF; 'framescope doctor' says more");
		}
	}
	bpf_program__set_autoload(skel->progs.span_entry, true);
	bpf_program__set_autoload(skel->progs.span_return, true);
	bpf_program__set_autoload(skel->progs.send_batch, true);
	bpf_program__set_autoload(skel->progs.free_some_slots, true);

	skel->rodata->has_prev_state =
		kernel_tracepoint_args("sched_switch") >= SWITCH_ARGS_WITH_STATE &&
		!without("prev_state");
	skel->rodata->has_task_pt_regs = !without("task_pt_regs");
	skel->rodata->has_attach_cookie =
		kernel_has_helper("get_attach_cookie") && !without("attach_cookie");
	if (kernel_has_tracepoint("dma_fence_init"))
		find_symbols(skel);
	skel->rodata->preempt_count_distance = percpu_preempt_count_distance();
	if (kernel_moved_hardirq())
		skel->rodata->hardirq_mask = FS_HARDIRQ_HIGH;
#if defined(__x86_64__)
	syscall_classes(FS_ARCH_X86_64, (uint8_t *)skel->rodata->syscall_class, FS_SYSCALL_MAX);
#elif defined(__aarch64__)
	syscall_classes(FS_ARCH_ARM64, (uint8_t *)skel->rodata->syscall_class, FS_SYSCALL_MAX);
#endif
	return 0;
}

static struct bpf_program *chosen(struct framescope_bpf *skel, const struct program *p)
{
	struct bpf_program *prog = find(skel, p, false);

	if (!bpf_program__autoload(prog) && !p->event)
		prog = find(skel, p, true);
	return bpf_program__autoload(prog) ? prog : NULL;
}

const char *programs_form(struct framescope_bpf *skel)
{
	return bpf_program__autoload(skel->progs.sched_switch) ? "tp_btf" : "raw_tp";
}

/* The skeleton's own slot for a program's link, so that destroying the skeleton detaches it. */
static struct bpf_link **link_slot(struct framescope_bpf *skel, const struct bpf_program *prog)
{
	const struct bpf_object_skeleton *s = skel->skeleton;

	for (int i = 0; i < s->prog_cnt; i++) {
		if (*s->progs[i].prog == prog)
			return s->progs[i].link;
	}
	return NULL;
}

int programs_attach(struct framescope_bpf *skel, struct err *e)
{
	for (const struct program *p = programs; p->name; p++) {
		struct bpf_program *prog = chosen(skel, p);
		struct bpf_link *link;

		if (!prog)
			continue;
		link = bpf_program__attach(prog);
		if (!link) {
			int err = -errno;

			if (p->loss)
				continue;
			return err_errno(e, err, "cannot attach to the tracepoint %s", p->name);
		}
		*link_slot(skel, prog) = link;
	}
	return 0;
}

bool program_attached(struct framescope_bpf *skel, const struct program *p)
{
	const struct bpf_program *prog = chosen(skel, p);

	return prog && *link_slot(skel, prog);
}
