/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * One time-ordered stream of records from any input, found by its content. A new kind of input is
 * one file, here or in trace/, and one row in the table of kinds.
 */
#ifndef STREAM_SOURCE_H
#define STREAM_SOURCE_H

#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <framescope/event.h>

#include "base/err.h"

struct merge;
struct source;

/* What a reader noticed. Counts are of what was read so far; final after the end was reached. */
struct source_stats {
	uint64_t bytes; /* of input consumed */
	uint64_t records; /* delivered */
	uint64_t late; /* delivered out of order: the merge had already passed their time */
	uint64_t lost; /* sum of the counts in delivered FS_KIND_LOST records */
	uint64_t lost_unknown; /* those of them that do not know how many were lost */
	uint64_t unknown; /* skipped: a kind that this version does not know */
	uint64_t malformed; /* skipped: a size that does not fit the kind, inside a sound chunk */
	uint64_t damaged_chunks; /* skipped: checksum or header wrong */
	uint64_t damaged_bytes;
	uint32_t arch; /* enum fs_arch of the recorded machine, 0 = not known */
	bool cut; /* the input ends without its end mark */
};

/*
 * Open `path`. On success *out is owned by the caller, who ends it with source_close(). Errors:
 * -ENOENT and kin from open(2); -EINVAL for an empty file or none of the known formats; -ENOTSUP
 * for a newer major version; -ENOMEM.
 */
int source_open(const char *path, struct source **out, struct err *e);

/*
 * The next record: 1 and *rec, 0 at the end, or a negative errno. *rec is 8-byte aligned, at least
 * as long as the kind's struct (a shorter record of an older writer is extended with zeros), and
 * valid until the next call. Its strings are NUL-terminated. Only known kinds are delivered.
 */
int source_next(struct source *s, const struct fs_header **rec, struct err *e);

const struct source_stats *source_stats(const struct source *s);

/* Say on standard error what of the input was damaged, cut, lost, late or not understood. */
void source_warn(const struct source *s);

/* Does a file that starts with these bytes look like a kind that source_open() reads? */
bool source_detect(const unsigned char *head, size_t len);

/* What something that an input does not have is needed for: a bit each. */
enum source_topic {
	SOURCE_FRAMES = 1u << 0,
	SOURCE_BUDGETS = 1u << 1,
	SOURCE_FENCES = 1u << 2,
	SOURCE_VERDICTS = 1u << 3, /* of frames of HWUI */
	SOURCE_TOPICS_ALL = (1u << 4) - 1,
};

/* Something that can't be told, for it was not recorded. */
struct source_absence {
	enum source_topic of;
	const char *text; /* "no budgets: ...": why, and what to record instead */
};

/*
 * The next such thing for one of the topics, from *index on, which then goes behind it; or false.
 * Final after the end was reached.
 */
bool source_absence(const struct source *s, unsigned topics, unsigned *index,
		    struct source_absence *a);

/* NULL is fine. */
void source_close(struct source *s);

/* One kind of input. */
struct source_ops {
	/* Does a file that starts with these bytes (up to SOURCE_HEAD_LEN) look like this kind? */
	bool (*detect)(const unsigned char *head, size_t len);
	/* s->fd is positioned at 0. What s->priv points to is freed with the source. */
	int (*open)(struct source *s, struct err *e);
	/* Read some more into s->merge, or find that there is no more and set s->done. */
	int (*read)(struct source *s, struct err *e);
	/* Say what is peculiar to this input, behind what all have in common. NULL: nothing. */
	void (*warn)(const struct source *s);
	/* The index-th thing that is absent, or false. NULL: nothing is. */
	bool (*absence)(const struct source *s, unsigned index, struct source_absence *a);
	/* Free what s->priv owns, but not itself. NULL: nothing. */
	void (*close)(struct source *s);
};

#define SOURCE_HEAD_LEN 4096

/* What every kind has in common; `priv` is the kind's own. */
struct source {
	const struct source_ops *ops;
	const char *path; /* as given to source_open(); for messages */
	int fd;
	struct source_stats stats;
	struct merge *merge;
	bool done; /* there is no more input */
	void *priv;
	/* A record made longer than it was in the input, and a NUL behind the text of a META. */
	_Alignas(8) char wide[FS_RECORD_MAX + 8];
};

/*
 * A source of that kind without an input of its own, NULL when out of memory; it ends with
 * source_close().
 */
struct source *source_new(const struct source_ops *ops, const char *path);

/* The error that memory ran out while reading. */
int source_no_memory(const struct source *s, struct err *e);

/* All kinds, NULL at the end; in trace/sources.c, as this room knows nothing of that one. */
extern const struct source_ops *const source_kinds[];

extern const struct source_ops capture_file_source; /* capture_file.c */
extern const struct source_ops dump_text_source; /* dump_text.c */

#endif
