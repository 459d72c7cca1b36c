/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The pipeline's fences: who signals them, and when. */
#ifndef TESTS_PIPELINE_FENCES_H
#define TESTS_PIPELINE_FENCES_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "standins/pipeline/shared.h"

/* A thread that signals the fences of one owner: it alone has the driver's file that can. */
struct signaller {
	enum owner owner;
	const char *name;
	struct vgem vgem;
	pthread_t thread;
	atomic_bool stop;
	unsigned first; /* fence that may not be signalled yet */
	int cpu; /* where it stays; -1: anywhere */
};

/* Tells the owners to look for work; made before the processes part. */
extern int kicks[OWNERS];

/* Runs on the waiter's CPU, in its place, when its fence is signalled. */
struct hog {
	int kick;
	_Atomic int runs;
	_Atomic uint64_t end_ns;
	struct fence *fence;
	uint64_t for_ns; /* 0: there is no hog */
	int cpu;
	pthread_t thread;
};

extern struct hog hog;

/* An eventfd, to wake who reads it. */
int kick_open(int flags);
void kick(int fd);
void kicked(int fd);

void stay_on(int cpu);
void *hog_main(void *arg);

void signaller_start(struct signaller *s, bool sync_files);

/* With `all` what is left is signalled, too. */
void signaller_stop(struct signaller *s, bool all);

/* Those that somebody here signals. */
bool all_signalled(void);

/* Enters a fence with this descriptor, asked for at that time, into the table and the set. */
struct fence *fence_add(struct fence_set *set, int fd, enum owner owner, uint64_t asked_ns);

/* It is filled in: its owner may look at it. */
void fence_ready(struct fence *f);

/* A fence that the signaller signals: its descriptor. */
int fence_make(struct signaller *s, struct fence_set *set, enum due due, uint64_t delay_ns,
	       unsigned waiters);

/* Of a fence that is due then. */
void close_fence(int fd, enum due due);

/* What those of the set are due after has happened. */
void set_event(const struct fence_set *set, enum due due);

#endif
