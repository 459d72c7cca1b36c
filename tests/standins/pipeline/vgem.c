// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Fences of the vgem driver, and what a sync_file tells: plain ioctls, no state of their own. */
#include "standins/pipeline/vgem.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "standins/pipeline/uapi.h"

#define FENCE_MEMBERS_MAX 8
#define DRM_CARDS_MAX 8

int drm_open(const char *driver)
{
	for (int i = 0; i < DRM_CARDS_MAX; i++) {
		char path[32], name[32] = "";
		struct uapi_version version = { .name = name, .name_len = sizeof(name) - 1 };
		int fd;

		snprintf(path, sizeof(path), "/dev/dri/card%d", i);
		fd = open(path, O_RDWR | O_CLOEXEC);
		if (fd < 0)
			continue;
		if (!ioctl(fd, UAPI_VERSION, &version) && !strcmp(name, driver))
			return fd;
		close(fd);
	}
	return -ENODEV;
}

/*
 * The name of a sync_file that was given none tells the identity of its fence: "driver-timeline"
 * and then, without anything between, "context-seqno". It may be cut.
 */
static bool fence_identity(const char *name, const char *driver, const char *timeline,
			   uint64_t *context, uint64_t *seqno)
{
	size_t before = strlen(driver) + 1 + strlen(timeline);
	char prefix[80];
	char *end;

	snprintf(prefix, sizeof(prefix), "%s-%s", driver, timeline);
	if (strncmp(name, prefix, before) != 0 || strlen(name) == 31)
		return false;
	*context = strtoull(name + before, &end, 10);
	if (end == name + before || *end != '-')
		return false;
	name = end + 1;
	*seqno = strtoull(name, &end, 10);
	return end != name && !*end;
}

int fence_look(int fd, struct fence_info *info)
{
	struct sync_fence_info fences[FENCE_MEMBERS_MAX] = { 0 };
	struct sync_file_info file = {
		.num_fences = FENCE_MEMBERS_MAX,
		.sync_fence_info = (uintptr_t)fences,
	};

	memset(info, 0, sizeof(*info));
	if (ioctl(fd, SYNC_IOC_FILE_INFO, &file))
		return -errno;
	info->nr = file.num_fences;
	info->signalled = file.status != 0;
	for (unsigned i = 0; i < info->nr; i++) {
		if (fences[i].timestamp_ns > info->signal_ns)
			info->signal_ns = fences[i].timestamp_ns;
	}
	if (info->nr == 1) {
		memcpy(info->driver, fences[0].driver_name, sizeof(info->driver) - 1);
		memcpy(info->timeline, fences[0].obj_name, sizeof(info->timeline) - 1);
	} else {
		snprintf(info->driver, sizeof(info->driver), "dma_fence_array");
		snprintf(info->timeline, sizeof(info->timeline), "unbound");
	}
	info->has_identity = fence_identity(file.name, info->driver, info->timeline, &info->context,
					    &info->seqno);
	return 0;
}

int fence_merge(int a, int b)
{
	struct sync_merge_data data = { .fd2 = b };

	if (ioctl(a, SYNC_IOC_MERGE, &data))
		return -errno;
	return data.fence;
}

int vgem_make(struct vgem *v, uint32_t *id)
{
	struct uapi_dumb dumb = { .width = 16, .height = 16, .bpp = 32 };
	struct uapi_gem_close gem = { 0 };
	struct uapi_vgem_attach attach = { .flags = UAPI_VGEM_WRITE };
	struct uapi_prime_handle prime = { .flags = O_CLOEXEC | O_RDWR, .fd = -1 };
	struct uapi_export_sync_file export = { .flags = UAPI_SYNC_READ };
	int err = 0;

	if (ioctl(v->fd, UAPI_CREATE_DUMB, &dumb))
		return -errno;
	gem.handle = attach.handle = prime.handle = dumb.handle;
	if (ioctl(v->fd, UAPI_VGEM_ATTACH, &attach) || ioctl(v->fd, UAPI_HANDLE_TO_FD, &prime)) {
		err = -errno;
		goto out;
	}
	*id = attach.fence;
	if (!v->sync_files) {
		ioctl(v->fd, UAPI_GEM_CLOSE, &gem);
		return prime.fd;
	}
	if (ioctl(prime.fd, UAPI_EXPORT_SYNC_FILE, &export))
		err = -errno;
out:
	if (prime.fd >= 0)
		close(prime.fd);
	ioctl(v->fd, UAPI_GEM_CLOSE, &gem);
	return err ? err : export.fd;
}

int vgem_signal(const struct vgem *v, uint32_t id)
{
	struct uapi_vgem_signal signal = { .fence = id };

	return ioctl(v->fd, UAPI_VGEM_SIGNAL, &signal) ? -errno : 0;
}

int vgem_open(struct vgem *v, bool sync_files)
{
	uint32_t id;
	int fence;

	v->sync_files = sync_files;
	v->fd = drm_open("vgem");
	if (v->fd < 0)
		return v->fd;
	fence = vgem_make(v, &id);
	if (fence < 0) {
		close(v->fd);
		return fence;
	}
	close(fence);
	return vgem_signal(v, id);
}
