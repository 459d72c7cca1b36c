/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The processes of a package, found among real ones: children that have its name from their start,
 * or give it to themselves later as an app's process does, by writing over its arguments.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "check.h"
#include "probe/package.h"
#include "probe/proc.h"

#define PACKAGE "org.framescope.test.a-long-name"

static char **own_argv;
static size_t argv_len; /* bytes that a name may have, with its NUL */

static void test_matches(void)
{
	CU_ASSERT_TRUE(package_matches("com.app", "com.app"));
	CU_ASSERT_TRUE(package_matches("com.app", "com.app:gpu"));
	CU_ASSERT_TRUE(package_matches("com.app", "com.app:sandboxed_process0:org.Service:3"));
	CU_ASSERT_TRUE(package_matches("com.app:gpu", "com.app:gpu"));
	CU_ASSERT_FALSE(package_matches("com.app", "com.app:"));
	CU_ASSERT_FALSE(package_matches("com.app", "com.app.other"));
	CU_ASSERT_FALSE(package_matches("com.app", "com.ap"));
	CU_ASSERT_FALSE(package_matches("com.app", "a.com.app"));
	CU_ASSERT_FALSE(package_matches("com.app", "/com.app"));
	CU_ASSERT_FALSE(package_matches("com.app", "com.App"));
	CU_ASSERT_FALSE(package_matches("com.app", ""));
	CU_ASSERT_FALSE(package_matches("", ""));
	CU_ASSERT_FALSE(package_matches("", ":gpu"));
}

static void test_wrong_names(void)
{
	char longest[PACKAGE_NAME_LEN + 1];
	struct package_watch *w = NULL;
	struct err e = { 0 };

	memset(longest, 'a', PACKAGE_NAME_LEN);
	longest[PACKAGE_NAME_LEN] = '\0';
	CU_ASSERT_EQUAL(package_watch_open("", &w, &e), -EINVAL);
	CU_ASSERT_EQUAL(package_watch_open(longest, &w, &e), -EINVAL);
	CU_ASSERT_PTR_NULL(w);
	CU_ASSERT_STRING_EQUAL(e.what, "a package's name has 1 to 255 bytes, not 256");
	longest[PACKAGE_NAME_LEN - 1] = '\0';
	CU_ASSERT_EQUAL(package_watch_open(longest, &w, &e), 0);
	package_watch_close(w);
	package_watch_close(NULL);
}

/* A process whose argv[0] is this from its first instruction on. */
static pid_t start(const char *name)
{
	int ready[2];
	char byte;
	pid_t pid;

	CU_ASSERT_EQUAL_FATAL(pipe2(ready, O_CLOEXEC), 0);
	pid = fork();
	if (pid == 0) {
		execl("/bin/sleep", name, "60", (char *)NULL);
		_exit(127);
	}
	CU_ASSERT_FATAL(pid > 0);
	close(ready[1]);
	CU_ASSERT_EQUAL(read(ready[0], &byte, 1), 0); /* closed by exec */
	close(ready[0]);
	return pid;
}

static void call_self(const char *name)
{
	memset(own_argv[0], 0, argv_len);
	memcpy(own_argv[0], name, strlen(name));
}

struct fork_child {
	pid_t pid;
	int order; /* whatever is written here makes it take its second name */
	int done; /* and here it says that it has */
};

/* A process that is forked, and calls itself first so, then otherwise. */
static struct fork_child fork_named(const char *first, const char *second)
{
	int order[2], done[2];
	struct fork_child c;
	char byte;

	CU_ASSERT_EQUAL_FATAL(pipe2(order, O_CLOEXEC), 0);
	CU_ASSERT_EQUAL_FATAL(pipe2(done, O_CLOEXEC), 0);
	c.pid = fork();
	if (c.pid == 0) {
		close(order[1]);
		call_self(first);
		if (write(done[1], "", 1) == 1 && read(order[0], &byte, 1) == 1) {
			call_self(second);
			if (write(done[1], "", 1) == 1)
				pause();
		}
		_exit(1);
	}
	CU_ASSERT_FATAL(c.pid > 0);
	close(order[0]);
	close(done[1]);
	c.order = order[1];
	c.done = done[0];
	CU_ASSERT_EQUAL(read(c.done, &byte, 1), 1);
	return c;
}

