// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* From the text of marks to marker records. */
#include <string.h>

#include "trace/intake_parts.h"

static uint32_t process_of(const char *text, size_t len)
{
	uint32_t tgid = 0;

	for (size_t i = 2; i < len && text[i] >= '0' && text[i] <= '9' && tgid < 1u << 28; i++)
		tgid = tgid * 10 + (uint32_t)(text[i] - '0');
	return tgid;
}

int marks_feed(struct intake *in, const struct intake_at *at, const char *text, size_t len)
{
	struct intake_thread *t = intake_thread_get(in, at->tid);
	struct fs_marker rec = {
		.h = { .time_ns = at->ns, .tid = at->tid, .tgid = at->tgid, .cpu = at->cpu },
	};
	const char *name;

	if (!len || !memchr("BESFCINGH", *text, 9))
		return 0;
	in->counts.marks++;
	if (t) {
		intake_thread_tgid(t, process_of(text, len));
		rec.h.tgid = t->tgid;
	}
	rec.h.kind = FS_KIND_MARKER;
	rec.phase = (unsigned char)*text;
	name = len > 2 ? memchr(text + 2, '|', len - 2) : NULL;
	if (name && *text != 'E') {
		size_t left = len - (size_t)(++name - text);

		memcpy(rec.text, name, left < sizeof(rec.text) ? left : sizeof(rec.text) - 1);
	}
	return intake_emit(in, &rec.h);
}

int marks_finish(struct intake *in)
{
	(void)in;
	return 0;
}

void marks_free_thread(struct intake_thread *t)
{
	(void)t;
}

void marks_free(struct intake *in)
{
	(void)in;
}
