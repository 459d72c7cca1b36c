// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Three threads: the GPU, which does one frame after the other, the consumer, and the callbacks. */
#include "standins/android/backend.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "standins/android/api.h"
#include "standins/android/window.h"
#include "standins/pipeline/vgem.h"
#include "standins/truth.h"

#define MAIL_MAX 64
#define WINDOWS_MAX 256

enum mail_kind { MAIL_STOP, MAIL_FRAME, MAIL_WANTED, MAIL_WAITED };

struct mail {
	enum mail_kind kind;
	struct frame *frame;
	struct buffer *buffer;
	struct window *window;
	uint64_t due_ns;
	int fence;
};

/* A thread that works its mail off. */
struct worker {
	const char *name;
	void (*work)(struct mail *m);
	pthread_t thread;
	pthread_mutex_t mutex;
	pthread_cond_t cond;
	struct mail mail[MAIL_MAX];
	unsigned first, nr;
	pid_t tid;
};

static void gpu_work(struct mail *m);
static void consumer_work(struct mail *m);
static void callback_work(struct mail *m);

#define WORKER(thread_name, function)                                                              \
	{                                                                                          \
		.name = (thread_name), .work = (function), .mutex = PTHREAD_MUTEX_INITIALIZER,     \
		.cond = PTHREAD_COND_INITIALIZER                                                   \
	}

static struct worker gpu = WORKER("gpu", gpu_work);
static struct worker consumer = WORKER("binder:%d_1", consumer_work);
static struct worker callbacks = WORKER("binder:%d_2", callback_work);

static struct vgem vgem;
static _Atomic unsigned pending;

/* The buffers that the consumer has, by window, oldest first. */
static struct held {
	struct buffer *buffers[BUFFERS];
	unsigned nr, wanted;
} held[WINDOWS_MAX];

static void pause_until(uint64_t ns)
{
	struct timespec ts = { (time_t)(ns / 1000000000u), (long)(ns % 1000000000u) };

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL) == EINTR)
		;
}

static void post(struct worker *w, const struct mail *m)
{
	pthread_mutex_lock(&w->mutex);
	if (w->nr == MAIL_MAX)
		die(-ENOSPC, "too much to do for %s", w->name);
	w->mail[(w->first + w->nr++) % MAIL_MAX] = *m;
	pthread_cond_signal(&w->cond);
	pthread_mutex_unlock(&w->mutex);
}

static void *worker_main(void *arg)
{
	struct worker *w = arg;
	struct mail m;
	char name[32];

	snprintf(name, sizeof(name), w->name, getpid());
	prctl(PR_SET_NAME, name);
	pthread_mutex_lock(&w->mutex);
	w->tid = gettid();
	pthread_cond_broadcast(&w->cond);
	for (;;) {
		while (!w->nr)
			pthread_cond_wait(&w->cond, &w->mutex);
		m = w->mail[w->first];
		w->first = (w->first + 1) % MAIL_MAX;
		w->nr--;
		pthread_mutex_unlock(&w->mutex);
		if (m.kind == MAIL_STOP)
			return NULL;
		w->work(&m);
		pthread_mutex_lock(&w->mutex);
	}
}

static void worker_start(struct worker *w)
{
	if (pthread_create(&w->thread, NULL, worker_main, w))
		die(0, "can't start a thread");
	pthread_mutex_lock(&w->mutex);
	while (!w->tid)
		pthread_cond_wait(&w->cond, &w->mutex);
	pthread_mutex_unlock(&w->mutex);
}

static void worker_stop(struct worker *w)
{
	const struct mail m = { .kind = MAIL_STOP };

	post(w, &m);
	pthread_join(w->thread, NULL);
}

void backend_open(void)
{
	int err = plan.fences ? vgem_open(&vgem, true) : 0;

	if (err)
		die(err, "can't make fences with vgem");
	worker_start(&gpu);
	worker_start(&consumer);
	worker_start(&callbacks);
}

void backend_close(void)
{
	worker_stop(&gpu);
	worker_stop(&consumer);
	worker_stop(&callbacks);
}

pid_t backend_consumer(void)
{
	return consumer.tid;
}

void backend_expect(void)
{
	atomic_fetch_add(&pending, 1);
}

void backend_done(void)
{
	atomic_fetch_sub(&pending, 1);
}

bool backend_is_idle(void)
{
	return !atomic_load(&pending);
}

static int make_fence(uint32_t *id)
{
	int fd = vgem_make(&vgem, id);

	if (fd < 0)
		die(fd, "can't make a fence");
	return fd;
}

static void signal_fence(uint32_t id)
{
	int err = vgem_signal(&vgem, id);

	if (err)
		die(err, "can't signal a fence");
}

