// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The life of a capture: skeleton, rings, file, watched threads and probed functions together. */
#include "capture/session.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <linux/membarrier.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <framescope/capture.h>
#include <framescope/state.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/roles.h"
#include "capture/batches.h"
#include "capture/cost.h"
#include "capture/describe.h"
#include "capture/open_records.h"
#include "capture/points.h"
#include "capture/programs.h"
#include "capture/transport.h"
#include "capture/watch.h"
#include "capture/writer.h"
#include "capture/kernel_side.h"
#include "probe/kernel.h"
#include "probe/proc.h"

#define RING_TOTAL (32u << 20) /* bytes; shared out among the CPUs, within the next two */
#define RING_MIN (512u << 10)
#define RING_MAX (4u << 20)
/* Room in the kernel's table, and when everything is recorded. */
#define THREADS 16384
#define THREADS_ALL 32768

/*
 * A record may reach its ring later than others that bear a later time: its program was interrupted
 * or preempted in between. What is older than this when the rings are drained has arrived.
 */
#define ARRIVAL_NS (200 * NSEC_PER_MSEC)
#define ROUND_NS (100 * NSEC_PER_MSEC)
#define CLOCK_NS (10 * NSEC_PER_SEC)
/* How often to look for new libraries: each look costs a read of /proc per process. */
#define LOOK_NS (100 * NSEC_PER_MSEC)
#define LOOK_MANY_NS NSEC_PER_SEC
#define LOOK_MANY 16 /* processes */

struct session {
	struct session_config cfg;
	struct framescope_bpf *skel;
	struct sink *sink; /* where the records go */
	struct writer *writer; /* that is this one's; NULL: it is the caller's */
	struct transport *transport;
	struct points *points;
	struct watch watch;
	struct batches batches;
	struct cost cost;
	bool begun; /* something was recorded */
	bool stopped;

	uint64_t start_ns;
	uint64_t stop_ns; /* if stopped */
	uint64_t round_ns; /* when the last of each was done */
	uint64_t clock_ns;
	uint64_t look_ns;

	uint64_t records, frames;
	uint64_t lost; /* records, as far as they were counted */
	uint64_t refused; /* samples that the rings reported as refused */
	uint64_t in_batches; /* records in these, beyond one each */
	uint64_t unfollowed; /* threads that the kernel side had no room for */
	uint64_t *last_ns; /* by CPU: time of the last record that its ring gave */
	uint32_t cpus;
	struct roles roles; /* of the points */
	pid_t *born; /* processes that were started since the last look */
	size_t nr_born, cap_born;
	struct err err; /* the first failure inside a callback; code 0 = none */
	struct err refusal; /* of the sink, the last; here, for to clear one takes longer than a
			       copy */
};

static void add_record(void *ctx, const struct fs_header *rec)
{
	struct session *s = ctx;

	s->records++;
	if (s->sink->ops->add(s->sink, rec, &s->refusal) && !s->err.code)
		s->err = s->refusal;
}

static bool ends_frame(const struct session *s, const struct fs_span *span)
{
	int role = roles_get(&s->roles, span->point);

	return !span->depth && (role == FS_ROLE_SWAP || role == FS_ROLE_PRESENT ||
				role == FS_ROLE_QUEUE || role == FS_ROLE_RENDER_FRAME);
}

static void note_born(struct session *s, pid_t pid)
{
	if (s->nr_born == s->cap_born) {
		size_t cap = s->cap_born ? s->cap_born * 2 : 64;
		pid_t *born = realloc(s->born, cap * sizeof(*born));

		if (!born)
			return;
		s->born = born;
		s->cap_born = cap;
	}
	s->born[s->nr_born++] = pid;
}

static void note_lost(struct session *s, const struct fs_lost *rec)
{
	s->lost += rec->count;
	if (rec->where == FS_LOST_MAP)
		s->unfollowed++;
}

static void on_record(void *ctx, const struct fs_header *rec)
{
	struct session *s = ctx;

	add_record(s, rec);
	if (rec->cpu < s->cpus)
		s->last_ns[rec->cpu] = rec->time_ns;
	if (rec->kind == FS_KIND_SPAN)
		s->frames += ends_frame(s, (const struct fs_span *)rec);
	else if (rec->kind == FS_KIND_TASK && rec->tid == rec->tgid &&
		 ((const struct fs_task *)rec)->op == FS_TASK_NEW)
		note_born(s, (pid_t)rec->tid);
	else if (rec->kind == FS_KIND_LOST)
		note_lost(s, (const struct fs_lost *)rec);
}

