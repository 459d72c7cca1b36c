// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The display: finds its parts, lights it, and commits frames; all by atomic mode setting. */
#include "standins/pipeline/display.h"

#include <errno.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "standins/pipeline/uapi.h"
#include "standins/pipeline/vgem.h"

#define DISPLAY_IDS_MAX 32
#define DISPLAY_PROPS_MAX 64
#define DISPLAY_SETS_MAX 16
#define DISPLAY_TRIES 500

/* A commit that is put together. */
struct display_commit {
	uint32_t objects[3], nr_props[3];
	unsigned nr_objects;
	uint32_t props[DISPLAY_SETS_MAX];
	uint64_t values[DISPLAY_SETS_MAX];
	unsigned nr;
};

/* A property of an object by its name: its number and, if asked for, its value. 0 without it. */
static uint32_t display_prop(const struct display *d, uint32_t id, uint32_t type, const char *name,
			     uint64_t *value)
{
	uint32_t props[DISPLAY_PROPS_MAX];
	uint64_t values[DISPLAY_PROPS_MAX];
	struct uapi_object object = {
		.props = (uintptr_t)props,
		.values = (uintptr_t)values,
		.nr_props = DISPLAY_PROPS_MAX,
		.id = id,
		.type = type,
	};

	if (ioctl(d->fd, UAPI_GET_OBJECT, &object) || object.nr_props > DISPLAY_PROPS_MAX)
		return 0;
	for (uint32_t i = 0; i < object.nr_props; i++) {
		struct uapi_property prop = { .id = props[i] };

		if (ioctl(d->fd, UAPI_GET_PROPERTY, &prop) || strcmp(prop.name, name) != 0)
			continue;
		if (value)
			*value = values[i];
		return props[i];
	}
	return 0;
}

/* The values of one object must follow each other. A property that is missing makes it fail. */
static void display_set(const struct display *d, struct display_commit *c, uint32_t id,
			uint32_t type, const char *name, uint64_t value)
{
	if (!c->nr_objects || c->objects[c->nr_objects - 1] != id) {
		c->objects[c->nr_objects] = id;
		c->nr_props[c->nr_objects++] = 0;
	}
	c->nr_props[c->nr_objects - 1]++;
	c->props[c->nr] = display_prop(d, id, type, name, NULL);
	c->values[c->nr++] = value;
}

static int display_commit(const struct display *d, struct display_commit *c, uint32_t flags)
{
	struct uapi_atomic atomic = {
		.flags = flags,
		.nr_objects = c->nr_objects,
		.objects = (uintptr_t)c->objects,
		.nr_props = (uintptr_t)c->nr_props,
		.props = (uintptr_t)c->props,
		.values = (uintptr_t)c->values,
	};

	return ioctl(d->fd, UAPI_ATOMIC, &atomic) ? -errno : 0;
}

static int display_fb(const struct display *d, const struct uapi_mode *mode, uint32_t *id)
{
	struct uapi_dumb dumb = {
		.width = mode->hdisplay,
		.height = mode->vdisplay,
		.bpp = 32,
	};
	struct uapi_fb fb = {
		.width = mode->hdisplay,
		.height = mode->vdisplay,
		.format = UAPI_XRGB8888,
	};

	if (ioctl(d->fd, UAPI_CREATE_DUMB, &dumb))
		return -errno;
	fb.handles[0] = dumb.handle;
	fb.pitches[0] = dumb.pitch;
	if (ioctl(d->fd, UAPI_ADD_FB, &fb))
		return -errno;
	*id = fb.id;
	return 0;
}

/* The primary plane. There is one per CRTC, and they are in the same order. */
static int display_find_plane(struct display *d)
{
	uint32_t ids[DISPLAY_IDS_MAX];
	struct uapi_planes planes = { .planes = (uintptr_t)ids, .nr_planes = DISPLAY_IDS_MAX };

	if (ioctl(d->fd, UAPI_GET_PLANES, &planes))
		return -errno;
	for (uint32_t i = 0; i < planes.nr_planes && i < DISPLAY_IDS_MAX; i++) {
		uint64_t type = 0;

		if (display_prop(d, ids[i], UAPI_PLANE, "type", &type) &&
		    type == UAPI_PLANE_PRIMARY) {
			d->plane = ids[i];
			return 0;
		}
	}
	return -ENODEV;
}

/* The connector's smallest mode: nothing is drawn, but the host copies it. */
static int display_find_mode(const struct display *d, struct uapi_mode *mode)
{
	static struct uapi_mode modes[128];
	struct uapi_connector connector = { .connector = d->connector };
	const struct uapi_mode *best = modes;

	/* The first one makes the kernel ask the display, the second one fetches. */
	if (ioctl(d->fd, UAPI_GET_CONNECTOR, &connector))
		return -errno;
	connector = (struct uapi_connector){
		.connector = d->connector,
		.modes = (uintptr_t)modes,
		.nr_modes = 128,
	};
	if (ioctl(d->fd, UAPI_GET_CONNECTOR, &connector))
		return -errno;
	if (!connector.nr_modes || connector.nr_modes > 128)
		return -ENODEV;
	for (uint32_t i = 1; i < connector.nr_modes; i++) {
		if ((unsigned)modes[i].hdisplay * modes[i].vdisplay <
		    (unsigned)best->hdisplay * best->vdisplay)
			best = &modes[i];
	}
	*mode = *best;
	return 0;
}

