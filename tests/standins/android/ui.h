/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The UI thread: the program's first. */
#ifndef TESTS_ANDROID_UI_H
#define TESTS_ANDROID_UI_H

#include "standins/android/plan.h"

void ui_open(void);

/* One message after the other, until the scenario's frames are made and finished. */
void ui_play(const struct scenario *s);

/* From another thread. */
void ui_wake(void);

/* What the libraries do. */
int ui_sync_and_draw(void *proxy);
int ui_draw_frame(void *task);
void ui_post_and_wait(void *task);
void ui_unblock(void *task);

#endif
