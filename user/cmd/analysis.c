/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* From a file to frames. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "base/text.h"
#include "cmd/analysis.h"
#include "output/page.h"

#define WIDTH 80

int analysis_open(struct analysis *a, const char *path, const struct model_sink *sink,
		  struct err *e)
{
	int rc = source_open(path, &a->source, e);
	if (rc)
		return rc;
	a->model = model_new(sink);
	if (!a->model)
		return err_errno(e, -ENOMEM, "cannot analyse %s", path);
	return 0;
}

static void say_absences(const struct analysis *a)
{
	/* Whose frames HWUI does not judge has no use for why it did not. */
	unsigned none = model_stats(a->model)->hwui_frames ? 0 : SOURCE_VERDICTS, index = 0;
	struct source_absence absence;
	char path[1024];

	if (log_level() < LOG_INFO)
		return;
	text_escape(path, sizeof(path), a->source->path, strlen(a->source->path));
	while (source_absence(a->source, a->topics & ~none, &index, &absence)) {
		int column = fprintf(stderr, "framescope: %s: ", path);

		page_wrap(stderr, column > 0 ? (unsigned)column : 0, 2, WIDTH, absence.text);
	}
}

int analysis_run(struct analysis *a, const bool *stop, struct err *e)
{
	const struct fs_header *rec;
	int rc;

	while ((rc = source_next(a->source, &rec, e)) > 0) {
		rc = a->record ? a->record(a->record_ctx, rec) : 0;
		if (!rc)
			rc = model_feed(a->model, rec);
		if (rc)
			goto no_memory;
		if (*stop)
			return 0;
	}
	if (rc < 0)
		return rc;
	rc = model_finish(a->model);
	if (rc)
		goto no_memory;
	source_warn(a->source);
	say_absences(a);
	return 0;

no_memory:
	return err_errno(e, rc, "cannot analyse %s", a->source->path);
}

uint64_t analysis_origin(const struct analysis *a)
{
	const struct model_stats *s = model_stats(a->model);

	return s->start_ns ? s->start_ns : s->first_ns;
}

void analysis_close(struct analysis *a)
{
	model_free(a->model);
	source_close(a->source);
	a->model = NULL;
	a->source = NULL;
}
