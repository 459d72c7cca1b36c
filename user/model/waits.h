/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A thread and its fences: those that it blocks for, which of them ended the block, and those that
 * it got and gave away with buffers.
 */
#ifndef MODEL_WAITS_H
#define MODEL_WAITS_H

#include "model/thread.h"

#define REFS_MAX 64 /* fences of one block; of more, the block is not tied to any */
#define MET_NR 32 /* a power of two; fences met last in calls */
#define WAITED_NR 32 /* a power of two; last waits, for the frames they lie in */

/* A fence that would end the block, or a member of a container that would. */
struct wait_ref {
	struct fence_id id;
	struct fence_id container;
	int64_t timeout_ns;
	int32_t fd;
	bool in_container;
	bool partial; /* the container has members that are not known */
};

/* A fence that a call got, gave away, or was told to wait for. */
struct met {
	struct fence_id id; /* the container's, if it is in one */
	uint64_t time_ns;
	uint32_t role; /* enum fs_ref_role */
	unsigned missing; /* members of the container (of a fence, itself) not known as signalled */
	bool untimed; /* nor is it known of all when they signalled */
	uint64_t signal_ns; /* the last one */
};

/* A wait that is over. */
struct waited {
	struct fence_id id; /* the container's, if it was in one */
	uint64_t start_ns;
	uint64_t end_ns; /* of the blocked part */
	enum confidence confidence;
};

struct waits {
	uint32_t off_seq; /* the block that refs are of */
	unsigned nr_refs;
	bool too_many;
	struct wait_ref refs[REFS_MAX];
	struct met met[MET_NR];
	unsigned next_met; /* counts on */
	uint64_t named_ns; /* entry of the call that `name` was given to; 0 = none was */
	char name[FS_TEXT_LEN];
	struct waited waited[WAITED_NR];
	unsigned next_waited;
};

/* A fence was met by the thread. 0 or -ENOMEM. */
int waits_ref(struct thread *t, const struct fs_fence_ref *rec);

/* Had the fence signalled when it was met? Then *signal_ns is when, or 0: not known. */
bool met_signaled(const struct met *met, uint64_t *signal_ns);

/* A waiting function was given a name. 0 or -ENOMEM. */
int waits_name(struct thread *t, const struct fs_text *rec);

/*
 * The thread was blocked as `off` says, which `rec` is the record of: if that was for fences whose
 * identity is known, find the one that ended it, and tell the sink.
 */
void waits_resolve(struct model *m, struct thread *t, const struct fs_offcpu *rec, struct off *off);

/* The last fence met in that role within a call, or NULL. Valid until the next waits_ref(). */
const struct met *waits_met(const struct thread *t, uint32_t role, uint64_t entry, uint64_t exit);

/* Fill the frame's columns of fences, from those of its calls and the waits within it. */
void waits_frame(struct model *m, const struct thread *t, struct frame *f);

#endif
