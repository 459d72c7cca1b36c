/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A capture told: to its user at the start and the end, and to the file's readers. */
#ifndef CAPTURE_DESCRIBE_H
#define CAPTURE_DESCRIBE_H

#include <framescope/event.h>

struct framescope_bpf;
struct platform;
struct points;

/*
 * The record that says what this capture is: JSON with framescope, kernel, machine, started,
 * command, programs, attached, missing; of what is known of the platform android_sdk,
 * android_release, model, build, governor; label, if it is not NULL. malloc'ed, the caller's; NULL
 * when out of memory.
 */
struct fs_meta *meta_record(struct framescope_bpf *skel, const struct points *points,
			    const char *command, const char *label,
			    const struct platform *platform);

/* What is attached, what is not, and what that costs; to standard error. */
void describe_attached(struct framescope_bpf *skel, const struct points *points);

#endif