/* Never less than at an earlier call. */
static uint64_t in_batches(const struct session *s)
{
	uint64_t samples = __atomic_load_n(&s->skel->bss->refused_samples, __ATOMIC_ACQUIRE);
	uint64_t records = __atomic_load_n(&s->skel->bss->refused_records, __ATOMIC_RELAXED);

	return records > samples + s->in_batches ? records - samples : s->in_batches;
}

/*
 * A ring counts samples, which may have held several records. How many these were in all is known,
 * not how many of each CPU: the first that reports gets what nobody else has reported.
 */
static void add_lost(struct session *s, uint64_t time_ns, uint32_t cpu, uint64_t samples)
{
	uint64_t more = in_batches(s) - s->in_batches;
	uint64_t count = samples + more;
	struct fs_lost rec = {
		.h = { .time_ns = time_ns, .kind = FS_KIND_LOST, .size = sizeof(rec), .cpu = cpu },
		.count = count,
		.where = FS_LOST_RING,
	};

	s->in_batches += more;
	s->lost += count;
	s->refused += samples;
	add_record(s, &rec.h);
}

/*
 * They were lost after the last record that the ring had room for. (What is in the file by now has
 * passed; a mark behind it would only be late.)
 */
static void on_lost(void *ctx, uint32_t cpu, uint64_t count)
{
	struct session *s = ctx;
	uint64_t passed = s->round_ns > ARRIVAL_NS ? s->round_ns - ARRIVAL_NS : 0;
	uint64_t since = cpu < s->cpus ? s->last_ns[cpu] : 0;

	add_lost(s, since > passed ? since : passed, cpu, count);
}

static void on_point(void *ctx, const struct fs_point *rec)
{
	struct session *s = ctx;

	/* Out of memory it is a span for the progress line; the reader has the record. */
	roles_set(&s->roles, rec->id, rec->role);
	add_record(s, &rec->h);
}

static void add_clock(struct session *s, struct clock_snapshot now, uint32_t mark)
{
	struct fs_clock rec = {
		.h = { .time_ns = now.monotonic_ns,
		       .kind = FS_KIND_CLOCK,
		       .size = sizeof(rec),
		       .cpu = FS_CPU_NONE },
		.boottime_ns = now.boottime_ns,
		.realtime_ns = now.realtime_ns,
		.mark = mark,
	};

	s->clock_ns = now.monotonic_ns;
	add_record(s, &rec.h);
}

static uint32_t threads_room(const struct session *s)
{
	return s->cfg.all ? THREADS_ALL : THREADS;
}

static int try_load(struct session *s, bool raw, struct err *e)
{
	int err;

	const struct bpf_object_open_opts opts = {
		.sz = sizeof(opts),
		.btf_custom_path = kernel_btf_file(),
	};

	s->skel = framescope_bpf__open_opts(&opts);
	if (!s->skel)
		return err_errno(e, -errno, "cannot open the kernel side");
	bpf_map__set_max_entries(s->skel->maps.threads, threads_room(s) + 1);
	bpf_map__set_max_entries(s->skel->maps.free_slots, threads_room(s));
	bpf_map__set_max_entries(s->skel->maps.batches, s->cpus);
	bpf_map__set_max_entries(s->skel->maps.watched, watch_pages());
	s->skel->rodata->frame_info_layout = s->cfg.frame_info_layout;
	err = programs_choose(s->skel, raw, e);
	if (err)
		return err;
	bpf_program__set_autoload(s->skel->progs.mark_entry, s->cfg.markers);
	err = framescope_bpf__load(s->skel);
	if (err) {
		err_errno(e, err, "this kernel refused the kernel side");
		if (kernel_btf_file())
			return err_hint(e,
					"are the types in '%s' those of this very build? -v "
					"shows the kernel's own words",
					kernel_btf_file());
		return err_hint(e, "'framescope doctor' for what is missing; -v shows the kernel's "
				   "own words");
	}
	return 0;
}

/* A kernel may have BTF and still refuse tp_btf programs. */
static int load(struct session *s, struct err *e)
{
	bool raw = programs_only_raw();
	int err = try_load(s, raw, e);

	if (err && !raw && s->skel) {
		log_debug("%s; raw tracepoints instead", e->what);
		framescope_bpf__destroy(s->skel);
		err = try_load(s, true, e);
	}
	if (err)
		return err;
	s->batches = (struct batches){
		.map_fd = bpf_map__fd(s->skel->maps.batches),
		.send_fd = bpf_program__fd(s->skel->progs.send_batch),
		.cpus = s->cpus,
	};
	s->watch = (struct watch){
		.watched_fd = bpf_map__fd(s->skel->maps.watched),
		.threads_fd = bpf_map__fd(s->skel->maps.threads),
		.free_fd = bpf_map__fd(s->skel->maps.free_slots),
		.fill_fd = bpf_program__fd(s->skel->progs.free_some_slots),
		.slots_left = &s->skel->bss->slots_left,
		.record = on_record,
		.ctx = s,
	};
	return watch_open(&s->watch, threads_room(s), e);
}

