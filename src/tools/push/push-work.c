/* SPDX-License-Identifier: MIT */
#include "tools/push/push-work.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/diag.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/notes.h"
#include "measure/rotating-record.h"
#include "store/data.h"
#include "store/patience.h"
#include "store/queue.h"
#include "store/url.h"

#define RETRY_FIRST_MS 250
#define RETRY_MAX_MS   600000
#define TICK_MS        1000

/* The maximum time of the last try after a signal. */
#define LAST_TRY_MS 2000

/* Sends from the queue, and schedules retries. */
struct sender {
	const struct push_request *rq;
	struct fleet_url to; /* refers to the request's members, with our patience */
	struct patience patience;
	struct rotating_record *record; /* its signals end waiting; NULL: the process's signals */
	int64_t end_ms;                 /* the end of the last try; 0: it is not the last */
	struct fleet_queue *queue;
	struct fleet_store *store;
	struct fleet_sent sent;
	size_t n_lost;
	int64_t next_ms, delay_ms;
	bool is_away; /* a note has reported the outage */
};

static char *usual_queue(void)
{
	const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");

	if (geteuid() == 0)
		return xstrdup("/var/lib/perf/push");
	if (state && *state == '/')
		return xasprintf("%s/perf/push", state);
	return xasprintf("%s/.local/state/perf/push", home && *home ? home : "/tmp");
}

/* True if the sender should stop waiting for the store. Unsent data stays in the queue. */
static bool sender_is_over(void *arg)
{
	const struct sender *s = arg;

	if (s->end_ms)
		return clock_ms() >= s->end_ms;
	return s->record && rotating_is_asked(s->record);
}

static int sender_open(struct sender *s, const struct push_request *rq, struct diag *diag)
{
	_cleanup_(freep) char *folder = rq->queue ? xstrdup(rq->queue) : usual_queue();

	*s = (struct sender){ .rq = rq,
			      .to = *rq->to,
			      .patience = { .is_over = sender_is_over, .arg = s },
			      .delay_ms = RETRY_FIRST_MS };
	s->to.patience = &s->patience;
	return fleet_queue_open(folder, rq->to->target, &s->queue, diag);
}

static void sender_close(struct sender *s)
{
	fleet_store_close(s->store);
	fleet_queue_close(s->queue);
	free(s->sent.refusal);
}

/*
 * Increases the delay by a random amount, so that hosts that lost the same server do not all return
 * at the same moment.
 */
static void sender_wait_longer(struct sender *s)
{
	uint64_t random = hash_u64(hash_seed(), (uint64_t)clock_ms());

	s->next_ms = clock_ms() + s->delay_ms / 2 + (int64_t)(random % (uint64_t)s->delay_ms);
	if (s->delay_ms < RETRY_MAX_MS)
		s->delay_ms *= 2;
}

static void note_collisions(size_t n, struct notes *notes)
{
	if (n)
		notes_add(notes, NOTE_WARNING,
			  "%zu name%s or stack%s of this push %s the id of another one in the "
			  "store, which is shown instead: by chance, or because somebody wrote it "
			  "there",
			  n, n == 1 ? "" : "s", n == 1 ? "" : "s", n == 1 ? "has" : "have");
}

/* Reports the data that was set aside since the last call. */
static void note_aside(struct sender *s, struct notes *notes)
{
	const char *folder = fleet_queue_folder(s->queue);
	size_t n_damaged = s->sent.n_damaged, n_refused = s->sent.n_refused;

	if (n_damaged)
		notes_add(notes, NOTE_WARNING,
			  "%zu damaged parcel%s in '%s' cannot be sent, and %s set aside "
			  "(*.damaged)",
			  n_damaged, n_damaged == 1 ? "" : "s", folder,
			  n_damaged == 1 ? "is" : "are");
	if (n_refused)
		notes_add(notes, NOTE_WARNING,
			  "the store refuses %zu parcel%s, which %s set aside in '%s' "
			  "(*.refused): %s",
			  n_refused, n_refused == 1 ? "" : "s", n_refused == 1 ? "is" : "are",
			  folder, s->sent.refusal);
	note_collisions(s->sent.receipt.n_collisions, notes);
	s->sent.receipt.n_collisions = 0;
	s->sent.n_damaged = s->sent.n_refused = 0;
	free(s->sent.refusal);
	s->sent.refusal = NULL;
}

