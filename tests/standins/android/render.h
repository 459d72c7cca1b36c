/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* RenderThread: what it does with the frames that the UI thread posts, and its own animations. */
#ifndef TESTS_ANDROID_RENDER_H
#define TESTS_ANDROID_RENDER_H

#include <stdbool.h>
#include <stdint.h>

struct window;

void render_open(void);
void render_close(void);

/* A frame of the window is to be made. */
void render_post(struct window *w);

/* It makes so many frames of the window by itself. */
void render_animate(struct window *w, unsigned frames);
bool render_is_animating(void);

/* What the libraries do. */
void render_run(void *task);
bool render_sync_state(void *task, void *info);
void render_prepare_tree(void *context, void *info, int64_t *ui_slots, int64_t sync_queued_ns,
			 void *root);
void render_draw(void *context, bool solely_textures);
void render_prepare_and_draw(void *context, void *root);
unsigned int render_swap(void *surface);

#endif
