/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A zip file ends with a directory, and that with a record that says where it begins. Each entry of
 * the directory points to a header before the contents, whose length only that header tells.
 */
#include "probe/apk.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"

#define END_SIGNATURE 0x06054b50u
#define END_SIZE 22
#define COMMENT_MAX 0xffff /* what may follow the record at the end */
#define ENTRY_SIGNATURE 0x02014b50u
#define ENTRY_SIZE 46
#define LOCAL_SIGNATURE 0x04034b50u
#define LOCAL_SIZE 30
#define STORED 0

#define DIRECTORY_MAX (64u << 20) /* bytes; the largest apps have some 5 MiB */

struct apk {
	int fd;
	char *path;
	uint64_t size;
	unsigned char *directory;
	size_t directory_len;
};

/* One entry as the directory has it. */
struct listed {
	const char *name; /* not terminated */
	size_t name_len;
	unsigned method;
	uint64_t packed, size;
	uint64_t header;
};

static unsigned get16(const unsigned char *at)
{
	return at[0] | (unsigned)at[1] << 8;
}

static uint32_t get32(const unsigned char *at)
{
	return get16(at) | (uint32_t)get16(at + 2) << 16;
}

bool apk_is_named(const char *path)
{
	size_t len = strlen(path);

	return len > 4 && !strcmp(path + len - 4, ".apk");
}

/* Exactly len bytes from `offset` on: false if the file does not have them. */
static bool read_at(const struct apk *a, void *buf, size_t len, uint64_t offset)
{
	size_t done = 0;

	if (offset > a->size || len > a->size - offset)
		return false;
	while (done < len) {
		ssize_t n = pread(a->fd, (char *)buf + done, len - done, (off_t)(offset + done));

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		done += (size_t)n;
	}
	return true;
}

/* The record at the end: where the directory is. */
static bool find_directory(const struct apk *a, uint64_t *offset, uint64_t *len)
{
	size_t tail = a->size < END_SIZE + COMMENT_MAX ? (size_t)a->size : END_SIZE + COMMENT_MAX;
	unsigned char *buf = malloc(tail + 1);
	bool found = false;

	if (buf && tail >= END_SIZE && read_at(a, buf, tail, a->size - tail)) {
		for (size_t i = tail - END_SIZE + 1; i-- && !found;) {
			/* its comment ends with the file, or these bytes are part of one */
			if (get32(buf + i) != END_SIGNATURE ||
			    i + END_SIZE + get16(buf + i + 20) != tail)
				continue;
			*len = get32(buf + i + 12);
			*offset = get32(buf + i + 16);
			found = true;
		}
	}
	free(buf);
	return found && *len <= a->size && *offset <= a->size - *len;
}

static int read_directory(struct apk *a)
{
	uint64_t offset, len;

	if (!find_directory(a, &offset, &len))
		return -EBADMSG;
	if (len > DIRECTORY_MAX)
		return -EFBIG;
	a->directory = malloc(len + 1);
	if (!a->directory)
		return -ENOMEM;
	a->directory_len = len;
	return read_at(a, a->directory, len, offset) ? 0 : -EBADMSG;
}

int apk_open(const char *path, struct apk **out, struct err *e)
{
	struct apk *a = calloc(1, sizeof(*a));
	struct stat st;
	int ret;

	if (!a)
		return err_errno(e, -ENOMEM, "cannot read %s", path);
	a->path = strdup(path);
	/* O_NONBLOCK: the open of a FIFO must not wait for its writer */
	a->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (!a->path || a->fd < 0 || fstat(a->fd, &st)) {
		ret = err_errno(e, a->path ? -errno : -ENOMEM, "cannot open %s", path);
		goto fail;
	}
	a->size = S_ISREG(st.st_mode) ? (uint64_t)st.st_size : 0;
	ret = read_directory(a);
	if (ret == -EBADMSG) {
		err_set(e, ret, "%s is not a zip file that can be read", path);
		err_hint(e, "a whole APK of less than 4 GiB");
	} else if (ret) {
		err_errno(e, ret, "cannot read %s", path);
	}
	if (ret)
		goto fail;
	*out = a;
	return 0;
fail:
	apk_close(a);
	return ret;
}

