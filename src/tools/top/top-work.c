/* SPDX-License-Identifier: MIT */
#include "tools/top/top-work.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/memory.h"
#include "capture/loop.h"
#include "capture/opened-events.h"
#include "measure/live.h"
#include "measure/record-interpreted.h"
#include "measure/record-job.h"
#include "session/machine.h"
#include "session/reading.h"
#include "session/session.h"
#include "symbol/symbolizer.h"
#include "tools/top/internal-work.h"

/*
 * The interval at which rings are emptied; it is shorter if they fill up. Each pass may contain
 * side-band that invalidates the resolver's caches, so fewer passes cost less.
 */
#define LOOK_MS 500

static bool top_is_hidden(const struct top_hidden *h, const struct session_sample *s, uint32_t self)
{
	switch (address_mode_of(s->sample->misc)) {
	case ADDRESS_KERNEL:
	case ADDRESS_GUEST_KERNEL:
	case ADDRESS_HYPERVISOR:
		if (h->kernel)
			return true;
		break;
	default:
		if (h->user)
			return true;
	}
	return h->self && s->sample->pid == self;
}

static void count_sample(struct top_figures *f, const struct sample *s)
{
	f->samples++;
	f->exact += (s->misc & PERF_RECORD_MISC_EXACT_IP) != 0;
	switch (address_mode_of(s->misc)) {
	case ADDRESS_KERNEL:
		f->kernel++;
		break;
	case ADDRESS_USER:
		f->user++;
		break;
	case ADDRESS_GUEST_KERNEL:
		f->guest_kernel++;
		break;
	case ADDRESS_GUEST_USER:
		f->guest_user++;
		break;
	default:
		break;
	}
}

static struct sample_batch leave_out_hidden(struct top *t, const struct sample_batch *b)
{
	struct sample_batch left = *b;
	uint32_t self = (uint32_t)getpid();

	t->wanted.n = 0;
	for (size_t i = 0; i < b->n; i++)
		if (!top_is_hidden(&t->now.hidden, &b->items[i], self))
			*ARRAY_ADD(&t->wanted) = b->items[i];
	left.items = t->wanted.items;
	left.n = t->wanted.n;
	return left;
}

int top_take(void *arg, const struct sample_batch *b)
{
	struct top *t = arg;
	const struct top_hidden *h = &t->now.hidden;
	struct sample_batch left = *b;

	for (size_t i = 0; i < b->n; i++)
		count_sample(&t->figures, b->items[i].sample);
	if (h->kernel || h->user || h->self)
		left = leave_out_hidden(t, b);
	collector_take(t->world->profile.collector, &left);
	top_code_take(t, &left);
	return 0;
}

static void top_publish(struct top *t, struct top_snapshot *s)
{
	struct top_snapshot *before;

	pthread_mutex_lock(&t->work.lock);
	before = t->newest;
	t->newest = s;
	pthread_mutex_unlock(&t->work.lock);
	top_snapshot_unref(t, before);
	background_tell(&t->work);
}

/* Makes a snapshot of the current state, and fades it. */
static void top_refresh(struct top *t, uint64_t now_ns)
{
	t->figures.span_ns = now_ns - t->begin_ns;
	top_publish(t, top_snapshot_new(t));
	top_code_refresh(t,
			 t->now.frozen   ? 1
			 : t->now.zeroes ? 0
					 : TOP_FADE_LEFT,
			 t->now.frozen ? 1 : TOP_FADE_OF);
	if (!t->now.frozen)
		top_world_fade(t);
	t->figures = (struct top_figures){ 0 };
	t->begin_ns = now_ns;
	t->refresh_ns = now_ns + t->now.delay_ms * 1000000;
}

static void top_freeze(struct top *t, bool frozen)
{
	if (frozen == t->now.frozen)
		return;
	if (frozen)
		opened_events_disable(&t->job->opened);
	else
		opened_events_enable(&t->job->opened);
}

