/* SPDX-License-Identifier: MIT */
/*
 * A thread reads the recording, if there is one, and then makes the requested listings. The data
 * that passes from one side to the other is in struct code_functions, under a lock.
 */
#include "profile/code-functions.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/background.h"
#include "base/memory.h"
#include "base/workers.h"
#include "profile/annotate.h"
#include "session/reading.h"
#include "session/session.h"
#include "symbol/symbolizer.h"

#define WORKERS_MAX 16

/* The listing that is requested. */
struct code_functions_question {
	const struct code_samples *samples; /* NULL: none is */
	struct image *image;
	const struct symbol *sym;
};

struct code_functions {
	struct background work;

	struct annotate_request how;
	struct profile profile; /* used for a recording */
	bool is_recording;
	const struct session *session;
	struct annotation *annotation; /* for a recording, set once it is read */
	struct listing_kit kit;

	void (*gone)(void *arg, struct code_functions *c); /* or NULL */
	void *gone_arg;

	/* Protected by the lock of the work, as are references to samples: */
	size_t first, n; /* the requested events; n is 0: the first with samples */
	bool reselect;
	struct code_samples *newest;
	uint64_t serial;
	struct code_functions_question question;
	uint64_t n_questions;
	struct code_listing *answer; /* the answer to the last request */
	int failure;
	struct diag why;
};

static void samples_free(struct code_samples *s)
{
	annotated_functions_done(&s->all);
	free(s->totals);
	free(s->event);
	free(s);
}

/* Takes a reference to @s. The lock must be held. */
static const struct code_samples *code_functions_ref(const struct code_samples *s)
{
	((struct code_samples *)s)->refs++;
	return s;
}

static void code_functions_unref(const struct code_samples *s)
{
	struct code_samples *mine = (struct code_samples *)s;

	if (mine && --mine->refs == 0)
		samples_free(mine);
}

void code_samples_release(const struct code_samples *s)
{
	struct code_functions *c;

	if (!s)
		return;
	c = s->owner;
	pthread_mutex_lock(&c->work.lock);
	code_functions_unref(s);
	pthread_mutex_unlock(&c->work.lock);
}

static bool code_functions_has_samples(const struct annotation *a, size_t first, size_t n)
{
	for (size_t i = first; i < first + n; i++)
		if (annotation_total(a, i).samples)
			return true;
	return false;
}

/*
 * Chooses the first events with samples that stand side by side; the first of all events if there
 * are none.
 */
static void choose_events(const struct code_functions *c, const struct annotation *a,
			  size_t *ret_first, size_t *ret_n)
{
	size_t n_events = session_event_count(c->session);

	for (size_t first = 0, n; first < n_events; first += n) {
		n = reading_group_size(c->session, c->how.group, first);
		if (!code_functions_has_samples(a, first, n))
			continue;
		*ret_first = first;
		*ret_n = n;
		return;
	}
	*ret_first = 0;
	*ret_n = n_events ? reading_group_size(c->session, c->how.group, 0) : 0;
}

static struct code_samples *make_samples(struct code_functions *c, const struct annotation *a,
					 size_t first, size_t n)
{
	struct code_samples *s = xcalloc(1, sizeof(*s));
	const struct attr *attr;

	*s = (struct code_samples){ .session = c->session, .owner = c, .refs = 1 };
	if (!n)
		choose_events(c, a, &first, &n);
	s->first = first;
	s->n = n;
	s->totals = xcalloc(n + 1, sizeof(*s->totals));
	if (!n) {
		s->event = xstrdup("");
		return s;
	}
	attr = &session_event(c->session, first)->attr;
	s->frequency = attr->freq ? attr->sample_freq : 0;
	s->event = annotate_events_name(c->session, first, n);
	for (size_t i = 0; i < n; i++)
		s->totals[i] = annotation_total(a, first + i);
	annotation_functions(a, first, n, &s->all);
	return s;
}

void code_functions_publish(struct code_functions *c, const struct annotation *a)
{
	struct code_samples *s;
	size_t first, n;

	pthread_mutex_lock(&c->work.lock);
	first = c->first;
	n = c->n;
	c->reselect = false;
	pthread_mutex_unlock(&c->work.lock);
	s = make_samples(c, a, first, n);
	pthread_mutex_lock(&c->work.lock);
	s->serial = ++c->serial;
	code_functions_unref(c->newest);
	c->newest = s;
	background_tell(&c->work);
	pthread_mutex_unlock(&c->work.lock);
}

void code_functions_fail(struct code_functions *c, int r, const struct diag *diag)
{
	pthread_mutex_lock(&c->work.lock);
	c->failure = diag_set(&c->why, r, "%s",
			      diag->message ? diag->message : "the samples cannot be read");
	if (diag->hint)
		diag_hint(&c->why, "%s", diag->hint);
	background_tell(&c->work);
	pthread_mutex_unlock(&c->work.lock);
}

