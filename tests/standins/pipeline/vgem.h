/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Fences that the program signals itself, made by the vgem driver: real dma-fences in the
 * reservation object of a buffer. Each has a context of its own, and the driver signals it after
 * 10 s if nobody else does. They are had as sync_files from Linux 6.0 on; on older kernels the
 * buffer's descriptor stands for its fence, as polling it waits for the same.
 */
#ifndef TESTS_PIPELINE_VGEM_H
#define TESTS_PIPELINE_VGEM_H

#include <stdbool.h>
#include <stdint.h>

/* What SYNC_IOC_FILE_INFO says. */
struct fence_info {
	char driver[32];
	char timeline[32];
	bool has_identity;
	uint64_t context; /* of the fence, or of the array around several */
	uint64_t seqno;
	unsigned nr; /* fences */
	bool signalled; /* all of them */
	uint64_t signal_ns; /* of the last one to be signalled */
};

struct vgem {
	int fd;
	bool sync_files;
};

/* The first card of that driver; -ENODEV if there is none. */
int drm_open(const char *driver);

/* Looks into a sync_file. 0 or -errno. */
int fence_look(int fd, struct fence_info *info);

/* A new sync_file of both. It gets no name, so that the kernel makes one. */
int fence_merge(int a, int b);

/* With sync_files it must give such; -ENOTTY if this kernel has no way to. */
int vgem_open(struct vgem *v, bool sync_files);

/* A fence on a new buffer: its descriptor, and in *id what vgem_signal() is given. */
int vgem_make(struct vgem *v, uint32_t *id);

int vgem_signal(const struct vgem *v, uint32_t id);

#endif
