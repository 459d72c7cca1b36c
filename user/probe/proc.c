/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Processes, threads and mapped files, from /proc. A process may end between any two reads, and it
 * chooses its own name and the names of the files that it maps.
 */
#include "probe/proc.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <linux/types.h>
#include <uthash.h>

#include <framescope/event.h>

#include "probe/apk.h"

/* What a failed open or read below /proc/PID says of the process. */
static int gone(int err)
{
	return err == ENOENT || err == ENOTDIR ? -ESRCH : -err;
}

static FILE *proc_open(pid_t pid, const char *file)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/%s", (int)pid, file);
	return fopen(path, "re");
}

int proc_comm(pid_t pid, char *comm)
{
	FILE *f = proc_open(pid, "comm");

	if (!f)
		return gone(errno);
	/* any byte but NUL may be in a name, newlines too; the kernel adds one at the end */
	size_t len = fread(comm, 1, FS_COMM_LEN, f);
	int ret = ferror(f) ? gone(errno) : len ? 0 : -ESRCH;
	fclose(f);
	if (ret)
		return ret;
	/* longer than a name can be: a kernel worker's, which has its work appended */
	if (len == FS_COMM_LEN || comm[len - 1] == '\n')
		len--;
	memset(comm + len, 0, FS_COMM_LEN - len);
	return 0;
}

int proc_argv0(pid_t pid, char *name, size_t len)
{
	char path[64];
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/cmdline", (int)pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return gone(errno);
	n = read(fd, name, len - 1);
	if (n < 0) {
		int err = gone(errno);

		close(fd);
		return err;
	}
	close(fd);
	name[n] = '\0';
	return 0;
}

/* One number of /proc/TID/status: 0, -ESRCH, or -ENODATA if there is no such line. */
static int status_number(pid_t tid, const char *key, uint64_t *value)
{
	FILE *f = proc_open(tid, "status");
	size_t key_len = strlen(key);
	char line[256];
	int ret;

	if (!f)
		return gone(errno);
	ret = -ENODATA;
	/* a name can't fake a line: the kernel escapes newlines in it here */
	while (ret == -ENODATA && fgets(line, sizeof(line), f)) {
		if (strncmp(line, key, key_len) != 0 || line[key_len] != ':')
			continue;
		const char *digits = line + key_len + 1 + strspn(line + key_len + 1, " \t");
		if (isdigit((unsigned char)*digits)) {
			*value = strtoull(digits, NULL, 10);
			ret = 0;
		}
	}
	if (ret && ferror(f))
		ret = gone(errno);
	fclose(f);
	return ret;
}

int proc_ids(pid_t tid, pid_t *tgid, pid_t *ppid)
{
	uint64_t group, parent;
	int ret = status_number(tid, "Tgid", &group);

	if (!ret)
		ret = status_number(tid, "PPid", &parent);
	if (ret)
		return ret == -ENODATA ? -ESRCH : ret;
	*tgid = (pid_t)group;
	*ppid = (pid_t)parent;
	return 0;
}

/* Call fn for every entry of `dir` that is a number. */
static int each_number(const char *dir, int (*fn)(void *ctx, pid_t id), void *ctx)
{
	DIR *d = opendir(dir);
	struct dirent *entry;
	int ret = 0;

	if (!d)
		return gone(errno);
	while (!ret && (entry = readdir(d))) {
		char *end;
		long id = strtol(entry->d_name, &end, 10);

		if (id > 0 && id <= INT_MAX && *end == '\0')
			ret = fn(ctx, (pid_t)id);
	}
	closedir(d);
	return ret;
}

int proc_each(int (*fn)(void *ctx, pid_t pid), void *ctx)
{
	return each_number("/proc", fn, ctx);
}

int proc_each_thread(pid_t pid, int (*fn)(void *ctx, pid_t tid), void *ctx)
{
	char dir[64];

	snprintf(dir, sizeof(dir), "/proc/%d/task", (int)pid);
	return each_number(dir, fn, ctx);
}

/* One line of /proc/PID/maps. */
struct mapping {
	pid_t pid;
	bool foreign; /* the process has a mount namespace of its own */
	unsigned long long start;
	unsigned long long end;
	uint64_t dev;
	uint64_t ino;
	uint64_t offset;
	char *name; /* within the line */
};

/* A file that was handed out. */
struct seen {
	struct {
		uint64_t dev;
		uint64_t ino;
		uint64_t offset;
	} id;
	UT_hash_handle hh;
};

/* The kernel writes a newline in a path as \012, and nothing else in another form. */
static void unescape_newlines(char *path)
{
	char *to = path;

	for (const char *from = path; *from; to++) {
		bool newline = !strncmp(from, "\\012", 4);

		*to = newline ? '\n' : *from;
		from += newline ? 4 : 1;
	}
	*to = '\0';
}

/* The number at *at, which must end with `stop`; moves past that. */
static bool take_number(const char **at, int base, char stop, unsigned long long *value)
{
	char *end;

	*value = strtoull(*at, &end, base);
	if (end == *at || *end != stop)
		return false;
	*at = end + 1;
	return true;
}

/*
 * Take a line apart: "start-end rights offset major:minor inode   path". False if it is not the
 * mapping of a file's code.
 */