static void rename_child(const struct fork_child *c)
{
	char byte;

	CU_ASSERT_EQUAL(write(c->order, "", 1), 1);
	CU_ASSERT_EQUAL(read(c->done, &byte, 1), 1);
}

static void end(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static void end_forked(const struct fork_child *c)
{
	close(c->order);
	close(c->done);
	end(c->pid);
}

struct found {
	unsigned count;
	pid_t pid; /* the last one */
	char name[PACKAGE_NAME_LEN];
	int answer;
};

static int on_found(void *ctx, pid_t pid, const char *name)
{
	struct found *f = ctx;

	f->count++;
	f->pid = pid;
	snprintf(f->name, sizeof(f->name), "%s", name);
	return f->answer;
}

static uint64_t now; /* the time that the watch is told */

static struct found look(struct package_watch *w)
{
	struct found f = { 0 };

	CU_ASSERT_EQUAL(package_watch_poll(w, now, on_found, &f), 0);
	now += 20 * NSEC_PER_MSEC;
	return f;
}

static void expect_none(struct package_watch *w)
{
	CU_ASSERT_EQUAL(look(w).count, 0);
}

static void expect_one(struct package_watch *w, pid_t pid, const char *name)
{
	struct found f = look(w);

	CU_ASSERT_EQUAL(f.count, 1);
	CU_ASSERT_EQUAL(f.pid, pid);
	CU_ASSERT_STRING_EQUAL(f.name, name);
	expect_none(w);
}

static struct package_watch *watch(const char *package)
{
	struct package_watch *w = NULL;
	struct err e = { 0 };

	CU_ASSERT_EQUAL_FATAL(package_watch_open(package, &w, &e), 0);
	now = clock_monotonic_ns();
	return w;
}

static void test_argv0(void)
{
	pid_t pid = start("");
	char name[8];

	CU_ASSERT_EQUAL(proc_argv0(pid, name, sizeof(name)), 0);
	CU_ASSERT_STRING_EQUAL(name, "");
	end(pid);
	CU_ASSERT_EQUAL(proc_argv0(pid, name, sizeof(name)), -ESRCH);
	pid = start("a name of more than 15 bytes");
	CU_ASSERT_EQUAL(proc_argv0(pid, name, sizeof(name)), 0);
	CU_ASSERT_STRING_EQUAL(name, "a name ");
	end(pid);
}

static void test_running(void)
{
	pid_t one = start(PACKAGE), other = start(PACKAGE ".other");
	struct package_watch *w = watch(PACKAGE);

	expect_one(w, one, PACKAGE);
	end(one);
	end(other);
	expect_none(w);
	package_watch_close(w);
}

static void test_starting(void)
{
	struct package_watch *w = watch(PACKAGE);
	pid_t one, two;

	expect_none(w);
	one = start(PACKAGE);
	expect_one(w, one, PACKAGE);
	two = start(PACKAGE ":remote");
	expect_one(w, two, PACKAGE ":remote");
	end(one);
	one = start(PACKAGE);
	expect_one(w, one, PACKAGE);
	end(one);
	end(two);
	package_watch_close(w);
}

/* As an app does: it is a zygote's child, then nobody yet, then itself. */
static void test_renamed(void)
{
	struct package_watch *w = watch(PACKAGE);
	struct fork_child c;

	expect_none(w);
	c = fork_named("zygote64", PACKAGE);
	expect_none(w);
	rename_child(&c);
	expect_one(w, c.pid, PACKAGE);
	end_forked(&c);
	package_watch_close(w);
}

/* One that was forked in advance takes its name whenever it is needed. */
static void test_renamed_late(void)
{
	static const char *const names[] = { "zygote", "usap64", "<pre-initialized>" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		struct fork_child c = fork_named(names[i], PACKAGE ":late");
		struct package_watch *w = watch(PACKAGE);

		expect_none(w);
		now += 600 * NSEC_PER_SEC;
		expect_none(w);
		expect_none(w);
		rename_child(&c);
		expect_one(w, c.pid, PACKAGE ":late");
		end_forked(&c);
		package_watch_close(w);
	}
}

/* And any other is looked at again now and then. */
static void test_renamed_settled(void)
{
	struct fork_child c = fork_named("settled", PACKAGE);
	struct package_watch *w = watch(PACKAGE);

	expect_none(w);
	rename_child(&c);
	expect_none(w);
	now += PACKAGE_YOUNG_NS;
	expect_one(w, c.pid, PACKAGE);
	end_forked(&c);
	package_watch_close(w);
}

/* The number of a process that was found is given to the next one at once. */
static void test_same_number(void)
{
	struct package_watch *w = watch(PACKAGE);
	pid_t one = start(PACKAGE), two = 0;

	expect_one(w, one, PACKAGE);
	end(one);
	/* Somebody else may be faster. */
	for (int i = 0; i < 100 && two != one; i++) {
		int fd = open("/proc/sys/kernel/ns_last_pid", O_WRONLY | O_CLOEXEC);

		CU_ASSERT_FATAL(fd >= 0);
		CU_ASSERT_TRUE(dprintf(fd, "%d", (int)one - 1) > 0);
		close(fd);
		if (two)
			end(two);
		two = start(PACKAGE);
	}
	CU_ASSERT_EQUAL(two, one);
	expect_one(w, two, PACKAGE);
	end(two);
	package_watch_close(w);
}

static void test_stop(void)
{
	struct found f = { .answer = 77 };
	struct package_watch *w = watch(PACKAGE);
	pid_t one = start(PACKAGE), two = start(PACKAGE);

	CU_ASSERT_EQUAL(package_watch_poll(w, now, on_found, &f), 77);
	CU_ASSERT_EQUAL(f.count, 1);
	f.answer = 0;
	CU_ASSERT_EQUAL(package_watch_poll(w, now, on_found, &f), 0);
	CU_ASSERT_EQUAL(f.count, 2);
	end(one);
	end(two);
	package_watch_close(w);
}

static void test_nearest(void)
{
	pid_t one = start("org.framescope.tset.a-long-name");
	struct package_watch *w = watch(PACKAGE);

	CU_ASSERT_PTR_NULL(package_watch_nearest(w));
	expect_none(w);
	CU_ASSERT_STRING_EQUAL(package_watch_nearest(w), "org.framescope.tset.a-long-name");
	end(one);
	package_watch_close(w);
	w = watch("%%%%%%%%%%%%%%%%%");
	expect_none(w);
	CU_ASSERT_PTR_NULL(package_watch_nearest(w));
	package_watch_close(w);
}

int main(int argc, char **argv)
{
	static const struct check_case all[] = {
		/* clang-format off */
		{ "matches", test_matches },
		{ "wrong_names", test_wrong_names },
		{ "argv0", test_argv0 },
		{ "running", test_running },
		{ "starting", test_starting },
		{ "renamed", test_renamed },
		{ "renamed_late", test_renamed_late },
		{ "renamed_settled", test_renamed_settled },
		{ "stop", test_stop },
		{ "nearest", test_nearest },
		{ "same_number", test_same_number },
		{ NULL, NULL },
		/* clang-format on */
	};
	size_t n = sizeof(all) / sizeof(*all);
	struct check_case cases[sizeof(all) / sizeof(*all)];
	/* A path may be too short for the names that are written over it. */
	static char longer[] = "/a/place/for/the/longest/of/the/names/that/the/test/gives/itself";

	if (argc == 1) {
		execv("/proc/self/exe", (char *[]){ argv[0], longer, NULL });
		perror("/proc/self/exe");
		return 1;
	}
	own_argv = argv;
	argv_len = (size_t)(argv[1] - argv[0]) + sizeof(longer);
	memcpy(cases, all, sizeof(all));
	if (access("/proc/sys/kernel/ns_last_pid", W_OK)) {
		printf("SKIP package/same_number: process numbers can't be chosen here\n");
		cases[n - 2] = (struct check_case){ NULL, NULL };
	}
	return check_main("package", cases);
}
