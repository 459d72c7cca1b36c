/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* From a file to the platform's own text. */
#include "cmd/report_gfxinfo.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/log.h"
#include "cmd/judge_file.h"
#include "output/gfxinfo_text.h"
#include "output/output.h"

/* The form has no place for it. */
static void warn_probable(const struct judging *j, const char *path)
{
	const struct window_verdicts *w;
	uint64_t probable = 0;

	for (w = judging_any(j) ? verdicts_window(j->verdicts, 0) : NULL; w;
	     w = verdicts_next_window(w))
		probable += w->probable;
	if (probable)
		log_warn("%s: of %" PRIu64 " frames 'High input latency' and missed deadlines may "
			 "be others in the app, for they depend on frames that were not seen",
			 path, probable);
}

int report_gfxinfo(const char *path, struct judging *j, struct err *e)
{
	const bool stop = false;
	struct judged_file file = { .judging = j, .stop = &stop };
	int rc;

	j->rules.keep_rows = true;
	rc = judge_file(&file, path, e);
	if (!rc) {
		judging_warn(j, path);
		output_begin();
		if (judging_any(j))
			gfxinfo_text(stdout, j->verdicts, file.uptime_ms, 0);
		else
			log_warn("%s: no frame in it has a FrameInfo of Android's HWUI", path);
		warn_probable(j, path);
		rc = output_finish(stdout, output_failed(stdout), e);
	}
	judged_file_close(&file);
	return rc;
}
