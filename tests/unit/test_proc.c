/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What is read from /proc, checked against processes, threads and mappings that the test makes. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linux/types.h>

#include <framescope/event.h>

#include "check.h"
#include "probe/proc.h"

static char dir[64];

static pid_t dead_pid(void)
{
	pid_t pid = fork();

	if (pid == 0)
		_exit(0);
	CU_ASSERT_FATAL(pid > 0);
	waitpid(pid, NULL, 0);
	return pid;
}

static void test_comm(void)
{
	static const char *const names[] = { "short", "fifteen bytes!!", "new\nline", "tail\n",
					     "" };
	char comm[FS_COMM_LEN];

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		prctl(PR_SET_NAME, names[i]);
		memset(comm, 'x', sizeof(comm));
		CU_ASSERT_EQUAL(proc_comm(getpid(), comm), 0);
		CU_ASSERT_STRING_EQUAL(comm, names[i]);
	}
	prctl(PR_SET_NAME, "a name longer than that");
	CU_ASSERT_EQUAL(proc_comm(getpid(), comm), 0);
	CU_ASSERT_STRING_EQUAL(comm, "a name longer t");
	prctl(PR_SET_NAME, "test_proc");
	CU_ASSERT_EQUAL(proc_comm(dead_pid(), comm), -ESRCH);
}

#define THREADS 3

static pthread_barrier_t started, finish;
static pid_t tids[THREADS + 1];

static void *thread_main(void *arg)
{
	*(pid_t *)arg = gettid();
	pthread_barrier_wait(&started);
	pthread_barrier_wait(&finish);
	return NULL;
}

struct ids {
	unsigned count;
	unsigned expected;
	pid_t stop_at;
};

static int count_tid(void *ctx, pid_t tid)
{
	struct ids *ids = ctx;

	ids->count++;
	for (int i = 0; i <= THREADS; i++)
		ids->expected += tid == tids[i];
	return tid == ids->stop_at ? 77 : 0;
}

static void test_threads(void)
{
	struct ids ids = { 0 }, stop = { 0 };
	pthread_t threads[THREADS];
	pid_t tgid, ppid;

	pthread_barrier_init(&started, NULL, THREADS + 1);
	pthread_barrier_init(&finish, NULL, THREADS + 1);
	for (int i = 0; i < THREADS; i++)
		CU_ASSERT_EQUAL_FATAL(pthread_create(&threads[i], NULL, thread_main, &tids[i]), 0);
	tids[THREADS] = getpid();
	pthread_barrier_wait(&started);

	CU_ASSERT_EQUAL(proc_each_thread(getpid(), count_tid, &ids), 0);
	CU_ASSERT_EQUAL(ids.count, THREADS + 1);
	CU_ASSERT_EQUAL(ids.expected, THREADS + 1);
	stop.stop_at = getpid(); /* the leader comes first */
	CU_ASSERT_EQUAL(proc_each_thread(getpid(), count_tid, &stop), 77);
	CU_ASSERT_EQUAL(stop.count, 1);

	CU_ASSERT_EQUAL(proc_ids(tids[1], &tgid, &ppid), 0);
	CU_ASSERT_EQUAL(tgid, getpid());
	CU_ASSERT_EQUAL(ppid, getppid());

	pthread_barrier_wait(&finish);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);

	pid_t dead = dead_pid();
	CU_ASSERT_EQUAL(proc_each_thread(dead, count_tid, &ids), -ESRCH);
	CU_ASSERT_EQUAL(proc_ids(dead, &tgid, &ppid), -ESRCH);
}

static int find_pid(void *ctx, pid_t pid)
{
	return pid == *(pid_t *)ctx ? 77 : 0;
}

static void test_processes(void)
{
	pid_t self = getpid(), dead = dead_pid();

	CU_ASSERT_EQUAL(proc_each(find_pid, &self), 77);
	CU_ASSERT_EQUAL(proc_each(find_pid, &dead), 0);
}

#define FILE_SIZE (1 << 20)

/* Make a file in the test's directory and map it. Returns the mapping. */
static void *map_file(const char *name, int prot, struct stat *st)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	CU_ASSERT_FATAL(fd >= 0);
	CU_ASSERT_EQUAL_FATAL(ftruncate(fd, FILE_SIZE), 0);
	CU_ASSERT_EQUAL_FATAL(fstat(fd, st), 0);
	void *at = mmap(NULL, FILE_SIZE, prot, MAP_PRIVATE, fd, 0);
	CU_ASSERT_FATAL(at != MAP_FAILED);
	close(fd);
	return at;
}

