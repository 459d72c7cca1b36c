// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The producer: its side of the buffer queue, its RenderThread, and who gets in its way. */
#include "standins/pipeline/producer.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "standins/pipeline/consumer.h"
#include "standins/pipeline/plan.h"
#include "standins/pipeline/wait.h"
#include "standins/truth.h"

#define SURFACE 0x7a00b4001000u
#define DISPLAY ((void *)0x7a00b4000000u)

enum slot_state { SLOT_FREE, SLOT_DEQUEUED, SLOT_QUEUED };

struct slot {
	enum slot_state state;
	int fence; /* -1: none */
	struct fence_set set;
};

/* The producer's side of the queue. The order in which buffers came back is that of their use. */
static struct {
	pthread_mutex_t mutex;
	pthread_cond_t cond;
	struct slot slots[BUFFERS];
	unsigned free[BUFFERS];
	unsigned nr_free;
} queue = { .mutex = PTHREAD_MUTEX_INITIALIZER, .cond = PTHREAD_COND_INITIALIZER };

static int producer_socket, victim_socket = -1;
static struct signaller gpu = { .owner = OWNER_GPU, .name = "gpu", .cpu = -1 };
static struct frame *frame; /* RenderThread's */
static sem_t frame_begins, frame_synced;

/* Buffers come back. */
static void *binder_main(void *arg)
{
	struct message m = { 0 };
	int fd;

	(void)arg;
	prctl(PR_SET_NAME, "binder");
	while (message_receive(producer_socket, &m, &fd)) {
		struct slot *slot = &queue.slots[m.slot];

		pthread_mutex_lock(&queue.mutex);
		slot->state = SLOT_FREE;
		slot->fence = fd;
		slot->set = m.set;
		queue.free[queue.nr_free++] = m.slot;
		pthread_cond_signal(&queue.cond);
		pthread_mutex_unlock(&queue.mutex);
	}
	return NULL;
}

/* waitForFreeSlotThenRelock(): the queue is locked. */
static long free_slot(int *slot)
{
	uint64_t begin = now_ns();

	if (!queue.nr_free) {
		kick(slot_kick);
		while (!queue.nr_free)
			pthread_cond_wait(&queue.cond, &queue.mutex);
		frame->slot_ns += now_ns() - begin;
	}
	*slot = (int)queue.free[0];
	memmove(queue.free, queue.free + 1, --queue.nr_free * sizeof(queue.free[0]));
	return 0;
}

/* Has the consumer not given it back, or not done with it when it did? */
static bool in_flight(unsigned i, bool at_most)
{
	const struct slot *slot = &queue.slots[i];
	struct pollfd p = { .fd = slot->fence, .events = POLLIN };

	if (slot->state == SLOT_QUEUED)
		return at_most || !atomic_load(&shared->given_back[i]);
	return slot->state == SLOT_FREE && slot->fence >= 0 && poll(&p, 1, 0) == 0;
}

/* The queue is locked. It can only become less until the next buffer is queued. */
static unsigned depth(bool at_most)
{
	unsigned nr = 0;

	for (unsigned i = 0; i < BUFFERS; i++)
		nr += in_flight(i, at_most);
	return nr;
}

static long dequeue(void **buffer, int *fence)
{
	int slot = -1;

	pthread_mutex_lock(&queue.mutex);
	frame->depth_in = depth(false);
	api.free_slot(&queue, 0, &queue.mutex, &slot);
	queue.slots[slot].state = SLOT_DEQUEUED;
	*buffer = &queue.slots[slot];
	*fence = queue.slots[slot].fence;
	pthread_mutex_unlock(&queue.mutex);
	return 0;
}

static long enqueue(struct slot *slot, int fence)
{
	struct message m = {
		.frame = frame->frame,
		.slot = (unsigned)(slot - queue.slots),
		.set = frame->acquire,
	};

	pthread_mutex_lock(&queue.mutex);
	slot->state = SLOT_QUEUED;
	atomic_store(&shared->given_back[m.slot], false);
	pthread_mutex_unlock(&queue.mutex);
	message_send(producer_socket, &m, fence);
	if (victim_socket >= 0)
		message_send(victim_socket, &m, fence);
	close(fence);
	return 0;
}

static long cancel(struct slot *slot, int fence)
{
	pthread_mutex_lock(&queue.mutex);
	slot->state = SLOT_FREE;
	slot->fence = fence;
	queue.free[queue.nr_free++] = (unsigned)(slot - queue.slots);
	pthread_mutex_unlock(&queue.mutex);
	return 0;
}

static void *acquire_fd; /* of the frame that is swapped, as a pointer of that value */
static void *dequeued;

