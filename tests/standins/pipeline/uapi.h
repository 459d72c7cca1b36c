/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What the kernel lets user space do with fences: make and signal them with vgem, get them from a
 * display's atomic commits, look into a sync_file. The structures and numbers are those of the
 * kernel's include/uapi/drm/{drm,drm_mode,vgem_drm}.h and include/uapi/linux/dma-buf.h, under names
 * of their own: not every build machine has those headers, or has them new enough.
 */
#ifndef TESTS_PIPELINE_UAPI_H
#define TESTS_PIPELINE_UAPI_H

#include <linux/sync_file.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/ioctl.h>

/* drm.h */
struct uapi_version {
	int major, minor, patch;
	size_t name_len;
	char *name;
	size_t date_len;
	char *date;
	size_t desc_len;
	char *desc;
};

struct uapi_gem_close {
	uint32_t handle;
	uint32_t pad;
};

struct uapi_client_cap {
	uint64_t capability;
	uint64_t value;
};

struct uapi_prime_handle {
	uint32_t handle;
	uint32_t flags;
	int32_t fd;
};

#define UAPI_VERSION _IOWR('d', 0x00, struct uapi_version)
#define UAPI_GEM_CLOSE _IOW('d', 0x09, struct uapi_gem_close)
#define UAPI_CLIENT_CAP _IOW('d', 0x0d, struct uapi_client_cap)
#define UAPI_HANDLE_TO_FD _IOWR('d', 0x2d, struct uapi_prime_handle)
#define UAPI_CAP_UNIVERSAL_PLANES 2
#define UAPI_CAP_ATOMIC 3

/* vgem_drm.h */
struct uapi_vgem_attach {
	uint32_t handle;
	uint32_t flags;
	uint32_t fence; /* out */
	uint32_t pad;
};

struct uapi_vgem_signal {
	uint32_t fence;
	uint32_t flags;
};

#define UAPI_VGEM_ATTACH _IOWR('d', 0x41, struct uapi_vgem_attach)
#define UAPI_VGEM_SIGNAL _IOW('d', 0x42, struct uapi_vgem_signal)
#define UAPI_VGEM_WRITE 1

/* dma-buf.h, since Linux 6.0 */
struct uapi_export_sync_file {
	uint32_t flags;
	int32_t fd;
};

#define UAPI_EXPORT_SYNC_FILE _IOWR('b', 2, struct uapi_export_sync_file)
#define UAPI_SYNC_READ 1 /* waits for who writes, as POLLIN does */

/* drm_mode.h */
struct uapi_mode {
	uint32_t clock;
	uint16_t hdisplay, hsync_start, hsync_end, htotal, hskew;
	uint16_t vdisplay, vsync_start, vsync_end, vtotal, vscan;
	uint32_t vrefresh;
	uint32_t flags;
	uint32_t type;
	char name[32];
};

struct uapi_resources {
	uint64_t fbs, crtcs, connectors, encoders; /* addresses of arrays */
	uint32_t nr_fbs, nr_crtcs, nr_connectors, nr_encoders;
	uint32_t min_width, max_width, min_height, max_height;
};

struct uapi_connector {
	uint64_t encoders, modes, props, values;
	uint32_t nr_modes, nr_props, nr_encoders;
	uint32_t encoder, connector, type, type_id, connection;
	uint32_t mm_width, mm_height, subpixel, pad;
};

struct uapi_planes {
	uint64_t planes;
	uint32_t nr_planes;
};

struct uapi_object {
	uint64_t props, values;
	uint32_t nr_props;
	uint32_t id, type;
};

struct uapi_property {
	uint64_t values, enums;
	uint32_t id, flags;
	char name[32];
	uint32_t nr_values, nr_enums;
};

struct uapi_dumb {
	uint32_t height, width, bpp, flags;
	uint32_t handle, pitch; /* out */
	uint64_t size;
};

struct uapi_fb {
	uint32_t id, width, height, format, flags;
	uint32_t handles[4], pitches[4], offsets[4];
	uint64_t modifiers[4];
};

struct uapi_blob {
	uint64_t data;
	uint32_t length;
	uint32_t id; /* out */
};

struct uapi_atomic {
	uint32_t flags;
	uint32_t nr_objects;
	uint64_t objects, nr_props, props, values;
	uint64_t reserved, user_data;
};

#define UAPI_GET_RESOURCES _IOWR('d', 0xa0, struct uapi_resources)
#define UAPI_GET_CONNECTOR _IOWR('d', 0xa7, struct uapi_connector)
#define UAPI_GET_PROPERTY _IOWR('d', 0xaa, struct uapi_property)
#define UAPI_CREATE_DUMB _IOWR('d', 0xb2, struct uapi_dumb)
#define UAPI_GET_PLANES _IOWR('d', 0xb5, struct uapi_planes)
#define UAPI_ADD_FB _IOWR('d', 0xb8, struct uapi_fb)
#define UAPI_GET_OBJECT _IOWR('d', 0xb9, struct uapi_object)
#define UAPI_ATOMIC _IOWR('d', 0xbc, struct uapi_atomic)
#define UAPI_CREATE_BLOB _IOWR('d', 0xbd, struct uapi_blob)
#define UAPI_CRTC 0xccccccccu
#define UAPI_CONNECTOR 0xc0c0c0c0u
#define UAPI_PLANE 0xeeeeeeeeu
#define UAPI_PLANE_PRIMARY 1
#define UAPI_XRGB8888 0x34325258u /* "XR24" */
#define UAPI_NONBLOCK 0x200
#define UAPI_MODESET 0x400

#endif
