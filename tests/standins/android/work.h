/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What the stages of a frame do, beyond what makes the frame. */
#ifndef TESTS_ANDROID_WORK_H
#define TESTS_ANDROID_WORK_H

#include "standins/android/record.h"

/* The scenario begins and ends. */
void work_start(void);
void work_stop(void);

/* The frame is number `turn` of its scenario: what is slow in it. */
void work_plan(struct frame *f, unsigned turn);

/* A little, and what the script wants of that stage. */
void work(struct frame *f, enum stage stage);

/* What is of no frame. */
void work_a_little(void);
void work_until(uint64_t ns);

/* Whether nothing is to be drawn, or the frame gets no buffer. */
bool work_is_void(const struct frame *f);
bool work_fails(const struct frame *f);

#endif
