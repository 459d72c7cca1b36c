/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* framescope dump: every record as a line of text, or the text made into a capture again. */
#include "cmd/cmd.h"

#include <errno.h>
#include <linux/types.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <framescope/capture.h>

#include "capture/writer.h"
#include "output/output.h"
#include "stream/dump_text.h"
#include "stream/merge.h"
#include "stream/record.h"
#include "stream/source.h"

#define ROUND_RECORDS 65536 /* bounds what a reader of the copy must hold */

/* Where the output is in the stream: the order of what was given out last. */
struct order {
	uint64_t time_ns;
	uint32_t cpu;
};

/*
 * Does the record belong before one that came already? The source delivered it late then, and the
 * output must have a mark, for its reader would put it in order otherwise.
 */
static bool goes_back(struct order *o, const struct fs_header *rec)
{
	if (rec->time_ns < o->time_ns || (rec->time_ns == o->time_ns && rec->cpu < o->cpu))
		return true;
	o->time_ns = rec->time_ns;
	o->cpu = rec->cpu;
	return false;
}

static int dump_to_text(struct source *s, struct err *e)
{
	const char *arch = dump_text_arch(source_stats(s)->arch);
	const struct fs_header *rec;
	struct order order = { 0 };
	int failed = 0;
	int ret = 0;

	output_begin();
	output_buffer(stdout);
	printf("%s%d%s%s\n", DUMP_TEXT_MAGIC, DUMP_TEXT_VERSION, arch ? " " : "", arch ? arch : "");
	while (!failed && (ret = source_next(s, &rec, e)) == 1) {
		if (goes_back(&order, rec))
			puts(DUMP_TEXT_ROUND);
		record_print(stdout, rec);
		failed = output_failed(stdout);
	}
	/* What was read is worth having even if the rest is not. */
	struct err output_error = { 0 };
	if (ret == 0 && !source_stats(s)->cut)
		puts(DUMP_TEXT_END);
	int output_ret = output_finish(stdout, failed, &output_error);
	if (output_ret)
		*e = output_error;
	return output_ret ? output_ret : ret < 0 ? ret : 0;
}

static int copy_records(struct source *s, struct writer *w, struct order *order, struct err *e)
{
	const struct fs_header *rec;
	uint64_t count = 0;
	int ret;

	while ((ret = source_next(s, &rec, e)) == 1) {
		if (goes_back(order, rec) || ++count % ROUND_RECORDS == 0) {
			ret = writer_round(w, order->time_ns, e);
			if (ret)
				return ret;
		}
		ret = writer_add(w, rec, e);
		if (ret)
			return ret;
	}
	return ret;
}

static int dump_to_capture(struct source *s, const char *path, struct err *e)
{
	struct order order = { 0 };
	struct writer *w;
	struct err close_error = { 0 };

	if (cmd_is_same_file(s->path, path)) {
		err_set(e, -EINVAL, "'%s' is the input itself", path);
		return err_hint(e, "another name with -o");
	}
	int ret = writer_open(path, MERGE_CPUS, source_stats(s)->arch, &w, e);
	if (ret)
		return ret;
	ret = copy_records(s, w, &order, e);
	int close_ret = ret || source_stats(s)->cut
				? writer_close_cut(w, order.time_ns, &close_error)
				: writer_close(w, order.time_ns, &close_error);
	if (!ret && close_ret) {
		*e = close_error;
		ret = close_ret;
	}
	return ret;
}

static int run(const struct command *self, int argc, char **argv)
{
	static const struct option options[] = {
		{ "output", required_argument, NULL, 'o' },
		{ NULL, 0, NULL, 0 },
	};
	const char *output = NULL;
	struct source *s = NULL;
	struct err e = { 0 };
	int c;

	while ((c = cmd_getopt(self, argc, argv, "o:", options)) != -1) {
		if (c != 'o')
			continue;
		if (cmd_is_standard(optarg))
			return cmd_usage(self,
					 "a capture is not written to standard output; name a "
					 "file with -o, or leave it out for text");
		output = optarg;
	}
	if (optind == argc)
		return cmd_usage(self, "which file? Name a capture or a text dump");
	if (optind + 1 < argc)
		return cmd_usage(self, "one file at a time; '%s' is one too many",
				 argv[optind + 1]);

	int ret = source_open(argv[optind], &s, &e);
	if (ret)
		return cmd_fail(&e);
	ret = output ? dump_to_capture(s, output, &e) : dump_to_text(s, &e);
	source_warn(s);
	source_close(s);
	return ret ? cmd_fail(&e) : EXIT_OK;
}

const struct command cmd_dump = {
	.name = "dump",
	.summary = "print every record of a capture as a line of text",
	.help = "usage: framescope dump FILE [-o OUT.fsc]\n"
		"\n"
		"Prints every record of FILE, a capture, a text dump or a trace that others\n"
		"recorded (text of ftrace, or Perfetto's), as one line of text in the order of\n"
		"time. With -o it writes a capture instead, so that a text can be edited\n"
		"and read again. What is damaged, cut, lost or late is said on standard error.\n"
		"\n"
		"  -o, --output OUT.fsc   write a capture\n"
		"  -h, --help             this text\n"
		"      --version          the version\n"
		"\n"
		"A line has the time (CLOCK_MONOTONIC, ns), the CPU, tid/tgid, the kind and its\n"
		"fields. 'round' stands where the order goes back, 'end' at the end of a capture\n"
		"that was not cut.\n"
		"\n"
		"Example: who woke thread 1234?\n"
		"  framescope dump framescope.fsc |\n"
		"    grep ' 1234/.* offcpu ' | grep -o 'peer_comm=\"[^\"]*\"'\n",
	.run = run,
};
