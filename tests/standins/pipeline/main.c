/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A buffer queue like Android's, with real dma-fences: a producer with a UI thread and a
 * RenderThread, a consumer in a process of its own, three buffers that go around with their fences
 * over a socket. Each scenario makes one thing slow, and all writes down what it knows of every
 * frame, wait and fence (see shared.h).
 *
 * pipeline [-k] [-n FRAMES] [-p PERIOD_US] [-a MS] [-f sync_file|dma-buf] [-w CALL]
 *     [-H FILE] SCENARIO [TRUTH]
 * pipeline -l
 *
 * -k: the recorder knows the libraries already, from a pipeline before this one.
 * -a: how long it waits after it loaded the stand-in libraries beside it. A recorder has had its
 *     time to find them after half a second.
 * -f: what stands for a fence; sync_file where the kernel gives one for vgem (6.0), else dma-buf.
 * -w: how RenderThread waits: sync_wait (the default), Fence::wait, Fence::waitForever, poll,
 *     ppoll, select or epoll.
 * -H: makes FILE after the last frame, and keeps all fences until somebody removes it: what was not
 *     signalled by then is not before. (But after 10 s vgem does it.)
 * -l: list the scenarios.
 *
 * It needs root, the vgem module and for the scenario same-context virtio_gpu. Exit code: 0, 1
 * failed, 77 this machine can't play that scenario.
 */
#include <dlfcn.h>
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "standins/pipeline/consumer.h"
#include "standins/pipeline/display.h"
#include "standins/pipeline/plan.h"
#include "standins/pipeline/producer.h"
#include "standins/pipeline/wait.h"
#include "standins/truth.h"

#define SETTLE_MS 500
#define CANNOT 77

/* The function of a library beside the program; with it its calls come here. */
static void *load(const char *name, void **lib)
{
	char dir[4096], path[4200];
	ssize_t n = readlink("/proc/self/exe", dir, sizeof(dir) - 1);
	standin_set_fn set;

	if (n <= 0)
		die(-errno, "can't read /proc/self/exe");
	dir[n] = '\0';
	*strrchr(dir, '/') = '\0';
	snprintf(path, sizeof(path), "%s/%s", dir, name);
	*lib = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!*lib)
		die(0, "%s", dlerror());
	set = (standin_set_fn)dlsym(*lib, "standin_set");
	if (set)
		set(on_call);
	return *lib;
}

static void load_all(void)
{
	void *egl = load("libEGL.so", &egl), *gui = load("libgui.so", &gui);
	void *libui = load("libui.so", &libui), *sync = load("libsync.so", &sync);

	*(void **)&api.swap = dlsym(egl, "eglSwapBuffers");
	*(void **)&api.dequeue =
		dlsym(gui, "_ZN7android7Surface13dequeueBufferEPP19ANativeWindowBufferPi");
	*(void **)&api.queue =
		dlsym(gui, "_ZN7android7Surface11queueBufferEP19ANativeWindowBufferi");
	*(void **)&api.cancel =
		dlsym(gui, "_ZN7android7Surface12cancelBufferEP19ANativeWindowBufferi");
	*(void **)&api.free_slot =
		dlsym(gui, "_ZNK7android19BufferQueueProducer25waitForFreeSlotThenRelockE"
			   "NS0_14FreeSlotCallerERNSt3__111unique_lockINS2_5mutexEEEPi");
	*(void **)&api.fence_wait = dlsym(libui, "_ZN7android5Fence4waitEi");
	*(void **)&api.fence_forever = dlsym(libui, "_ZN7android5Fence11waitForeverEPKc");
	*(void **)&api.sync_wait = dlsym(sync, "sync_wait");
	if (!api.swap || !api.dequeue || !api.queue || !api.cancel || !api.free_slot ||
	    !api.fence_wait || !api.fence_forever || !api.sync_wait)
		die(0, "%s", dlerror());
	plan.settled_ns = now_ns() + (plan.known ? 0 : SETTLE_MS * MS);
}

