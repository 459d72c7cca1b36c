/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The pipeline's producer: makes the frames. */
#ifndef TESTS_PIPELINE_PRODUCER_H
#define TESTS_PIPELINE_PRODUCER_H

#include "standins/standin.h"

/* What happens inside the probed functions. */
long on_call(enum standin_function which, void *arg0, void *arg1, void *arg2);

/* Starts the consumers, makes all frames, and waits until everybody has ended. */
void play(void);

#endif
