// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What is attached and what it costs, in words and as the capture's meta record. */
#include "capture/describe.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/role.h"
#include "base/text.h"
#include "capture/points.h"
#include "capture/programs.h"
#include "capture/kernel_side.h"
#include "probe/catalogue.h"
#include "probe/governor.h"
#include "probe/kernel.h"
#include "probe/platform.h"

/* JSON is UTF-8; paths and arguments need not be. Long ones are cut. */
static json_t *json_text(const char *text)
{
	char escaped[1024];

	text_escape(escaped, sizeof(escaped), text, strlen(text));
	return json_string(escaped);
}

static void add_attached(void *ctx, const struct fs_point *rec, const char *name)
{
	(void)name;
	json_array_append_new(ctx,
			      json_pack("{s:o,s:o,s:I,s:s}", "lib", json_text(rec->lib), "symbol",
					json_text(rec->symbol), "offset", (json_int_t)rec->offset,
					"role", role_name(rec->role)));
}

/* What is not known where the kernel hides the addresses that tell a container. */
static const struct program containers = { .loss = "members of merged fences" };

/* Call fn once with each thing that is not known for want of a program, or of an address. */
static void each_loss(struct framescope_bpf *skel, void (*fn)(void *ctx, const struct program *p),
		      void *ctx)
{
	const char *prev = "";

	for (const struct program *p = programs; p->name; p++) {
		if (program_attached(skel, p) || !p->loss || !strcmp(p->loss, prev) ||
		    (p->optional && !program_available(p)))
			continue;
		prev = p->loss;
		fn(ctx, p);
	}
	if (kernel_has_tracepoint("dma_fence_init") && !skel->rodata->array_driver_name)
		fn(ctx, &containers);
}

static void append(void *ctx, const char *text)
{
	json_array_append_new(ctx, json_string(text));
}

static void append_loss(void *ctx, const struct program *p)
{
	append(ctx, p->loss);
}

/* What is lost without a function; but of a library that is nowhere its name says enough. */
struct lost_points {
	json_t *list;
	const char *lib; /* the last one that was named */
};

static void append_point(void *ctx, const struct point_spec *spec, bool here)
{
	struct lost_points *lost = ctx;
	char text[256];

	if (here) {
		snprintf(text, sizeof(text), "%s (no %s in %s)", spec->loss, spec->name, spec->lib);
		append(lost->list, text);
	} else if (!lost->lib || strcmp(lost->lib, spec->lib) != 0) {
		append(lost->list, spec->lib);
		lost->lib = spec->lib;
	}
}

static void add_platform(json_t *root, const struct platform *p)
{
	if (p->sdk)
		json_object_set_new(root, "android_sdk", json_integer(p->sdk));
	if (p->release[0])
		json_object_set_new(root, "android_release", json_text(p->release));
	if (p->model[0])
		json_object_set_new(root, "model", json_text(p->model));
	if (p->build[0])
		json_object_set_new(root, "build", json_text(p->build));
}

/* What two recordings of the same program may differ by. */
static void add_circumstances(json_t *root, const char *label)
{
	char governor[128];

	governor_read(governor, sizeof(governor));
	if (governor[0])
		json_object_set_new(root, "governor", json_text(governor));
	if (label)
		json_object_set_new(root, "label", json_text(label));
}

struct fs_meta *meta_record(struct framescope_bpf *skel, const struct points *points,
			    const char *command, const char *label, const struct platform *platform)
{
	json_t *attached = json_array(), *missing = json_array();
	struct lost_points lost = { .list = missing };
	struct fs_meta *rec = NULL;
	struct utsname un;
	struct timespec now;
	char started[32] = "";
	size_t len, size;
	struct tm tm;
	char *text;
	json_t *root;

	uname(&un);
	clock_gettime(CLOCK_REALTIME, &now);
	if (gmtime_r(&now.tv_sec, &tm))
		strftime(started, sizeof(started), "%Y-%m-%dT%H:%M:%SZ", &tm);
	points_each(points, add_attached, attached);
	each_loss(skel, append_loss, missing);
	points_each_missing(points, append_point, &lost);
	root = json_pack("{s:s,s:s,s:s,s:s,s:o,s:s,s:o,s:o}", "framescope", FRAMESCOPE_VERSION,
			 "kernel", un.release, "machine", un.machine, "started", started, "command",
			 json_text(command), "programs", programs_form(skel), "attached", attached,
			 "missing", missing);
	if (!root)
		return NULL;
	add_platform(root, platform);
	add_circumstances(root, label);
	text = json_dumps(root, JSON_COMPACT);
	while (text && sizeof(*rec) + strlen(text) > FS_RECORD_MAX - 8 &&
	       json_array_size(attached)) {
		/* Each point has a record of its own; the list here is a convenience. */
		free(text);
		json_array_remove(attached, json_array_size(attached) - 1);
		text = json_dumps(root, JSON_COMPACT);
	}
	json_decref(root);
	if (!text)
		return NULL;
	len = strlen(text);
	size = (sizeof(*rec) + len + 7) & ~7ul;
	if (size <= FS_RECORD_MAX)
		rec = calloc(1, size);
	if (rec) {
		rec->h.time_ns = clock_monotonic_ns();
		rec->h.kind = FS_KIND_META;
		rec->h.size = (uint16_t)size;
		rec->h.cpu = FS_CPU_NONE;
		memcpy(rec->text, text, len);
	}
	free(text);
	return rec;
}

/* The catalogue's name is easier to read than a mangled one. */
static void print_point(void *ctx, const struct fs_point *rec, const char *name)
{
	bool mangled = !strncmp(rec->symbol, "_Z", 2);

	(void)ctx;
	if (rec->symbol[0])
		log_info("  %-9s %s in %s", role_name(rec->role),
			 mangled && name ? name : rec->symbol, rec->lib);
	else
		log_info("  %-9s 0x%llx in %s", role_name(rec->role),
			 (unsigned long long)rec->offset, rec->lib);
}

static void print_loss(void *ctx, const struct program *p)
{
	(void)ctx;
	if (p->event && kernel_has_tracepoint("dma_fence_init") && !kernel_tracefs()) {
		log_info("not known: %s (tracefs is not mounted)", p->loss);
		log_info("  try: mount -t tracefs tracefs /sys/kernel/tracing");
	} else {
		log_info("not known: %s ('framescope doctor' says why)", p->loss);
	}
}

/* Libraries that are nowhere in one line: a desktop lacks all of Android's. */
struct absent {
	char text[128];
	size_t len;
	const char *lib; /* the last one */
};

static void print_missing(void *ctx, const struct point_spec *spec, bool here)
{
	struct absent *absent = ctx;
	size_t room = sizeof(absent->text) - absent->len;

	if (here) {
		log_info("not known: %s (no %s in %s)", spec->loss, spec->name, spec->lib);
		return;
	}
	if (absent->lib && !strcmp(absent->lib, spec->lib))
		return;
	absent->lib = spec->lib;
	int n = snprintf(absent->text + absent->len, room, "%s%s", absent->len ? ", " : "",
			 spec->lib);
	if (n > 0 && (size_t)n < room)
		absent->len += (size_t)n;
}

void describe_attached(struct framescope_bpf *skel, const struct points *points)
{
	struct absent absent = { .len = 0 };

	log_info("attached: scheduler and dma-fences (%s), and these functions:",
		 programs_form(skel));
	points_each(points, print_point, NULL);
	each_loss(skel, print_loss, NULL);
	points_each_missing(points, print_missing, &absent);
	if (absent.len)
		log_info("not found: %s (probed once they are loaded)", absent.text);
}
