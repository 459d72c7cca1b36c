// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What the consumer and the victim do with the buffers that come over their sockets. */
#include "standins/pipeline/consumer.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "standins/pipeline/display.h"
#include "standins/pipeline/plan.h"
#include "standins/pipeline/wait.h"
#include "standins/truth.h"

#define COMMITS 4 /* when a frame is shown several times */

int slot_kick, hold_kick;
struct signaller screen = { .owner = OWNER_DISPLAY, .name = "display", .cpu = -1 };

static struct display display;

static int release_fence(struct fence_set *set, unsigned number)
{
	const struct scenario *s = plan.scenario;
	unsigned nr = s->merge ? s->merge : 1;
	int fd = -1;

	memset(set, 0, sizeof(*set));
	for (unsigned i = 0; i < nr; i++) {
		/* In another order each time. */
		uint64_t delay = s->release.delay_us * 1000ull + (i * 3 + number) % nr * MS;
		int one = fence_make(&screen, set, s->release.due, delay, 1);
		int both = fd < 0 ? one : fence_merge(fd, one);

		if (both < 0)
			die(both, "can't merge fences");
		if (fd >= 0) {
			close(fd);
			close(one);
		}
		fd = both;
	}
	if (nr > 1) {
		struct fence_info info;

		if (!fence_look(fd, &info) && info.has_identity) {
			set->has_identity = true;
			set->context = info.context;
			set->seqno = info.seqno;
		}
	}
	return fd;
}

/* Shows a frame: the descriptor of the fence of that. */
static int show(struct fence_set *set)
{
	uint64_t asked = now_ns();
	int fd = display_make(&display);
	struct fence *f;

	if (fd < 0)
		die(fd, "can't show a frame");
	memset(set, 0, sizeof(*set));
	f = fence_add(set, fd, OWNER_DISPLAY, asked);
	f->due = DUE_KERNEL;
	fence_ready(f);
	return fd;
}

static void give_back(int sock, unsigned slot, unsigned number)
{
	struct message m = { .frame = number, .slot = slot };
	int fd = -1;

	/* From here on its fence may signal. */
	atomic_store(&shared->given_back[slot], true);
	if (plan.scenario->display)
		fd = show(&m.set);
	else if (!plan.scenario->no_release)
		fd = release_fence(&m.set, number);
	message_send(sock, &m, fd);
	if (fd >= 0)
		close(fd);
}

/* Shows the frame several times, and each time waits until it is there. */
static void show_often(unsigned number)
{
	for (int i = 1; i < COMMITS; i++) {
		struct fence_set set;
		int fd = show(&set);

		wait_for(&set, fd, number, "waited", "sync_wait", -1, NULL);
		close(fd);
	}
}

static void wait_acquire(const struct message *m, int fd, bool victim)
{
	if (plan.scenario->acquire.due == DUE_NEVER)
		wait_for(&m->set, fd, m->frame, "acquire", "Fence::wait",
			 (int)plan.scenario->timeout_ms, NULL);
	else if (victim)
		wait_for(&m->set, fd, m->frame, "acquire", "Fence::wait", 3000, NULL);
	else
		wait_for(&m->set, fd, m->frame, "acquire", "Fence::waitForever", -1, NULL);
	close_fence(fd, plan.scenario->acquire.due);
}

static void consume(int sock, bool victim)
{
	unsigned held[BUFFERS], nr_held = 0;
	/* Without release fences it keeps all buffers until none is left. */
	unsigned keeps = plan.scenario->no_release ? BUFFERS - 1 : 1;
	struct message m = { 0 };
	int fd;

	while (message_receive(sock, &m, &fd)) {
		if (fd >= 0)
			wait_acquire(&m, fd, victim);
		if (victim)
			continue;
		if (plan.scenario->display)
			show_often(m.frame);
		held[nr_held++] = m.slot;
		if (nr_held <= keeps)
			continue;
		if (plan.scenario->no_release) {
			kicked(slot_kick);
			sleep_until(now_ns() + 5 * MS);
		}
		give_back(sock, held[0], m.frame);
		memmove(held, held + 1, --nr_held * sizeof(held[0]));
	}
	if (plan.hold) {
		atomic_fetch_add(&shared->nr_idle, 1);
		kicked(hold_kick);
	}
}

pid_t consumer_start(int sock, int other, bool victim)
{
	pid_t child = fork();

	if (child < 0)
		die(-errno, "can't fork");
	if (child)
		return child;
	close(other);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	prctl(PR_SET_NAME, victim ? "victim" : "consumer");
	if (victim) {
		consume(sock, true);
		_exit(0);
	}
	if (plan.scenario->display) {
		int err = display_open(&display);

		if (err)
			die(err, "can't use the display");
	}
	if (hog.for_ns && pthread_create(&hog.thread, NULL, hog_main, NULL))
		die(0, "can't start a thread");
	signaller_start(&screen, plan.sync_files);
	consume(sock, false);
	signaller_stop(&screen, !plan.sync_files);
	_exit(0);
}
