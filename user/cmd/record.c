// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* framescope record: run a capture until it is told to stop. */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <framescope/state.h>

#include "base/clock.h"
#include "base/log.h"
#include "capture/session.h"
#include "cmd/child.h"
#include "cmd/cmd.h"
#include "cmd/export_file.h"
#include "cmd/targets.h"
#include "export/export.h"
#include "probe/kernel.h"
#include "probe/package.h"
#include "probe/platform.h"

#define DEFAULT_OUTPUT "framescope.fsc"
#define POLL_MS 100
/* How late the start of a package's process may be seen; a look costs next to nothing. */
#define PACKAGE_POLL_MS 20
#define PROGRESS_NS (500 * NSEC_PER_MSEC)
#define IMPATIENT_MS 500
#define POINTS_MAX 64
#define COMMAND_LEN 1024

static const char help[] =
	"usage: framescope record [OPTIONS] [-p PID]... [--comm NAME] [--package NAME]\n"
	"                         [-a] [-- CMD ARGS...]\n"
	"\n"
	"Record what the threads of programs do, frame by frame, into a capture file.\n"
	"Threads and child processes are followed. Stops on Ctrl-C, after -d, or when\n"
	"what it records has ended.\n"
	"\n"
	"  -p, --pid PID        record this process; may be repeated\n"
	"      --comm NAME      record the processes of this name that run now\n"
	"      --package NAME   record the processes of this Android package, those that\n"
	"                       run and those that start later; waits for the first one.\n"
	"                       Until Ctrl-C or -d, which does not count the waiting\n"
	"  -a, --all            record every process\n"
	"  -- CMD ARGS...       start a program and record it; when the recording ends\n"
	"                       first, the program and all that it has started get\n"
	"                       SIGTERM, then SIGKILL\n"
	"  -d, --duration SEC   stop after this time: more than 0, at most 31536000 (a\n"
	"                       year); 0.5 is fine\n"
	"  -o, --output FILE    capture file (default " DEFAULT_OUTPUT "); of a name that\n"
	"                       ends in .pftrace or .perfetto-trace, a Perfetto trace:\n"
	"                       the capture, FILE.fsc, is exported when the recording is\n"
	"                       over, and then removed\n"
	"      --uprobe LIB:SYMBOL[=ROLE], --uprobe LIB@0xOFFSET[=ROLE]\n"
	"                       probe one more function; may be repeated. LIB is a file\n"
	"                       name (libfoo.so), a path, or\n"
	"                       base.apk!/lib/arm64-v8a/libfoo.so; SYMBOL may end with *\n"
	"                       for whatever follows; ROLE is one of span (default),\n"
	"                       swap, present, dequeue, queue, cancel, slot, fence_wait,\n"
	"                       frame_info, frame_ui, ui_sync, render_frame, sync_state,\n"
	"                       ui_release, frame_timeline, vsync, released, poll, marker\n"
	"      --markers        record what programs mark with atrace, where that is\n"
	"                       switched on\n"
	"      --frame-info-layout N\n"
	"                       how many slots HWUI's FrameInfo has here, if framescope\n"
	"                       takes it for another one: 16, 17, 22, 23, 24 or 25\n"
	"      --btf FILE       the kernel's types, where it has no\n"
	"                       /sys/kernel/btf/vmlinux\n"
	"      --buffer KIB     size of each CPU's ring (4 to 1048576), if records get\n"
	"                       lost\n"
	"  -v, --verbose        say more: also what libbpf and the kernel's verifier say\n"
	"  -q, --quiet          say only what went wrong\n"
	"  -h, --help           this text\n"
	"      --version        the version\n"
	"\n"
	"Exit status: 0 recorded (whatever CMD's own was), 1 failed (what was recorded is\n"
	"kept), 2 wrong usage.\n"
	"\n"
	"Example: record a program for five seconds, then see where its frames' time went\n"
	"  sudo framescope record -d 5 -o gears.fsc -- es2gears_x11\n"
	"  framescope report gears.fsc\n";

enum {
	OPT_COMM = 256,
	OPT_PACKAGE,
	OPT_UPROBE,
	OPT_MARKERS,
	OPT_LAYOUT,
	OPT_BUFFER,
	OPT_BTF,
};