static void cannot(const char *why, int err)
{
	fprintf(stderr, "pipeline: the scenario %s can't be played here: %s%s%s\n",
		plan.scenario->name, why, err ? ": " : "", err ? strerror(-err) : "");
	exit(CANNOT);
}

/* What the scenario needs of this machine. */
static void check_needs(void)
{
	const struct scenario *s = plan.scenario;
	struct vgem vgem;
	int err = vgem_open(&vgem, plan.sync_files);

	if (err == -ENOTTY && !plan.source_given) {
		plan.sync_files = false;
		err = vgem_open(&vgem, false);
	}
	if (err)
		cannot("no fences of vgem", err);
	close(vgem.fd);
	if (s->merge && !plan.sync_files)
		cannot("vgem gives no sync_files to merge", 0);
	if (s->display) {
		struct display display;

		err = display_open(&display);
		if (err)
			cannot("no display of virtio_gpu", err);
		close(display.fd);
	}
	if (s->late) {
		cpu_set_t cpus;

		if (sched_getaffinity(0, sizeof(cpus), &cpus) || CPU_COUNT(&cpus) < 2)
			cannot("there is only one CPU", 0);
		hog.for_ns = 6 * MS;
		/* The last one, and another. */
		for (int i = 0; i < CPU_SETSIZE; i++) {
			if (CPU_ISSET(i, &cpus)) {
				screen.cpu = hog.cpu;
				hog.cpu = i;
			}
		}
	}
}

static void usage(void)
{
	die(0, "usage: pipeline [-k] [-n FRAMES] [-p PERIOD_US] [-a MS] [-f sync_file|dma-buf] "
	       "[-w CALL] [-H FILE] SCENARIO [TRUTH], or pipeline -l");
}

static void options(int argc, char **argv)
{
	int opt;

	while ((opt = getopt(argc, argv, "kn:p:a:f:w:H:l")) != -1) {
		switch (opt) {
		case 'k':
			plan.known = true;
			break;
		case 'n':
			plan.frames = (unsigned)strtoul(optarg, NULL, 10);
			break;
		case 'p':
			plan.period_ns = strtoull(optarg, NULL, 10) * 1000;
			break;
		case 'a':
			plan.after_ms = (unsigned)strtoul(optarg, NULL, 10);
			break;
		case 'f':
			plan.source_given = true;
			plan.sync_files = strcmp(optarg, "dma-buf") != 0;
			break;
		case 'w':
			plan.call = optarg;
			break;
		case 'H':
			plan.hold = optarg;
			break;
		case 'l':
			for (unsigned i = 0; i < nr_scenarios; i++)
				puts(scenarios[i].name);
			exit(0);
		default:
			usage();
		}
	}
	if (optind == argc || optind + 2 < argc)
		usage();
	for (unsigned i = 0; i < nr_scenarios; i++) {
		if (!strcmp(scenarios[i].name, argv[optind]))
			plan.scenario = &scenarios[i];
	}
	if (!plan.scenario)
		die(0, "unknown scenario %s", argv[optind]);
	plan.truth = argv[optind + 1];
	if (!plan.frames)
		plan.frames = plan.scenario->frames ? plan.scenario->frames : 60;
	if (!plan.period_ns)
		plan.period_ns = 10 * MS;
}

int main(int argc, char **argv)
{
	options(argc, argv);
	check_needs();
	shared_open();
	for (int i = 0; i < OWNERS; i++)
		kicks[i] = kick_open(EFD_NONBLOCK);
	hog.kick = kick_open(0);
	slot_kick = kick_open(0);
	hold_kick = kick_open(EFD_SEMAPHORE);
	load_all();
	play();
	if (plan.truth) {
		int err = shared_save(plan.truth, plan.scenario->name,
				      plan.sync_files ? "sync_file" : "dma-buf", plan.settled_ns);

		if (err)
			die(err, "can't write %s", plan.truth);
	}
	return 0;
}