/* Tries to send what is queued. Returns -EAGAIN if it must be tried again later. */
static int sender_try(struct sender *s, struct notes *notes, struct diag *diag)
{
	int r = s->store ? 0 : fleet_store_open(&s->to, true, &s->store, diag);

	if (r >= 0)
		r = fleet_queue_send(s->queue, s->store, &s->sent, diag);
	note_aside(s, notes);
	if (r >= 0) {
		s->delay_ms = RETRY_FIRST_MS;
		s->next_ms = 0;
		s->is_away = false;
		return 0;
	}
	/* After any error, the connection is not reused. */
	fleet_store_close(s->store);
	s->store = NULL;
	sender_wait_longer(s);
	return r;
}

/* Sleeps until it is time to try again, or a signal arrives. */
static void sender_sleep(struct sender *s)
{
	const struct timespec pause = { .tv_nsec = PATIENCE_LOOK_MS * 1000000 };

	while (clock_ms() < s->next_ms && !sender_is_over(s))
		nanosleep(&pause, NULL);
}

static int send_and_wait(struct sender *s, struct notes *notes, struct diag *diag)
{
	int64_t end = clock_ms() + s->rq->wait * 1000;
	int r;

	while ((r = sender_try(s, notes, diag)) == -EAGAIN && s->next_ms < end &&
	       !sender_is_over(s)) {
		if (!s->is_away)
			notes_add(notes, NOTE_WARNING,
				  "%s; perf push tries again for %" PRId64 " s (--wait)",
				  diag->message, s->rq->wait);
		s->is_away = true;
		sender_sleep(s);
	}
	return r;
}

/* Limits the size of the queue, which the caller must have taken. */
static void sender_limit(struct sender *s, struct notes *notes)
{
	size_t n = fleet_queue_limit(s->queue, s->rq->queue_bytes);

	s->n_lost += n;
	if (n)
		notes_add(notes, NOTE_WARNING,
			  "the queue '%s' is full: its %zu oldest parcel%s lost; --queue-size "
			  "makes room for more",
			  fleet_queue_folder(s->queue), n, n == 1 ? " is" : "s are");
}

static int say_waiting(const struct sender *s, int r, struct diag *diag)
{
	size_t n = fleet_queue_length(s->queue);

	if (r < 0 && n)
		diag_hint(diag,
			  "%s%zu parcel%s in '%s', and the next perf push sends "
			  "%s.",
			  s->n_lost ? "" : "Nothing is lost: ", n, n == 1 ? " waits" : "s wait",
			  fleet_queue_folder(s->queue), n == 1 ? "it" : "them");
	return r;
}

/* Sends until the queue is empty, including data that others add meanwhile. */
static int push_send_all(struct sender *s, struct notes *notes, struct diag *diag)
{
	int r = 0;

	if (!fleet_queue_take(s->queue)) {
		notes_add(notes, NOTE_WARNING,
			  "another perf push sends what is in '%s', and takes this along",
			  fleet_queue_folder(s->queue));
		return 0;
	}
	do {
		sender_limit(s, notes);
		r = say_waiting(s, send_and_wait(s, notes, diag), diag);
		fleet_queue_give_back(s->queue);
	} while (r >= 0 && fleet_queue_length(s->queue) && fleet_queue_take(s->queue));
	return r;
}

static int push_queued(const struct push_request *rq, const struct fleet_data *d,
		       struct notes *notes, struct fleet_receipt *ret, struct diag *diag)
{
	struct sender s;
	int r = sender_open(&s, rq, diag);

	if (r < 0)
		return r;
	r = fleet_queue_add(s.queue, d, diag);
	if (r >= 0)
		r = push_send_all(&s, notes, diag);
	*ret = s.sent.receipt;
	sender_close(&s);
	return r;
}

static int push_directly(const struct push_request *rq, const struct fleet_data *d,
			 struct notes *notes, struct fleet_receipt *ret, struct diag *diag)
{
	_cleanup_(fleet_store_closep) struct fleet_store *store = NULL;
	int r = fleet_store_open(rq->to, true, &store, diag);

	if (r >= 0)
		r = fleet_store_put(store, d, ret, diag);
	if (r >= 0)
		note_collisions(ret->n_collisions, notes);
	return r;
}

int push_recording(const struct push_request *rq, struct notes *notes, struct fleet_receipt *ret,
		   struct diag *diag)
{
	_cleanup_(fleet_data_freep) struct fleet_data *d = NULL;
	int r = fleet_rows_read(&rq->rows, notes, &d, diag);

	*ret = (struct fleet_receipt){ 0 };
	if (r < 0)
		return r;
	if (!strcmp(rq->to->scheme, "sqlite") && !rq->queue)
		return push_directly(rq, d, notes, ret, diag);
	return push_queued(rq, d, notes, ret, diag);
}

/*
 * Moves a complete recording into the queue. A recording that cannot be read is reported and
 * removed.
 */
