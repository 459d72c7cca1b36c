/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Plays a scripted program on real threads: frames through the stand-in libraries beside it, each
 * losing most of its time to one known cause, and writes down by its own clocks when each frame
 * ended and where its time went.
 *
 * player [-c CAUSE] [-s SHAPE] [-n FRAMES] [-p PERIOD_US] [-b MS] [-a MS] [-D DIR] [-r] [TRUTH]
 *
 * -r: as a real-time thread, which other programs don't keep from its CPU.
 * -b and -a: how long it waits before and after it loads the libraries. A frame is `required` of a
 * recorder when it began at least SETTLE_MS after that.
 */
#include <dlfcn.h>
#include <stdarg.h>
#include <sys/syscall.h>

#include "standins/cause.h"
#include "standins/standin.h"
#include "standins/truth.h"

#define SETTLE_MS 500
#define SURFACE 0x7a00b4001000u /* the first; like a heap address */
#define DISPLAY ((void *)0x7a00b4000000u)
#define THREADS_MAX 2

enum shape {
	SHAPE_PLAIN,
	SHAPE_TWO_SURFACES, /* on one thread, in turn */
	SHAPE_TWO_THREADS,
	SHAPE_TWO_PROCESSES,
	SHAPE_EXIT_MID_FRAME, /* a render thread ends half way to a swap */
	SHAPE_EXIT_IN_SWAP, /* or within one */
	SHAPE_EXEC, /* the program becomes itself again and goes on */
	SHAPE_RENAME, /* the thread changes its name half way */
	SHAPE_TAGGED, /* the surface's pointer bears changing tags */
	SHAPE_DAMAGE, /* the swap with damage calls the plain one */
	SHAPE_VULKAN,
	SHAPE_NR
};

static const char *const shape_names[SHAPE_NR] = {
	"plain", "two-surfaces", "two-threads", "two-processes", "exit-mid-frame", "exit-in-swap",
	"exec",  "rename",       "tagged",      "damage",        "vulkan",
};

static struct {
	const struct cause_kind *kind;
	enum shape shape;
	size_t frames;
	uint64_t period_ns;
	unsigned before_ms;
	unsigned after_ms;
	const char *dir;
	const char *truth;
	bool realtime;
	uint64_t loaded_ns;
} plan = { .frames = 100, .period_ns = 10000000, .after_ms = 1000, .dir = "." };

static struct {
	unsigned int (*swap)(void *display, void *surface);
	unsigned int (*swap_damage)(void *display, void *surface, const int *rects, int n);
	int (*present)(void *queue, const void *info);
	int (*dequeue)(void *surface, void **buffer, int *fence);
	int (*queue)(void *surface, void *buffer, int fence);
	int (*query)(const void *surface, int what, int *value);
} api;

/* One thread that makes frames. */
struct renderer {
	struct cause cause;
	struct truth truth;
	uint64_t surface;
	uint64_t lost_ns; /* total time of the scripted waits in which it neither ran nor could have
			   */
	int schedstat;
	unsigned depth; /* of probed calls */
	uint64_t enter_ns; /* of the outermost one */
	uint64_t leave_ns;
	bool last; /* the frame in which the thread ends */
};

static _Thread_local struct renderer *self;

static void die(int err, const char *fmt, ...) __attribute__((format(printf, 2, 3), noreturn));

