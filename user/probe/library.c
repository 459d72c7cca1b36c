/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Finds libraries. One may be reached by many paths and mapped by many processes. */
#include "probe/library.h"

#include <errno.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <uthash.h>

#include "base/libname.h"
#include "base/log.h"
#include "probe/apk.h"
#include "probe/proc.h"

#define IN_APK "!/"

/*
 * Where a library may lie that no watched process has mapped yet: Android's places and this
 * distribution's. Several may be one directory (/lib is often /usr/lib), and an APEX is mounted in
 * two.
 */
static const char *const usual_dirs[] = {
	/* Android */
	"/system/lib64",
	"/system_ext/lib64",
	"/product/lib64",
	"/vendor/lib64",
	"/vendor/lib64/egl",
	"/vendor/lib64/hw",
	"/odm/lib64",
	"/apex/*/lib64",
/* multiarch distributions (Debian and its kin), then the others */
#if defined(__x86_64__)
	"/lib/x86_64-linux-gnu",
	"/usr/lib/x86_64-linux-gnu",
	"/usr/local/lib/x86_64-linux-gnu",
#elif defined(__aarch64__)
	"/lib/aarch64-linux-gnu",
	"/usr/lib/aarch64-linux-gnu",
	"/usr/local/lib/aarch64-linux-gnu",
#endif
	"/lib64",
	"/usr/lib64",
	"/usr/local/lib64",
	"/lib",
	"/usr/lib",
	"/usr/local/lib",
	NULL,
};

struct library_set {
	struct library_id id;
	UT_hash_handle hh;
};

int library_set_add(struct library_set **set, const struct library_id *id)
{
	struct library_set *s;

	HASH_FIND(hh, *set, id, sizeof(*id), s);
	if (s)
		return 0;
	s = calloc(1, sizeof(*s));
	if (!s)
		return -ENOMEM;
	s->id = *id;
	HASH_ADD(hh, *set, id, sizeof(s->id), s);
	return 1;
}

void library_set_free(struct library_set **set)
{
	struct library_set *s, *next;

	for (s = *set; s; s = next) {
		next = s->hh.next;
		HASH_DEL(*set, s);
		free(s);
	}
}

/* A search through the mappings of a process. */
struct mapped {
	library_fn fn;
	void *ctx;
	struct apk *apk; /* the one opened last */
	struct library_id apk_id;
	struct library_set *bad; /* that could not be read */
};

static int open_apk(struct mapped *m, const struct proc_map *map)
{
	const struct library_id id = { .dev = map->dev, .ino = map->ino };
	struct err e = { 0 };

	if (m->apk && m->apk_id.dev == id.dev && m->apk_id.ino == id.ino)
		return 0;
	apk_close(m->apk);
	m->apk = NULL;
	m->apk_id = id;
	int ret = apk_open(map->path, &m->apk, &e);
	if (ret && library_set_add(&m->bad, &id) == 1)
		log_debug("%s", e.what);
	return ret;
}

static int hand_out_entry(const struct mapped *m, const struct library_id *file, const char *path,
			  const char *name, const struct apk_entry *entry)
{
	char *full;

	if (asprintf(&full, "%s" IN_APK "%s", name, entry->name) < 0)
		return -ENOMEM;
	const struct library lib = {
		.id = { .dev = file->dev, .ino = file->ino, .base = entry->offset },
		.size = entry->size,
		.path = path,
		.name = full,
	};
	int ret = m->fn(m->ctx, &lib);
	free(full);
	return ret;
}

static int on_map(void *ctx, const struct proc_map *map)
{
	struct mapped *m = ctx;
	const struct library lib = {
		.id = { .dev = map->dev, .ino = map->ino },
		.path = map->path,
		.name = map->name,
	};
	struct apk_entry entry;

	if (!apk_is_named(map->name))
		return m->fn(m->ctx, &lib);
	if (open_apk(m, map) || apk_entry_at(m->apk, map->offset, &entry))
		return 0;
	return hand_out_entry(m, &lib.id, map->path, map->name, &entry);
}

int library_each_mapped(pid_t pid, library_fn fn, void *ctx)
{
	struct mapped m = { .fn = fn, .ctx = ctx };
	int ret = proc_each_map(pid, on_map, &m);

	apk_close(m.apk);
	library_set_free(&m.bad);
	return ret;
}

