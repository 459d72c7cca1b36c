/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What the judges are told, by options or by the input. */
#include "cmd/judging.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "judge/calibration.h"
#include "output/meta.h"
#include "stream/gfxinfo.h"
#include "stream/source.h"

#define OFFSET_MAX_MS 100
#define HZ_MIN 1
#define HZ_MAX 1000
#define MULTIPLIER_MAX 1000
#define META_WITHIN 256 /* what a capture says of itself is in its first records */
#define DEADLINE_API 31 /* from then on FrameInfos have the display's interval */

void judging_init(struct judging *j)
{
	*j = (struct judging){
		.rules = { .multiplier = JANKSTATS_MULTIPLIER, .matrix = matrix_default },
	};
}

/* A number and nothing behind it but `end`. */
static bool number(const char **text, double min, double max, char end, double *out)
{
	char *behind;

	*out = strtod(*text, &behind);
	if (behind == *text || *behind != end || !(*out >= min && *out <= max))
		return false;
	*text = behind + (end != '\0');
	return true;
}

static bool take_offsets(struct judging *j, const char *arg)
{
	double app, sf;

	if (!number(&arg, -OFFSET_MAX_MS, OFFSET_MAX_MS, ',', &app) ||
	    !number(&arg, -OFFSET_MAX_MS, OFFSET_MAX_MS, '\0', &sf))
		return false;
	j->rules.forgiveness_ns = jank_forgiveness((int64_t)(app * 1e6), (int64_t)(sf * 1e6));
	return true;
}

/* Ascending, so that each level has its frames. */
static bool take_levels(struct judging *j, const char *arg)
{
	double level = 0, last = 0;

	for (unsigned i = MATRIX_NORMAL; i < MATRIX_LEVEL_NR; i++) {
		if (!number(&arg, last + 1, 1e6, i + 1 < MATRIX_LEVEL_NR ? ',' : '\0', &level) ||
		    level != (int32_t)level)
			return false;
		j->rules.matrix.least[i] = (int32_t)level;
		last = level;
	}
	return true;
}

int judging_option(const struct command *self, struct judging *j, int opt, const char *arg)
{
	const char *text = arg;
	uint64_t release;
	double value;

	switch ((enum judging_option)opt) {
	case JUDGING_ANDROID:
		if (!cmd_number(arg, HWUI_OLDEST, HWUI_NEWEST, &release))
			return cmd_usage(self, "--android takes a release from %d to %d, not '%s'",
					 HWUI_OLDEST, HWUI_NEWEST, arg);
		j->rules.android = (unsigned)release;
		break;
	case JUDGING_REFRESH_RATE:
		if (!number(&text, HZ_MIN, HZ_MAX, '\0', &value))
			return cmd_usage(self, "--refresh-rate takes Hz from %d to %d, not '%s'",
					 HZ_MIN, HZ_MAX, arg);
		j->rules.refresh_hz = (float)value;
		break;
	case JUDGING_VSYNC_OFFSETS:
		j->estimate_offset = !strcmp(arg, "estimate");
		if (!j->estimate_offset && !take_offsets(j, arg))
			return cmd_usage(
				self,
				"--vsync-offsets takes two numbers of ms, such as 1.0,3.5, "
				"or 'estimate', not '%s'",
				arg);
		break;
	case JUDGING_MULTIPLIER:
		if (!number(&text, 0, MULTIPLIER_MAX, '\0', &value))
			return cmd_usage(
				self,
				"--jankstats-multiplier takes a number from 0 to %d, not '%s'",
				MULTIPLIER_MAX, arg);
		j->rules.multiplier = (float)value;
		break;
	case JUDGING_MATRIX_LEVELS:
		if (!take_levels(j, arg))
			return cmd_usage(self,
					 "--matrix-levels takes four ascending numbers, such as "
					 "3,9,24,42, not '%s'",
					 arg);
		break;
	}
	return EXIT_OK;
}

/* What the capture says of its platform; 0 = nothing. */
static unsigned api_of(const char *meta_text)
{
	json_t *meta = meta_parse(meta_text);
	json_int_t api = json_integer_value(json_object_get(meta, "android_sdk"));

	json_decref(meta);
	return api > 0 && api < 1000 ? (unsigned)api : 0;
}

/* By whose rules frames are judged of which the input says no more than that, 0 = nothing. */
static unsigned api_of_layout(unsigned layout)
{
	return layout < SLOTS_12 ? DEADLINE_API - 1 : DEADLINE_API;
}

/* Do these rules need a rate that no frame says? */
static bool wants_rate(const struct judging *j, unsigned api)
{
	if (j->rules.android)
		api = android_api(j->rules.android);
	return !(j->rules.refresh_hz > 0) && api && api < DEADLINE_API;
}

/* Whatever the input is, there is nothing to be read it for. */
static bool wants_nothing(const struct judging *j)
{
	return !j->estimate_offset && !wants_rate(j, DEADLINE_API - 1);
}