/* Reports a failure that does not end the work. @diag is empty afterwards. */
static void top_fail(struct top *t, int r, struct diag *diag)
{
	pthread_mutex_lock(&t->work.lock);
	t->failure = r;
	diag_done(&t->failure_diag);
	t->failure_diag = *diag;
	*diag = (struct diag){ 0 };
	pthread_mutex_unlock(&t->work.lock);
	background_tell(&t->work);
}

static void top_work_save(struct top *t, const char *path)
{
	struct diag diag = { 0 };
	int r = top_write(t, path, &diag);

	pthread_mutex_lock(&t->work.lock);
	t->is_saved = true;
	t->save_error = r < 0 ? r : 0;
	diag_done(&t->save_diag);
	t->save_diag = diag;
	pthread_cond_broadcast(&t->work.changed);
	pthread_mutex_unlock(&t->work.lock);
}

/* Answers another question from now on. An error in it leaves everything unchanged. */
static void change_question(struct top *t, struct top_question *q)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct top_world *w;
	int r = t->has_no_more ? top_recount(t, q, &diag) : top_world_new(t, q, NULL, &w, &diag);

	if (r >= 0 && t->has_no_more) {
		top_publish(t, top_snapshot_new(t));
	} else if (r >= 0) {
		top_world_unref(t, t->world);
		t->world = w;
		t->refresh_ns = 0;
	} else {
		top_fail(t, r, &diag);
	}
	top_question_unref(q);
}

/* Carries out the orders. True if the thread is to stop. */
static bool top_obey(struct top *t)
{
	struct top_orders o;

	pthread_mutex_lock(&t->work.lock);
	o = t->orders;
	t->orders.question = NULL;
	t->orders.save_path = NULL;
	t->orders.is_new = false;
	pthread_mutex_unlock(&t->work.lock);
	if (o.save_path)
		top_work_save(t, o.save_path);
	if (atomic_load(&t->work.stop)) {
		top_question_unref(o.question);
		return true;
	}
	if (!o.is_new)
		return false;
	if (o.settings.delay_ms != t->now.delay_ms)
		t->refresh_ns = t->begin_ns + o.settings.delay_ms * 1000000;
	if (o.settings.frozen != t->now.frozen)
		t->refresh_ns = 0;
	top_freeze(t, o.settings.frozen);
	t->now = o.settings;
	if (o.question)
		change_question(t, o.question);
	return false;
}

/* Passes the messages to the other thread. */
static void top_tell_notes(struct top *t)
{
	pthread_mutex_lock(&t->work.lock);
	for (size_t i = 0; i < t->notes.n; i++)
		notes_take(&t->told, t->notes.items[i].kind, &t->notes.items[i].what);
	t->notes.n = 0;
	pthread_mutex_unlock(&t->work.lock);
}

/* Begins to take orders, as a companion of the rings (measure/live.h). */
static int begin_orders(void *arg, struct record_job *job, int *ret_fd)
{
	struct top *t = arg;

	t->job = job;
	*ret_fd = t->wake_fd;
	t->begin_ns = clock_ns(CLOCK_MONOTONIC);
	/* The first refresh is early, so that the existing data is shown soon. */
	t->refresh_ns = t->begin_ns + (t->now.delay_ms < 1000 ? t->now.delay_ms : 1000) * 1000000;
	top_buffer_begin(&t->buffer, &job->facts.synth);
	top_tell_notes(t);
	pthread_mutex_lock(&t->work.lock);
	t->planned = job->planned;
	t->is_open = true;
	pthread_cond_broadcast(&t->work.changed);
	pthread_mutex_unlock(&t->work.lock);
	return 0;
}

static int take_orders(void *arg, uint64_t until_ns, bool last)
{
	struct top *t = arg;
	eventfd_t told;

	(void)until_ns;
	if (last || eventfd_read(t->wake_fd, &told) < 0)
		return 0;
	return top_obey(t);
}

static void stop_orders(void *arg)
{
	(void)arg;
}

