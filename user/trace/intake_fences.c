// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Fences, and the names of their contexts. */
#include <errno.h>
#include <string.h>

#include "trace/intake_parts.h"

/* Contexts whose names are remembered; past that many it begins anew, and repeats some. */
#define NAMES_MAX 65536

/* What went out of a context's names; kept as a pointer's value. */
enum told {
	TOLD_NOTHING = 0,
	TOLD_LATER = 1, /* as they were when something happened to a fence of it */
	TOLD_EARLY = 2, /* as the driver gave them when it made one: from 6.17 on a fence that has
			   signalled has others */
};

void intake_names_free(struct intake *in)
{
	idmap_free(&in->names);
}

/* Contexts are numbered from 1, and never near to 32 bits. */
static uint32_t key_of(uint64_t context)
{
	uint32_t key = (uint32_t)(context ^ context >> 32);

	return key ? key : 1;
}

static int emit_names(struct intake *in, const struct fs_header *h, uint64_t context,
		      const char *driver, const char *timeline)
{
	struct fs_fence_name rec = { .h = *h, .context = context };

	rec.h.kind = FS_KIND_FENCE_NAME;
	if (driver)
		memcpy(rec.driver, driver, strnlen(driver, sizeof(rec.driver) - 1));
	if (timeline)
		memcpy(rec.timeline, timeline, strnlen(timeline, sizeof(rec.timeline) - 1));
	return intake_emit(in, &rec.h);
}

static int tell_names(struct intake *in, const struct fs_header *h, unsigned op, uint64_t context,
		      const char *driver, const char *timeline)
{
	bool early = op == FS_FENCE_INIT || op == FS_FENCE_EMIT;
	uintptr_t told = (uintptr_t)idmap_get(&in->names, key_of(context));
	uintptr_t tells = early ? TOLD_EARLY : TOLD_LATER;

	if (told >= tells || !((driver && *driver) || (timeline && *timeline)))
		return 0;
	if (in->names.nr >= NAMES_MAX)
		idmap_free(&in->names);
	if (idmap_put(&in->names, key_of(context), (void *)tells))
		return -ENOMEM;
	return emit_names(in, h, context, driver, timeline);
}

int intake_fence(struct intake *in, const struct intake_at *at, unsigned op, uint64_t context,
		 uint64_t seqno, const char *driver, const char *timeline)
{
	struct fs_fence rec = {
		.h = { .time_ns = at->ns, .kind = FS_KIND_FENCE, .cpu = at->cpu },
		.context = context,
		.seqno = seqno,
		.op = op,
		.irq = at->context,
	};
	struct intake_thread *t;
	int err = intake_begin(in, at->ns, at->cpu);

	in->counts.fences++;
	if (!err)
		err = intake_meet(in, at, &t);
	if (err)
		return err;
	rec.h.tid = at->tid;
	rec.h.tgid = t ? t->tgid : at->tgid;
	err = tell_names(in, &rec.h, op, context, driver, timeline);
	return err ? err : intake_emit(in, &rec.h);
}
