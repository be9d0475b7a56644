/* SPDX-License-Identifier: MIT */
/*
 * A recording, read by a thread of its own.
 *
 * The thread waits for a question, and reads the beginning of the recording, then a multiple of
 * that, and so on: each time from the first byte, into a profile that only shares the names of
 * functions with the previous one. That costs a seventh more than reading once. The thread and its
 * users share the newest snapshot and the next question, protected by a lock.
 */
#include "tui/browse-file.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/background.h"
#include "base/diag.h"
#include "base/memory.h"
#include "profile/code-functions.h"
#include "session/session.h"

/*
 * The size of the first part: some ten milliseconds of work, with thousands of samples, or some
 * dozen if stacks are copied.
 */
#define FIRST_BYTES (UINT64_C(512) << 10)
#define GROWTH      8

/* Scanning for records that are not samples takes about 1 / SCANNING_PART of the reading time. */
#define SCANNING_PART 4

/* A question with references to it. */
struct kept_question {
	struct browse_request question;
	struct kept_question *next;
};

struct file_browse {
	struct browse browse;
	struct background work; /* told to stop when the current reading is not needed any more */

	/* Protected by its lock: */
	struct browse_request question; /* the one to read next */
	bool is_asked;                  /* @question is set */
	bool ends;
	struct file_snapshot *latest; /* or NULL */
	uint64_t serial;              /* the serial number of @latest */
	int failure;
	struct diag diag; /* the message of @failure */

	/* Accessed by any thread: */
	atomic_uint_fast64_t from, length; /* the range of the current reading, in bytes */

	/* Only for the thread: */
	struct file_names *names;

	/* For the user of the snapshots: */
	struct kept_question *kept;
};

static struct file_browse *file_browse_of(struct browse *b)
{
	return (struct file_browse *)b;
}

/*
 * Reports the progress of a pass over [0, length). The bytes before @from are in the previous
 * snapshot, so reading them again counts as a part of the way after @from.
 */
static void browse_file_on_progress(struct progress *p, const char *title, uint64_t done,
				    uint64_t total)
{
	struct file_browse *b =
		(struct file_browse *)((char *)p - offsetof(struct file_browse, work.progress));
	double part = total ? (double)done / (double)total : 0;
	uint64_t from = atomic_load(&b->from), length = atomic_load(&b->length);

	part = strcmp(title, SESSION_SCANNING) != 0
		       ? 1. / SCANNING_PART + part * (SCANNING_PART - 1) / SCANNING_PART
		       : part / SCANNING_PART;
	background_progress(&b->work, NULL, &done, &total);
	if (length > from)
		done = from + (uint64_t)(part * (double)(length - from));
	background_report(&b->work, title, done, total);
}

/*
 * Drops a reference. The caller holds the lock. The caller frees the result after releasing the
 * lock.
 */
static struct file_snapshot *browse_file_unref(struct file_snapshot *s)
{
	return s && !--s->refs ? s : NULL;
}

static const struct browse_snapshot *browse_file_take(struct browse *browse,
						      const struct browse_snapshot *after)
{
	struct file_browse *b = file_browse_of(browse);
	struct file_snapshot *s;

	pthread_mutex_lock(&b->work.lock);
	s = b->latest;
	if (s && after && s->shown.serial <= after->serial)
		s = NULL;
	if (s)
		s->refs++;
	pthread_mutex_unlock(&b->work.lock);
	return s ? &s->shown : NULL;
}

static void browse_file_release(struct browse *browse, const struct browse_snapshot *shown)
{
	struct file_browse *b = file_browse_of(browse);
	struct file_snapshot *s = (struct file_snapshot *)shown;

	pthread_mutex_lock(&b->work.lock);
	s = browse_file_unref(s);
	pthread_mutex_unlock(&b->work.lock);
	file_snapshot_free(s);
}

static void browse_file_ask(struct browse *browse, const struct browse_request *rq)
{
	struct file_browse *b = file_browse_of(browse);
	struct browse_request question;

	browse_request_copy(&question, rq);
	pthread_mutex_lock(&b->work.lock);
	browse_request_done(&b->question);
	b->question = question;
	b->is_asked = true;
	/* An error in the previous question is no longer relevant. */
	b->failure = 0;
	atomic_store(&b->work.stop, true);
	pthread_cond_signal(&b->work.changed);
	pthread_mutex_unlock(&b->work.lock);
}

static int browse_file_failure(struct browse *browse, struct diag *diag)
{
	struct file_browse *b = file_browse_of(browse);
	int r;

	pthread_mutex_lock(&b->work.lock);
	r = b->failure;
	b->failure = 0;
	if (r < 0) {
		diag_done(diag);
		*diag = b->diag;
		b->diag = (struct diag){ 0 };
	}
	pthread_mutex_unlock(&b->work.lock);
	return r;
}

/* Reads code with the same names. The contents of the question are borrowed, and outlive @shown. */
static int browse_file_code(struct browse *browse, const struct browse_snapshot *shown,
			    const struct annotate_request *how, size_t first, size_t n,
			    struct code_functions **ret, struct diag *diag)
{
	struct file_browse *b = file_browse_of(browse);
	struct kept_question *k = xcalloc(1, sizeof(*k));
	struct profile_request rq;

	browse_request_copy(&k->question, shown->request);
	k->next = b->kept;
	b->kept = k;
	rq = k->question.profile;
	rq.shared = shown->profile->symbolizer;
	rq.progress = NULL;
	return code_functions_open(&rq, how, first, n, ret, diag);
}