static bool parse_mapping(char *line, struct mapping *m)
{
	unsigned long long offset, major, minor, ino;
	const char *at = line;

	line[strcspn(line, "\n")] = '\0';
	if (!take_number(&at, 16, '-', &m->start) || !take_number(&at, 16, ' ', &m->end))
		return false;
	const char *rights = at;
	at += strcspn(at, " ");
	bool executable = memchr(rights, 'x', (size_t)(at - rights)) != NULL;
	if (!*at++ || !take_number(&at, 16, ' ', &offset) || !take_number(&at, 16, ':', &major) ||
	    !take_number(&at, 16, ' ', &minor) || !take_number(&at, 10, ' ', &ino))
		return false;
	char *path = line + (at - line) + strspn(at, " ");
	if (!executable || ino == 0 || *path != '/')
		return false;
	/* shared memory under a name of its own: no file that others could find */
	if (!strncmp(path, "/memfd:", 7) || !strncmp(path, "/dev/zero", 9) ||
	    !strncmp(path, "/dev/ashmem", 11))
		return false;
	m->dev = makedev((unsigned)major, (unsigned)minor);
	m->ino = ino;
	m->offset = offset;
	m->name = path;
	unescape_newlines(m->name);
	return true;
}

/*
 * Find a path by which this process reaches the mapped file, and its identity as stat() tells it:
 * on overlayfs and btrfs the device in the maps is another one, so that only on the same device a
 * differing inode means that another file lies there now.
 */
static bool locate(struct mapping *m, char path[PATH_MAX], struct stat *st)
{
	static const char deleted[] = " (deleted)";
	size_t len = strlen(m->name), suffix = sizeof(deleted) - 1;
	int n;

	if (m->foreign)
		n = snprintf(path, PATH_MAX, "/proc/%d/root%s", (int)m->pid, m->name);
	else
		n = snprintf(path, PATH_MAX, "%s", m->name);
	if (n < PATH_MAX && !stat(path, st) && S_ISREG(st->st_mode) &&
	    (st->st_ino == m->ino || st->st_dev != m->dev))
		return true;

	/* removed, replaced or hidden: by the link to the mapping itself, which needs rights */
	snprintf(path, PATH_MAX, "/proc/%d/map_files/%llx-%llx", (int)m->pid, m->start, m->end);
	if (stat(path, st) || !S_ISREG(st->st_mode))
		return false;
	if (len > suffix && !strcmp(m->name + len - suffix, deleted))
		m->name[len - suffix] = '\0';
	return true;
}

/*
 * 1 if the file is new in the set, 0 if it was there, or -ENOMEM. Of an archive each place counts:
 * there may be a library at each.
 */
static int see(struct seen **set, const struct stat *st, const struct mapping *m)
{
	struct seen *s, key = { .id = { .dev = st->st_dev, .ino = st->st_ino } };

	if (apk_is_named(m->name))
		key.id.offset = m->offset;
	HASH_FIND(hh, *set, &key.id, sizeof(key.id), s);
	if (s)
		return 0;
	s = calloc(1, sizeof(*s));
	if (!s)
		return -ENOMEM;
	s->id = key.id;
	HASH_ADD(hh, *set, id, sizeof(s->id), s);
	return 1;
}

static bool foreign_mounts(pid_t pid)
{
	struct stat theirs, ours;
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/ns/mnt", (int)pid);
	return !stat(path, &theirs) && !stat("/proc/self/ns/mnt", &ours) &&
	       (theirs.st_ino != ours.st_ino || theirs.st_dev != ours.st_dev);
}

int proc_each_map(pid_t pid, int (*fn)(void *ctx, const struct proc_map *map), void *ctx)
{
	struct mapping m = { .pid = pid, .foreign = foreign_mounts(pid) };
	struct seen *set = NULL, *s, *tmp;
	char path[PATH_MAX], *line = NULL;
	FILE *f = proc_open(pid, "maps");
	size_t size = 0;
	struct stat st;
	int ret = 0;

	if (!f)
		return gone(errno);
	while (!ret && getline(&line, &size, f) >= 0) {
		if (!parse_mapping(line, &m) || !locate(&m, path, &st))
			continue;
		ret = see(&set, &st, &m);
		if (ret <= 0)
			continue;
		const struct proc_map map = {
			.dev = st.st_dev,
			.ino = st.st_ino,
			.offset = m.offset,
			.path = path,
			.name = m.name,
		};
		ret = fn(ctx, &map);
	}
	if (!ret && ferror(f))
		ret = gone(errno);
	HASH_ITER (hh, set, s, tmp) {
		HASH_DEL(set, s);
		free(s);
	}
	free(line);
	fclose(f);
	return ret;
}

static int count_thread(void *ctx, pid_t tid)
{
	(void)tid;
	++*(unsigned *)ctx;
	return 0;
}

int proc_lib_size(pid_t pid, uint64_t *kib)
{
	int ret = status_number(pid, "VmLib", kib);
	unsigned threads = 0;

	if (ret != -ENODATA)
		return ret;
	/* A zombie or a kernel thread; but a main thread may end before the others. */
	*kib = 0;
	ret = proc_each_thread(pid, count_thread, &threads);
	return ret || threads > 1 ? ret : -ESRCH;
}