static void die(int err, const char *fmt, ...)
{
	va_list ap;

	fputs("player: ", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fprintf(stderr, "%s%s\n", err ? ": " : "", err ? strerror(-err) : "");
	exit(1);
}

/* The thread's total wait for a CPU, and the times it got one: from its schedstat. */
static uint64_t runnable_ns(const struct renderer *r, uint64_t *slices)
{
	char text[96];
	ssize_t n = pread(r->schedstat, text, sizeof(text) - 1, 0);
	uint64_t runnable;
	char *at = text;

	if (n <= 0)
		die(n ? -errno : -EIO, "can't read schedstat");
	text[n] = '\0';
	strtoull(at, &at, 10);
	runnable = strtoull(at, &at, 10);
	*slices = strtoull(at, &at, 10);
	return runnable;
}

/* The scripted wait. Its own running and runnable time don't count as lost to the cause. */
static void lose_time(struct renderer *r)
{
	uint64_t wall = now_ns();
	uint64_t running = truth_clock(CLOCK_THREAD_CPUTIME_ID);
	uint64_t slices;
	uint64_t runnable = runnable_ns(r, &slices);
	uint64_t rest;
	int err;

	err = r->cause.kind->wait(&r->cause, plan.period_ns * 7 / 10);
	if (err)
		die(err, "the wait for %s failed", r->cause.kind->name);
	rest = truth_clock(CLOCK_THREAD_CPUTIME_ID) - running + runnable_ns(r, &slices) - runnable;
	wall = now_ns() - wall;
	r->lost_ns += wall > rest ? wall - rest : 0;
}

/* What happens inside the probed functions. */
static long act(enum standin_function which, void *arg0, void *arg1)
{
	static char buffer[64];
	void *dequeued = buffer;
	int fence = -1, value;

	switch (which) {
	case STANDIN_SWAP_DAMAGE:
		return api.swap(arg0, arg1);
	case STANDIN_SWAP:
	case STANDIN_PRESENT:
		spin(plan.period_ns / 20);
		if (self->last && plan.shape == SHAPE_EXIT_IN_SWAP)
			syscall(SYS_exit, 0); /* not pthread_exit: it would unwind the stack */
		if (self->cause.kind->in_dequeue) {
			api.dequeue(buffer, &dequeued, &fence);
			api.queue(buffer, dequeued, fence);
			api.query(buffer, 0, &value);
		}
		return 1;
	case STANDIN_DEQUEUE:
		lose_time(self);
		return 0;
	case STANDIN_QUEUE:
		spin(plan.period_ns / 50);
		return 0;
	default:
		return 0;
	}
}

static long on_call(enum standin_function which, void *arg0, void *arg1, void *arg2)
{
	long ret;

	(void)arg2;
	if (!self->depth++)
		self->enter_ns = now_ns();
	ret = act(which, arg0, arg1);
	if (!--self->depth)
		self->leave_ns = now_ns();
	return ret;
}

static void load(void)
{
	static const char *const names[] = { "libEGL.so", "libgui.so", "libvulkan.so" };
	void *libs[3];
	char dir[4096], path[4200];
	ssize_t n = readlink("/proc/self/exe", dir, sizeof(dir) - 1);

	if (n <= 0)
		die(-errno, "can't read /proc/self/exe");
	dir[n] = '\0';
	*strrchr(dir, '/') = '\0';
	for (int i = 0; i < 3; i++) {
		standin_set_fn set;

		snprintf(path, sizeof(path), "%s/%s", dir, names[i]);
		libs[i] = dlopen(path, RTLD_NOW | RTLD_LOCAL);
		if (!libs[i])
			die(0, "%s", dlerror());
		set = (standin_set_fn)dlsym(libs[i], "standin_set");
		if (!set)
			die(0, "%s", dlerror());
		set(on_call);
	}
	*(void **)&api.swap = dlsym(libs[0], "eglSwapBuffers");
	*(void **)&api.swap_damage = dlsym(libs[0], "eglSwapBuffersWithDamageKHR");
	*(void **)&api.dequeue =
		dlsym(libs[1], "_ZN7android7Surface13dequeueBufferEPP19ANativeWindowBufferPi");
	*(void **)&api.queue =
		dlsym(libs[1], "_ZN7android7Surface11queueBufferEP19ANativeWindowBufferi");
	*(void **)&api.query = dlsym(libs[1], "_ZNK7android7Surface5queryEiPi");
	*(void **)&api.present = dlsym(libs[2], "vkQueuePresentKHR");
	if (!api.swap || !api.swap_damage || !api.dequeue || !api.queue || !api.query ||
	    !api.present)
		die(0, "%s", dlerror());
	plan.loaded_ns = now_ns();
}

/* The work of a frame up to its swap; a name of its own, for probes on the player itself. */
void player_work(unsigned long frame);

__attribute__((noinline)) void player_work(unsigned long frame)
{
	(void)frame;
	if (self->cause.kind->wait && !self->cause.kind->in_dequeue)
		lose_time(self);
	if (self->cause.kind->wait)
		spin(plan.period_ns / 10);
	else
		spin_cpu(plan.period_ns * (self->cause.hog_ns ? 2 : 9) / 10);
}

static void swap(uint64_t surface, size_t frame)
{
	if (plan.shape == SHAPE_TAGGED)
		surface |= (uint64_t)(0xb0 + frame % 5) << 56;
	switch (plan.shape) {
	case SHAPE_VULKAN:
		api.present((void *)surface, NULL);
		break;
	case SHAPE_DAMAGE:
		api.swap_damage(DISPLAY, (void *)surface, NULL, 0);
		break;
	default:
		api.swap(DISPLAY, (void *)surface);
	}
}

static void frames(struct renderer *r)
{
	size_t total = plan.frames;
	bool ends = plan.shape == SHAPE_EXIT_MID_FRAME || plan.shape == SHAPE_EXIT_IN_SWAP;

	for (size_t i = 0; i < total; i++) {
		struct truth_row row = { .surface = r->surface };
		uint64_t began = now_ns();

		if (plan.shape == SHAPE_TWO_SURFACES && i % 2)
			row.surface += 0x1000;
		if (plan.shape == SHAPE_RENAME && i == total / 2)
			prctl(PR_SET_NAME, "renamed");
		r->last = ends && i == total - 1;
		player_work(i);
		if (r->last && plan.shape == SHAPE_EXIT_MID_FRAME)
			return;
		row.required = began >= plan.loaded_ns + SETTLE_MS * 1000000ull;
		if (r->last) {
			/* This swap does not return. */
			int err = truth_save(&r->truth);

			if (err)
				die(err, "can't write %s", plan.truth);
		}
		row.begin_ns = now_ns();
		swap(row.surface, i);
		row.end_ns = now_ns();
		row.enter_ns = r->enter_ns;
		row.leave_ns = r->leave_ns;
		row.running_ns = truth_clock(CLOCK_THREAD_CPUTIME_ID);
		row.runnable_ns = runnable_ns(r, &row.slices);
		row.cause_ns = r->cause.kind->wait ? r->lost_ns
			       : r->cause.hog_ns   ? row.runnable_ns
						   : row.running_ns;
		truth_add(&r->truth, &row);
	}
}

static void *render(void *arg)
{
	const struct sched_param param = { .sched_priority = 1 };
	struct renderer *r = arg;
	int err;

	self = r;
	if (plan.realtime && sched_setscheduler(0, SCHED_FIFO, &param))
		die(-errno, "can't become a real-time thread");
	r->schedstat = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
	if (r->schedstat < 0)
		die(-errno, "can't open /proc/thread-self/schedstat");
	r->cause.kind = plan.kind;
	r->cause.dir = plan.dir;
	if (plan.kind->start == hog_start) {
		r->cause.run_ns = plan.period_ns * 3 / 10;
		r->cause.hog_ns = plan.period_ns * 7 / 10;
	}
	err = truth_init(&r->truth, plan.truth, plan.kind->part, plan.frames);
	if (!err)
		err = cause_start(&r->cause);
	if (err)
		die(err, "can't prepare the cause %s", plan.kind->name);
	r->truth.waker = r->cause.waker;
	frames(r);
	err = truth_save(&r->truth);
	if (err)
		die(err, "can't write %s", plan.truth);
	if (r->last)
		return NULL;
	cause_stop(&r->cause);
	close(r->schedstat);
	return NULL;
}

static void render_on_threads(int n)
{
	static struct renderer renderers[THREADS_MAX];
	pthread_t threads[THREADS_MAX];

	for (int i = 0; i < n; i++) {
		int err;

		renderers[i].surface = SURFACE + (uint64_t)i * 0x10000;
		err = pthread_create(&threads[i], NULL, render, &renderers[i]);
		if (err)
			die(-err, "can't start a thread");
	}
	for (int i = 0; i < n; i++)
		pthread_join(threads[i], NULL);
}

static void play(void)
{
	static struct renderer renderer = { .surface = SURFACE };

	sleep_ms(plan.before_ms);
	load();
	sleep_ms(plan.after_ms);
	switch (plan.shape) {
	case SHAPE_TWO_THREADS:
		render_on_threads(2);
		break;
	case SHAPE_EXIT_MID_FRAME:
	case SHAPE_EXIT_IN_SWAP:
		render_on_threads(1);
		/* The process outlives its thread for a while. */
		sleep_ms(200);
		break;
	default:
		render(&renderer);
	}
}

static void play_twice(void)
{
	pid_t child = fork();

	if (child < 0)
		die(-errno, "can't fork");
	play();
	if (child) {
		int status;

		waitpid(child, &status, 0);
		if (status)
			die(0, "the second process failed");
	}
}

/* Become the same program with the shape "plain" and no wait after loading. */
static void exec_again(char **argv)
{
	char frames_text[32], period_text[32];

	snprintf(frames_text, sizeof(frames_text), "%zu", plan.frames);
	snprintf(period_text, sizeof(period_text), "%" PRIu64, plan.period_ns / 1000);
	execl("/proc/self/exe", argv[0], "-c", plan.kind->name, "-n", frames_text, "-p",
	      period_text, "-a", "0", "-D", plan.dir, plan.truth, NULL);
	die(-errno, "can't execute itself");
}

static void usage(void)
{
	die(0, "usage: player [-c CAUSE] [-s SHAPE] [-n FRAMES] [-p PERIOD_US] [-b MS] [-a MS] "
	       "[-D DIR] [-r] [TRUTH]");
}

int main(int argc, char **argv)
{
	int opt;

	plan.kind = cause_find("sleep");
	while ((opt = getopt(argc, argv, "c:s:n:p:b:a:D:r")) != -1) {
		switch (opt) {
		case 'c':
			plan.kind = cause_find(optarg);
			if (!plan.kind)
				die(0, "unknown cause %s", optarg);
			break;
		case 's':
			while (plan.shape < SHAPE_NR && strcmp(shape_names[plan.shape], optarg))
				plan.shape++;
			if (plan.shape == SHAPE_NR)
				die(0, "unknown shape %s", optarg);
			break;
		case 'n':
			plan.frames = strtoul(optarg, NULL, 10);
			break;
		case 'p':
			plan.period_ns = strtoull(optarg, NULL, 10) * 1000;
			break;
		case 'b':
			plan.before_ms = (unsigned)strtoul(optarg, NULL, 10);
			break;
		case 'a':
			plan.after_ms = (unsigned)strtoul(optarg, NULL, 10);
			break;
		case 'D':
			plan.dir = optarg;
			break;
		case 'r':
			plan.realtime = true;
			break;
		default:
			usage();
		}
	}
	if (optind < argc)
		plan.truth = argv[optind++];
	if (optind != argc || !plan.kind || !plan.frames || !plan.period_ns)
		usage();
	if (plan.shape == SHAPE_TWO_PROCESSES)
		play_twice();
	else
		play();
	if (plan.shape == SHAPE_EXEC)
		exec_again(argv);
	return 0;
}