static int __attribute__((format(printf, 2, 0)))
libbpf_log(enum libbpf_print_level level, const char *fmt, va_list ap)
{
	/* Its own debugging is a thousand lines; what it warns of includes the verifier's log. */
	if (level > LIBBPF_INFO || log_level() < LOG_DEBUG)
		return 0;
	return vfprintf(stderr, fmt, ap);
}

static size_t default_ring_bytes(int cpus)
{
	size_t bytes = RING_MAX;

	while (bytes > RING_MIN && bytes * (size_t)cpus > RING_TOTAL)
		bytes /= 2;
	return bytes;
}

#if defined(__x86_64__)
#define THIS_ARCH FS_ARCH_X86_64
#elif defined(__aarch64__)
#define THIS_ARCH FS_ARCH_ARM64
#endif

int session_open(const struct session_config *cfg, struct session **out, struct err *e)
{
	struct session *s = calloc(1, sizeof(*s));
	struct transport_sink sink = { .record = on_record, .lost = on_lost, .ctx = s };
	struct points_config points;
	int cpus = libbpf_num_possible_cpus();
	struct err ignored = { 0 };
	int err;

	if (!s)
		return err_errno(e, -ENOMEM, "cannot start a capture");
	s->cfg = *cfg;
	s->sink = cfg->sink;
	s->cost.fd = -1;
	libbpf_set_print(libbpf_log);
	if (cpus < 1) {
		err = err_errno(e, cpus, "cannot tell how many CPUs there are");
		goto out;
	}
	s->cpus = (uint32_t)cpus;
	s->last_ns = calloc(s->cpus, sizeof(*s->last_ns));
	if (!s->last_ns) {
		err = err_errno(e, -ENOMEM, "cannot start a capture");
		goto out;
	}
	/* The file first: of all that may fail here it is what the user can mend at once. */
	if (cfg->output) {
		err = writer_open(cfg->output, (unsigned)cpus, THIS_ARCH, &s->writer, e);
		if (err)
			goto out;
		s->sink = writer_sink(s->writer);
	}
	err = load(s, e);
	if (err)
		goto out;
	err = transport_open(bpf_map__fd(s->skel->maps.events),
			     cfg->ring_bytes ? cfg->ring_bytes : default_ring_bytes(cpus), &sink,
			     &s->transport, e);
	if (err)
		goto out;
	points = (struct points_config){
		.entry = s->skel->progs.span_entry,
		.ret = s->skel->progs.span_return,
		.mark = s->skel->progs.mark_entry,
		.markers = cfg->markers,
		.cookies = s->skel->rodata->has_attach_cookie,
		.user = cfg->points,
		.nr_user = cfg->nr_points,
		.added = on_point,
		.ctx = s,
	};
	err = points_open(&points, &s->points, e);
	if (err)
		goto out;
	err = programs_attach(s->skel, e);
	if (!err)
		err = points_search(s->points, e);
	if (err)
		goto out;
	*out = s;
	return 0;
out:
	session_close(s, &ignored);
	return err;
}

void session_start(struct session *s)
{
	add_clock(s, clock_snapshot(), FS_CLOCK_START);
	s->start_ns = s->clock_ns;
}

int session_watch(struct session *s, pid_t pid, struct err *e)
{
	int err = watch_process(&s->watch, pid, e);

	return err ? err : points_add_process(s->points, pid, e);
}

struct add_all {
	struct session *s;
	struct err *e;
};

static int add_process(void *ctx, pid_t pid)
{
	const struct add_all *all = ctx;
	int err = pid == getpid() ? 0 : points_add_process(all->s->points, pid, all->e);

	if (err == -ESRCH)
		err = 0;
	/* Reading the maps of all processes takes a while, and all are watched already. */
	return err ? err : transport_drain(all->s->transport);
}

int session_watch_all(struct session *s, struct err *e)
{
	struct add_all all = { .s = s, .e = e };
	int err = watch_all(&s->watch, e);

	return err ? err : proc_each(add_process, &all);
}

int session_ready(struct session *s, struct err *e)
{
	struct fs_meta *meta;
	bool later;
	int err = points_check_user(s->points, &later, e);

	if (err && !later)
		return err;
	if (err)
		log_warn("%s; it is probed once it is there", e->what);
	meta = meta_record(s->skel, s->points, s->cfg.command, s->cfg.label, s->cfg.platform);
	if (!meta)
		return err_errno(e, -ENOMEM, "cannot describe the capture");
	add_record(s, &meta->h);
	free(meta);
	cost_start(&s->cost, s->skel->obj, clock_monotonic_ns());
	return 0;
}