void apk_close(struct apk *a)
{
	if (!a)
		return;
	if (a->fd >= 0)
		close(a->fd);
	free(a->directory);
	free(a->path);
	free(a);
}

/* The entry at *at of the directory; moves past it. False at the end, or at what is no entry. */
static bool next_entry(const struct apk *a, size_t *at, struct listed *l)
{
	const unsigned char *p = a->directory + *at;
	size_t room = a->directory_len - *at;

	if (room < ENTRY_SIZE || get32(p) != ENTRY_SIGNATURE)
		return false;
	size_t name_len = get16(p + 28);
	size_t len = ENTRY_SIZE + name_len + get16(p + 30) + get16(p + 32);
	if (len > room)
		return false;
	*l = (struct listed){
		.name = (const char *)p + ENTRY_SIZE,
		.name_len = name_len,
		.method = get16(p + 10),
		.packed = get32(p + 20),
		.size = get32(p + 24),
		.header = get32(p + 42),
	};
	*at += len;
	return true;
}

/* Where the contents of a stored entry are; false if they do not lie in the file. */
static bool locate(const struct apk *a, const struct listed *l, struct apk_entry *entry)
{
	unsigned char header[LOCAL_SIZE];

	if (l->method != STORED || l->packed != l->size || l->name_len >= sizeof(entry->name) ||
	    !read_at(a, header, sizeof(header), l->header) || get32(header) != LOCAL_SIGNATURE)
		return false;
	entry->offset = l->header + LOCAL_SIZE + get16(header + 26) + get16(header + 28);
	entry->size = l->size;
	if (entry->offset > a->size || entry->size > a->size - entry->offset)
		return false;
	memcpy(entry->name, l->name, l->name_len);
	entry->name[l->name_len] = '\0';
	return strlen(entry->name) == l->name_len;
}

int apk_entry_at(const struct apk *a, uint64_t at, struct apk_entry *entry)
{
	struct listed l, last = { .header = 0 };
	bool found = false;

	/* Contents are behind their header: the last header before the place is the one. */
	for (size_t i = 0; next_entry(a, &i, &l);) {
		if (l.header > at || (found && l.header < last.header))
			continue;
		last = l;
		found = true;
	}
	if (!found || !locate(a, &last, entry) || at < entry->offset ||
	    at - entry->offset >= entry->size)
		return -ENOENT;
	return 0;
}

static int no_entry(const struct apk *a, const char *name, struct err *e)
{
	char near[APK_NAME_MAX] = "";
	unsigned best = UINT_MAX;
	struct listed l;

	for (size_t i = 0; next_entry(a, &i, &l);) {
		char other[128];

		/* few others end like a library, and those have short names */
		if (l.name_len >= sizeof(other) || l.name_len < 3 ||
		    memcmp(l.name + l.name_len - 3, ".so", 3) != 0)
			continue;
		memcpy(other, l.name, l.name_len);
		other[l.name_len] = '\0';
		unsigned distance = text_distance(name, other);
		if (distance < best) {
			best = distance;
			text_escape(near, sizeof(near), other, l.name_len);
		}
	}
	err_set(e, -ENOENT, "there is no %s in %s", name, a->path);
	if (*near)
		return err_hint(e, "%s!/%s", a->path, near);
	return err_hint(e, "another APK of the app: there are no libraries in this one");
}

int apk_entry_named(const struct apk *a, const char *name, struct apk_entry *entry, struct err *e)
{
	size_t len = strlen(name);
	struct listed l;

	for (size_t i = 0; next_entry(a, &i, &l);) {
		if (l.name_len != len || memcmp(l.name, name, len) != 0)
			continue;
		if (l.method != STORED) {
			err_set(e, -ENOTSUP, "%s is compressed in %s, so no process maps it there",
				name, a->path);
			return err_hint(e, "the copy that was extracted from it, in lib/ beside "
					   "the APK; or an APK built with extractNativeLibs "
					   "(useLegacyPackaging) false");
		}
		if (!locate(a, &l, entry))
			return err_set(e, -EBADMSG, "%s does not lie whole in %s", name, a->path);
		return 0;
	}
	return no_entry(a, name, e);
}