static const struct annotated_function *code_functions_find_symbol(const struct code_samples *s,
								   const struct image *im,
								   const struct symbol *sym)
{
	for (size_t i = 0; i < s->all.n; i++)
		if (s->all.items[i].image == im && s->all.items[i].sym == sym)
			return &s->all.items[i];
	return NULL;
}

/* Returns the function of @l: one with samples in @s, or one without. */
static const struct annotated_function *code_functions_function_of(struct code_listing *l,
								   const struct code_samples *s)
{
	const struct annotated_function *f = code_functions_find_symbol(s, l->image, l->sym);

	if (f)
		return f;
	if (!l->none)
		l->none = xcalloc(s->n + 1, sizeof(*l->none));
	l->empty =
		(struct annotated_function){ .image = l->image, .sym = l->sym, .totals = l->none };
	return &l->empty;
}

/* Makes the listing that is requested by @q, whose reference it takes over. */
static struct code_listing *code_functions_make_listing(struct code_functions *c,
							const struct code_functions_question *q)
{
	struct code_listing *l = xcalloc(1, sizeof(*l));

	l->samples = q->samples;
	l->image = q->image;
	l->sym = q->sym;
	l->r = listing_make(&c->kit.tools[0], &q->samples->all,
			    code_functions_function_of(l, q->samples), &l->listing, &l->why);
	return l;
}

/* Answers the question. Called with the lock, which is released in the meantime. */
static void code_functions_answer(struct code_functions *c)
{
	struct code_functions_question q = c->question;
	uint64_t number = c->n_questions;
	struct code_listing *l;

	c->question = (struct code_functions_question){ 0 };
	pthread_mutex_unlock(&c->work.lock);
	l = code_functions_make_listing(c, &q);
	pthread_mutex_lock(&c->work.lock);
	if (c->n_questions == number) {
		c->answer = l;
		background_tell(&c->work);
		return;
	}
	pthread_mutex_unlock(&c->work.lock);
	code_listing_free(l);
	pthread_mutex_lock(&c->work.lock);
}

static void code_functions_collect(struct code_functions *c)
{
	_cleanup_(workers_freep) struct workers *w = workers_new(0, WORKERS_MAX);
	_cleanup_(diag_done) struct diag diag = { 0 };
	int r = annotate_read(&(struct annotate_reading){ .profile = &c->profile,
							  .workers = w,
							  .stop = &c->work.stop,
							  .cycles = true },
			      &c->annotation, &diag);

	if (r >= 0)
		r = reading_check_samples(c->session, &diag);
	/* The result of a reading that was given up is not needed. */
	if (atomic_load(&c->work.stop))
		return;
	if (r < 0)
		code_functions_fail(c, r, &diag);
	else
		code_functions_publish(c, c->annotation);
}

static void code_functions_run(void *arg)
{
	struct code_functions *c = arg;

	if (c->is_recording)
		code_functions_collect(c);
	pthread_mutex_lock(&c->work.lock);
	while (!atomic_load(&c->work.stop)) {
		if (c->reselect && c->annotation) {
			pthread_mutex_unlock(&c->work.lock);
			code_functions_publish(c, c->annotation);
			pthread_mutex_lock(&c->work.lock);
		} else if (c->question.samples) {
			code_functions_answer(c);
		} else {
			pthread_cond_wait(&c->work.changed, &c->work.lock);
		}
	}
	pthread_mutex_unlock(&c->work.lock);
}

static struct code_functions *new_functions(const struct annotate_request *how, size_t first,
					    size_t n)
{
	struct code_functions *c = xcalloc(1, sizeof(*c));

	background_init(&c->work);
	c->how = *how;
	c->first = first;
	c->n = n;
	return c;
}

static int code_functions_start(struct code_functions *c, struct diag *diag)
{
	int r = listing_kit_init(&c->kit, &c->how, 1, diag);

	if (r < 0)
		return r;
	if (c->work.fd < 0)
		return diag_set(diag, -EMFILE, "too many files are open");
	r = background_start(&c->work, code_functions_run, c);
	return r < 0 ? diag_set(diag, r, "no thread can be started: %s", strerror(-r)) : 0;
}

int code_functions_open(const struct profile_request *rq, const struct annotate_request *how,
			size_t first, size_t n, struct code_functions **ret, struct diag *diag)
{
	_cleanup_(code_functions_freep) struct code_functions *c = new_functions(how, first, n);
	struct profile_request mine = *rq;
	int r;

	if (rq->path && !strcmp(rq->path, "-")) {
		diag_set(diag, -ESPIPE, "code is not shown of what came through a pipe");
		diag_hint(diag, "Save it to a file, and read that.");
		return -ESPIPE;
	}
	mine.progress = &c->work.progress;
	mine.stop = &c->work.stop;
	c->is_recording = true;
	r = profile_open(&c->profile, &mine, diag);
	if (r < 0)
		return r;
	c->session = c->profile.session;
	r = code_functions_start(c, diag);
	if (r < 0)
		return r;
	*ret = TAKE(c);
	return 0;
}

