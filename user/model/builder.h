/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The frames that one thread is making. A probed call is kept until the outermost one around it has
 * ended, since that decides whose it is (calls.c). A frame whose end is known is a draft until the
 * thread's timeline is known up to there (builder.c).
 */
#ifndef MODEL_BUILDER_H
#define MODEL_BUILDER_H

#include "model/thread.h"

#define MAKERS_MAX 64 /* surfaces with an open frame, per thread; the least used one is closed */
#define CALLS_MAX 32

/* A frame without the part of its budget that is still in the thread's timeline. */
struct draft {
	struct producer *producer;
	uint64_t number;
	uint64_t start_ns;
	uint64_t end_ns;
	bool truncated;
	bool lossy;
	bool skipped; /* nothing was drawn */
	uint64_t context; /* the maker's at its end */
	uint32_t seen;
	uint64_t swap_ns;
	uint64_t dequeue_ns;
	uint64_t queue_ns;
	uint64_t dequeued_ns, queued_ns; /* when its last calls of these ended; 0 = not seen */
	bool has_acquire, has_release;
	struct fence_id acquire, release;
	struct buffer_taken taken; /* by its last dequeue */
	struct tally tally; /* from start_ns to the timeline's front_ns */
};

/* One producer of the thread, and its open frame. */
struct maker {
	struct draft open; /* end_ns is not set */
	uint64_t window; /* what dequeue and queue call its surface, 0 = not learned */
	uint64_t context; /* of HWUI, that draws into it; 0 = not known */
	bool by_queue; /* its frames end with QUEUE calls */
	uint64_t used_ns; /* end of its last frame */
	uint64_t counted_ns[FS_ROLE_NR]; /* end of its last call of each role */
};

/* A probed call that has ended, or had not when the capture stopped. */
struct call {
	uint64_t entry_ns;
	uint64_t exit_ns;
	uint64_t surface; /* the surface or window it names */
	uint64_t owner; /* DEQUEUE, QUEUE: surface of the swap around it, if `owned` */
	uint32_t depth;
	struct fence_id fence; /* DEQUEUE, QUEUE: that of the buffer, if has_fence */
	bool has_fence;
	struct buffer_taken taken; /* DEQUEUE: by this call */
	uint8_t role; /* enum fs_role; FS_ROLE_NR: records of calls were lost here */
	bool owned;
	bool open;
};

/* A call that has claimed the waits inside it. */
struct claim {
	uint64_t entry_ns;
	uint64_t exit_ns;
	enum fs_role role;
	bool marked; /* as of timeline_claim() */
};

#define CLAIMS_NR 8 /* a power of two */

struct builder {
	struct maker *makers;
	unsigned nr_makers;
	unsigned room_makers;
	struct draft *drafts; /* by end */
	uint32_t first_draft;
	uint32_t nr_drafts; /* index behind the last one */
	uint32_t room_drafts;
	struct call *calls; /* by exit */
	unsigned nr_calls;
	unsigned room_calls;
	struct claim claims[CLAIMS_NR]; /* the last ones, for off-CPU records that come late */
	unsigned next_claim; /* counts on */
	bool staged; /* stages of HWUI's frames lie in its time */
	uint64_t poll_exit_ns; /* the UI thread got a message; 0 = that was not seen */
	uint32_t seq; /* of the last span record */
	uint64_t exit_ns; /* latest exit of a call */
};

struct builder *builder_new(void);
void builder_free(struct model *m, struct thread *t); /* t->builder may be NULL */

/* The maker of a surface, made if it is new; *out is NULL if there can't be one more. */
int builder_maker(struct model *m, struct thread *t, uint64_t surface, bool by_queue,
		  struct maker **out);

/* The maker of a surface, or whose window that is; NULL if there is none. */
struct maker *builder_by_surface(struct builder *b, uint64_t surface, bool by_queue);
struct maker *builder_by_window(struct builder *b, uint64_t window);

/* The maker's frame ends, and its next one begins. */
int builder_commit(struct model *m, struct thread *t, struct maker *maker, uint64_t end,
		   bool truncated);

/* The thread made a frame of that context of HWUI, which ended at `at`, without drawing anything.
 */
int builder_skipped(struct model *m, struct thread *t, uint64_t context, uint64_t at);

/* A buffer of the maker's is of that context, which draws into no other surface any more. */
void builder_note_context(struct builder *b, struct maker *maker, uint64_t context);

/* Close all makers' frames at `at`: truncated, and only those with a length. No makers are left. */
int builder_close(struct model *m, struct thread *t, uint64_t at);

/* Emit the drafts up to the timeline's cursor. */
void builder_emit(struct model *m, struct thread *t);

/* The end of the oldest draft, or UINT64_MAX. */
uint64_t builder_due_ns(const struct builder *b);

/* The end of the oldest draft, or call that may end a frame, behind `since`; or UINT64_MAX. */
uint64_t builder_first_ns(const struct builder *b, uint64_t since_ns);

/* Are more drafts waiting than may? */
bool builder_overdue(const struct model *m, const struct builder *b);

/* The oldest interval of the timeline is about to go: add it to the frames it belongs to. */
void builder_fold(struct builder *b, const struct off *off);

/* May a frame still need the interval? It is `now`. */
bool builder_needs(const struct builder *b, const struct off *off, uint64_t now);

/* Records of the thread were lost within the open frames, and the drafts too if `drafts`. */
void builder_lossy(struct builder *b, bool drafts);

/* Let the calls that have claimed waits claim this one too, which they came before. */
void calls_claim(const struct builder *b, struct off *off);

/* A record of a probed call. */
int calls_add(struct model *m, struct thread *t, const struct fs_span *rec);

/* No enclosing call will come any more: makes of the kept calls what can be made. */
int calls_flush(struct model *m, struct thread *t);

#endif
