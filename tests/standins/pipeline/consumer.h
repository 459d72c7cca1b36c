/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The pipeline's consumer: waits for each buffer's acquire fence, shows it, and gives the one
 * before back with a release fence. A second one, the victim, only waits.
 */
#ifndef TESTS_PIPELINE_CONSUMER_H
#define TESTS_PIPELINE_CONSUMER_H

#include <stdbool.h>
#include <sys/types.h>

#include "standins/pipeline/fences.h"

extern int slot_kick; /* the producer waits for a buffer */
extern int hold_kick; /* once for each consumer: it may end */
extern struct signaller screen;

/* `other` is the socket's other end, which the new process must not keep. */
pid_t consumer_start(int sock, int other, bool victim);

#endif
