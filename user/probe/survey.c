/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Looks for every point as a recording does, and keeps what it finds rather than attaching to it.
 */
#include "probe/survey.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"

#define NEAR_MAX 3

struct survey {
	struct survey_entry *entries;
	size_t count, room;
	struct library_set *seen;
	bool *have_library; /* by index of the catalogue */
};

int survey_open(struct survey **out, struct err *e)
{
	struct survey *s = calloc(1, sizeof(*s));

	if (s)
		s->have_library = calloc(catalogue_size() + 1, sizeof(*s->have_library));
	if (!s || !s->have_library) {
		free(s);
		return err_errno(e, -ENOMEM, "cannot look for functions");
	}
	*out = s;
	return 0;
}

void survey_close(struct survey *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->count; i++) {
		free((char *)s->entries[i].file);
		free((char *)s->entries[i].symbol);
		free((char *)s->entries[i].near);
		free((char *)s->entries[i].why);
	}
	free(s->entries);
	library_set_free(&s->seen);
	free(s->have_library);
	free(s);
}

size_t survey_count(const struct survey *s)
{
	return s->count;
}

const struct survey_entry *survey_at(const struct survey *s, size_t index)
{
	return &s->entries[index];
}

/* strdup() of what may be NULL; on a failure *ok becomes false. */
static const char *keep(const char *text, bool *ok)
{
	char *copy = text ? strdup(text) : NULL;

	*ok &= !text || copy;
	return copy;
}

/* Add a copy of the entry. 0 or -ENOMEM. */
static int add(struct survey *s, const struct survey_entry *entry)
{
	bool ok = true;

	if (s->count == s->room) {
		size_t room = s->room ? 2 * s->room : 64;
		struct survey_entry *entries = reallocarray(s->entries, room, sizeof(*entries));

		if (!entries)
			return -ENOMEM;
		s->entries = entries;
		s->room = room;
	}
	struct survey_entry *new = &s->entries[s->count++];
	*new = *entry;
	new->file = keep(entry->file, &ok);
	new->symbol = keep(entry->symbol, &ok);
	new->near = keep(entry->near, &ok);
	new->why = keep(entry->why, &ok);
	return ok ? 0 : -ENOMEM;
}

/* One library that is looked into. */
struct look {
	struct survey *survey;
	const struct library *lib;
	struct elf_file *elf;
	size_t first; /* of its entries */
};

static bool offset_taken(const struct look *l, uint64_t offset)
{
	for (size_t i = l->first; i < l->survey->count; i++) {
		const struct survey_entry *other = &l->survey->entries[i];

		if (other->symbol && other->offset == offset)
			return true;
	}
	return false;
}

/* What keeps a function that is there from being probed, or NULL. */
static const char *obstacle(const struct look *l, const struct point_spec *spec, bool another,
			    uint64_t offset)
{
	if (elf_file_bits(l->elf) == 32)
		return "32-bit code: the kernel may refuse probes there, and arguments are passed "
		       "otherwise";
	if (another)
		return "one form is enough, and there is a better one";
	if (offset_taken(l, offset))
		return "its code is that of another function that is probed";
	if (spec->role == FS_ROLE_MARKER)
		return "only on request: record --markers";
	return NULL;
}

static int add_missing(const struct look *l, const struct point_spec *spec)
{
	struct survey_entry entry = { .spec = spec, .state = SURVEY_MISSING, .file = l->lib->name };
	char *names[NEAR_MAX], *near = NULL, why[128];
	char wanted[256];

	snprintf(wanted, sizeof(wanted), "%s", spec->forms[0].symbol);
	wanted[strcspn(wanted, "*")] = '\0';
	int n = elf_file_near(l->elf, wanted, names, NEAR_MAX);
	for (int i = 0; i < n; i++) {
		char *longer = NULL;

		if (asprintf(&longer, "%s%s%s", near ? near : "", near ? ", " : "", names[i]) < 0)
			longer = NULL;
		free(near);
		near = longer;
		free(names[i]);
	}
	entry.near = near;
	const char *problem = elf_file_debugdata_problem(l->elf);
	if (elf_file_bits(l->elf) == 32) {
		entry.why =
			"32-bit code, in which names of functions with 64-bit arguments differ; "
			"it is not probed in any case";
	} else if (problem) {
		snprintf(why, sizeof(why), "its .gnu_debugdata can't be read: %s", problem);
		entry.why = why;
	}
	int ret = add(l->survey, &entry);
	free(near);
	return ret;
}

static int look_for(const struct look *l, const struct point_spec *spec)
{
	bool found = false;

	for (const struct point_form *form = spec->forms; form->symbol; form++) {
		struct elf_place place;

		if (elf_file_function(l->elf, form->symbol, &place))
			continue;
		/* A form for all that begin like it finds what an exact one has found. */
		if (found && strchr(form->symbol, '*') && offset_taken(l, place.offset))
			continue;
		const char *why = obstacle(l, spec, found && spec->exclusive, place.offset);
		int ret = add(l->survey, &(struct survey_entry){
						 .spec = spec,
						 .state = why ? SURVEY_NOT_PROBED : SURVEY_FOUND,
						 .file = l->lib->name,
						 .form = form,
						 .symbol = place.symbol,
						 .table = place.table,
						 .offset = place.offset,
						 .why = why,
					 });
		if (ret)
			return ret;
		found = true;
	}
	return found ? 0 : add_missing(l, spec);
}

static int look_into(struct survey *s, const struct library *lib)
{
	struct look l = { .survey = s, .lib = lib, .first = s->count };
	struct err e = { 0 };
	int ret = 0;

	for (size_t i = 0; catalogue[i].lib && !ret; i++) {
		if (!library_matches(catalogue[i].lib, lib))
			continue;
		if (!l.elf && library_open(lib, &l.elf, &e)) {
			log_debug("%s", e.what);
			return 0;
		}
		s->have_library[i] = true;
		ret = look_for(&l, &catalogue[i]);
	}
	elf_file_close(l.elf);
	return ret;
}

static int on_library(void *ctx, const struct library *lib)
{
	struct survey *s = ctx;
	int ret = library_set_add(&s->seen, &lib->id);

	return ret == 1 ? look_into(s, lib) : ret;
}

int survey_process(struct survey *s, pid_t pid, struct err *e)
{
	int ret = library_each_mapped(pid, on_library, s);

	if (!ret)
		return 0;
	err_errno(e, ret, "cannot read what process %d has mapped", (int)pid);
	if (ret == -EACCES || ret == -EPERM)
		return err_hint(e, "as root, or with CAP_SYS_PTRACE");
	if (ret == -ESRCH)
		return err_hint(e, "a process that runs: 'ps -e' lists them");
	return ret;
}

int survey_usual(struct survey *s, struct err *e)
{
	int ret = 0;

	for (size_t i = 0; catalogue[i].lib && !ret; i++) {
		if (!i || strcmp(catalogue[i].lib, catalogue[i - 1].lib) != 0)
			ret = library_each_usual(catalogue[i].lib, on_library, s);
	}
	for (size_t i = 0; catalogue[i].lib && !ret; i++) {
		if (!s->have_library[i])
			ret = add(s, &(struct survey_entry){ .spec = &catalogue[i],
							     .state = SURVEY_NO_LIBRARY });
	}
	return ret ? err_errno(e, ret, "cannot look for functions") : 0;
}