static int look_for_libraries(struct session *s, uint64_t now, struct err *e)
{
	uint64_t period = points_processes(s->points) > LOOK_MANY ? LOOK_MANY_NS : LOOK_NS;
	int n;

	if (now - s->look_ns < period)
		return 0;
	s->look_ns = now;
	for (size_t i = 0; i < s->nr_born; i++) {
		int err = points_add_process(s->points, s->born[i], e);

		if (err && err != -ESRCH)
			return err;
	}
	s->nr_born = 0;
	n = points_poll(s->points, e);
	return n < 0 ? n : 0;
}

int session_poll(struct session *s, int timeout_ms, struct err *e)
{
	int err = transport_wait(s->transport, timeout_ms);
	uint64_t now = clock_monotonic_ns();
	bool round = now - s->round_ns >= ROUND_NS;

	s->begun = true;
	/* What has come before `now` is in the rings then, and in the file after the round. */
	if (round && batches_send(&s->batches, e))
		return e->code;
	if (!err || err == -EINTR)
		err = transport_drain(s->transport);
	if (err < 0)
		return err_errno(e, err, "cannot read the rings");
	if (!s->err.code && round) {
		if (now - s->clock_ns >= CLOCK_NS)
			add_clock(s, clock_snapshot(), FS_CLOCK_TICK);
		s->round_ns = now;
		s->sink->ops->round(s->sink, now - ARRIVAL_NS, &s->err);
	}
	if (s->err.code) {
		*e = s->err;
		return e->code;
	}
	cost_tick(&s->cost, now);
	return look_for_libraries(s, now, e);
}

bool session_alive(const struct session *s)
{
	return points_processes(s->points) || s->nr_born;
}

/* No program that passed the filter before watch_none() still runs after an RCU grace period. */
static void wait_for_programs(void)
{
	if (syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0))
		usleep(ARRIVAL_NS / 1000);
}

/* A full ring reports what it refused with the next record that fits; there may be none. */
static void add_unreported(struct session *s)
{
	uint64_t refused = s->skel->bss->refused_samples;

	if (refused > s->refused)
		add_lost(s, s->round_ns, FS_CPU_NONE, refused - s->refused);
}

int session_stop(struct session *s, struct err *e)
{
	struct clock_snapshot now = clock_snapshot();
	bool later;
	int err;

	s->begun = true;
	s->stopped = true;
	s->stop_ns = now.monotonic_ns;
	cost_stop(&s->cost, now.monotonic_ns);
	watch_none(&s->watch);
	wait_for_programs();
	err = transport_drain(s->transport);
	if (err < 0)
		return err_errno(e, err, "cannot read the rings");
	batches_rest(&s->batches, on_record, s);
	err = open_records(bpf_map__fd(s->skel->maps.threads), now.monotonic_ns, add_record, s);
	if (err)
		return err_errno(e, err, "cannot read which intervals were still open");
	add_unreported(s);
	add_clock(s, now, FS_CLOCK_STOP);
	if (s->err.code) {
		*e = s->err;
		return e->code;
	}
	return points_check_user(s->points, &later, e);
}

int session_close(struct session *s, struct err *e)
{
	int err = 0;

	if (!s)
		return 0;
	/*
	 * Detach the functions before their programs go, and the programs before the rings. The
	 * file last: nothing can reach it then.
	 */
	cost_stop(&s->cost, clock_monotonic_ns());
	points_close(s->points);
	watch_close(&s->watch);
	transport_close(s->transport);
	framescope_bpf__destroy(s->skel);
	if (s->sink)
		err = s->sink->ops->end(s->sink,
					s->stopped ? SINK_WHOLE
					: s->begun ? SINK_CUT
						   : SINK_DISCARD,
					e);
	roles_free(&s->roles);
	free(s->last_ns);
	free(s->born);
	free(s);
	return err;
}

void session_totals(const struct session *s, struct session_totals *t)
{
	*t = (struct session_totals){
		.records = s->records,
		.frames = s->frames,
		.lost = s->lost,
		.refused = s->refused,
		.unfollowed = s->unfollowed,
		.bytes = s->writer ? writer_bytes(s->writer) : 0,
		.elapsed_ns = (s->stopped ? s->stop_ns : clock_monotonic_ns()) - s->start_ns,
	};
}

void session_describe(const struct session *s)
{
	describe_attached(s->skel, s->points);
}

void session_cost(const struct session *s)
{
	cost_print(&s->cost);
}
