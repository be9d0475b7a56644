/* SPDX-License-Identifier: MIT */
#include "kernel/kept-files.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/u64-map.h"
#include "elf/build-id.h"
#include "elf/file.h"
#include "kernel/bpf-program.h"
#include "kernel/kept-jit-maps.h"
#include "kernel/mapped-file.h"

/* A compiler and its libraries are some dozen files, a desktop has some hundred. */
#define FILES_MAX 1024
#define BYTES_MAX ((uint64_t)2 << 30)

/* The number of files that are known, open or not. */
#define KNOWN_MAX 8192

/* Programs have some KB, and may share a BTF of 100 KB or more. */
#define PROGRAMS_MAX       256
#define PROGRAMS_BYTES_MAX ((size_t)32 << 20)

/* A file that could not be reached through this many processes is given up. */
#define TRIES_MAX 32

/* A process's parent is needed only for a moment, so a later process may take its slot. */
#define PARENTS       4096
#define ANCESTORS_MAX 4

struct kept_file {
	struct kept_file *next; /* with the same key */
	struct file_id id;      /* ino 0: it is identified by @build */
	struct build_id build_id;
	int fd;                /* -1: it could not be opened yet */
	struct timespec mtime; /* when it was opened */
	uint64_t size;
	uint64_t seen; /* kept_files.clock when it was last seen */
	unsigned tries;
	time_t given_s; /* time at which fd was given to a caller, who may use it; 0: never */
};

struct kept_program {
	struct bpf_program program;
	struct btf_blob btf;
};

struct kept_files {
	pthread_mutex_t lock;
	struct u64_map by_key; /* kept_file, see kept_files_key_of() */
	struct kept_file **items;
	size_t n, room;
	size_t n_open, open_max;
	uint64_t bytes;
	uint64_t clock; /* counts the files and maps that are seen */
	struct {
		struct kept_program *items;
		size_t n, room, bytes;
	} programs;
	struct {
		int pid, ppid;
	} parents[PARENTS];
	struct kept_jit_maps *jit_maps; /* or NULL */
};

/*
 * Returns the limit of open files. Events need descriptors too, so a quarter of them may be used
 * here.
 */
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

void kept_files_limit(struct kept_files *k, size_t most)
{
	pthread_mutex_lock(&k->lock);
	if (k->open_max > most)
		k->open_max = most;
	pthread_mutex_unlock(&k->lock);
}

void kept_files_see_program(struct kept_files *k, uint32_t id)
{
	struct kept_program p = { 0 };

	pthread_mutex_lock(&k->lock);
	if (k->programs.n < PROGRAMS_MAX && k->programs.bytes < PROGRAMS_BYTES_MAX &&
	    bpf_program_read(id, BPF_PROGRAM_RECORDED, &p.program) >= 0) {
		if (p.program.btf_id && btf_read(p.program.btf_id, &p.btf) < 0)
			p.btf = (struct btf_blob){ 0 };
		k->programs.bytes += p.program.info_size + p.program.data_size + p.btf.size;
		*ARRAY_ADD(&k->programs) = p;
	}
	pthread_mutex_unlock(&k->lock);
}

bool kept_files_has_programs(struct kept_files *k)
{
	bool has;

	pthread_mutex_lock(&k->lock);
	has = k->programs.n > 0;
	pthread_mutex_unlock(&k->lock);
	return has;
}

void kept_files_for_each_program(struct kept_files *k,
				 void (*fn)(void *arg, const struct bpf_program *p,
					    const struct btf_blob *btf),
				 void *arg)
{
	pthread_mutex_lock(&k->lock);
	for (size_t i = 0; i < k->programs.n; i++)
		fn(arg, &k->programs.items[i].program, &k->programs.items[i].btf);
	pthread_mutex_unlock(&k->lock);
}

void kept_files_free(struct kept_files *k)
{
	if (!k)
		return;
	for (size_t i = 0; i < k->programs.n; i++) {
		bpf_program_done(&k->programs.items[i].program);
		btf_done(&k->programs.items[i].btf);
	}
	free(k->programs.items);
	for (size_t i = 0; i < k->n; i++) {
		closep(&k->items[i]->fd);
		free(k->items[i]);
	}
	free(k->items);
	kept_jit_maps_free(k->jit_maps);
	u64_map_done(&k->by_key);
	pthread_mutex_destroy(&k->lock);
	free(k);
}

/* Returns the inode's number, or the beginning of the build-id. 0: nothing is known. */
static uint64_t kept_files_key_of(const struct file_id *id, const struct build_id *build)
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

static struct kept_file *kernel_kept_files_find(const struct kept_files *k,
						const struct file_id *id,
						const struct build_id *build)
{
	uint64_t key = kept_files_key_of(id, build);
	struct kept_file *f = key ? u64_map_find(&k->by_key, key) : NULL;

	while (f && !is_same_file(f, id, build))
		f = f->next;
	return f;
}

