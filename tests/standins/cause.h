/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The ways in which a thread of the player loses time, each with a known author: a helper thread or
 * process that ends the wait at a set time, a disk, the clock, or a hog on the same CPU.
 */
#ifndef TESTS_CAUSE_H
#define TESTS_CAUSE_H

#include <linux/userfaultfd.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/wait.h>

#include "standins/binder.h"
#include "standins/compat.h"
#include "standins/truth.h"

#define DISK_SECTOR 4096
#define DISK_BLOCK (512u << 10)
#define DISK_BLOCKS 32

struct cause;

struct cause_kind {
	const char *name; /* on the command line */
	const char *part; /* what framescope must call it */
	int (*start)(struct cause *c); /* NULL: nothing to prepare */
	int (*wait)(struct cause *c, uint64_t ns); /* NULL: the frame only spins */
	void (*release)(struct cause *c); /* what the helper thread does to end the wait */
	bool in_dequeue; /* the wait is inside a dequeueBuffer inside the swap */
};

/* One thread's cause at work. */
struct cause {
	const struct cause_kind *kind;
	const char *dir; /* for files, on a real disk */
	uint64_t run_ns; /* for the hog: how long it lets others run, and how long it runs */
	uint64_t hog_ns;
	pid_t waker; /* 0: nobody in particular; -1: an interrupt */
	pthread_t thread;
	bool has_thread;
	atomic_bool stop;
	atomic_int ready;
	sem_t request;
	_Atomic uint64_t deadline_ns;
	pthread_mutex_t locks[2]; /* the helper always holds the one that the next wait needs */
	unsigned turn; /* the waiting thread's next one, and the helper's */
	unsigned helper_turn;
	pthread_mutex_t mutex;
	pthread_cond_t cond;
	bool signalled;
	int fd; /* eventfd, pipe, socket, timerfd, file or userfaultfd */
	int other_fd; /* epoll, or the pipe's other end */
	unsigned block;
	void *buffer;
	void *page;
	size_t page_size;
};

static inline void spin(uint64_t ns)
{
	uint64_t end = now_ns() + ns;

	while (now_ns() < end)
		;
}

/* Until the thread has had that much CPU time, however long it takes. */
static inline void spin_cpu(uint64_t ns)
{
	uint64_t end = truth_clock(CLOCK_THREAD_CPUTIME_ID) + ns;

	while (truth_clock(CLOCK_THREAD_CPUTIME_ID) < end)
		;
}

static inline void sleep_until(uint64_t ns)
{
	struct timespec ts = { (time_t)(ns / 1000000000u), (long)(ns % 1000000000u) };

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL) == EINTR)
		;
}

static inline void sleep_ms(unsigned ms)
{
	sleep_until(now_ns() + (uint64_t)ms * 1000000u);
}

static inline void *helper_main(void *arg)
{
	struct cause *c = arg;

	prctl(PR_SET_NAME, "helper");
	pthread_mutex_lock(&c->locks[0]);
	c->waker = gettid();
	atomic_store(&c->ready, 1);
	for (;;) {
		sem_wait(&c->request);
		if (atomic_load(&c->stop))
			break;
		sleep_until(atomic_load(&c->deadline_ns));
		c->kind->release(c);
	}
	pthread_mutex_unlock(&c->locks[c->helper_turn % 2]);
	return NULL;
}

/* Runs on the player's CPU at a higher priority: whenever it wakes it takes the CPU away. */
static inline void *hog_main(void *arg)
{
	struct cause *c = arg;
	struct sched_param param = { .sched_priority = 2 };

	prctl(PR_SET_NAME, "hog");
	c->waker = gettid();
	atomic_store(&c->ready, sched_setscheduler(0, SCHED_FIFO, &param) ? -errno : 1);
	while (!atomic_load(&c->stop)) {
		sleep_until(now_ns() + c->run_ns);
		spin(c->hog_ns);
	}
	return NULL;
}

static inline int cause_thread(struct cause *c, void *(*fn)(void *))
{
	int err = pthread_create(&c->thread, NULL, fn, c);

	if (err)
		return -err;
	c->has_thread = true;
	while (!atomic_load(&c->ready))
		sleep_ms(1);
	return atomic_load(&c->ready) < 0 ? atomic_load(&c->ready) : 0;
}

static inline void ask(struct cause *c, uint64_t ns)
{
	atomic_store(&c->deadline_ns, now_ns() + ns);
	sem_post(&c->request);
}

static inline int lock_wait(struct cause *c, uint64_t ns)
{
	pthread_mutex_t *lock = &c->locks[c->turn++ % 2];

	ask(c, ns);
	pthread_mutex_lock(lock);
	pthread_mutex_unlock(lock);
	return 0;
}