static void on_bytes(void *arg, const struct iovec pieces[2])
{
	struct top *t = arg;

	top_buffer_add(&t->buffer, pieces);
}

static int top_on_pass(void *arg)
{
	struct top *t = arg;
	uint64_t now_ns = clock_ns(CLOCK_MONOTONIC);

	if (top_buffer_end_pass(&t->buffer, &t->job->facts.synth))
		record_interpreted_begin_file(t->job);
	if (t->world && now_ns >= t->refresh_ns && (!t->now.frozen || !t->refresh_ns))
		top_refresh(t, now_ns);
	if (t->world)
		top_world_forget(t);
	return 0;
}

/* Waits for orders. True if the thread is to go on. */
static bool wait_for_orders(struct top *t)
{
	bool stop;

	pthread_mutex_lock(&t->work.lock);
	while (!atomic_load(&t->work.stop) && !t->orders.is_new)
		pthread_cond_wait(&t->work.changed, &t->work.lock);
	stop = atomic_load(&t->work.stop);
	pthread_mutex_unlock(&t->work.lock);
	return !stop;
}

/*
 * Handles the end of the events. Snapshots refer to the session, which therefore stays until the
 * last one is released. Until then orders are accepted as before.
 */
static int top_on_end(void *arg)
{
	struct top *t = arg;

	top_refresh(t, clock_ns(CLOCK_MONOTONIC));
	reading_note_losses(t->session, &t->notes);
	t->has_no_more = true;
	pthread_mutex_lock(&t->work.lock);
	t->has_ended = true;
	background_tell(&t->work);
	pthread_mutex_unlock(&t->work.lock);
	while (wait_for_orders(t))
		top_obey(t);
	for (size_t i = 0; i < t->recounted.n; i++)
		session_free(t->recounted.items[i]);
	return 0;
}

static int top_begin(void *arg, struct consumer *c)
{
	struct top *t = arg;
	struct top_question *q = top_question_new(&t->rq.browse);
	int r;

	t->session = c->session;
	r = top_world_new(t, q, NULL, &t->world, &t->diag);
	top_question_unref(q);
	return r;
}

static bool top_wants_order(const struct top_request *rq)
{
	const struct profile_request *p = &rq->browse.profile;

	return p->symbols.stitch_lbr || p->filter.switch_on || p->filter.switch_off ||
	       p->history_notes;
}

static uint64_t look_ms(const struct top *t)
{
	uint64_t part = t->rq.delay_ms / 4;

	return part < LOOK_MS ? (part ? part : 1) : LOOK_MS;
}

static void top_work_run(void *arg)
{
	struct top *t = arg;
	const struct live_companion orders = {
		.begin = begin_orders, .take = take_orders, .stop = stop_orders, .arg = t
	};
	const struct live_request live = {
		.command = "top",
		.what = t->rq.what,
		.consumer = { .order = top_wants_order(&t->rq) ? CONSUMER_IN_ORDER
							       : CONSUMER_ANY_ORDER,
			      .begin = top_begin,
			      .samples = top_take,
			      .arg = t },
		.symbolizer = t->symbolizer,
		.keeps_all = true, /* top_on_pass() removes the unneeded records */
		.companion = &orders,
		.leaves_signals = true,
		.look_ms = look_ms(t),
		.on_bytes = on_bytes,
		.on_pass = top_on_pass,
		.on_end = top_on_end,
	};
	struct record_result result = { 0 };
	int r = live_run(&live, &t->notes, &result, &t->diag);

	top_tell_notes(t);
	pthread_mutex_lock(&t->work.lock);
	t->planned |= result.planned;
	t->error = r < 0 ? r : 0;
	t->is_open = t->has_ended = true;
	pthread_mutex_unlock(&t->work.lock);
}

static const struct browse_snapshot *top_work_take(struct browse *b,
						   const struct browse_snapshot *after)
{
	struct top *t = (struct top *)b;
	struct top_snapshot *s;

	pthread_mutex_lock(&t->work.lock);
	s = t->newest;
	if (!s || (after && s->base.serial <= after->serial))
		s = NULL;
	else
		s->refs++;
	pthread_mutex_unlock(&t->work.lock);
	return s ? &s->base : NULL;
}

