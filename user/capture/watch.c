// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Who is watched. The table is shared memory: a slot is set here, and the kernel side sees it. */
#include "capture/watch.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <framescope/state.h>

#include "base/clock.h"
#include "probe/kernel.h"
#include "probe/proc.h"

struct sweep {
	const struct watch *watch;
	pid_t tgid;
	pid_t ppid;
	unsigned added;
};

uint32_t watch_pages(void)
{
	uint32_t max = kernel_pid_max();

	return (max < FS_TID_MAX ? max : FS_TID_MAX - 1) / FS_PAGE_TIDS + 1;
}

int watch_open(struct watch *w, uint32_t slots, struct err *e)
{
	uint32_t pages = watch_pages();
	void *table = mmap(NULL, pages * sizeof(struct fs_slot_page), PROT_READ | PROT_WRITE,
			   MAP_SHARED, w->watched_fd, 0);

	if (table == MAP_FAILED)
		return err_errno(e, -errno, "cannot share the table of watched threads");
	w->watched = table;
	w->nr_tids = pages * FS_PAGE_TIDS;
	*w->slots_left = slots;
	while (*w->slots_left) {
		struct bpf_test_run_opts opts = { .sz = sizeof(opts) };
		uint32_t left = *w->slots_left;
		int err = bpf_prog_test_run_opts(w->fill_fd, &opts);

		if (!err && *w->slots_left == left)
			err = -ENOSPC;
		if (err)
			return err_errno(e, err, "cannot make room for %u threads", slots);
	}
	return 0;
}

void watch_close(struct watch *w)
{
	if (w->watched)
		munmap((void *)w->watched, w->nr_tids * sizeof(*w->watched));
	w->watched = NULL;
}

static void no_room(const struct watch *w, struct fs_header h)
{
	struct fs_lost rec = { .h = h, .count = 1, .where = FS_LOST_MAP };

	rec.h.kind = FS_KIND_LOST;
	rec.h.size = sizeof(rec);
	rec.h.time_ns = clock_monotonic_ns();
	w->watched[h.tid] = FS_SLOT_NONE;
	w->record(w->ctx, &rec.h);
}

/*
 * Set first, then say so: what is recorded in between belongs to a thread about to be announced. If
 * the thread has ended by then, its slot is not given back: the kernel side may just be doing that.
 */
static int add_thread(void *ctx, pid_t tid)
{
	struct sweep *sweep = ctx;
	const struct watch *w = sweep->watch;
	struct fs_task rec = {
		.h = { .tid = (uint32_t)tid,
		       .tgid = (uint32_t)sweep->tgid,
		       .kind = FS_KIND_TASK,
		       .size = sizeof(rec),
		       .cpu = FS_CPU_NONE },
		.op = FS_TASK_SEEN,
		.parent = (uint32_t)sweep->ppid,
	};

	struct fs_thread state = { .tid = rec.h.tid, .tgid = rec.h.tgid };
	uint32_t slot;

	if (tid <= 0 || (uint32_t)tid >= w->nr_tids || w->watched[tid])
		return 0;
	if (bpf_map_lookup_and_delete_elem(w->free_fd, NULL, &slot)) {
		no_room(w, rec.h);
		return 0;
	}
	bpf_map_update_elem(w->threads_fd, &slot, &state, BPF_ANY);
	w->watched[tid] = (uint16_t)slot;
	if (proc_comm(tid, rec.comm)) {
		w->watched[tid] = 0;
		return 0;
	}
	rec.h.time_ns = clock_monotonic_ns();
	w->record(w->ctx, &rec.h);
	sweep->added++;
	return 0;
}

int watch_process(const struct watch *w, pid_t pid, struct err *e)
{
	struct sweep sweep = { .watch = w };
	int err = 0;

	if (proc_ids(pid, &sweep.tgid, &sweep.ppid)) {
		err_set(e, -ESRCH, "there is no process %d", pid);
		return err_hint(e, "pidof NAME for its number, or --comm NAME instead of it");
	}
	do {
		sweep.added = 0;
		err = proc_each_thread(sweep.tgid, add_thread, &sweep);
	} while (!err && sweep.added);
	if (err) {
		err_set(e, err, "process %d ended", pid);
		return err_hint(e, "start it again, or let framescope start it (-- CMD)");
	}
	return 0;
}

struct sweep_all {
	const struct watch *watch;
	unsigned added;
};

static int add_process(void *ctx, pid_t pid)
{
	struct sweep_all *all = ctx;
	struct sweep sweep = { .watch = all->watch, .tgid = pid };
	pid_t tgid;

	/* One that ends under our eyes is no error here. */
	if (pid == getpid() || proc_ids(pid, &tgid, &sweep.ppid))
		return 0;
	proc_each_thread(pid, add_thread, &sweep);
	all->added += sweep.added;
	return 0;
}

int watch_all(const struct watch *w, struct err *e)
{
	struct sweep_all all = { .watch = w };

	do {
		int err;

		all.added = 0;
		err = proc_each(add_process, &all);
		if (err)
			return err_errno(e, err, "cannot list the processes");
	} while (all.added);
	return 0;
}

void watch_none(const struct watch *w)
{
	for (uint32_t tid = 0; tid < w->nr_tids; tid++) {
		if (w->watched[tid])
			w->watched[tid] = 0;
	}
}