int backend_acquire_fence(struct frame *f)
{
	return plan.fences ? make_fence(&f->gpu_fence) : -1;
}

void backend_queue(struct frame *f, struct buffer *b, int fence)
{
	const struct mail m = { MAIL_FRAME, .frame = f, .buffer = b, .fence = fence };

	post(&gpu, &m);
}

/* When the consumer does what somebody waits for. */
static uint64_t due_ns(void)
{
	const struct scenario *s = plan.scenario;
	bool is_late = s->turn == TURN_NO_SLOT || s->turn == TURN_LATE_RELEASE;

	return now_ns() + (is_late ? plan.period_ns * s->percent / 100 : 0);
}

void backend_wanted(struct window *w)
{
	const struct mail m = { MAIL_WANTED, .window = w, .due_ns = due_ns() };

	post(&consumer, &m);
}

void backend_waits(struct buffer *b)
{
	const struct mail m = { MAIL_WAITED, .buffer = b, .due_ns = due_ns() };

	if (!b->is_signalled)
		post(&consumer, &m);
}

static void gpu_work(struct mail *m)
{
	pause_until(now_ns() + m->frame->gpu_ns);
	m->frame->gpu_done_ns = now_ns();
	if (plan.fences)
		signal_fence(m->frame->gpu_fence);
	post(&consumer, m);
	post(&callbacks, m);
}

static void give_back(struct held *h)
{
	static void *const no_fence;
	struct buffer *b = h->buffers[0];
	const struct release_callback_id id = { &no_fence, b->id, b->frame_number };

	memmove(h->buffers, h->buffers + 1, --h->nr * sizeof(h->buffers[0]));
	if (plan.fences) {
		b->fence = make_fence(&b->vgem);
		b->is_signalled = plan.scenario->turn != TURN_LATE_RELEASE;
		if (b->is_signalled)
			signal_fence(b->vgem);
	}
	if (api.gui->release)
		api.gui->release(&b->window->queue_of, &id, &no_fence, 0);
	else
		producer_release(&b->window->queue_of, &id, &no_fence, 0);
}

/* The consumer shows the newest buffer, and gives those before it back. */
static void consumer_work(struct mail *m)
{
	struct window *w = m->kind == MAIL_WANTED ? m->window : m->buffer->window;
	struct held *h = &held[w->number % WINDOWS_MAX];

	switch (m->kind) {
	case MAIL_WAITED:
		pause_until(m->due_ns);
		signal_fence(m->buffer->vgem);
		return;
	case MAIL_WANTED:
		pause_until(m->due_ns);
		h->wanted++;
		break;
	default:
		h->buffers[h->nr++] = m->buffer;
	}
	if (plan.scenario->turn != TURN_NO_SLOT) {
		h->wanted = 0;
		while (h->nr > 1)
			give_back(h);
	} else if (h->wanted && h->nr) {
		h->wanted--;
		give_back(h);
	}
}

static int64_t later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

void backend_on_stats(void *context, int control, const void *stats)
{
	struct window *w = window_of(context);
	const struct mail *m = stats;
	int64_t *info = m->frame->info;
	int64_t gpu_ns = (int64_t)m->frame->gpu_done_ns;

	if (plan.fences) {
		struct {
			const void *vtable;
			int references;
			int fd;
		} fence = { &pending, 1, m->fence };
		struct fence_info look;

		if (layout >= 24)
			api.fence_forever(&fence, "acquireFence");
		if (!fence_look(m->fence, &look) && look.signal_ns)
			gpu_ns = (int64_t)look.signal_ns;
	}
	slot_set(info, SLOT_COMPLETED, later(gpu_ns, slot_get(info, SLOT_SWAPPED)));
	slot_set(info, SLOT_GPU, later(gpu_ns, slot_get(info, SLOT_SUBMITTED)));
	frame_spend_wait(m->frame, STAGE_GPU, slot_get(info, SLOT_SWAPPED),
			 slot_get(info, SLOT_COMPLETED));
	api.hwui->finish(&w->tracker, info, &w->tracker, (int64_t)m->frame->frame_number, control);
}

int backend_fence_forever(const void *fence)
{
	const struct {
		const void *vtable;
		int references;
		int fd;
	} *f = fence;

	return api.sync_wait(f->fd, -1) ? -errno : 0;
}

/* Up to Android 11 nobody is told. */
static void callback_work(struct mail *m)
{
	if (api.hwui->on_stats) {
		while (!atomic_load(&m->frame->is_drawn))
			pause_until(now_ns() + MS / 10);
		api.hwui->on_stats(&m->buffer->window->context, (int)m->buffer->window->number, m);
	}
	if (m->fence >= 0)
		close(m->fence);
}
