/* SPDX-License-Identifier: MIT */
#include "kernel/kept-files.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/u64-map.h"
#include "elf/build-id.h"
#include "kernel/bpf-object.h"
#include "kernel/mapped-file.h"

/* A compiler and its libraries are some dozen files, a desktop is some hundred. */
#define FILES_MAX 1024
#define BYTES_MAX ((uint64_t)2 << 30)

#define PROGRAMS_MAX 256

/* A file that could not be reached through so many processes is given up. */
#define TRIES_MAX 32

/* A process's parent is needed only for a moment, so a later process may take its slot. */
#define PARENTS       4096
#define ANCESTORS_MAX 4

struct kept_file {
	struct kept_file *next; /* with the same key */
	struct file_id id;      /* ino 0: it is known by ... */
	struct build_id build_id;
	int fd;                /* -1: it could not be opened yet */
	struct timespec mtime; /* when it was opened */
	unsigned tries;
};

struct kept_files {
	pthread_mutex_t lock;
	struct u64_map by_key; /* kept_file, see key_of() */
	struct kept_file **items;
	size_t n, room;
	size_t n_open, open_max;
	uint64_t bytes;
	struct {
		int *items; /* descriptors */
		size_t n, room;
	} programs;
	struct {
		int pid, ppid;
	} parents[PARENTS];
};

/* Events need descriptors too: a quarter of them is left to us. */
static size_t open_files_limit(void)
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
	k->open_max = open_files_limit();
	return k;
}

void kept_files_see_program(struct kept_files *k, uint32_t id)
{
	int fd = -1;

	pthread_mutex_lock(&k->lock);
	if (k->programs.n < PROGRAMS_MAX && k->n_open < k->open_max)
		fd = bpf_program_open_id(id);
	if (fd >= 0) {
		*ARRAY_ADD(&k->programs) = fd;
		k->n_open++;
	}
	pthread_mutex_unlock(&k->lock);
}

void kept_files_free(struct kept_files *k)
{
	if (!k)
		return;
	for (size_t i = 0; i < k->programs.n; i++)
		close(k->programs.items[i]);
	free(k->programs.items);
	for (size_t i = 0; i < k->n; i++) {
		closep(&k->items[i]->fd);
		free(k->items[i]);
	}
	free(k->items);
	u64_map_done(&k->by_key);
	pthread_mutex_destroy(&k->lock);
	free(k);
}

/* The inode's number, or the beginning of the build-id. 0: nothing is known. */
static uint64_t key_of(const struct file_id *id, const struct build_id *build)
{
	uint64_t key = id->ino;

	if (!key && build->size)
		memcpy(&key, build->bytes, sizeof(key));
	return key;
}

static bool is_same_file(const struct kept_file *f, const struct file_id *id,
			 const struct build_id *build)
{
	if (!id->ino != !f->id.ino)
		return false;
	if (id->ino)
		return !file_id_differs(&f->id, id);
	return f->build_id.size == build->size &&
	       !memcmp(f->build_id.bytes, build->bytes, build->size);
}

static struct kept_file *find(const struct kept_files *k, const struct file_id *id,
			      const struct build_id *build)
{
	uint64_t key = key_of(id, build);
	struct kept_file *f = key ? u64_map_find(&k->by_key, key) : NULL;

	while (f && !is_same_file(f, id, build))
		f = f->next;
	return f;
}

static struct kept_file *add(struct kept_files *k, const struct mapping *m)
{
	uint64_t key = key_of(&m->file, &m->build_id);
	struct kept_file *f = xcalloc(1, sizeof(*f));

	f->id = m->file;
	f->build_id = m->build_id;
	f->fd = -1;
	f->next = u64_map_find(&k->by_key, key);
	u64_map_put(&k->by_key, key, f);
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

static bool has_build_id(int fd, const struct build_id *wanted)
{
	_cleanup_(freep) char *path = xasprintf("/proc/self/fd/%d", fd);
	struct build_id id;

	return elf_build_id_read(path, &id) >= 0 && build_id_equal(&id, wanted);
}

/* Without an inode, a file that the process itself does not lead to is known by its build-id. */
static int open_checked(const struct mapping *m)
{
	_cleanup_(freep) char *path = NULL;
	int fd = mapped_file_open(m, &path);

	if (fd >= 0 && !m->file.ino && !strcmp(path, m->path) && !has_build_id(fd, &m->build_id)) {
		close(fd);
		return -ENOENT;
	}
	return fd;
}

/* A parent has the same root, but not the same maps. */
static int open_through_family(const struct kept_files *k, struct mapping m)
{
	int fd = open_checked(&m);

	for (int i = 0; fd < 0 && i < ANCESTORS_MAX && (m.pid = parent_of(k, m.pid)) > 0; i++) {
		m.start = m.end = 0;
		fd = open_checked(&m);
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
	f->mtime = st.st_mtim;
	k->bytes += (uint64_t)st.st_size;
	k->n_open++;
}

void kept_files_see(struct kept_files *k, const struct mapping *m)
{
	struct kept_file *f;

	if (m->path[0] != '/' || !key_of(&m->file, &m->build_id))
		return;
	pthread_mutex_lock(&k->lock);
	f = find(k, &m->file, &m->build_id);
	if (!f)
		f = add(k, m);
	if (f->fd < 0)
		open_file(k, f, m);
	pthread_mutex_unlock(&k->lock);
}

/* Copying over a file that is not running keeps its inode. */
static bool has_changed(const struct kept_file *f)
{
	struct stat st;

	return fstat(f->fd, &st) < 0 || st.st_mtim.tv_sec != f->mtime.tv_sec ||
	       st.st_mtim.tv_nsec != f->mtime.tv_nsec;
}

static int find_open(struct kept_files *k, const struct file_id *id, const struct build_id *build)
{
	const struct kept_file *f;
	int r = -ENOENT;

	pthread_mutex_lock(&k->lock);
	f = find(k, id, build);
	if (f && f->fd >= 0)
		r = has_changed(f) ? -ESTALE : f->fd;
	pthread_mutex_unlock(&k->lock);
	return r;
}

int kept_files_find(struct kept_files *k, const struct file_id *id)
{
	return find_open(k, id, &(struct build_id){ 0 });
}

int kept_files_find_build(struct kept_files *k, const struct build_id *id)
{
	return find_open(k, &(struct file_id){ 0 }, id);
}