static inline void lock_release(struct cause *c)
{
	pthread_mutex_lock(&c->locks[(c->helper_turn + 1) % 2]);
	pthread_mutex_unlock(&c->locks[c->helper_turn++ % 2]);
}

static inline int cond_wait(struct cause *c, uint64_t ns)
{
	pthread_mutex_lock(&c->mutex);
	ask(c, ns);
	while (!c->signalled)
		pthread_cond_wait(&c->cond, &c->mutex);
	c->signalled = false;
	pthread_mutex_unlock(&c->mutex);
	return 0;
}

static inline void cond_release(struct cause *c)
{
	pthread_mutex_lock(&c->mutex);
	c->signalled = true;
	pthread_mutex_unlock(&c->mutex);
	pthread_cond_signal(&c->cond);
}

static inline int poll_start(struct cause *c)
{
	c->fd = eventfd(0, EFD_CLOEXEC);
	return c->fd < 0 ? -errno : 0;
}

/* Take what a wait that returned `ready` descriptors was for. */
static inline int poll_take(struct cause *c, int ready)
{
	uint64_t value;

	return ready == 1 && read(c->fd, &value, sizeof(value)) == sizeof(value) ? 0 : -EIO;
}

static inline int poll_wait(struct cause *c, uint64_t ns)
{
	struct pollfd pfd = { .fd = c->fd, .events = POLLIN };

	ask(c, ns);
	return poll_take(c, poll(&pfd, 1, -1));
}

static inline int ppoll_wait(struct cause *c, uint64_t ns)
{
	struct pollfd pfd = { .fd = c->fd, .events = POLLIN };

	ask(c, ns);
	return poll_take(c, ppoll(&pfd, 1, NULL, NULL));
}

static inline int select_wait(struct cause *c, uint64_t ns)
{
	fd_set set;

	FD_ZERO(&set);
	FD_SET(c->fd, &set);
	ask(c, ns);
	return poll_take(c, select(c->fd + 1, &set, NULL, NULL, NULL));
}

static inline int epoll_start(struct cause *c)
{
	struct epoll_event event = { .events = EPOLLIN };
	int err = poll_start(c);

	if (err)
		return err;
	c->other_fd = epoll_create1(EPOLL_CLOEXEC);
	if (c->other_fd < 0 || epoll_ctl(c->other_fd, EPOLL_CTL_ADD, c->fd, &event))
		return -errno;
	return 0;
}

static inline int epoll_wait_once(struct cause *c, uint64_t ns)
{
	struct epoll_event event;

	ask(c, ns);
	return poll_take(c, epoll_wait(c->other_fd, &event, 1, -1));
}

static inline void poll_release(struct cause *c)
{
	uint64_t one = 1;

	if (write(c->fd, &one, sizeof(one)) != sizeof(one))
		abort();
}

static inline int pipe_start(struct cause *c)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC))
		return -errno;
	c->fd = ends[0];
	c->other_fd = ends[1];
	return 0;
}

static inline int pipe_wait(struct cause *c, uint64_t ns)
{
	char byte;

	ask(c, ns);
	return read(c->fd, &byte, 1) == 1 ? 0 : -EIO;
}

static inline void pipe_release(struct cause *c)
{
	if (write(c->other_fd, "", 1) != 1)
		abort();
}

/* Another process answers each deadline that it is sent, when it has come. */
static inline int socket_start(struct cause *c)
{
	uint64_t deadline;
	int pair[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair))
		return -errno;
	c->waker = fork();
	if (c->waker < 0)
		return -errno;
	if (!c->waker) {
		prctl(PR_SET_NAME, "server");
		close(pair[0]);
		while (read(pair[1], &deadline, sizeof(deadline)) == sizeof(deadline)) {
			sleep_until(deadline);
			if (write(pair[1], &deadline, sizeof(deadline)) != sizeof(deadline))
				break;
		}
		_exit(0);
	}
	close(pair[1]);
	c->fd = pair[0];
	return 0;
}

static inline int socket_wait(struct cause *c, uint64_t ns)
{
	uint64_t deadline = now_ns() + ns;

	if (write(c->fd, &deadline, sizeof(deadline)) != sizeof(deadline) ||
	    read(c->fd, &deadline, sizeof(deadline)) != sizeof(deadline))
		return -EIO;
	return 0;
}