static void top_release(struct browse *b, const struct browse_snapshot *s)
{
	top_snapshot_unref((struct top *)b, (struct top_snapshot *)s);
}

/* Wakes the thread because there are orders. The caller holds the lock. */
static void top_wake(struct top *t)
{
	t->orders.is_new = true;
	pthread_cond_broadcast(&t->work.changed);
	eventfd_write(t->wake_fd, 1);
}

static void top_ask(struct browse *b, const struct browse_request *rq)
{
	struct top *t = (struct top *)b;
	struct top_question *q = top_question_new(rq);

	pthread_mutex_lock(&t->work.lock);
	top_question_unref(t->orders.question);
	t->orders.question = q;
	top_wake(t);
	pthread_mutex_unlock(&t->work.lock);
}

static int top_failure(struct browse *b, struct diag *diag)
{
	struct top *t = (struct top *)b;
	int r;

	pthread_mutex_lock(&t->work.lock);
	r = t->failure ? t->failure : t->error;
	if (r) {
		struct diag *from = t->failure ? &t->failure_diag : &t->diag;

		diag_done(diag);
		*diag = *from;
		*from = (struct diag){ 0 };
		*(t->failure ? &t->failure : &t->error) = 0;
	}
	pthread_mutex_unlock(&t->work.lock);
	return r;
}

static void end_thread(struct top *t)
{
	atomic_store(&t->work.stop, true);
	eventfd_write(t->wake_fd, 1);
	background_end(&t->work);
}

static void give_notes(struct top *t, struct notes *to)
{
	pthread_mutex_lock(&t->work.lock);
	for (size_t i = 0; i < t->told.n; i++)
		notes_take(to, t->told.items[i].kind, &t->told.items[i].what);
	t->told.n = 0;
	pthread_mutex_unlock(&t->work.lock);
}

void top_end(struct top *t, struct notes *notes)
{
	end_thread(t);
	give_notes(t, notes);
}

static void top_free(struct browse *b)
{
	struct top *t = (struct top *)b;

	end_thread(t);
	top_snapshot_unref(t, t->newest);
	top_world_unref(t, t->world);
	top_question_unref(t->orders.question);
	free(t->recounted.items);
	top_buffer_done(&t->buffer);
	symbolizer_free(t->symbolizer);
	notes_done(&t->notes);
	notes_done(&t->told);
	diag_done(&t->diag);
	diag_done(&t->failure_diag);
	diag_done(&t->save_diag);
	free(t->wanted.items);
	background_done(&t->work);
	closep(&t->wake_fd);
	free(t);
}

static const struct browse_type type = {
	.take = top_work_take,
	.release = top_release,
	.ask = top_ask,
	.code = top_code,
	.failure = top_failure,
	.free = top_free,
};

static int make_symbolizer(struct top *t, struct diag *diag)
{
	const struct profile_request *p = &t->rq.browse.profile;
	const struct reading_symbols how = {
		.request = &p->symbols,
		.buildid_dir = p->buildid_dir,
		.ignore_vmlinux = p->ignore_vmlinux,
		.any_owner = p->force,
		.short_kernel = true,
		.with_parameters = p->verbose,
	};
	int r = reading_check_files(&how, diag);

	if (r >= 0)
		t->symbolizer = reading_symbolizer(&how);
	return r;
}

static struct top *top_new(const struct top_request *rq)
{
	struct top *t = xcalloc(1, sizeof(*t));

	t->browse = (struct browse){ .type = &type, .work = &t->work };
	background_init(&t->work);
	t->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (t->wake_fd < 0)
		t->wake_fd = -errno;
	t->rq = *rq;
	t->now = (struct top_settings){ .delay_ms = rq->delay_ms,
					.zeroes = rq->zeroes,
					.hidden = rq->hidden };
	t->orders.settings = t->now;
	pthread_mutex_init(&t->code_lock, NULL);
	t->buffer.half_bytes = rq->kept_bytes / 2;
	return t;
}

