/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Reads a text of dumpsys, and has its frames judged. */
#include "cmd/dumped.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/log.h"

#define HEAD_LEN 65536

bool dumped_is(const char *path)
{
	unsigned char *head;
	size_t len = 0;
	ssize_t n = 0;
	bool is = false;
	int fd;

	/* Captures are not read from there. */
	if (cmd_is_pipe(path))
		return true;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	head = malloc(HEAD_LEN);
	if (fd >= 0 && head) {
		while (len < HEAD_LEN &&
		       (n = pread(fd, head + len, HEAD_LEN - len, (off_t)len)) > 0)
			len += (size_t)n;
		is = gfxinfo_detect(head, len) || gfxinfo_no_process(head, len);
	}
	free(head);
	if (fd >= 0)
		close(fd);
	return is;
}

static void on_frame(void *ctx, struct frame *f)
{
	struct dumped *d = ctx;

	if (d->error || *d->stop)
		return;
	d->error = judging_frame(d->judging, NULL, f);
	if (!d->error && d->frame)
		d->error = d->frame(d->ctx, f);
}

static void on_gap(void *ctx, const struct producer *p)
{
	judging_gap(((struct dumped *)ctx)->judging, p);
}

int dumped_open(struct dumped *d, const char *path, struct err *e)
{
	const struct dump_sink sink = { .frame = on_frame, .gap = on_gap, .ctx = d };
	int rc = judging_calibrate_dump(d->judging, path, e);

	if (!rc)
		rc = gfxinfo_open(path, &d->text, e);
	if (rc)
		return rc;
	d->frames = dump_frames_new(&sink);
	return d->frames ? 0 : err_errno(e, -ENOMEM, "cannot analyse %s", path);
}

int dumped_run(struct dumped *d, const char *path, struct err *e)
{
	const struct gfxinfo_item *item;
	int rc = 0;

	while (!*d->stop && (rc = gfxinfo_next(d->text, &item, e)) > 0) {
		rc = d->item ? d->item(d->ctx, item) : 0;
		if (!rc)
			rc = dump_frames_add(d->frames, item);
		if (!rc)
			rc = d->error;
		if (rc)
			return err_errno(e, rc, "cannot analyse %s", path);
	}
	if (rc < 0)
		return rc;
	judging_finish(d->judging);
	return 0;
}

void dumped_warn(const struct dumped *d, const char *path)
{
	const struct gfxinfo_input *in = gfxinfo_input(d->text);
	uint64_t left_out = dump_frames_left_out(d->frames);

	if (in->cut)
		log_warn("%s: cut: the text ends within a block; what came before was read", path);
	if (in->unreadable)
		log_warn("%s: %" PRIu64 " lines are not of the form of what they stand in, and "
			 "were skipped",
			 path, in->unreadable);
	if (left_out)
		log_warn("%s: %" PRIu64 " rows are of more windows than can be told apart, and "
			 "were left out",
			 path, left_out);
}

void dumped_close(struct dumped *d)
{
	dump_frames_free(d->frames);
	gfxinfo_close(d->text);
	d->frames = NULL;
	d->text = NULL;
}