/* Likewise over binder. */
static inline int binder_start(struct cause *c)
{
	int ready[2];
	char byte;

	if (pipe2(ready, O_CLOEXEC))
		return -errno;
	c->waker = fork();
	if (c->waker < 0)
		return -errno;
	if (!c->waker) {
		prctl(PR_SET_NAME, "server");
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		_exit(binder_serve(ready[1], sleep_until) ? 1 : 0);
	}
	close(ready[1]);
	if (read(ready[0], &byte, 1) != 1)
		return -ENODEV;
	close(ready[0]);
	c->fd = binder_open();
	return c->fd < 0 ? c->fd : 0;
}

static inline int binder_wait(struct cause *c, uint64_t ns)
{
	return binder_call(c->fd, now_ns() + ns);
}

/* The first slot is one that poll leaves out. */
static inline int disabled_slot_wait(struct cause *c, uint64_t ns)
{
	struct pollfd pfds[2] = { { .fd = -1 }, { .fd = c->fd, .events = POLLIN } };
	uint64_t deadline = now_ns() + ns;

	if (write(c->fd, &deadline, sizeof(deadline)) != sizeof(deadline))
		return -EIO;
	return poll_take(c, poll(pfds, 2, -1));
}

/* No thread ends a sleep: the timer's interrupt does. */
static inline int sleep_start(struct cause *c)
{
	c->waker = -1;
	return 0;
}

static inline int sleep_wait(struct cause *c, uint64_t ns)
{
	(void)c;
	sleep_until(now_ns() + ns);
	return 0;
}

static inline int timerfd_start(struct cause *c)
{
	c->waker = -1;
	c->fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
	return c->fd < 0 ? -errno : 0;
}

static inline int timerfd_wait(struct cause *c, uint64_t ns)
{
	struct itimerspec in = { .it_value = { (time_t)(ns / 1000000000u),
					       (long)(ns % 1000000000u) } };

	if (timerfd_settime(c->fd, 0, &in, NULL))
		return -errno;
	return poll_take(c, 1);
}

#ifdef __x86_64__
static inline int compat_start(struct cause *c)
{
	c->waker = -1;
	return compat_open(&c->page);
}

static inline int compat_wait(struct cause *c, uint64_t ns)
{
	return compat_sleep(c->page, ns);
}
#endif

static inline int disk_start(struct cause *c)
{
	char path[4096];

	if (posix_memalign(&c->buffer, DISK_SECTOR, DISK_BLOCK))
		return -ENOMEM;
	memset(c->buffer, 0x5a, DISK_BLOCK);
	if (snprintf(path, sizeof(path), "%s/player.XXXXXX", c->dir) >= (int)sizeof(path))
		return -ENAMETOOLONG;
	c->fd = mkostemp(path, O_DIRECT | O_CLOEXEC);
	if (c->fd < 0)
		return -errno;
	unlink(path);
	for (unsigned i = 0; i < DISK_BLOCKS; i++) {
		if (write(c->fd, c->buffer, DISK_BLOCK) != DISK_BLOCK)
			return -EIO;
	}
	return fsync(c->fd) ? -errno : 0;
}

static inline int read_wait(struct cause *c, uint64_t ns)
{
	uint64_t end = now_ns() + ns;

	do {
		off_t at = (off_t)(c->block++ % DISK_BLOCKS) * DISK_BLOCK;

		if (pread(c->fd, c->buffer, DISK_BLOCK, at) != DISK_BLOCK)
			return -EIO;
	} while (now_ns() < end);
	return 0;
}

static inline int fsync_wait(struct cause *c, uint64_t ns)
{
	uint64_t end = now_ns() + ns;

	do {
		off_t at = (off_t)(c->block++ % DISK_BLOCKS) * DISK_BLOCK;

		if (pwrite(c->fd, c->buffer, DISK_BLOCK, at) != DISK_BLOCK || fsync(c->fd))
			return -EIO;
	} while (now_ns() < end);
	return 0;
}

/* A page that is nowhere until the helper supplies it. */
static inline int fault_start(struct cause *c)
{
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register reg = { .mode = UFFDIO_REGISTER_MODE_MISSING };

	c->page_size = (size_t)sysconf(_SC_PAGESIZE);
	c->page = mmap(NULL, c->page_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
		       0);
	if (c->page == MAP_FAILED)
		return -errno;
	c->fd = (int)syscall(SYS_userfaultfd, O_CLOEXEC);
	if (c->fd < 0 || ioctl(c->fd, UFFDIO_API, &api))
		return -errno;
	reg.range.start = (uintptr_t)c->page;
	reg.range.len = c->page_size;
	return ioctl(c->fd, UFFDIO_REGISTER, &reg) ? -errno : 0;
}

static inline int fault_wait(struct cause *c, uint64_t ns)
{
	if (madvise(c->page, c->page_size, MADV_DONTNEED))
		return -errno;
	ask(c, ns);
	return *(volatile char *)c->page;
}