long on_call(enum standin_function which, void *arg0, void *arg1, void *arg2)
{
	const struct android_fence *fence = arg0;
	const struct android_fence_12 *fence_12 = arg0;
	long ret;

	switch (which) {
	case STANDIN_SWAP:
		frame->enter_ns = now_ns();
		api.queue(arg1, dequeued, (int)(intptr_t)acquire_fd);
		frame->leave_ns = now_ns();
		return 1;
	case STANDIN_DEQUEUE:
		return dequeue(arg1, arg2);
	case STANDIN_QUEUE:
		return enqueue(arg1, (int)(intptr_t)arg2);
	case STANDIN_CANCEL:
		return cancel(arg1, (int)(intptr_t)arg2);
	case STANDIN_SLOT:
		return free_slot(arg2);
	case STANDIN_FENCE_WAIT:
		return api.sync_wait(fence_12->fd, (int)(intptr_t)arg1) ? -errno : 0;
	case STANDIN_FENCE_FOREVER:
		ret = api.sync_wait(fence->fd, 3000) ? -errno : 0;
		if (ret == -ETIME)
			ret = api.sync_wait(fence->fd, -1) ? -errno : 0;
		return ret;
	default:
		return 0;
	}
}

/* Gives the descriptor's number to another fence while RenderThread waits. */
static struct {
	pthread_t thread;
	sem_t request, done;
	int fd, other;
	pid_t victim;
	struct fence_set set; /* of the other */
} thief;

static void await_signal(const struct fence_set *set)
{
	while (atomic_load(&shared->fences[set->ids[0]].state) != FENCE_SIGNALLED)
		sleep_until(now_ns() + MS / 4);
}

/* Until RenderThread blocks: what it looked at before is not what it waits for then. */
static void await_block(void)
{
	char path[64], text[256], *state;
	uint64_t end = now_ns() + 20 * MS;
	int fd;

	snprintf(path, sizeof(path), "/proc/self/task/%d/stat", thief.victim);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	do {
		ssize_t n = pread(fd, text, sizeof(text) - 1, 0);

		if (n <= 0)
			die(-errno, "can't read %s", path);
		text[n] = '\0';
		state = strrchr(text, ')');
	} while (state && state[2] != 'S' && now_ns() < end);
	close(fd);
	/* It says so a little before it leaves the CPU. */
	sleep_until(now_ns() + MS);
}

static void *thief_main(void *arg)
{
	(void)arg;
	prctl(PR_SET_NAME, "thief");
	for (;;) {
		sem_wait(&thief.request);
		if (thief.fd < 0)
			return NULL;
		await_signal(&thief.set);
		await_block();
		if (dup3(thief.other, thief.fd, O_CLOEXEC) < 0)
			die(-errno, "can't replace a descriptor");
		close(thief.other);
		sem_post(&thief.done);
	}
}

static void thief_call(int fd)
{
	thief.fd = fd;
	thief.victim = gettid();
	sem_post(&thief.request);
}

/*
 * The first fence loses its number while it is waited for, to one that was signalled before: when
 * the first one's signal wakes poll(), it looks the number up again and is content with what it
 * finds. Then the number goes to another one at once.
 */
static void wait_reused(int fd, const struct fence_set *set)
{
	struct fence_set next = { 0 };
	int other;

	memset(&thief.set, 0, sizeof(thief.set));
	thief.other = fence_make(&gpu, &thief.set, DUE_MADE, 0, 1);
	wait_for(set, fd, frame->frame, "release", plan.call, -1, thief_call);
	sem_wait(&thief.done);
	/* Not by closing it first: the number could be that of a buffer's fence that comes back. */
	other = fence_make(&gpu, &next, DUE_WAITED, 3 * MS, 1);
	if (dup3(other, fd, O_CLOEXEC) < 0)
		die(-errno, "can't replace a descriptor");
	close(other);
	wait_for(&next, fd, frame->frame, "waited", plan.call, -1, NULL);
	close(fd);
}

static void wait_release(int fd, const struct fence_set *set)
{
	const struct scenario *s = plan.scenario;

	set_event(set, DUE_DEQUEUED);
	frame->release = *set;
	if (s->release.due == DUE_DEQUEUED)
		await_signal(set);
	if (s->reuse) {
		wait_reused(fd, set);
		return;
	}
	wait_for(set, fd, frame->frame, "release", plan.call,
		 s->timeout_ms ? (int)s->timeout_ms : -1, NULL);
	close_fence(fd, s->release.due);
}

static void get_buffer(struct slot **slot, int *fence)
{
	pthread_mutex_lock(&queue.mutex);
	frame->depth_before = depth(true);
	pthread_mutex_unlock(&queue.mutex);
	frame->dequeue_ns = now_ns();
	api.dequeue((void *)SURFACE, &dequeued, fence);
	frame->dequeued_ns = now_ns();
	*slot = dequeued;
}

