/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The functions of the stand-in libraries, as the app calls them. */
#ifndef TESTS_ANDROID_API_H
#define TESTS_ANDROID_API_H

#include "standins/android/link.h"

struct api {
	const struct libutils *utils;
	const struct libcutils *cutils;
	const struct libandroid_runtime *runtime;
	const struct libgui *gui;
	const struct libhwui *hwui;
	unsigned int (*swap)(void *display, void *surface, const int *rects, int n);
	int (*fence_forever)(void *fence, const char *name);
	int (*sync_wait)(int fd, int timeout_ms);
};

extern struct api api;

/* Those that depend on the layout from the folder, the others from beside the program. */
void api_load(const char *folder);

#endif
