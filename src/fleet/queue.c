/* SPDX-License-Identifier: MIT */
#include "fleet/queue.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/memory.h"
#include "fleet/content-id.h"
#include "fleet/data.h"
#include "fleet/parcel.h"
#include "fleet/store.h"

#define SUFFIX     ".parcel"
#define BAD_SUFFIX ".damaged"

struct fleet_queue {
	char *folder;
	int lock;
	bool is_taken;
	uint64_t n_new; /* parcels that we have begun: part of their names */
};

static int refuse(const char *path, struct diag *diag)
{
	int error = -errno;

	diag_set(diag, error, "the queue '%s' cannot be used: %s", path, strerror(-error));
	diag_hint(diag, "--queue names another folder.");
	return error;
}

static int open_lock(struct fleet_queue *q, struct diag *diag)
{
	_cleanup_(freep) char *path = xasprintf("%s/lock", q->folder);

	q->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	return q->lock < 0 ? refuse(path, diag) : 0;
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
		r = refuse(q->folder, diag);
	} else if (chmod(q->folder, 0700) < 0) {
		r = refuse(q->folder, diag);
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

/* Names sort by the time of their first minute. */
int fleet_queue_add(struct fleet_queue *q, const struct fleet_data *d, struct diag *diag)
{
	const union fleet_cell *first = fleet_row(d, FLEET_BATCH, 0);
	_cleanup_(freep) char *temporary = xasprintf("%s/%d-%" PRIu64 ".new", q->folder,
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
		r = refuse(path, diag);
	if (r < 0)
		unlink(temporary);
	return r;
}

static int is_parcel(const struct dirent *e)
{
	size_t n = strlen(e->d_name), k = strlen(SUFFIX);

	return n > k && !strcmp(e->d_name + n - k, SUFFIX);
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

/* The oldest first. */
static struct parcel_list list_parcels(const struct fleet_queue *q)
{
	struct parcel_list l = { 0 };

	l.n = scandir(q->folder, &l.items, is_parcel, alphasort);
	if (l.n < 0)
		l = (struct parcel_list){ 0 };
	return l;
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

size_t fleet_queue_limit(struct fleet_queue *q, uint64_t bytes)
{
	_cleanup_(parcel_list_done) struct parcel_list l = list_parcels(q);
	uint64_t size = 0;
	size_t n_lost = 0;

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

static int send_parcel(const char *path, struct fleet_store *s, struct fleet_receipt *sum,
		       size_t *ret_bad, struct diag *diag)
{
	_cleanup_(fleet_data_freep) struct fleet_data *d = fleet_data_new();
	struct fleet_receipt receipt;
	int r = parcel_read(path, d, diag);

	if (r == -EBADMSG) {
		_cleanup_(freep) char *aside = xasprintf("%s" BAD_SUFFIX, path);

		++*ret_bad;
		return rename(path, aside) < 0 ? refuse(path, diag) : 0;
	}
	if (r >= 0)
		r = fleet_store_put(s, d, &receipt, diag);
	if (r < 0)
		return r;
	sum->n_new += receipt.n_new;
	sum->n_known += receipt.n_known;
	return unlink(path) < 0 ? refuse(path, diag) : 0;
}

int fleet_queue_send(struct fleet_queue *q, struct fleet_store *s, struct fleet_receipt *sum,
		     size_t *ret_bad, struct diag *diag)
{
	_cleanup_(parcel_list_done) struct parcel_list l = list_parcels(q);
	int r = 0;

	for (int i = 0; r >= 0 && i < l.n; i++) {
		_cleanup_(freep) char *path = parcel_path(q, &l, i);

		r = send_parcel(path, s, sum, ret_bad, diag);
	}
	return r;
}
