/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Sorts findings by what they are about. */
#include "judge/findings.h"

#include <errno.h>
#include <stdlib.h>

/* A failed insertion leaves the entry out of the hash instead of ending the program. */
#define HASH_NONFATAL_OOM 1
#include <uthash.h>

struct subject {
	const struct totals_entry *of;
	struct found *first, **last;
	UT_hash_handle hh;
};

struct findings {
	struct subject *subjects; /* hash */
	uint64_t kept, contradictions, notes;
	int error;
};

struct findings *findings_new(void)
{
	return calloc(1, sizeof(struct findings));
}

void findings_free(struct findings *f)
{
	struct subject *s, *next;

	if (!f)
		return;
	HASH_ITER (hh, f->subjects, s, next) {
		for (struct found *found = s->first, *behind; found; found = behind) {
			behind = found->next;
			free(found);
		}
		HASH_DELETE(hh, f->subjects, s);
		free(s);
	}
	free(f);
}

static struct subject *subject(struct findings *f, const struct totals_entry *of)
{
	struct subject *s;

	HASH_FIND_PTR(f->subjects, &of, s);
	if (s)
		return s;
	s = calloc(1, sizeof(*s));
	if (!s)
		return NULL;
	s->of = of;
	s->last = &s->first;
	HASH_ADD_PTR(f->subjects, of, s);
	if (s->hh.tbl)
		return s;
	free(s);
	return NULL;
}

/* A note that was there before, of an earlier dump? Then it is that of this one. */
static bool renew(struct subject *s, const struct gfxinfo_finding *f)
{
	for (struct found *old = s->first; old; old = old->next) {
		if (old->finding.contradiction || old->finding.kind != f->kind ||
		    old->finding.figure != f->figure || old->finding.label_ms != f->label_ms)
			continue;
		old->finding = *f;
		return true;
	}
	return false;
}

static void on_finding(void *ctx, const struct gfxinfo_finding *finding)
{
	struct findings *f = ctx;
	struct subject *s;
	struct found *found;

	/* That there is no data is said where it would be. */
	if (f->error || finding->kind == FINDING_NO_FRAMES)
		return;
	s = subject(f, finding->of);
	if (s && !finding->contradiction && renew(s, finding))
		return;
	f->contradictions += finding->contradiction;
	f->notes += !finding->contradiction;
	if (s && f->kept == FINDINGS_KEPT)
		return;
	found = s ? calloc(1, sizeof(*found)) : NULL;
	if (!found) {
		f->error = -ENOMEM;
		return;
	}
	found->finding = *finding;
	*s->last = found;
	s->last = &found->next;
	f->kept++;
}

struct gfxinfo_finding_sink findings_sink(struct findings *f)
{
	return (struct gfxinfo_finding_sink){ .finding = on_finding, .ctx = f };
}

int findings_check(struct findings *f, const struct gfxinfo_totals *t)
{
	const struct gfxinfo_finding_sink sink = findings_sink(f);

	gfxinfo_check_dump(t, &sink);
	return f->error;
}

int findings_error(const struct findings *f)
{
	return f->error;
}

const struct found *findings_of(const struct findings *f, const struct totals_entry *of)
{
	struct subject *s;

	HASH_FIND_PTR(f->subjects, &of, s);
	return s ? s->first : NULL;
}

uint64_t findings_contradictions(const struct findings *f)
{
	return f->contradictions;
}

uint64_t findings_notes(const struct findings *f)
{
	return f->notes;
}