int code_functions_new(const struct session *session, const struct annotate_request *how,
		       size_t first, size_t n, struct code_functions **ret, struct diag *diag)
{
	_cleanup_(code_functions_freep) struct code_functions *c = new_functions(how, first, n);
	int r;

	c->session = session;
	r = code_functions_start(c, diag);
	if (r < 0)
		return r;
	*ret = TAKE(c);
	return 0;
}

void code_functions_free(struct code_functions *c)
{
	if (!c)
		return;
	if (c->gone)
		c->gone(c->gone_arg, c);
	background_end(&c->work);
	code_listing_free(c->answer);
	code_functions_unref(c->question.samples);
	code_functions_unref(c->newest);
	listing_kit_done(&c->kit);
	annotation_free(c->annotation);
	if (c->is_recording)
		profile_done(&c->profile);
	diag_done(&c->why);
	background_done(&c->work);
	free(c);
}

bool code_functions_is_live(const struct code_functions *c)
{
	return !c->is_recording;
}

void code_functions_on_free(struct code_functions *c,
			    void (*gone)(void *arg, struct code_functions *c), void *arg)
{
	c->gone = gone;
	c->gone_arg = arg;
}

int code_functions_fd(const struct code_functions *c)
{
	return c->work.fd;
}

const struct code_samples *code_functions_take(struct code_functions *c,
					       const struct code_samples *after)
{
	const struct code_samples *s = NULL;

	pthread_mutex_lock(&c->work.lock);
	background_hear(&c->work);
	if (c->newest && (!after || c->newest->serial > after->serial))
		s = code_functions_ref(c->newest);
	pthread_mutex_unlock(&c->work.lock);
	return s;
}

void code_functions_select(struct code_functions *c, size_t first, size_t n)
{
	pthread_mutex_lock(&c->work.lock);
	c->first = first;
	c->n = n;
	c->reselect = true;
	pthread_cond_signal(&c->work.changed);
	pthread_mutex_unlock(&c->work.lock);
}

void code_functions_progress(struct code_functions *c, uint64_t *ret_done, uint64_t *ret_total)
{
	background_progress(&c->work, NULL, ret_done, ret_total);
}

int code_functions_failure(struct code_functions *c, struct diag *diag)
{
	int r;

	pthread_mutex_lock(&c->work.lock);
	r = c->failure;
	if (r < 0) {
		diag_set(diag, r, "%s", c->why.message);
		if (c->why.hint)
			diag_hint(diag, "%s", c->why.hint);
	}
	pthread_mutex_unlock(&c->work.lock);
	return r;
}

const struct annotated_function *code_samples_find(const struct code_samples *s, const char *image,
						   const char *name, uint64_t start)
{
	for (size_t i = 0; i < s->all.n; i++) {
		const struct annotated_function *f = &s->all.items[i];

		if (strcmp(f->sym->name, name) != 0)
			continue;
		if (!image || (f->sym->start == start && !strcmp(image_long_name(f->image), image)))
			return f;
	}
	return NULL;
}

void code_functions_ask(struct code_functions *c, const struct code_samples *s, struct image *image,
			const struct symbol *sym)
{
	struct code_listing *old;

	pthread_mutex_lock(&c->work.lock);
	code_functions_unref(c->question.samples);
	c->question = (struct code_functions_question){ .samples = code_functions_ref(s),
							.image = image,
							.sym = sym };
	c->n_questions++;
	old = TAKE(c->answer);
	pthread_cond_signal(&c->work.changed);
	pthread_mutex_unlock(&c->work.lock);
	code_listing_free(old);
}

struct code_listing *code_functions_listing(struct code_functions *c)
{
	struct code_listing *l;

	pthread_mutex_lock(&c->work.lock);
	l = TAKE(c->answer);
	pthread_mutex_unlock(&c->work.lock);
	return l;
}

void code_listing_free(struct code_listing *l)
{
	if (!l)
		return;
	if (l->r >= 0)
		listing_done(&l->listing);
	code_samples_release(l->samples);
	diag_done(&l->why);
	free(l->none);
	free(l);
}

void code_listing_refresh(struct code_listing *l, const struct code_samples *s)
{
	const struct code_samples *old = l->samples;
	struct code_functions *c = s->owner;

	if (l->r < 0 || s->n != old->n)
		return;
	pthread_mutex_lock(&c->work.lock);
	l->samples = code_functions_ref(s);
	pthread_mutex_unlock(&c->work.lock);
	listing_weigh(&l->listing, &s->all, code_functions_function_of(l, s));
	code_samples_release(old);
}