static const struct option options[] = {
	{ "pid", required_argument, NULL, 'p' },
	{ "comm", required_argument, NULL, OPT_COMM },
	{ "package", required_argument, NULL, OPT_PACKAGE },
	{ "all", no_argument, NULL, 'a' },
	{ "duration", required_argument, NULL, 'd' },
	{ "output", required_argument, NULL, 'o' },
	{ "uprobe", required_argument, NULL, OPT_UPROBE },
	{ "markers", no_argument, NULL, OPT_MARKERS },
	{ "frame-info-layout", required_argument, NULL, OPT_LAYOUT },
	{ "btf", required_argument, NULL, OPT_BTF },
	{ "buffer", required_argument, NULL, OPT_BUFFER },
	{ "verbose", no_argument, NULL, 'v' },
	{ "quiet", no_argument, NULL, 'q' },
	{ 0 },
};

struct request {
	struct session_config session;
	struct targets targets;
	struct platform platform;
	uint64_t duration_ns; /* 0 = until stopped */
	const char *trace; /* to export the capture to; NULL: it is what was asked for */
	char *capture; /* the capture's name then */
	char **command; /* NULL = none */
	struct point_spec points[POINTS_MAX];
	char text[COMMAND_LEN]; /* the command line, for the capture */
};

/* When the first signal came, CLOCK_MONOTONIC in ms; 0 = none. */
static volatile sig_atomic_t interrupted;

static sig_atomic_t now_ms(void)
{
	return (sig_atomic_t)(clock_monotonic_ns() / NSEC_PER_MSEC % INT_MAX) + 1;
}

/*
 * The first one stops in order, one of an impatient user at once. (The same signal often comes
 * twice in no time, to us and to our group.)
 */
static void on_signal(int sig)
{
	if (!interrupted) {
		interrupted = now_ms();
	} else if (now_ms() - interrupted > IMPATIENT_MS) {
		signal(sig, SIG_DFL);
		raise(sig);
	}
}

static void catch_signals(void)
{
	const struct sigaction sa = { .sa_handler = on_signal };
	struct sigaction old;

	/* SIGINT also where a shell has it ignored for a background job: `kill -INT` must work. */
	sigaction(SIGINT, &sa, NULL);
	sigaction(SIGTERM, &sa, NULL);
	/* Ignored it is by nohup, on purpose. */
	if (!sigaction(SIGHUP, NULL, &old) && old.sa_handler != SIG_IGN)
		sigaction(SIGHUP, &sa, NULL);
	/* Their system calls fail instead, with a reason that can be told. */
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
}

static void join_command(char *text, size_t len, int argc, char **argv)
{
	size_t at = (size_t)snprintf(text, len, "framescope");

	for (int i = 0; i < argc && at < len; i++)
		at += (size_t)snprintf(text + at, len - at, " %s", argv[i]);
}

static int usage_layout(const struct command *self, const char *word)
{
	char known[64] = "";

	for (const unsigned *l = platform_layouts; *l; l++) {
		size_t len = strlen(known);

		snprintf(known + len, sizeof(known) - len, "%s%u",
			 !len   ? ""
			 : l[1] ? ", "
				: " and ",
			 *l);
	}
	return cmd_usage(self, "no FrameInfo with '%s' slots is known; there are %s", word, known);
}

/* The last one said counts. */
static int take_output(struct request *req, const char *name, struct err *e)
{
	free(req->capture);
	req->capture = NULL;
	req->trace = NULL;
	req->session.output = name;
	if (!export_is_recorded(name))
		return 0;
	if (asprintf(&req->capture, "%s.fsc", name) < 0) {
		req->capture = NULL;
		return err_errno(e, -ENOMEM, "cannot record");
	}
	req->trace = name;
	req->session.output = req->capture;
	return 0;
}