static void browse_file_publish(struct file_browse *b, struct file_snapshot *s)
{
	struct file_snapshot *old;

	pthread_mutex_lock(&b->work.lock);
	old = browse_file_unref(b->latest);
	b->latest = s;
	s->shown.serial = ++b->serial;
	pthread_mutex_unlock(&b->work.lock);
	background_tell(&b->work);
	file_snapshot_free(old);
}

static void browse_file_fail(struct file_browse *b, int r, struct diag *diag)
{
	pthread_mutex_lock(&b->work.lock);
	if (!b->is_asked) {
		diag_done(&b->diag);
		b->diag = *diag;
		*diag = (struct diag){ 0 };
		b->failure = r;
	}
	pthread_mutex_unlock(&b->work.lock);
	background_tell(&b->work);
}

/*
 * Returns the number of bytes of the next part, out of @total; 0: all, because not much more is
 * left.
 */
static uint64_t browse_file_next_part(uint64_t part, uint64_t total)
{
	part *= GROWTH;
	return part < total / 2 ? part : 0;
}

/*
 * True if the snapshot has rows, or is complete. The beginning of a recording may only contain
 * maps.
 */
static bool is_worth_showing(const struct file_snapshot *s)
{
	return s->shown.is_complete || profile_has_samples(&s->profile);
}

static int browse_file_read_part(struct file_browse *b, const struct browse_request *question,
				 uint64_t part, struct file_snapshot **ret, struct diag *diag)
{
	const struct file_snapshot_request rq = {
		.question = question,
		.names = file_names_for(&b->names, question),
		.first_bytes = part,
		.progress = &b->work.progress,
		.stop = &b->work.stop,
	};
	uint64_t done, total;

	background_progress(&b->work, NULL, &done, &total);
	atomic_store(&b->from, done);
	atomic_store(&b->length, part ? part : total);
	return file_snapshot_make(&rq, ret, diag);
}

static void browse_file_answer(struct file_browse *b, const struct browse_request *question)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	uint64_t part = FIRST_BYTES;
	bool is_complete = false;

	background_report(&b->work, NULL, 0, 0);
	while (!is_complete) {
		struct file_snapshot *s;
		int r = browse_file_read_part(b, question, part, &s, &diag);

		if (r < 0) {
			if (r != -ECANCELED)
				browse_file_fail(b, r, &diag);
			return;
		}
		is_complete = s->shown.is_complete;
		background_report(&b->work, NULL, s->shown.done, s->shown.total);
		part = browse_file_next_part(part, s->shown.total);
		if (is_worth_showing(s))
			browse_file_publish(b, s);
		else
			file_snapshot_free(s);
		if (atomic_load(&b->work.stop))
			return;
	}
}

/* Waits for a question. False: there are no more. */
static bool next_question(struct file_browse *b, struct browse_request *ret)
{
	bool ends;

	pthread_mutex_lock(&b->work.lock);
	while (!b->is_asked && !b->ends)
		pthread_cond_wait(&b->work.changed, &b->work.lock);
	ends = b->ends;
	if (!ends) {
		*ret = b->question;
		b->question = (struct browse_request){ 0 };
		b->is_asked = false;
		atomic_store(&b->work.stop, false);
	}
	pthread_mutex_unlock(&b->work.lock);
	return !ends;
}

static void browse_file_work(void *arg)
{
	struct file_browse *b = arg;
	struct browse_request question;

	while (next_question(b, &question)) {
		browse_file_answer(b, &question);
		browse_request_done(&question);
	}
}

static void drop_kept(struct file_browse *b)
{
	while (b->kept) {
		struct kept_question *k = b->kept;

		b->kept = k->next;
		browse_request_done(&k->question);
		free(k);
	}
}

static void browse_file_done(struct file_browse *b)
{
	drop_kept(b);
	file_snapshot_free(browse_file_unref(b->latest));
	file_names_free(b->names);
	browse_request_done(&b->question);
	diag_done(&b->diag);
	background_done(&b->work);
	free(b);
}

static void browse_file_end(struct browse *browse)
{
	struct file_browse *b = file_browse_of(browse);

	pthread_mutex_lock(&b->work.lock);
	b->ends = true;
	pthread_mutex_unlock(&b->work.lock);
	background_end(&b->work);
	browse_file_done(b);
}

static const struct browse_type type = {
	.take = browse_file_take,
	.release = browse_file_release,
	.ask = browse_file_ask,
	.code = browse_file_code,
	.failure = browse_file_failure,
	.free = browse_file_end,
};

bool browse_is_possible(const char *path)
{
	struct stat st;

	return strcmp(path, "-") != 0 &&
	       (stat(path, &st) < 0 || S_ISREG(st.st_mode) || S_ISDIR(st.st_mode));
}

int browse_open(const struct browse_request *rq, struct browse **ret, struct diag *diag)
{
	struct file_browse *b;
	int r;

	if (!browse_is_possible(rq->profile.path))
		return diag_set(diag, -ESPIPE, "'%s' is a pipe, which can be read only once",
				rq->profile.path);
	r = file_question_check(rq, diag);
	if (r < 0)
		return r;
	b = xcalloc(1, sizeof(*b));
	b->browse = (struct browse){ .type = &type, .work = &b->work };
	background_init(&b->work);
	b->work.progress.update = browse_file_on_progress;
	browse_file_ask(&b->browse, rq);
	r = background_start(&b->work, browse_file_work, b);
	if (r < 0) {
		browse_file_done(b);
		return diag_set(diag, r, "cannot read in the background: %s", strerror(-r));
	}
	*ret = &b->browse;
	return 0;
}