static void give_up(struct slot *slot, int fence)
{
	struct cancel *e = cancel_new();

	e->frame = frame->frame;
	e->pid = frame->pid;
	e->tid = frame->tid;
	e->surface = SURFACE;
	e->fd = fence;
	if (fence >= 0)
		e->set = slot->set;
	e->begin_ns = now_ns();
	api.cancel((void *)SURFACE, slot, fence);
	e->end_ns = now_ns();
}

static void render(unsigned number)
{
	struct slot *slot;
	uint64_t draw;
	int fence = -1;

	frame = frame_new();
	*frame = (struct frame){
		.frame = number,
		.pid = getpid(),
		.tid = gettid(),
		.surface = SURFACE,
	};
	get_buffer(&slot, &fence);
	if (plan.scenario->cancel && number % 8 == 7) {
		give_up(slot, fence);
		get_buffer(&slot, &fence);
	}
	if (fence >= 0)
		wait_release(fence, &slot->set);
	sem_post(&frame_synced);
	draw = now_ns() + MS / 4;
	while (now_ns() < draw)
		;
	acquire_fd = (void *)(intptr_t)fence_make(&gpu, &frame->acquire, plan.scenario->acquire.due,
						  plan.scenario->acquire.delay_us * 1000ull,
						  plan.scenario->victim ? 2 : 1);
	frame->swap_ns = now_ns();
	api.swap(DISPLAY, (void *)SURFACE);
	frame->end_ns = now_ns();
}

static void *render_main(void *arg)
{
	(void)arg;
	prctl(PR_SET_NAME, "RenderThread");
	if (hog.for_ns)
		stay_on(hog.cpu);
	for (unsigned i = 0; i < plan.frames; i++) {
		sem_wait(&frame_begins);
		render(i);
	}
	return NULL;
}

/* The UI thread's part: it hands frames over at the script's pace. */
static void ui(void)
{
	uint64_t next = now_ns();

	for (unsigned i = 0; i < plan.frames; i++) {
		sem_post(&frame_begins);
		sem_wait(&frame_synced);
		next += plan.period_ns;
		if (next > now_ns())
			sleep_until(next);
		else
			next = now_ns();
	}
}

static void child_end(pid_t child)
{
	int status;

	if (waitpid(child, &status, 0) != child || status)
		die(0, "a consumer failed");
}

static void sockets(int pair[2])
{
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair))
		die(-errno, "can't make sockets");
}

/* What the fences that nobody signalled look like stays so, until the file is taken away. */
static void hold(unsigned consumers)
{
	int fd;

	while (atomic_load(&shared->nr_idle) < consumers || !all_signalled())
		sleep_until(now_ns() + MS);
	shared->hold_ns = now_ns();
	fd = open(plan.hold, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
	if (fd < 0)
		die(-errno, "can't make %s", plan.hold);
	close(fd);
	while (!access(plan.hold, F_OK))
		sleep_until(now_ns() + 5 * MS);
	shared->held_ns = now_ns();
	while (consumers--)
		kick(hold_kick);
}

void play(void)
{
	pid_t consumer, victim = 0;
	pthread_t binder, renderer;
	int pair[2];

	sockets(pair);
	producer_socket = pair[0];
	consumer = consumer_start(pair[1], pair[0], false);
	close(pair[1]);
	if (plan.scenario->victim) {
		sockets(pair);
		victim_socket = pair[0];
		victim = consumer_start(pair[1], pair[0], true);
		close(pair[1]);
	}
	sleep_until(now_ns() + plan.after_ms * MS);
	for (unsigned i = 0; i < BUFFERS; i++) {
		queue.slots[i].fence = -1;
		queue.free[queue.nr_free++] = i;
	}
	sem_init(&frame_begins, 0, 0);
	sem_init(&frame_synced, 0, 0);
	sem_init(&thief.request, 0, 0);
	sem_init(&thief.done, 0, 0);
	signaller_start(&gpu, plan.sync_files);
	if (pthread_create(&binder, NULL, binder_main, NULL) ||
	    pthread_create(&thief.thread, NULL, thief_main, NULL) ||
	    pthread_create(&renderer, NULL, render_main, NULL))
		die(0, "can't start a thread");
	ui();
	pthread_join(renderer, NULL);
	kick(slot_kick); /* the consumer may count on one more frame */
	shutdown(producer_socket, SHUT_WR);
	if (victim)
		shutdown(victim_socket, SHUT_WR);
	if (plan.hold)
		hold(victim ? 2 : 1);
	pthread_join(binder, NULL);
	child_end(consumer);
	if (victim)
		child_end(victim);
	signaller_stop(&gpu, !plan.sync_files);
	thief_call(-1);
	pthread_join(thief.thread, NULL);
}