static int parse(const struct command *self, struct request *req, int argc, char **argv)
{
	struct err e = { 0 };
	uint64_t n;
	int c;

	while ((c = cmd_getopt(self, argc, argv, "+p:ad:o:vq", options)) != -1) {
		switch (c) {
		case 'p':
			if (!cmd_number(optarg, 1, FS_TID_MAX, &n))
				return cmd_usage(self, "'%s' is not a process id", optarg);
			if (!targets_add(&req->targets, (pid_t)n))
				return cmd_usage(self, "more than %d processes; use -a",
						 TARGETS_MAX);
			break;
		case OPT_COMM:
			if (req->targets.comm)
				return cmd_usage(self, "more than one --comm");
			req->targets.comm = optarg;
			break;
		case OPT_PACKAGE:
			if (req->targets.package)
				return cmd_usage(self, "more than one --package");
			if (!package_is_name(optarg))
				return cmd_usage(self, "'%s' is not the name of a package", optarg);
			req->targets.package = optarg;
			break;
		case 'a':
			req->session.all = true;
			break;
		case 'd':
			if (!cmd_seconds(optarg, &req->duration_ns) || !req->duration_ns)
				return cmd_usage(self,
						 "-d takes seconds, like 5 or 0.5, more than 0 and "
						 "at most 31536000 (a year), not '%s'",
						 optarg);
			break;
		case 'o':
			if (cmd_is_standard(optarg))
				return cmd_usage(self, "a capture is not written to standard "
						       "output; name a file with -o");
			if (export_find_file(optarg) && !export_is_recorded(optarg))
				return cmd_usage(
					self,
					"-o takes a capture or a Perfetto trace, not '%s': "
					"framescope export makes that of a capture",
					optarg);
			if (take_output(req, optarg, &e))
				return cmd_fail(&e);
			break;
		case OPT_UPROBE:
			if (req->session.nr_points == POINTS_MAX)
				return cmd_usage(self, "more than %d --uprobe", POINTS_MAX);
			if (point_spec_parse(optarg, &req->points[req->session.nr_points], &e))
				return cmd_usage(self, "%s%s%s", e.what, e.hint[0] ? "; " : "",
						 e.hint);
			req->session.nr_points++;
			break;
		case OPT_MARKERS:
			req->session.markers = true;
			break;
		case OPT_LAYOUT:
			if (!cmd_number(optarg, 0, UINT16_MAX, &n) ||
			    !platform_is_layout((unsigned)n))
				return usage_layout(self, optarg);
			req->session.frame_info_layout = (uint16_t)n;
			break;
		case OPT_BTF:
			if (kernel_use_btf(optarg, &e))
				return cmd_fail(&e);
			break;
		case OPT_BUFFER:
			if (!cmd_number(optarg, 4, 1 << 20, &n))
				return cmd_usage(self, "'%s' is not a size from 4 to 1048576 KiB",
						 optarg);
			req->session.ring_bytes = (size_t)n << 10;
			break;
		case 'v':
			log_set_level(LOG_DEBUG);
			break;
		case 'q':
			log_set_level(LOG_WARN);
			break;
		}
	}
	if (optind < argc)
		req->command = argv + optind;
	if (!targets_any(&req->targets) && !req->session.all && !req->command)
		return cmd_usage(self,
				 "what is to be recorded? -p PID, --comm NAME, --package NAME, "
				 "-a or -- CMD");
	if (req->session.all && req->targets.package)
		return cmd_usage(self,
				 "-a records every process, those of a package too; either -a "
				 "or --package");
	join_command(req->text, sizeof(req->text), argc, argv);
	req->session.command = req->text;
	req->session.points = req->points;
	return EXIT_OK;
}

static void progress(const struct session *s, bool last)
{
	static uint64_t shown_ns;
	uint64_t now = clock_monotonic_ns();
	struct session_totals t;

	if (log_level() < LOG_INFO || !isatty(STDERR_FILENO))
		return;
	if (!last && now - shown_ns < PROGRESS_NS)
		return;
	shown_ns = now;
	session_totals(s, &t);
	fprintf(stderr,
		"\r  %.1f s  %" PRIu64 " frames  %" PRIu64 " events  %.1f MiB  %" PRIu64 " lost%s",
		(double)t.elapsed_ns / 1e9, t.frames, t.records, (double)t.bytes / (1 << 20),
		t.lost, last ? "\n" : "\033[K");
	fflush(stderr);
}

static int watch_all(struct session *s, struct request *req, const struct child *child,
		     struct err *e)
{
	int err = req->session.all ? session_watch_all(s, e) : 0;

	if (!err)
		err = targets_watch(&req->targets, s, e);
	if (!err && child->pid)
		err = session_watch(s, child->pid, e);
	return err;
}

/* Until there is something to record. Stopped meanwhile, the recording has failed. */
static int wait_for_start(struct targets *t, struct err *e)
{
	targets_say_waiting(t);
	while (!interrupted) {
		int err = targets_look(t, e);

		if (err || !targets_must_wait(t))
			return err;
		usleep(PACKAGE_POLL_MS * 1000);
	}
	return err_set(e, -EINTR, "nothing was recorded: no process of '%s' has started",
		       t->package);
}

/* What this process has used so far, in seconds of CPU time. */
static double cpu_seconds(void)
{
	struct rusage own;

	getrusage(RUSAGE_SELF, &own);
	return (double)(own.ru_utime.tv_sec + own.ru_stime.tv_sec) +
	       (double)(own.ru_utime.tv_usec + own.ru_stime.tv_usec) / 1e6;
}

/* `recording` is set to the seconds of CPU time from the capture's start mark to its stop mark. */
static int run(struct session *s, struct request *req, struct child *child, double *recording,
	       struct err *e)
{
	const struct targets *t = &req->targets;
	unsigned poll_ms = t->package ? PACKAGE_POLL_MS : POLL_MS;
	uint64_t end_ns = UINT64_MAX;
	double before = cpu_seconds();
	int err;

