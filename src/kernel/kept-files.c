/* SPDX-License-Identifier: MIT */
#include "kernel/kept-files.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "base/u64-map.h"
#include "kernel/mapped-file.h"

/* A compiler and its libraries are some dozen files, a desktop is some hundred. */
#define FILES_MAX 1024
#define BYTES_MAX ((uint64_t)2 << 30)

/* A file that could not be reached through so many processes is given up. */
#define TRIES_MAX 32

/* Who forked whom is needed for a moment only: a later process takes the slot of another. */
#define PARENTS       4096
#define ANCESTORS_MAX 4

struct kept_file {
	struct kept_file *next; /* with the same inode number */
	struct file_id id;
	int fd; /* -1: it could not be opened yet */
	unsigned tries;
};

struct kept_files {
	pthread_mutex_t lock;
	struct u64_map by_ino; /* kept_file */
	struct kept_file **items;
	size_t n, room;
	size_t n_open, open_max;
	uint64_t bytes;
	struct {
		int pid, ppid;
	} parents[PARENTS];
};

/* Events need descriptors too: a quarter of them is left to us. */
static size_t most_open(void)
{
	struct rlimit l;

	if (getrlimit(RLIMIT_NOFILE, &l) < 0 || l.rlim_cur / 4 > FILES_MAX)
		return FILES_MAX;
	return l.rlim_cur / 4;
}

struct kept_files *kept_files_new(void)
{
	struct kept_files *k = xcalloc(1, sizeof(*k));

	pthread_mutex_init(&k->lock, NULL);
	k->open_max = most_open();
	return k;
}

void kept_files_free(struct kept_files *k)
{
	if (!k)
		return;
	for (size_t i = 0; i < k->n; i++) {
		closep(&k->items[i]->fd);
		free(k->items[i]);
	}
	free(k->items);
	u64_map_done(&k->by_ino);
	pthread_mutex_destroy(&k->lock);
	free(k);
}

static struct kept_file *find(const struct kept_files *k, const struct file_id *id)
{
	struct kept_file *f = id->ino ? u64_map_find(&k->by_ino, id->ino) : NULL;

	while (f && file_id_differs(&f->id, id))
		f = f->next;
	return f;
}

static struct kept_file *add(struct kept_files *k, const struct file_id *id)
{
	struct kept_file *f = xcalloc(1, sizeof(*f));

	f->id = *id;
	f->fd = -1;
	f->next = u64_map_find(&k->by_ino, id->ino);
	u64_map_put(&k->by_ino, id->ino, f);
	*ARRAY_ADD(k) = f;
	return f;
}

void kept_files_forked(struct kept_files *k, int pid, int ppid)
{
	if (pid == ppid)
		return;
	pthread_mutex_lock(&k->lock);
	k->parents[(unsigned)pid % PARENTS].pid = pid;
	k->parents[(unsigned)pid % PARENTS].ppid = ppid;
	pthread_mutex_unlock(&k->lock);
}

/* 0: not known. */
static int parent_of(const struct kept_files *k, int pid)
{
	size_t slot = (unsigned)pid % PARENTS;

	return k->parents[slot].pid == pid ? k->parents[slot].ppid : 0;
}

/* A parent has the same root, but not the same maps. */
static int open_through_family(const struct kept_files *k, struct mapping m)
{
	int fd = mapped_file_open(&m, NULL);

	for (int i = 0; fd < 0 && i < ANCESTORS_MAX && (m.pid = parent_of(k, m.pid)) > 0; i++) {
		m.start = m.end = 0;
		fd = mapped_file_open(&m, NULL);
	}
	return fd;
}

static void open_file(struct kept_files *k, struct kept_file *f, const struct mapping *m)
{
	struct stat st;

	if (f->tries >= TRIES_MAX || k->n_open >= k->open_max)
		return;
	f->tries++;
	f->fd = open_through_family(k, *m);
	if (f->fd < 0)
		return;
	if (fstat(f->fd, &st) < 0 || (uint64_t)st.st_size > BYTES_MAX - k->bytes) {
		closep(&f->fd);
		f->fd = -1;
		f->tries = TRIES_MAX;
		return;
	}
	k->bytes += (uint64_t)st.st_size;
	k->n_open++;
}

void kept_files_see(struct kept_files *k, const struct mapping *m)
{
	struct kept_file *f;

	if (!m->file.ino || m->path[0] != '/')
		return;
	pthread_mutex_lock(&k->lock);
	f = find(k, &m->file);
	if (!f)
		f = add(k, &m->file);
	if (f->fd < 0)
		open_file(k, f, m);
	pthread_mutex_unlock(&k->lock);
}

int kept_files_find(struct kept_files *k, const struct file_id *id)
{
	const struct kept_file *f;
	int fd;

	pthread_mutex_lock(&k->lock);
	f = find(k, id);
	fd = f && f->fd >= 0 ? f->fd : -ENOENT;
	pthread_mutex_unlock(&k->lock);
	return fd;
}