/* A library is named as the processes that map it see it, not by a link that led to it. */
static int file_at(const char *path, char real[PATH_MAX], struct library *lib)
{
	struct stat st;

	if (!realpath(path, real) || stat(real, &st))
		return -errno;
	if (!S_ISREG(st.st_mode))
		return S_ISDIR(st.st_mode) ? -EISDIR : -EINVAL;
	*lib = (struct library){
		.id = { .dev = st.st_dev, .ino = st.st_ino },
		.path = real,
		.name = real,
	};
	return 0;
}

/* "file" IN_APK "entry": where the second part begins, or NULL. The file's name ends with .apk. */
static const char *entry_of(const char *path, char file[PATH_MAX])
{
	for (const char *at = path; (at = strstr(at, IN_APK)); at++) {
		int n = snprintf(file, PATH_MAX, "%.*s", (int)(at - path), path);

		if (n < PATH_MAX && apk_is_named(file))
			return at + strlen(IN_APK);
	}
	return NULL;
}

int library_at(const char *path, library_fn fn, void *ctx, struct err *e)
{
	char file[PATH_MAX], real[PATH_MAX];
	const char *name = entry_of(path, file);
	struct mapped m = { .fn = fn, .ctx = ctx };
	struct apk_entry entry;
	struct library lib;
	struct apk *apk;
	int ret;

	ret = file_at(name ? file : path, real, &lib);
	if (ret) {
		err_errno(e, ret, "cannot probe %s", path);
		return err_hint(e, "the path of an existing library or program");
	}
	if (!name)
		return fn(ctx, &lib);
	ret = apk_open(real, &apk, e);
	if (ret)
		return ret;
	ret = apk_entry_named(apk, name, &entry, e);
	if (!ret)
		ret = hand_out_entry(&m, &lib.id, real, real, &entry);
	apk_close(apk);
	return ret;
}

int library_each_usual(const char *name, library_fn fn, void *ctx)
{
	int ret = 0;

	for (const char *const *dir = usual_dirs; *dir && !ret; dir++) {
		char pattern[512];
		glob_t found;

		snprintf(pattern, sizeof(pattern), "%s/%s*", *dir, name);
		if (glob(pattern, 0, NULL, &found))
			continue;
		for (size_t i = 0; i < found.gl_pathc && !ret; i++) {
			char real[PATH_MAX];
			struct library lib;

			if (libname_matches(name, found.gl_pathv[i]) &&
			    !file_at(found.gl_pathv[i], real, &lib))
				ret = fn(ctx, &lib);
		}
		globfree(&found);
	}
	return ret;
}

void library_usual_paths(void (*fn)(void *ctx, const char *path), void *ctx)
{
	for (const char *const *dir = usual_dirs; *dir; dir++) {
		char pattern[512];
		glob_t found;

		snprintf(pattern, sizeof(pattern), "%s/*.so*", *dir);
		if (glob(pattern, 0, NULL, &found))
			continue;
		for (size_t i = 0; i < found.gl_pathc; i++)
			fn(ctx, found.gl_pathv[i]);
		globfree(&found);
	}
}

static bool same_file(const char *path, const struct library *lib)
{
	struct stat st;

	return !stat(path, &st) && st.st_dev == lib->id.dev && st.st_ino == lib->id.ino;
}

bool library_matches(const char *wanted, const struct library *lib)
{
	char file[PATH_MAX];

	if (!strchr(wanted, '/'))
		return libname_matches(wanted, lib->name);
	const char *entry = entry_of(wanted, file);
	if (!entry)
		return !lib->size && same_file(wanted, lib);
	size_t len = strlen(lib->name), tail = strlen(entry) + strlen(IN_APK);

	return lib->size && len > tail && same_file(file, lib) &&
	       !strncmp(lib->name + len - tail, IN_APK, strlen(IN_APK)) &&
	       !strcmp(lib->name + len - strlen(entry), entry);
}

int library_open(const struct library *lib, struct elf_file **out, struct err *e)
{
	return elf_file_open_part(lib->path, lib->id.base, lib->size, out, e);
}