static int take_recording(struct sender *s, const char *path, struct notes *notes,
			  struct diag *diag)
{
	_cleanup_(fleet_data_freep) struct fleet_data *d = NULL;
	_cleanup_(diag_done) struct diag why = { 0 };
	struct fleet_rows_request rows = s->rq->rows;
	int r;

	rows.path = path;
	rows.now = time(NULL);
	r = fleet_rows_read(&rows, notes, &d, &why);
	/* ENODATA means that nothing ran in that minute. */
	if (r < 0 && r != -ENODATA)
		notes_add(notes, NOTE_WARNING, "%s", why.message ? why.message : strerror(-r));
	r = r < 0 ? 0 : fleet_queue_add(s->queue, d, diag);
	if (r >= 0 && unlink(path) < 0)
		r = diag_set(diag, -errno, "cannot remove '%s': %s", path, strerror(errno));
	return r;
}

static int take_recordings(struct sender *s, struct rotating_record *c, struct notes *notes,
			   struct diag *diag)
{
	char *path;
	int r = 0;

	while (r >= 0 && (path = rotating_next(c))) {
		r = take_recording(s, path, notes, diag);
		free(path);
		sender_limit(s, notes);
		s->next_ms = s->is_away ? s->next_ms : 0;
	}
	return r;
}

/*
 * Sends if there is data and the delay is over. Only errors that a retry cannot cure are returned.
 */
static int send_when_due(struct sender *s, struct notes *notes, struct diag *diag)
{
	_cleanup_(diag_done) struct diag why = { 0 };
	int r;

	if (clock_ms() < s->next_ms || !fleet_queue_length(s->queue))
		return 0;
	r = sender_try(s, notes, &why);
	if (r >= 0)
		return 0;
	/* A signal arrived, which the loop handles. */
	if (r == -EINTR)
		return 0;
	if (r != -EAGAIN)
		return diag_set(diag, r, "%s", why.message);
	if (!s->is_away)
		notes_add(notes, NOTE_WARNING, "%s; perf push goes on and tries again",
			  why.message);
	s->is_away = true;
	return 0;
}

static int push_on(struct sender *s, struct rotating_record *c, struct notes *notes,
		   struct diag *diag)
{
	bool goes_on = true;
	int r = 0;

	while (r >= 0 && goes_on) {
		goes_on = rotating_wait(c, TICK_MS);
		r = take_recordings(s, c, notes, diag);
		if (r >= 0 && goes_on)
			r = send_when_due(s, notes, diag);
	}
	/* After a request to end, the data is sent, but without waiting. */
	if (rotating_is_asked(c))
		s->end_ms = clock_ms() + (s->is_away ? 1 : LAST_TRY_MS);
	return r < 0 ? r : say_waiting(s, send_and_wait(s, notes, diag), diag);
}

static int push_make_folder(const char *path, struct diag *diag)
{
	if (mkdir(path, 0700) == 0 || errno == EEXIST)
		return 0;
	return diag_set(diag, -errno, "cannot make '%s': %s", path, strerror(errno));
}

static int record_and_push(struct sender *s, int64_t every, char *const *words, struct notes *notes,
			   int *ret_status, struct diag *diag)
{
	_cleanup_(freep) char *folder = xasprintf("%s/recordings", fleet_queue_folder(s->queue));
	_cleanup_(rotating_freep) struct rotating_record *c = NULL;
	const struct rotating_request rq = { .folder = folder, .every = every, .words = words };
	bool asked;
	int r = push_make_folder(folder, diag);

	if (r >= 0)
		r = rotating_start(&rq, &c, diag);
	s->record = c;
	if (r >= 0)
		r = push_on(s, c, notes, diag);
	s->record = NULL;
	if (r < 0)
		return r;
	*ret_status = rotating_status(c, &asked);
	if (asked)
		*ret_status = 0;
	return 0;
}

int push_every(const struct push_request *rq, int64_t every, char *const *words,
	       struct notes *notes, struct fleet_receipt *ret, int *ret_status, struct diag *diag)
{
	struct sender s;
	int r = sender_open(&s, rq, diag);

	*ret = (struct fleet_receipt){ 0 };
	if (r < 0)
		return r;
	if (!fleet_queue_take(s.queue)) {
		diag_set(diag, -EBUSY, "another perf push --every sends to this store already");
		diag_hint(diag, "Its queue is '%s'; --queue names another.",
			  fleet_queue_folder(s.queue));
		r = -EBUSY;
	} else {
		r = record_and_push(&s, every, words, notes, ret_status, diag);
	}
	*ret = s.sent.receipt;
	sender_close(&s);
	return r;
}
