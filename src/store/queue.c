/* SPDX-License-Identifier: MIT */
#include "store/queue.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/file-place.h"
#include "base/file.h"
#include "base/memory.h"
#include "store/content-id.h"
#include "store/data.h"
#include "store/parcel.h"

#define SUFFIX         ".parcel"
#define NEW_SUFFIX     ".new"
#define DAMAGED_SUFFIX ".damaged"
#define REFUSED_SUFFIX ".refused"

/* A parcel takes less than this from its first byte to its final name. */
#define NEW_SECONDS 60

struct fleet_queue {
	char *folder;
	int lock;
	bool is_taken;
	uint64_t n_new; /* number of parcels begun here: part of their names */
};

static int fleet_queue_refuse(const char *path, struct diag *diag)
{
	int error = -errno;

	diag_set(diag, error, "the queue '%s' cannot be used: %s", path, strerror(-error));
	diag_hint(diag, "--queue names another folder.");
	return error;
}

/*
 * Opens the folder, which must belong to the caller: its owner controls what is sent, which process
 * is taken for an abandoned recorder, and where links lead. Returns a descriptor of the folder.
 */
static int fleet_queue_open_folder(const struct fleet_queue *q, struct diag *diag)
{
	_cleanup_(file_place_done) struct file_place p = FILE_PLACE_NONE;
	int r = file_place_find(q->folder, FILE_PLACE_FOLLOW, &p, diag), fd;
	struct stat st;

	if (r < 0)
		return r;
	fd = openat(p.folder, p.name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return fleet_queue_refuse(q->folder, diag);
	if (fstat(fd, &st) < 0 || (st.st_uid == geteuid() && fchmod(fd, 0700) < 0))
		r = fleet_queue_refuse(q->folder, diag);
	else if (st.st_uid != geteuid()) {
		r = diag_set(diag, -EPERM, "the queue '%s' cannot be used: it belongs to user %u",
			     q->folder, (unsigned)st.st_uid);
		diag_hint(diag, "Push as that user, or name another folder with --queue.");
	}
	if (r < 0)
		closep(&fd);
	return r < 0 ? r : fd;
}

static int open_lock(struct fleet_queue *q, struct diag *diag)
{
	_cleanup_(closep) int folder = fleet_queue_open_folder(q, diag);

	if (folder < 0)
		return folder;
	q->lock = openat(folder, "lock", O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
	return q->lock < 0 ? fleet_queue_refuse(q->folder, diag) : 0;
}

bool fleet_queue_take(struct fleet_queue *q)
{
	if (q->is_taken || flock(q->lock, LOCK_EX | LOCK_NB) < 0)
		return false;
	q->is_taken = true;
	return true;
}

void fleet_queue_give_back(struct fleet_queue *q)
{
	if (q->is_taken)
		flock(q->lock, LOCK_UN);
	q->is_taken = false;
}

int fleet_queue_open(const char *folder, const char *target, struct fleet_queue **ret,
		     struct diag *diag)
{
	struct fleet_queue *q = xcalloc(1, sizeof(*q));
	struct content_hash h;
	int r;

	content_hash_begin(&h);
	content_hash_text(&h, target);
	q->folder = xasprintf("%s/%016" PRIx64, folder, (uint64_t)content_hash_id(&h));
	q->lock = -1;
	r = file_make_directories(q->folder);
	if (r < 0) {
		errno = -r;
		r = fleet_queue_refuse(q->folder, diag);
	} else {
		r = open_lock(q, diag);
	}
	if (r < 0) {
		fleet_queue_close(q);
		return r;
	}
	*ret = q;
	return 0;
}

void fleet_queue_close(struct fleet_queue *q)
{
	if (!q)
		return;
	if (q->lock >= 0)
		close(q->lock);
	free(q->folder);
	free(q);
}

const char *fleet_queue_folder(const struct fleet_queue *q)
{
	return q->folder;
}

/* Makes sure that the contents of the folder survive a power failure. */
static int sync_folder(const struct fleet_queue *q, struct diag *diag)
{
	_cleanup_(closep) int fd = open(q->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	return fd < 0 || fsync(fd) < 0 ? fleet_queue_refuse(q->folder, diag) : 0;
}

/* Names sort by the time of their first minute. */
int fleet_queue_add(struct fleet_queue *q, const struct fleet_data *d, struct diag *diag)
{
	const union fleet_cell *first = fleet_row(d, FLEET_BATCH, 0);
	_cleanup_(freep) char *temporary = xasprintf("%s/%d-%" PRIu64 NEW_SUFFIX, q->folder,
						     (int)getpid(), q->n_new++);
	_cleanup_(freep) char *path = NULL;
	int r;

	if (!d->tables[FLEET_BATCH].n)
		return 0;
	path = xasprintf("%s/%012" PRId64 "-%016" PRIx64 SUFFIX, q->folder,
			 first[BATCH_MINUTE].number, (uint64_t)first[BATCH_ID].number);
	unlink(temporary);
	r = parcel_write(temporary, d, diag);
	if (r >= 0 && rename(temporary, path) < 0)
		r = fleet_queue_refuse(path, diag);
	if (r < 0)
		unlink(temporary);
	return r < 0 ? r : sync_folder(q, diag);
}

static bool ends_in(const char *name, const char *suffix)
{
	size_t n = strlen(name), k = strlen(suffix);

	return n > k && !strcmp(name + n - k, suffix);
}

static int is_parcel(const struct dirent *e)
{
	return ends_in(e->d_name, SUFFIX);
}

static int fleet_queue_is_new(const struct dirent *e)
{
	return ends_in(e->d_name, NEW_SUFFIX);
}

/* True if the file is a parcel, including those that were set aside. */
static int fleet_queue_is_kept(const struct dirent *e)
{
	return is_parcel(e) || ends_in(e->d_name, DAMAGED_SUFFIX) ||
	       ends_in(e->d_name, REFUSED_SUFFIX);
}

struct parcel_list {
	struct dirent **items;
	int n;
};

static void parcel_list_done(struct parcel_list *l)
{
	for (int i = 0; i < l->n; i++)
		free(l->items[i]);
	free(l->items);
}

static struct parcel_list list_files(const struct fleet_queue *q,
				     int (*choose)(const struct dirent *))
{
	struct parcel_list l = { 0 };

	l.n = scandir(q->folder, &l.items, choose, alphasort);
	if (l.n < 0)
		l = (struct parcel_list){ 0 };
	return l;
}

/* Lists the parcels of the queue, oldest first. */
static struct parcel_list list_parcels(const struct fleet_queue *q)
{
	return list_files(q, is_parcel);
}

size_t fleet_queue_length(const struct fleet_queue *q)
{
	_cleanup_(parcel_list_done) struct parcel_list l = list_parcels(q);

	return (size_t)l.n;
}

static char *parcel_path(const struct fleet_queue *q, const struct parcel_list *l, int i)
{
	return xasprintf("%s/%s", q->folder, l->items[i]->d_name);
}

/*
 * Removes files of processes that were killed while writing them. Younger files may still be in
 * progress.
 */
static void remove_unfinished(const struct fleet_queue *q)
{
	_cleanup_(parcel_list_done) struct parcel_list l = list_files(q, fleet_queue_is_new);
	time_t now = time(NULL);

	for (int i = 0; i < l.n; i++) {
		_cleanup_(freep) char *path = parcel_path(q, &l, i);
		struct stat st;

		if (stat(path, &st) == 0 && st.st_mtime < now - NEW_SECONDS)
			unlink(path);
	}
}

size_t fleet_queue_limit(struct fleet_queue *q, uint64_t bytes)
{
	_cleanup_(parcel_list_done) struct parcel_list l = list_files(q, fleet_queue_is_kept);
	uint64_t size = 0;
	size_t n_lost = 0;

	remove_unfinished(q);
	for (int i = l.n; i-- > 0;) {
		_cleanup_(freep) char *path = parcel_path(q, &l, i);
		struct stat st;

		if (stat(path, &st) < 0)
			continue;
		size += (uint64_t)st.st_size;
		if (size > bytes && unlink(path) == 0)
			n_lost++;
	}
	return n_lost;
}

/* Gives the parcel a name under which it is not sent any more. */
static int set_aside(const char *path, const char *suffix, struct diag *diag)
{
	_cleanup_(freep) char *aside = xasprintf("%s%s", path, suffix);

	return rename(path, aside) < 0 && errno != ENOENT ? fleet_queue_refuse(path, diag) : 0;
}

/* The state of one pass over the queue. */
struct store_queue_sending {
	struct fleet_queue *queue;
	struct fleet_store *store;
	struct fleet_sent *sent;
	size_t n_taken;
	struct {
		char **items; /* paths of parcels that the store refuses */
		size_t n, room;
	} refused;
	int error; /* the first refusal, with its message: */
	struct diag why;
};

static void sending_done(struct store_queue_sending *p)
{
	for (size_t i = 0; i < p->refused.n; i++)
		free(p->refused.items[i]);
	free(p->refused.items);
	diag_done(&p->why);
}

/* True if the error comes from the store's state, and not from the data. */
static bool is_passing(int error)
{
	return error == -EAGAIN || error == -EINTR;
}

static int fleet_queue_note_refusal(struct store_queue_sending *p, const char *path, int error,
				    struct diag *why)
{
	*ARRAY_ADD(&p->refused) = xstrdup(path);
	if (!p->error) {
		p->error = error;
		p->why = *why;
		*why = (struct diag){ 0 };
	}
	return 0;
}

static int send_parcel(struct store_queue_sending *p, const char *path, struct diag *diag)
{
	_cleanup_(fleet_data_freep) struct fleet_data *d = fleet_data_new();
	_cleanup_(diag_done) struct diag why = { 0 };
	struct fleet_receipt receipt;
	int r = parcel_read(path, d, &why);

	if (r == -ENOENT)
		return 0;
	if (r == -EBADMSG) {
		p->sent->n_damaged++;
		return set_aside(path, DAMAGED_SUFFIX, diag);
	}
	if (r >= 0)
		r = fleet_store_put(p->store, d, &receipt, &why);
	if (r < 0 && !is_passing(r))
		return fleet_queue_note_refusal(p, path, r, &why);
	if (r < 0) {
		*diag = why;
		why = (struct diag){ 0 };
		return r;
	}
	p->n_taken++;
	p->sent->receipt.n_new += receipt.n_new;
	p->sent->receipt.n_known += receipt.n_known;
	p->sent->receipt.n_collisions += receipt.n_collisions;
	return unlink(path) < 0 && errno != ENOENT ? fleet_queue_refuse(path, diag) : 0;
}

/*
 * Judges the refused parcels. If a store accepts other parcels, the refused ones are at fault. If
 * it accepts none, the store may be at fault, and nothing is set aside.
 */
static int judge_refused(struct store_queue_sending *p, struct diag *diag)
{
	int r = 0;

	if (!p->refused.n)
		return 0;
	if (!p->n_taken) {
		*diag = p->why;
		p->why = (struct diag){ 0 };
		return p->error;
	}
	for (size_t i = 0; r >= 0 && i < p->refused.n; i++)
		r = set_aside(p->refused.items[i], REFUSED_SUFFIX, diag);
	p->sent->n_refused += p->refused.n;
	if (!p->sent->refusal)
		p->sent->refusal = xstrdup(p->why.message ? p->why.message : strerror(-p->error));
	return r;
}

int fleet_queue_send(struct fleet_queue *q, struct fleet_store *s, struct fleet_sent *sent,
		     struct diag *diag)
{
	_cleanup_(parcel_list_done) struct parcel_list l = list_parcels(q);
	_cleanup_(sending_done) struct store_queue_sending p = { .queue = q,
								 .store = s,
								 .sent = sent };
	int r = 0;

	for (int i = 0; r >= 0 && i < l.n; i++) {
		_cleanup_(freep) char *path = parcel_path(q, &l, i);

		r = send_parcel(&p, path, diag);
	}
	return r < 0 ? r : judge_refused(&p, diag);
}