	session_start(s);
	err = watch_all(s, req, child, e);
	if (!err)
		err = session_ready(s, e);
	if (!err)
		session_describe(s);
	if (!err && child->pid)
		err = child_release(child, e);
	if (err)
		return err;
	log_info("recording to %s; Ctrl-C stops", req->session.output);
	if (req->duration_ns)
		end_ns = clock_monotonic_ns() + req->duration_ns;
	while (!interrupted) {
		uint64_t now = clock_monotonic_ns();
		uint64_t left_ms = (end_ns - now) / NSEC_PER_MSEC + 1;

		if (now >= end_ns)
			break;
		err = session_poll(s, left_ms < poll_ms ? (int)left_ms : (int)poll_ms, e);
		if (!err)
			err = targets_poll(&req->targets, s, e);
		if (err)
			break;
		progress(s, false);
		/* A Ctrl-C ends the command too, which is then not by itself. */
		if (!interrupted)
			child_poll(child);
		if (!req->session.all && !t->package && !session_alive(s))
			break;
	}
	/* What has been recorded is worth an orderly end, whatever went wrong. */
	*recording = cpu_seconds() - before;
	struct err stop_err = { 0 };
	int stop = session_stop(s, err ? &stop_err : e);

	progress(s, true);
	return err ? err : stop;
}

static void conclude(const struct session *s, const struct request *req, double recording)
{
	struct session_totals t;
	struct rusage own;
	struct stat st;

	session_totals(s, &t);
	getrusage(RUSAGE_SELF, &own);
	log_info("%s: %.1f s, %" PRIu64 " frames, %" PRIu64 " events, %" PRIu64 " lost",
		 req->session.output, (double)t.elapsed_ns / 1e9, t.frames, t.records, t.lost);
	session_cost(s);
	log_info("  framescope itself: %.1f ms while recording, %.2f %% of one CPU; %.1f ms to "
		 "start and to end; %.1f MiB",
		 recording * 1e3, t.elapsed_ns ? recording * 1e11 / (double)t.elapsed_ns : 0.0,
		 (cpu_seconds() - recording) * 1e3, (double)own.ru_maxrss / 1024);
	if (t.lost)
		log_warn("%" PRIu64
			 " records were lost: the frames they belong to are marked lossy; "
			 "try a larger --buffer",
			 t.lost);
	if (t.frames)
		return;
	if (!req->trace && !stat(req->session.output, &st) && S_ISREG(st.st_mode))
		log_warn("no frame was seen: 'framescope report %s' says why that may be",
			 req->session.output);
	else
		log_warn("no frame was seen");
}

/* What the command line says of FrameInfo is surer than what follows from the release. */
static void ask_platform(struct request *req)
{
	platform_read(&req->platform);
	req->session.platform = &req->platform;
	if (!req->session.frame_info_layout)
		req->session.frame_info_layout =
			(uint16_t)platform_frame_info_layout(req->platform.sdk);
}

static int record(const struct command *self, int argc, char **argv)
{
	struct request req = { .session.output = DEFAULT_OUTPUT };
	struct session *s = NULL;
	struct child child = { 0 };
	struct err e = { 0 }, close_err = { 0 };
	double recording = 0;
	int status = parse(self, &req, argc, argv);
	int err;

	if (status)
		goto out;
	catch_signals();
	err = kernel_ready(&e);
	if (!err)
		err = targets_find(&req.targets, &e);
	if (!err)
		ask_platform(&req);
	if (!err && req.command)
		err = child_prepare(&child, req.command, &e);
	if (!err)
		err = session_open(&req.session, &s, &e);
	if (!err && !req.command && targets_must_wait(&req.targets))
		err = wait_for_start(&req.targets, &e);
	if (!err) {
		err = run(s, &req, &child, &recording, &e);
		if (!err)
			conclude(s, &req, recording);
	}
	if (!interrupted)
		child_poll(&child);
	/* The file first: ending the program may take its time, and a signal may end us. */
	if (session_close(s, &close_err) && !err) {
		err = close_err.code;
		e = close_err;
	}
	child_end(&child);
	targets_close(&req.targets);
	if (!err && req.trace)
		err = export_recorded(req.capture, req.trace, &e);
	if (err)
		status = cmd_fail(&e);
out:
	free(req.capture);
	for (unsigned i = 0; i < req.session.nr_points; i++)
		point_spec_free(&req.points[i]);
	return status;
}

const struct command cmd_record = {
	.name = "record",
	.summary = "record programs into a capture file (needs root)",
	.help = help,
	.run = record,
};