static void unlink_file(const char *name)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	CU_ASSERT_EQUAL(unlink(path), 0);
}

static void test_lib_size(void)
{
	uint64_t before, after;
	struct stat st;

	CU_ASSERT_EQUAL(proc_lib_size(getpid(), &before), 0);
	void *data = map_file("data", PROT_READ, &st);
	CU_ASSERT_EQUAL(proc_lib_size(getpid(), &after), 0);
	CU_ASSERT_EQUAL(after, before);
	void *code = map_file("code", PROT_READ | PROT_EXEC, &st);
	CU_ASSERT_EQUAL(proc_lib_size(getpid(), &after), 0);
	CU_ASSERT_EQUAL(after, before + FILE_SIZE / 1024);
	munmap(data, FILE_SIZE);
	munmap(code, FILE_SIZE);
	unlink_file("data");
	unlink_file("code");
	CU_ASSERT_EQUAL(proc_lib_size(dead_pid(), &after), -ESRCH);
}

/* Looks for a file among the mapped ones by what stat() says of it. */
struct wanted {
	const struct stat *st;
	unsigned times;
	char path[4096];
	char name[4096];
	bool usable; /* the path leads to that very file */
};

static int find_map(void *ctx, const struct proc_map *map)
{
	struct wanted *w = ctx;
	struct stat st;

	if (map->dev != w->st->st_dev || map->ino != w->st->st_ino)
		return 0;
	w->times++;
	snprintf(w->path, sizeof(w->path), "%s", map->path);
	snprintf(w->name, sizeof(w->name), "%s", map->name);
	w->usable =
		!stat(map->path, &st) && st.st_dev == w->st->st_dev && st.st_ino == w->st->st_ino;
	return 0;
}

/* The file must be found once, with this name below the test's directory. */
static void expect_map(pid_t pid, const struct stat *st, const char *name)
{
	struct wanted w = { .st = st };
	char full[256];

	snprintf(full, sizeof(full), "%s/%s", dir, name);
	CU_ASSERT_EQUAL(proc_each_map(pid, find_map, &w), 0);
	CU_ASSERT_EQUAL(w.times, 1);
	CU_ASSERT_STRING_EQUAL(w.name, full);
	CU_ASSERT_TRUE(w.usable);
}

static void expect_no_map(const struct stat *st)
{
	struct wanted w = { .st = st };

	CU_ASSERT_EQUAL(proc_each_map(getpid(), find_map, &w), 0);
	CU_ASSERT_EQUAL(w.times, 0);
}

static void test_map_names(void)
{
	static const char *const names[] = { "plain.so", "with space.so", "new\nline.so",
					     "really (deleted)" };
	struct stat st;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		void *one = map_file(names[i], PROT_READ | PROT_EXEC, &st);
		void *two = map_file(names[i], PROT_EXEC, &st);

		expect_map(getpid(), &st, names[i]);
		munmap(one, FILE_SIZE);
		munmap(two, FILE_SIZE);
		unlink_file(names[i]);
	}
}

static void test_map_kinds(void)
{
	struct stat st;

	void *data = map_file("data.so", PROT_READ | PROT_WRITE, &st);
	expect_no_map(&st);
	munmap(data, FILE_SIZE);
	unlink_file("data.so");

	int fd = memfd_create("code", MFD_CLOEXEC);
	CU_ASSERT_EQUAL_FATAL(ftruncate(fd, FILE_SIZE), 0);
	CU_ASSERT_EQUAL_FATAL(fstat(fd, &st), 0);
	void *code = mmap(NULL, FILE_SIZE, PROT_READ | PROT_EXEC, MAP_SHARED, fd, 0);
	CU_ASSERT_FATAL(code != MAP_FAILED);
	expect_no_map(&st);
	munmap(code, FILE_SIZE);
	close(fd);
}

static int stop_at_once(void *ctx, const struct proc_map *map)
{
	CU_ASSERT_PTR_NOT_NULL(map->path);
	++*(int *)ctx;
	return 77;
}

