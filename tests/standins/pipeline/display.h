/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Fences that the kernel signals: out-fences of a virtual display (virtio_gpu). Every commit of a
 * frame gives one, all of them in the context of its CRTC, and it is signalled when the frame is
 * shown; these are what Android's composer hands on as release fences. They are sync_files on every
 * kernel.
 */
#ifndef TESTS_PIPELINE_DISPLAY_H
#define TESTS_PIPELINE_DISPLAY_H

#include <stdint.h>

struct display {
	int fd;
	uint32_t crtc, connector, plane;
	uint32_t fbs[2];
	unsigned turn;
	uint32_t fb_prop, out_fence_prop;
};

/* Lights the display of virtio_gpu. 0 or -errno; -ENODEV if there is none. */
int display_open(struct display *d);

/* Shows the other buffer: the descriptor of the fence of that. */
int display_make(struct display *d);

#endif
