/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Words for what FrameTimeline says. */
#include "output/frame_timeline_words.h"

#include <inttypes.h>
#include <stdio.h>

#include "output/words.h"

static const char *const jank_names[] = {
	"None",
	"SurfaceFlinger Scheduling",
	"Prediction Error",
	"Display HAL",
	"SurfaceFlinger CPU Deadline Missed",
	"SurfaceFlinger GPU Deadline Missed",
	"App Deadline Missed",
	"Buffer Stuffing",
	"Unknown Jank",
	"SurfaceFlinger Stuffing",
	"Dropped Frame",
	"Non Animating",
	"App Resynced Jitter",
	"Display not ON",
	"ModeChange in progress",
	"PowerModeChange in progress",
};

#define JANK_NAMES (sizeof(jank_names) / sizeof(jank_names[0]))
_Static_assert(FT_JANK_POWER_MODE_CHANGE == 1u << (JANK_NAMES - 1), "a name for every bit");

static const char *const presents[] = {
	[FT_PRESENT_ON_TIME] = "On-time Present", [FT_PRESENT_LATE] = "Late Present",
	[FT_PRESENT_EARLY] = "Early Present",     [FT_PRESENT_DROPPED] = "Dropped Frame",
	[FT_PRESENT_UNKNOWN] = "Unknown Present",
};
_Static_assert(sizeof(presents) / sizeof(presents[0]) == FT_PRESENT_NR, "all have words");

static const char *const predictions[] = {
	[FT_PREDICTION_VALID] = "Valid Prediction",
	[FT_PREDICTION_EXPIRED] = "Expired Prediction",
	[FT_PREDICTION_UNKNOWN] = "Unknown Prediction",
};
_Static_assert(sizeof(predictions) / sizeof(predictions[0]) == FT_PREDICTION_NR, "all have words");

static const char *const severities[] = {
	[FT_SEVERITY_NONE] = "None",
	[FT_SEVERITY_PARTIAL] = "Partial",
	[FT_SEVERITY_FULL] = "Full",
};
_Static_assert(sizeof(severities) / sizeof(severities[0]) == FT_SEVERITY_NR, "all have words");

const char *ft_jank_name(unsigned bit)
{
	return bit < JANK_NAMES ? jank_names[bit] : NULL;
}

void words_ft_jank(char *dst, size_t len, uint32_t jank)
{
	uint32_t nameless = jank & ~((1u << JANK_NAMES) - 1);

	*dst = '\0';
	for (unsigned i = 0; i < JANK_NAMES; i++)
		if (jank >> i & 1)
			words_append(dst, len, "%s%s", *dst ? ", " : "", jank_names[i]);
	if (nameless)
		words_append(dst, len, "%sunknown(0x%" PRIx32 ")", *dst ? ", " : "", nameless);
}

static void words_of(char *dst, size_t len, uint32_t number, const char *const *names, uint32_t nr)
{
	if (number < nr)
		snprintf(dst, len, "%s", names[number] ? names[number] : "");
	else
		snprintf(dst, len, "unknown(%" PRIu32 ")", number);
}

void words_ft_present(char *dst, size_t len, uint32_t present)
{
	words_of(dst, len, present, presents, FT_PRESENT_NR);
}

void words_ft_prediction(char *dst, size_t len, uint32_t prediction)
{
	words_of(dst, len, prediction, predictions, FT_PREDICTION_NR);
}

void words_ft_severity(char *dst, size_t len, uint32_t severity)
{
	words_of(dst, len, severity, severities, FT_SEVERITY_NR);
}

const char *ft_jank_mark(const struct frame_timeline_verdict *ft)
{
	const uint32_t system = FT_JANK_SF_SCHEDULING | FT_JANK_PREDICTION_ERROR |
				FT_JANK_DISPLAY_HAL | FT_JANK_SF_CPU_DEADLINE_MISSED |
				FT_JANK_SF_GPU_DEADLINE_MISSED;

	if (ft->jank & FT_JANK_DROPPED || ft->present == FT_PRESENT_DROPPED)
		return "drop";
	if (ft->jank & FT_JANK_APP)
		return "app";
	if (ft->jank & system)
		return "sf";
	if (ft->jank & (FT_JANK_BUFFER_STUFFING | FT_JANK_SF_STUFFING))
		return "stuff";
	return ft->jank & ~FT_JANK_NONE ? "jank" : "";
}