static void test_map_stop(void)
{
	int calls = 0;

	CU_ASSERT_EQUAL(proc_each_map(getpid(), stop_at_once, &calls), 77);
	CU_ASSERT_EQUAL(calls, 1);
	CU_ASSERT_EQUAL(proc_each_map(dead_pid(), stop_at_once, &calls), -ESRCH);
	CU_ASSERT_EQUAL(calls, 1);
}

/* A library that was replaced while it is in use: the old one must be found, not the new one. */
static void test_map_replaced(void)
{
	struct stat old, new;

	void *mapped = map_file("lib.so", PROT_READ | PROT_EXEC, &old);
	unlink_file("lib.so");
	expect_map(getpid(), &old, "lib.so");
	munmap(map_file("lib.so", PROT_READ, &new), FILE_SIZE);
	expect_map(getpid(), &old, "lib.so");
	expect_no_map(&new);
	unlink_file("lib.so");
	munmap(mapped, FILE_SIZE);
}

/* Run `enter` and map a file in a child; the parent must find that file. */
static void check_child(bool (*enter)(void), const char *file, const char *name_below_dir)
{
	struct stat st;
	int ready[2];

	CU_ASSERT_EQUAL_FATAL(pipe(ready), 0);
	pid_t pid = fork();
	if (pid == 0) {
		int fd = enter() ? open(file, O_RDWR | O_CREAT, 0600) : -1;

		if (fd < 0 || ftruncate(fd, FILE_SIZE) || fstat(fd, &st) ||
		    mmap(NULL, FILE_SIZE, PROT_EXEC, MAP_PRIVATE, fd, 0) == MAP_FAILED)
			_exit(1);
		if (write(ready[1], &st, sizeof(st)) == sizeof(st))
			pause();
		_exit(1);
	}
	CU_ASSERT_FATAL(pid > 0);
	close(ready[1]);
	bool started_well = read(ready[0], &st, sizeof(st)) == sizeof(st);
	CU_ASSERT_TRUE(started_well);
	if (started_well)
		expect_map(pid, &st, name_below_dir);
	close(ready[0]);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

/* The directory as only the child sees it. */
static bool enter_mounts(void)
{
	return !unshare(CLONE_NEWNS) && !mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) &&
	       !mount("tmpfs", dir, "tmpfs", 0, NULL) && !chdir(dir);
}

/* Not below a chroot, for one. */
static bool mounts_work(void)
{
	int status;
	pid_t pid = fork();

	if (pid == 0)
		_exit(!enter_mounts());
	return pid > 0 && waitpid(pid, &status, 0) == pid && status == 0;
}

static bool enter_chroot(void)
{
	return !chroot(dir) && !chdir("/");
}

static void test_mount_namespace(void)
{
	check_child(enter_mounts, "inner.so", "inner.so");
}

static void test_chroot(void)
{
	check_child(enter_chroot, "/jailed.so", "jailed.so");
	unlink_file("jailed.so");
}

int main(void)
{
	static const struct check_case all[] = {
		/* clang-format off */
		{ "comm", test_comm },
		{ "threads", test_threads },
		{ "processes", test_processes },
		{ "lib_size", test_lib_size },
		{ "map_names", test_map_names },
		{ "map_kinds", test_map_kinds },
		{ "map_stop", test_map_stop },
		/* the last three need root */
		{ "map_replaced", test_map_replaced },
		{ "chroot", test_chroot },
		{ "mount_namespace", test_mount_namespace },
		{ NULL, NULL },
		/* clang-format on */
	};
	struct check_case cases[sizeof(all) / sizeof(*all)];
	size_t n = sizeof(all) / sizeof(*all);

	snprintf(dir, sizeof(dir), "/tmp/test_proc.XXXXXX");
	if (!mkdtemp(dir)) {
		perror("mkdtemp");
		return 1;
	}
	memcpy(cases, all, sizeof(all));
	if (geteuid() != 0) {
		n -= 3;
		for (size_t i = n - 1; all[i].name; i++)
			printf("SKIP proc/%s: needs root\n", all[i].name);
		cases[n - 1] = (struct check_case){ NULL, NULL };
	} else if (!mounts_work()) {
		printf("SKIP proc/mount_namespace: none can be made here\n");
		cases[n - 2] = (struct check_case){ NULL, NULL };
	}
	int ret = check_main("proc", cases);
	if (rmdir(dir))
		perror(dir);
	return ret;
}
