// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* framescope record: run a capture until it is told to stop. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "cmd/capturing.h"
#include "cmd/cmd.h"
#include "cmd/export_file.h"
#include "cmd/interrupt.h"
#include "export/export.h"

#define DEFAULT_OUTPUT "framescope.fsc"
#define PROGRESS_NS (500 * NSEC_PER_MSEC)

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
	"      --label TEXT     what is recorded, such as its version or commit: compare\n"
	"                       and check say where it differs\n"
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
	OPT_MARKERS = 0x100,
	OPT_LABEL,
};

static const struct option options[] = {
	CAPTURING_OPTIONS,
	{ "output", required_argument, NULL, 'o' },
	{ "markers", no_argument, NULL, OPT_MARKERS },
	{ "label", required_argument, NULL, OPT_LABEL },
	{ 0 },
};

struct request {
	struct capturing c;
	const char *trace; /* to export the capture to; NULL: it is what was asked for */
	char *capture; /* the capture's name then */
};

/* The last one said counts. */
static int take_output(struct request *req, const char *name, struct err *e)
{
	free(req->capture);
	req->capture = NULL;
	req->trace = NULL;
	req->c.session.output = name;
	if (!export_is_recorded(name))
		return 0;
	if (asprintf(&req->capture, "%s.fsc", name) < 0) {
		req->capture = NULL;
		return err_errno(e, -ENOMEM, "cannot record");
	}
	req->trace = name;
	req->c.session.output = req->capture;
	return 0;
}

static int parse_output(const struct command *self, struct request *req, const char *name)
{
	struct err e = { 0 };

	if (cmd_is_standard(name))
		return cmd_usage(
			self, "a capture is not written to standard output; name a file with -o");
	if (export_find_file(name) && !export_is_recorded(name))
		return cmd_usage(self,
				 "-o takes a capture or a Perfetto trace, not '%s': framescope "
				 "export makes that of a capture",
				 name);
	return take_output(req, name, &e) ? cmd_fail(&e) : EXIT_OK;
}

static int parse(const struct command *self, struct request *req, int argc, char **argv)
{
	int opt, status;

	while ((opt = cmd_getopt(self, argc, argv, CAPTURING_SHORT "o:", options)) != -1) {
		switch (opt) {
		case 'o':
			status = parse_output(self, req, optarg);
			break;
		case OPT_MARKERS:
			req->c.session.markers = true;
			status = EXIT_OK;
			break;
		case OPT_LABEL:
			req->c.session.label = optarg;
			status = EXIT_OK;
			break;
		default:
			status = capturing_option(self, &req->c, opt, optarg);
		}
		if (status)
			return status;
	}
	return capturing_asked(self, &req->c, "recorded", argc, argv);
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

/* What this process has used so far, in seconds of CPU time. */
static double cpu_seconds(void)
{
	struct rusage own;

	getrusage(RUSAGE_SELF, &own);
	return (double)(own.ru_utime.tv_sec + own.ru_stime.tv_sec) +
	       (double)(own.ru_utime.tv_usec + own.ru_stime.tv_usec) / 1e6;
}

/* `recording` is set to the seconds of CPU time from the capture's start mark to its stop mark. */
static int run(struct request *req, double *recording, struct err *e)
{
	struct capturing *c = &req->c;
	int poll_ms = capturing_poll_ms(c);
	uint64_t end_ns = UINT64_MAX;
	double before = cpu_seconds();
	int err = capturing_start(c, e);

	if (err)
		return err;
	log_info("recording to %s; Ctrl-C stops", c->session.output);
	if (c->duration_ns)
		end_ns = clock_monotonic_ns() + c->duration_ns;
	while (!interrupt_came()) {
		uint64_t now = clock_monotonic_ns();
		uint64_t left_ms = (end_ns - now) / NSEC_PER_MSEC + 1;

		if (now >= end_ns)
			break;
		err = capturing_poll(c, left_ms < (unsigned)poll_ms ? (int)left_ms : poll_ms, e);
		if (err)
			break;
		progress(c->running, false);
		if (capturing_over(c))
			break;
	}
	/* What has been recorded is worth an orderly end, whatever went wrong. */
	*recording = cpu_seconds() - before;
	struct err stop_err = { 0 };
	int stop = session_stop(c->running, err ? &stop_err : e);

	progress(c->running, true);
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
		 req->c.session.output, (double)t.elapsed_ns / 1e9, t.frames, t.records, t.lost);
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
	if (!req->trace && !stat(req->c.session.output, &st) && S_ISREG(st.st_mode))
		log_warn("no frame was seen: 'framescope report %s' says why that may be",
			 req->c.session.output);
	else
		log_warn("no frame was seen");
}

static int record(const struct command *self, int argc, char **argv)
{
	struct request req = { .c.session.output = DEFAULT_OUTPUT };
	struct capturing *c = &req.c;
	struct err e = { 0 }, close_err = { 0 };
	double recording = 0;
	int status = parse(self, &req, argc, argv);
	int err;

	if (status)
		goto out;
	interrupt_catch();
	err = capturing_open(c, &e);
	if (!err) {
		err = run(&req, &recording, &e);
		if (!err)
			conclude(c->running, &req, recording);
	}
	if (capturing_close(c, &close_err) && !err) {
		err = close_err.code;
		e = close_err;
	}
	if (!err && req.trace)
		err = export_recorded(req.capture, req.trace, &e);
	if (err)
		status = cmd_fail(&e);
out:
	free(req.capture);
	capturing_free(c);
	return status;
}

const struct command cmd_record = {
	.name = "record",
	.summary = "record programs into a capture file (needs root)",
	.help = help,
	.run = record,
};
