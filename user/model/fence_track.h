/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The inside of fence_stats: fences, the contexts they are on, and the timelines these belong to.
 */
#ifndef MODEL_FENCE_TRACK_H
#define MODEL_FENCE_TRACK_H

#include "base/idmap.h"
#include "model/fence_stats.h"

/* Where memory runs out, the entry is not in the table; that is looked at after each addition. */
#define HASH_NONFATAL_OOM 1
#include <uthash.h>
#include <utlist.h>

#define MEMBER_NAME_LEN (FS_DRIVER_LEN + FS_TIMELINE_LEN)
#define MEMBERS_NAMED 2

/* What the containers of a context, or of a timeline, hold: "vgem/unbound". */
struct member_names {
	char text[MEMBERS_NAMED][MEMBER_NAME_LEN];
	unsigned nr;
	bool more;
};

struct fence_acc {
	struct fence_timeline sum; /* first: what the outside sees */
	uint64_t in_flight;
	uint64_t longest_ns; /* from submission to signal */
	struct idmap victims; /* by pid */
	struct member_names of;
	const struct tracked_context
		*owner; /* NULL: it is that of all unbound contexts of a driver */
	char driver[FS_DRIVER_LEN]; /* padded with NUL: the key */
	UT_hash_handle hh; /* in `unbound` */
};

struct tracked_context {
	uint64_t id;
	char driver[FS_DRIVER_LEN]; /* as recorded; empty if not known, padded with NUL */
	char timeline[FS_TIMELINE_LEN];
	bool container; /* it was seen to hold other fences */
	bool given_up; /* there is no room for its timeline */
	bool idle; /* in that list */
	bool signaled; /* the two below are valid */
	uint64_t last_signal_ns;
	uint64_t last_seqno; /* the highest that signalled */
	struct member_names of;
	/* Its timeline is chosen when its name is known, or a first figure needs one. */
	struct fence_acc *acc;
	uint64_t fences, in_flight, in_flight_max; /* until then */
	size_t tracked; /* fences that point here */
	struct tracked_context *prev, *next;
	UT_hash_handle hh;
};

enum fence_place { PLACE_IN_FLIGHT, PLACE_DONE, PLACE_DESTROYED, PLACE_NR };

struct waiter_list {
	unsigned nr;
	bool more;
	struct fence_waiter list[FENCE_WAITERS_MAX];
};

struct tracked_fence {
	struct fence_id id;
	struct tracked_context *context;
	uint64_t first_ns; /* of the first record about it */
	uint64_t init_ns, emit_ns; /* if has_... */
	uint64_t end_ns; /* signal or destruction, unless it is in flight */
	uint64_t told_signal_ns; /* if told_signaled; 0 = not known when */
	uint32_t init_tid;
	bool has_init, has_emit;
	bool told_signaled; /* a descriptor's record said so, its own has not come yet */
	bool enabled;
	bool hashed; /* not any more if its numbers belong to a newer one */
	enum fence_place place;
	struct waiter_list *waiters; /* NULL: none */
	struct tracked_fence *prev, *next; /* in its place, the oldest first */
	UT_hash_handle hh;
};

struct thread_name {
	char comm[FS_COMM_LEN];
};

struct fence_stats {
	struct tracked_context *contexts;
	struct tracked_context *idle; /* those that can be forgotten, the oldest first */
	struct fence_acc **accs;
	size_t nr_accs, room_accs;
	struct fence_acc *unbound; /* by driver */
	bool has_single;
	uint64_t single;
	struct tracked_fence *fences; /* by id */
	struct tracked_fence *places[PLACE_NR];
	size_t nr_placed[PLACE_NR];
	struct idmap threads; /* tid -> struct thread_name */
	struct fence_losses losses;
	uint64_t first_ns, last_ns; /* of all records; 0 = none came */
	uint64_t start_ns, stop_ns; /* 0 = not known */
	uint64_t last_loss_ns; /* when records were last lost; 0 = never */
	const struct tracked_fence **unsignaled; /* made by fence_stats_finish() */
	size_t nr_unsignaled;
};

/* fence_context.c */

/* *out is NULL if there are too many. 0 or -ENOMEM. */
int context_get(struct fence_stats *s, uint64_t id, struct tracked_context **out);
struct tracked_context *context_find(const struct fence_stats *s, uint64_t id);

/* A fence was made, or is over. */
void context_fence_begins(struct fence_stats *s, struct tracked_context *c);
void context_fence_ends(struct tracked_context *c);

/* A fence that points here is remembered, or forgotten. */
void context_hold(struct fence_stats *s, struct tracked_context *c);
void context_release(struct fence_stats *s, struct tracked_context *c);

/* Choose its timeline; c->acc is NULL afterwards if there is no room. 0 or -ENOMEM. */
int context_attach(struct fence_stats *s, struct tracked_context *c);

/* Its names came. 0 or -ENOMEM. */
int context_named(struct fence_stats *s, struct tracked_context *c,
		  const struct fs_fence_name *rec);

/* It holds a fence of the context `member`. */
void context_holds(struct tracked_context *c, const struct tracked_context *member);

bool context_is_container(const struct tracked_context *c);
void context_name(const struct tracked_context *c, struct fence_name *name);

/* At the end: contexts without a timeline get one, timelines their names and order. */
int contexts_finish(struct fence_stats *s);
void contexts_free(struct fence_stats *s);

/* fence_track.c */

struct tracked_fence *fence_find(const struct fence_stats *s, struct fence_id id);

/*
 * The fence, made if there is none; NULL if its context is one too many. *out may be over already.
 * 0 or -ENOMEM.
 */
int fence_get(struct fence_stats *s, struct fence_id id, uint64_t now_ns,
	      struct tracked_fence **out);

/* Its sequence number was not final when it was made. 0 or -ENOMEM. */
int fence_renumber(struct fence_stats *s, struct tracked_fence *f, uint64_t seqno);

/* Its numbers belong to a newer fence from here on. */
void fence_displace(struct fence_stats *s, struct tracked_fence *f);

/* It is over: signalled (PLACE_DONE), or destroyed without. */
void fence_end(struct fence_stats *s, struct tracked_fence *f, enum fence_place place,
	       uint64_t end_ns);
void fence_forget(struct fence_stats *s, struct tracked_fence *f);

/* A thread waited for it. 0 or -ENOMEM. */
int fence_waited(struct tracked_fence *f, uint32_t pid, uint32_t tid, const char *comm);
void tracked_fences_free(struct fence_stats *s);

#endif