static void warn_no_offsets(const char *path, const char *why)
{
	log_warn("%s: the vsync offsets can't be estimated: %s. No wait for a buffer is forgiven",
		 path, why);
}

static void take(struct judging *j, const struct calibration *c, bool rate, const char *path)
{
	int64_t interval = calibration_interval(c), offset;

	if (rate && interval > 0)
		j->rules.refresh_hz = (float)(1e9 / (double)interval);
	if (!j->estimate_offset)
		return;
	if (calibration_offset(c, &offset))
		j->rules.forgiveness_ns = jank_forgiveness(0, offset);
	else
		warn_no_offsets(path, "too few frames waited for one");
}

int judging_calibrate(struct judging *j, const char *path, struct err *e)
{
	struct calibration c = { 0 };
	const struct fs_header *rec;
	struct frame_slots slots;
	bool told = false, rate = false;
	unsigned untold = 0;
	struct source *s;
	int rc;

	if (wants_nothing(j))
		return 0;
	rc = source_open(path, &s, e);
	if (rc)
		return rc;
	while (!calibration_full(&c, j->estimate_offset) && (rc = source_next(s, &rec, e)) > 0) {
		const struct fs_frame_info *info = (const struct fs_frame_info *)rec;

		if (rec->kind == FS_KIND_META) {
			rate = wants_rate(j, api_of(((const struct fs_meta *)rec)->text));
			told = true;
		} else if (rec->kind == FS_KIND_FRAME_INFO && info->part == FS_INFO_WHOLE &&
			   frame_slots_take(info, &slots)) {
			if (!told)
				rate = wants_rate(j, api_of_layout(slots.layout));
			told = true;
			calibration_add(&c, &slots);
		}
		if (told && !rate && !j->estimate_offset)
			break;
		if (!told && ++untold == META_WITHIN && !j->rules.android && !j->estimate_offset)
			break;
	}
	take(j, &c, rate, path);
	source_close(s);
	return rc < 0 ? rc : 0;
}

int judging_calibrate_dump(struct judging *j, const char *path, struct err *e)
{
	const struct gfxinfo_item *item;
	struct calibration c = { 0 };
	struct gfxinfo *text;
	bool standard = cmd_is_standard(path), rate = false;
	off_t begin = 0;
	int rc;

	if (wants_nothing(j))
		return 0;
	if (standard)
		begin = lseek(STDIN_FILENO, 0, SEEK_CUR);
	if (begin < 0 || (!standard && cmd_is_pipe(path))) {
		if (j->estimate_offset)
			warn_no_offsets(path, "a pipe is not read twice");
		return 0;
	}
	rc = gfxinfo_open(path, &text, e);
	if (rc)
		return rc;
	while (!calibration_full(&c, j->estimate_offset) &&
	       (rc = gfxinfo_next(text, &item, e)) > 0) {
		if (item->kind != GFXINFO_ROW || item->fault)
			continue;
		rate = wants_rate(j, api_of_layout(item->slots.layout));
		if (!rate && !j->estimate_offset)
			break;
		calibration_add(&c, &item->slots);
	}
	take(j, &c, rate, path);
	gfxinfo_close(text);
	if (rc >= 0 && standard && lseek(STDIN_FILENO, begin, SEEK_SET) < 0)
		return err_errno(e, -errno, "cannot read standard input twice");
	return rc < 0 ? rc : 0;
}

int judging_frame(struct judging *j, const struct model *m, struct frame *f)
{
	if (!j->verdicts) {
		struct verdict_rules rules = j->rules;
		unsigned api = rules.android || !m ? 0 : api_of(model_meta(m));

		if (api) {
			rules.api = api;
			rules.android = android_of_api(api);
		}
		rules.since_ns = m ? model_stats(m)->start_ns : 0;
		j->verdicts = verdicts_new(&rules, j->report, j->report_ctx);
		if (!j->verdicts)
			return -ENOMEM;
	}
	if (m)
		verdicts_lost(j->verdicts, model_stats(m)->last_loss_ns);
	return verdicts_judge(j->verdicts, f);
}

void judging_gap(struct judging *j, const struct producer *p)
{
	if (j->verdicts)
		verdicts_gap(j->verdicts, p);
}

bool judging_any(const struct judging *j)
{
	return j->verdicts && verdicts_window(j->verdicts, 0);
}

void judging_finish(struct judging *j)
{
	if (j->verdicts)
		verdicts_finish(j->verdicts);
}

void judging_warn(const struct judging *j, const char *path)
{
	const struct window_verdicts *w = j->verdicts ? verdicts_window(j->verdicts, 0) : NULL;
	uint64_t unjudged = 0;

	for (; w; w = verdicts_next_window(w))
		if (w->tracker.rules.interval_ns <= 0)
			unjudged += w->unjudged;
	if (unjudged)
		log_warn("%s: %" PRIu64 " frames are not judged, for the display's rate is not "
			 "known: say it with --refresh-rate HZ",
			 path, unjudged);
}

void judging_free(struct judging *j)
{
	verdicts_free(j->verdicts);
	j->verdicts = NULL;
}
