/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What the stand-ins for Android's libraries and the app agree on. A library here has Android's
 * functions under the names that the C++ compiler gives them, and nothing in them: each call is
 * handed to the app, which does the function's work, and calls others from there. Each library
 * exports one function, standin_link(), which is given the app's functions and returns the
 * library's; both are of one type.
 */
#ifndef TESTS_ANDROID_LINK_H
#define TESTS_ANDROID_LINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The same for every library: which type it takes and returns says its file name. */
typedef const void *(*standin_link_fn)(const void *app);

#define STANDIN_LINK(type, functions)                                                              \
	static const type *app;                                                                    \
	const void *standin_link(const void *its);                                                 \
	const void *standin_link(const void *its)                                                  \
	{                                                                                          \
		app = its;                                                                         \
		return &(functions);                                                               \
	}

/* Function that a layout's library lacks: NULL. */

struct libutils {
	int (*poll_once)(void *looper, int timeout_ms, int *fd, int *events, void **data);
	int (*poll_inner)(void *looper, int timeout_ms);
	void (*wake)(void *looper);
};

struct libcutils {
	void (*instant)(const char *name);
};

/* What gui::VsyncEventData may be: on the stack where it is passed by value. */
struct vsync_event_data {
	int64_t interval_ns;
	uint32_t preferred;
	uint32_t nr;
	struct {
		int64_t vsync_id, deadline_ns, present_ns;
	} timelines[7];
};

struct libandroid_runtime {
	void (*dispatch_vsync)(void *receiver, int64_t timestamp_ns, uint64_t display,
			       uint32_t count, const struct vsync_event_data *data);
};

/* The identity of a buffer that is given back: a Parcelable. */
struct release_callback_id {
	const void *vtable;
	uint64_t buffer_id;
	uint64_t frame_number;
};

struct libgui {
	int (*handle_event)(void *dispatcher, int fd, int events, void *data);
	int (*dequeue)(void *surface, void **buffer, int *fence);
	int (*hook_dequeue)(void *window, void **buffer, int *fence);
	int (*queue)(void *surface, void *buffer, int fence);
	int (*set_timeline)(void *surface, uint64_t frame_number, const void *info);
	int (*wait_for_free_slot)(const void *producer, int caller, void *lock, int *slot);
	void (*release)(void *queue, const struct release_callback_id *id, const void *fence,
			uint64_t max_acquired);
};

struct libhwui {
	int (*sync_and_draw)(void *proxy);
	int (*draw_frame)(void *task);
	void (*post_and_wait)(void *task);
	void (*run)(void *task);
	bool (*sync_state)(void *task, void *info);
	void (*unblock)(void *task);
	void (*prepare_tree)(void *context, void *info, int64_t *ui_slots, int64_t sync_queued_ns,
			     void *root);
	int (*reserve_next)(void *surface);
	void (*draw)(void *context, bool solely_textures);
	void (*prepare_and_draw)(void *context, void *root);
	void (*on_stats)(void *context, int control, const void *stats);
	void (*legacy_jank)(void *tracker, void *info);
	void (*finish)(void *tracker, void *info, void *reporter, int64_t frame_number,
		       int32_t control);
};

#endif