static inline void fault_release(struct cause *c)
{
	struct uffdio_zeropage zero = { .range = { (uintptr_t)c->page, c->page_size } };

	if (ioctl(c->fd, UFFDIO_ZEROPAGE, &zero))
		abort();
}

static inline int hog_start(struct cause *c)
{
	cpu_set_t cpus, one;
	int cpu = CPU_SETSIZE - 1;

	if (sched_getaffinity(0, sizeof(cpus), &cpus))
		return -errno;
	while (cpu > 0 && !CPU_ISSET(cpu, &cpus))
		cpu--;
	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	/* The hog inherits the CPU. */
	if (sched_setaffinity(0, sizeof(one), &one))
		return -errno;
	return cause_thread(c, hog_main);
}

static const struct cause_kind cause_kinds[] = {
	{ .name = "spin", .part = "running" },
	{ .name = "hog", .part = "runnable", .start = hog_start },
	{ .name = "lock", .part = "lock", .wait = lock_wait, .release = lock_release },
	{ .name = "cond", .part = "lock", .wait = cond_wait, .release = cond_release },
	{ .name = "poll",
	  .part = "ipc",
	  .start = poll_start,
	  .wait = poll_wait,
	  .release = poll_release },
	{ .name = "socket", .part = "ipc", .start = socket_start, .wait = socket_wait },
	{ .name = "binder", .part = "binder", .start = binder_start, .wait = binder_wait },
	{ .name = "ppoll",
	  .part = "ipc",
	  .start = poll_start,
	  .wait = ppoll_wait,
	  .release = poll_release },
	{ .name = "select",
	  .part = "ipc",
	  .start = poll_start,
	  .wait = select_wait,
	  .release = poll_release },
	{ .name = "epoll",
	  .part = "ipc",
	  .start = epoll_start,
	  .wait = epoll_wait_once,
	  .release = poll_release },
	{ .name = "pipe",
	  .part = "ipc",
	  .start = pipe_start,
	  .wait = pipe_wait,
	  .release = pipe_release },
	{ .name = "disabled-slot",
	  .part = "ipc",
	  .start = socket_start,
	  .wait = disabled_slot_wait },
	{ .name = "timerfd", .part = "sleep", .start = timerfd_start, .wait = timerfd_wait },
#ifdef __x86_64__
	{ .name = "compat", .part = "other", .start = compat_start, .wait = compat_wait },
#endif
	{ .name = "sleep", .part = "sleep", .start = sleep_start, .wait = sleep_wait },
	{ .name = "read", .part = "io", .start = disk_start, .wait = read_wait },
	{ .name = "fsync", .part = "io", .start = disk_start, .wait = fsync_wait },
	{ .name = "fault",
	  .part = "io",
	  .start = fault_start,
	  .wait = fault_wait,
	  .release = fault_release },
	{ .name = "slot",
	  .part = "slot",
	  .wait = cond_wait,
	  .release = cond_release,
	  .in_dequeue = true },
};

static inline const struct cause_kind *cause_find(const char *name)
{
	for (size_t i = 0; i < sizeof(cause_kinds) / sizeof(*cause_kinds); i++) {
		if (!strcmp(cause_kinds[i].name, name))
			return &cause_kinds[i];
	}
	return NULL;
}

/* Called by the thread that will wait. 0 or -errno. */
static inline int cause_start(struct cause *c)
{
	int err = 0;

	c->fd = -1;
	c->other_fd = -1;
	pthread_mutex_init(&c->locks[0], NULL);
	pthread_mutex_init(&c->locks[1], NULL);
	pthread_mutex_init(&c->mutex, NULL);
	pthread_cond_init(&c->cond, NULL);
	sem_init(&c->request, 0, 0);
	if (c->kind->start)
		err = c->kind->start(c);
	if (!err && c->kind->release)
		err = cause_thread(c, helper_main);
	return err;
}

static inline void cause_stop(struct cause *c)
{
	atomic_store(&c->stop, true);
	if (c->has_thread) {
		sem_post(&c->request);
		pthread_join(c->thread, NULL);
	}
	if (c->fd >= 0)
		close(c->fd);
	if (c->other_fd >= 0)
		close(c->other_fd);
	/* One server ends at the end of its socket, the other with nothing. */
	if (c->kind->start == binder_start && c->waker > 0)
		kill(c->waker, SIGKILL);
	if ((c->kind->start == socket_start || c->kind->start == binder_start) && c->waker > 0)
		waitpid(c->waker, NULL, 0);
	free(c->buffer);
}

#endif