static int top_start_thread(struct top *t, struct diag *diag)
{
	int r = t->work.fd < 0 ? t->work.fd : t->wake_fd;

	if (r < 0)
		return diag_set(diag, r, "cannot create an event counter (eventfd): %s",
				strerror(-r));
	r = background_start(&t->work, top_work_run, t);
	return r < 0 ? diag_set(diag, r, "cannot start a thread: %s", strerror(-r)) : 0;
}

static void wait_until_open(struct top *t)
{
	pthread_mutex_lock(&t->work.lock);
	while (!t->is_open)
		pthread_cond_wait(&t->work.changed, &t->work.lock);
	pthread_mutex_unlock(&t->work.lock);
}

int top_open(const struct top_request *rq, struct notes *notes, struct top **ret, bool *ret_planned,
	     struct diag *diag)
{
	struct top *t = top_new(rq);
	int r = make_symbolizer(t, diag);

	*ret_planned = false;
	if (r >= 0) {
		r = top_start_thread(t, diag);
		*ret_planned = r < 0; /* the failure is not due to the options */
	}
	if (r < 0) {
		symbolizer_free(t->symbolizer);
		background_done(&t->work);
		closep(&t->wake_fd);
		free(t);
		return r;
	}
	wait_until_open(t);
	pthread_mutex_lock(&t->work.lock);
	*ret_planned = t->planned;
	r = t->error;
	if (r < 0) {
		diag_done(diag);
		*diag = t->diag;
		t->diag = (struct diag){ 0 };
	}
	pthread_mutex_unlock(&t->work.lock);
	give_notes(t, notes);
	if (r < 0)
		top_free(&t->browse);
	else
		*ret = t;
	return r;
}

struct browse *top_browse(struct top *t)
{
	return &t->browse;
}

void top_set_delay(struct top *t, uint64_t delay_ms)
{
	pthread_mutex_lock(&t->work.lock);
	t->orders.settings.delay_ms = delay_ms;
	top_wake(t);
	pthread_mutex_unlock(&t->work.lock);
}

void top_set_zeroes(struct top *t, bool zeroes)
{
	pthread_mutex_lock(&t->work.lock);
	t->orders.settings.zeroes = zeroes;
	top_wake(t);
	pthread_mutex_unlock(&t->work.lock);
}

void top_set_frozen(struct top *t, bool frozen)
{
	pthread_mutex_lock(&t->work.lock);
	t->orders.settings.frozen = frozen;
	top_wake(t);
	pthread_mutex_unlock(&t->work.lock);
}

int top_save(struct top *t, const char *path, struct diag *diag)
{
	int r;

	pthread_mutex_lock(&t->work.lock);
	t->is_saved = false;
	t->orders.save_path = path;
	top_wake(t);
	while (!t->is_saved && !t->work.is_over)
		pthread_cond_wait(&t->work.changed, &t->work.lock);
	t->orders.save_path = NULL;
	r = t->is_saved ? t->save_error : -ECANCELED;
	diag_done(diag);
	*diag = t->save_diag;
	t->save_diag = (struct diag){ 0 };
	pthread_mutex_unlock(&t->work.lock);
	return r < 0 && !diag->message ? diag_set(diag, r, "the recording has ended") : r;
}

uint64_t top_frequency(const struct top *t)
{
	const struct attr *a = &session_event(t->session, 0)->attr;

	return a->freq ? a->sample_freq : 0;
}

struct top_settings top_settings(struct top *t)
{
	struct top_settings s;

	pthread_mutex_lock(&t->work.lock);
	s = t->orders.settings;
	pthread_mutex_unlock(&t->work.lock);
	return s;
}

bool top_has_ended(struct top *t)
{
	bool has;

	pthread_mutex_lock(&t->work.lock);
	has = t->has_ended;
	pthread_mutex_unlock(&t->work.lock);
	return has;
}
