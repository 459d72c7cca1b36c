/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* From a file to the platform's own text. */
#include "cmd/report_gfxinfo.h"

#include <stdio.h>

#include "base/log.h"
#include "cmd/judge_file.h"
#include "output/gfxinfo_text.h"
#include "output/output.h"

int report_gfxinfo(const char *path, struct judging *j, struct err *e)
{
	const bool stop = false;
	struct judged_file file = { .judging = j, .stop = &stop };
	int rc;

	j->rules.keep_rows = true;
	rc = judge_file(&file, path, e);
	if (!rc) {
		output_begin();
		if (judging_any(j))
			gfxinfo_text(stdout, j->verdicts, file.uptime_ms, 0);
		else
			log_warn("%s: no frame in it has a FrameInfo of Android's HWUI", path);
		rc = output_finish(stdout, output_failed(stdout), e);
	}
	judged_file_close(&file);
	return rc;
}