static int display_find(struct display *d, struct uapi_mode *mode)
{
	uint32_t crtcs[DISPLAY_IDS_MAX], connectors[DISPLAY_IDS_MAX];
	struct uapi_resources res = {
		.crtcs = (uintptr_t)crtcs,
		.connectors = (uintptr_t)connectors,
		.nr_crtcs = DISPLAY_IDS_MAX,
		.nr_connectors = DISPLAY_IDS_MAX,
	};
	int err;

	if (ioctl(d->fd, UAPI_GET_RESOURCES, &res))
		return -errno;
	if (!res.nr_crtcs || !res.nr_connectors)
		return -ENODEV;
	d->crtc = crtcs[0];
	d->connector = connectors[0];
	err = display_find_plane(d);
	return err ? err : display_find_mode(d, mode);
}

static int display_light(struct display *d, const struct uapi_mode *mode)
{
	struct uapi_blob blob = { .data = (uintptr_t)mode, .length = sizeof(*mode) };
	uint64_t width = mode->hdisplay, height = mode->vdisplay;
	struct display_commit c = { 0 };

	if (ioctl(d->fd, UAPI_CREATE_BLOB, &blob))
		return -errno;
	display_set(d, &c, d->connector, UAPI_CONNECTOR, "CRTC_ID", d->crtc);
	display_set(d, &c, d->crtc, UAPI_CRTC, "MODE_ID", blob.id);
	display_set(d, &c, d->crtc, UAPI_CRTC, "ACTIVE", 1);
	display_set(d, &c, d->plane, UAPI_PLANE, "FB_ID", d->fbs[0]);
	display_set(d, &c, d->plane, UAPI_PLANE, "CRTC_ID", d->crtc);
	display_set(d, &c, d->plane, UAPI_PLANE, "SRC_X", 0);
	display_set(d, &c, d->plane, UAPI_PLANE, "SRC_Y", 0);
	display_set(d, &c, d->plane, UAPI_PLANE, "SRC_W", width << 16);
	display_set(d, &c, d->plane, UAPI_PLANE, "SRC_H", height << 16);
	display_set(d, &c, d->plane, UAPI_PLANE, "CRTC_X", 0);
	display_set(d, &c, d->plane, UAPI_PLANE, "CRTC_Y", 0);
	display_set(d, &c, d->plane, UAPI_PLANE, "CRTC_W", width);
	display_set(d, &c, d->plane, UAPI_PLANE, "CRTC_H", height);
	return display_commit(d, &c, UAPI_MODESET);
}

int display_open(struct display *d)
{
	const struct uapi_client_cap caps[] = {
		{ UAPI_CAP_UNIVERSAL_PLANES, 1 },
		{ UAPI_CAP_ATOMIC, 1 },
	};
	struct uapi_mode mode;
	int err;

	memset(d, 0, sizeof(*d));
	d->fd = drm_open("virtio_gpu");
	if (d->fd < 0)
		return d->fd;
	if (ioctl(d->fd, UAPI_CLIENT_CAP, &caps[0]) || ioctl(d->fd, UAPI_CLIENT_CAP, &caps[1]))
		err = -errno;
	else
		err = display_find(d, &mode);
	for (int i = 0; i < 2 && !err; i++)
		err = display_fb(d, &mode, &d->fbs[i]);
	if (!err)
		err = display_light(d, &mode);
	d->fb_prop = display_prop(d, d->plane, UAPI_PLANE, "FB_ID", NULL);
	d->out_fence_prop = display_prop(d, d->crtc, UAPI_CRTC, "OUT_FENCE_PTR", NULL);
	if (!err && (!d->fb_prop || !d->out_fence_prop))
		err = -ENODEV;
	if (err)
		close(d->fd);
	return err;
}

/* While it shows a buffer it is busy; each try uses up a number of the context. */
int display_make(struct display *d)
{
	const struct timespec pause = { .tv_nsec = 2000000 };
	int32_t fence = -1;
	struct display_commit c = {
		.objects = { d->plane, d->crtc },
		.nr_props = { 1, 1 },
		.nr_objects = 2,
		.props = { d->fb_prop, d->out_fence_prop },
		.values = { d->fbs[++d->turn % 2], (uintptr_t)&fence },
		.nr = 2,
	};
	int err;

	for (int i = 0; i < DISPLAY_TRIES; i++) {
		err = display_commit(d, &c, UAPI_NONBLOCK);
		if (err != -EBUSY)
			break;
		nanosleep(&pause, NULL);
	}
	return err ? err : fence;
}