static void close_file(struct kept_files *k, struct kept_file *f)
{
	closep(&f->fd);
	f->fd = -1;
	f->tries = 0;
	k->bytes -= f->size;
	k->n_open--;
}

/* Removes @f from the files with its key. */
static void unlink_file(struct kept_files *k, struct kept_file *f)
{
	uint64_t key = kept_files_key_of(&f->id, &f->build_id);
	struct kept_file *first = u64_map_find(&k->by_key, key), **at = &first;

	while (*at != f)
		at = &(*at)->next;
	*at = f->next;
	if (first)
		u64_map_put(&k->by_key, key, first);
	else
		u64_map_remove(&k->by_key, key);
}

static int kept_files_compare_seen(const void *a, const void *b)
{
	const struct kept_file *x = *(struct kept_file *const *)a;
	const struct kept_file *y = *(struct kept_file *const *)b;

	return (x->seen > y->seen) - (x->seen < y->seen);
}

static struct timespec kept_files_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t;
}

static time_t now_s(void)
{
	return kept_files_now().tv_sec + 1;
}

static uint64_t kept_files_now_ns(void)
{
	struct timespec t = kept_files_now();

	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static bool kept_files_is_used(const struct kept_file *f)
{
	return f->given_s && now_s() - f->given_s <= KEPT_FILES_GIVEN_S;
}

static bool kept_files_is_deleted(const struct kept_file *f)
{
	struct stat st;

	return fstat(f->fd, &st) == 0 && !st.st_nlink;
}

/*
 * Closes a quarter of the open files, those that were not seen for the longest time. Files that
 * still exist under some name come first, because they may be found by it.
 */
static void close_old(struct kept_files *k)
{
	size_t n = k->n_open / 4 + 1;

	if (k->n)
		qsort(k->items, k->n, sizeof(k->items[0]), kept_files_compare_seen);
	for (int deleted = 0; deleted <= 1; deleted++)
		for (size_t i = 0; i < k->n && n; i++) {
			struct kept_file *f = k->items[i];

			if (f->fd < 0 || kept_files_is_used(f) ||
			    (!deleted && kept_files_is_deleted(f)))
				continue;
			close_file(k, f);
			n--;
		}
}

/* Removes half of the known files, except open ones. */
static void kept_files_forget_old(struct kept_files *k)
{
	size_t n = 0, left = k->n / 2;

	if (k->n)
		qsort(k->items, k->n, sizeof(k->items[0]), kept_files_compare_seen);
	for (size_t i = 0; i < k->n; i++) {
		struct kept_file *f = k->items[i];

		if (f->fd < 0 && left) {
			unlink_file(k, f);
			free(f);
			left--;
		} else {
			k->items[n++] = f;
		}
	}
	k->n = n;
}

static struct kept_file *kept_files_add(struct kept_files *k, const struct mapping *m)
{
	uint64_t key = kept_files_key_of(&m->file, &m->build_id);
	struct kept_file *f = xcalloc(1, sizeof(*f));

	if (k->n >= KNOWN_MAX)
		kept_files_forget_old(k);
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
	if (k->jit_maps)
		kept_jit_maps_forked(k->jit_maps, pid);
	pthread_mutex_unlock(&k->lock);
}

/* 0: not known. */
static int kept_files_parent_of(const struct kept_files *k, int pid)
{
	size_t slot = (unsigned)pid % PARENTS;

	return k->parents[slot].pid == pid ? k->parents[slot].ppid : 0;
}

static bool kept_files_has_build_id(int fd, const struct build_id *wanted)
{
	_cleanup_(freep) char *path = xasprintf("/proc/self/fd/%d", fd);
	struct build_id id;

	return elf_build_id_read(path, &id) >= 0 && build_id_equal(&id, wanted);
}

/*
 * Opens a file and checks it. Without an inode, a file that the process itself does not lead to is
 * identified by its build-id.
 */
static int open_checked(const struct mapping *m)
{
	_cleanup_(freep) char *path = NULL;
	int fd = mapped_file_open(m, &path);

	if (fd >= 0 && !m->file.ino && !strcmp(path, m->path) &&
	    !kept_files_has_build_id(fd, &m->build_id)) {
		close(fd);
		return -ENOENT;
	}
	return fd;
}

/*
 * Opens a program without a path of its own, as in a memfd or deleted, whose first mapping is
 * already split. The regular file behind the link is the process's own: opening it has no effect on
 * it.
 */
static int kept_files_open_running(const struct mapping *m)
{
	_cleanup_(freep) char *path = xasprintf("/proc/%d/exe", m->pid);
	int fd = m->pid > 0 && !m->file.ino && m->build_id.size
			 ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
			 : -1;

	if (fd < 0)
		return -ENOENT;
	if (kept_files_has_build_id(fd, &m->build_id))
		return fd;
	close(fd);
	return -ENOENT;
}

/* Opens a file through an ancestor, which has the same root, but not the same maps. */
static int open_through_family(const struct kept_files *k, struct mapping m)
{
	int fd = open_checked(&m);

	if (fd < 0)
		fd = kept_files_open_running(&m);
	for (int i = 0; fd < 0 && i < ANCESTORS_MAX && (m.pid = kept_files_parent_of(k, m.pid)) > 0;
	     i++) {
		m.start = m.end = 0;
		fd = open_checked(&m);
	}
	return fd;
}

/* Closes old files until there is space for one of @size bytes; false: there is none. */
static bool kept_files_make_room(struct kept_files *k, uint64_t size)
{
	size_t before = SIZE_MAX;

	while ((k->n_open >= k->open_max || size > BYTES_MAX - k->bytes) && size <= BYTES_MAX) {
		if (k->n_open == before)
			return false;
		before = k->n_open;
		close_old(k);
	}
	return size <= BYTES_MAX;
}

static void kept_files_open_file(struct kept_files *k, struct kept_file *f, const struct mapping *m)
{
	_cleanup_(closep) int fd = -1;
	struct stat st;

	if (f->tries >= TRIES_MAX || !kept_files_make_room(k, 0))
		return;
	f->tries++;
	fd = open_through_family(k, *m);
	if (fd < 0)
		return;
	if (fstat(fd, &st) < 0 || !kept_files_make_room(k, (uint64_t)st.st_size)) {
		f->tries = TRIES_MAX;
		return;
	}
	f->mtime = st.st_mtim;
	f->size = (uint64_t)st.st_size;
	k->bytes += f->size;
	k->n_open++;
	f->fd = fd;
	fd = -1;
}

void kept_files_keep_jit_maps(struct kept_files *k)
{
	k->jit_maps = kept_jit_maps_new();
}

static void see_jit_code(struct kept_files *k, int pid)
{
	pthread_mutex_lock(&k->lock);
	kept_jit_maps_see(k->jit_maps, pid, kept_files_now_ns());
	pthread_mutex_unlock(&k->lock);
}

void kept_files_exited(struct kept_files *k, int pid)
{
	if (!k->jit_maps)
		return;
	pthread_mutex_lock(&k->lock);
	kept_jit_maps_exited(k->jit_maps, pid);
	pthread_mutex_unlock(&k->lock);
}

void kept_files_look_for_jit_maps(struct kept_files *k)
{
	if (!k->jit_maps)
		return;
	pthread_mutex_lock(&k->lock);
	kept_jit_maps_look(k->jit_maps, kept_files_now_ns());
	pthread_mutex_unlock(&k->lock);
}

int kept_files_find_jit_map(struct kept_files *k, int pid)
{
	int r;

	if (!k->jit_maps)
		return -ENOENT;
	pthread_mutex_lock(&k->lock);
	r = kept_jit_maps_find(k->jit_maps, pid);
	pthread_mutex_unlock(&k->lock);
	return r;
}

size_t kept_files_jit_maps_let_go(struct kept_files *k)
{
	size_t n;

	if (!k->jit_maps)
		return 0;
	pthread_mutex_lock(&k->lock);
	n = kept_jit_maps_let_go(k->jit_maps);
	pthread_mutex_unlock(&k->lock);
	return n;
}

void kept_files_see(struct kept_files *k, const struct mapping *m)
{
	struct kept_file *f;

	if (k->jit_maps && mapping_is_anonymous(m->path))
		see_jit_code(k, m->pid);
	if (m->path[0] != '/' || !kept_files_key_of(&m->file, &m->build_id))
		return;
	pthread_mutex_lock(&k->lock);
	f = kernel_kept_files_find(k, &m->file, &m->build_id);
	if (!f)
		f = kept_files_add(k, m);
	f->seen = ++k->clock;
	if (f->fd < 0)
		kept_files_open_file(k, f, m);
	pthread_mutex_unlock(&k->lock);
}

/* True if the file has changed. Copying over a file that is not running keeps its inode. */
static bool has_changed(const struct kept_file *f)
{
	struct stat st;

	return fstat(f->fd, &st) < 0 || st.st_mtim.tv_sec != f->mtime.tv_sec ||
	       st.st_mtim.tv_nsec != f->mtime.tv_nsec;
}

static int find_open(struct kept_files *k, const struct file_id *id, const struct build_id *build)
{
	struct kept_file *f;
	int r = -ENOENT;

	pthread_mutex_lock(&k->lock);
	f = kernel_kept_files_find(k, id, build);
	if (f && f->fd >= 0)
		r = has_changed(f) ? -ESTALE : f->fd;
	if (r >= 0)
		f->given_s = now_s();
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
