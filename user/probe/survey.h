/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What a recording would probe: every point of the catalogue in every library where it may be.
 * Nothing is attached, and no BPF is needed.
 */
#ifndef PROBE_SURVEY_H
#define PROBE_SURVEY_H

#include <stddef.h>
#include <sys/types.h>

#include "base/err.h"
#include "probe/catalogue.h"
#include "probe/elf.h"
#include "probe/library.h"

enum survey_state {
	SURVEY_FOUND,
	SURVEY_NOT_PROBED, /* it is there, but `why` it is not probed */
	SURVEY_MISSING, /* the library does not have it, in any form */
	SURVEY_NO_LIBRARY, /* there is no such library */
	SURVEY_STATES
};

/* One point in one library. All text is the survey's; what does not apply is NULL. */
struct survey_entry {
	const struct point_spec *spec;
	enum survey_state state;
	const char *file; /* as its users see it */
	const struct point_form *form; /* the one that is there */
	const char *symbol; /* as it is called there */
	enum elf_table table;
	uint64_t offset; /* in the file */
	const char *near; /* MISSING: names there that are like it, with commas */
	const char *why; /* NOT_PROBED; or what kept the search from seeing more */
};

struct survey;

int survey_open(struct survey **out, struct err *e);
void survey_close(struct survey *s); /* NULL is fine */

/* Look into what a process maps; -ESRCH if there is none, -EACCES without the right. */
int survey_process(struct survey *s, pid_t pid, struct err *e);

/* Look into what lies in the usual places; to be done last. -ENOMEM. */
int survey_usual(struct survey *s, struct err *e);

/* The entries, in the order in which they were found, one library after the other. */
size_t survey_count(const struct survey *s);
const struct survey_entry *survey_at(const struct survey *s, size_t index);

#endif
