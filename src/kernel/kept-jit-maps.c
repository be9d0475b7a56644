/* SPDX-License-Identifier: MIT */
#include "kernel/kept-jit-maps.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/file-place.h"
#include "base/input-file.h"
#include "base/memory.h"
#include "kernel/process-files.h"

/* The limit on entries, each of which has one descriptor: of the folder, then of the map. */
#define MAPS_MAX 64

/* Slots for processes that are known not to be in a container: a later one may take the slot. */
#define PLAIN_SLOTS 1024

#define LOOK_FIRST_NS 50000000ULL
#define LOOK_LAST_NS  10000000000ULL

struct kept_jit_map {
	int pid;
	uid_t user;              /* user of the process */
	struct file_place place; /* future place of the map, until it exists */
	int fd;                  /* descriptor of the map; -1: it does not exist yet */
	uint64_t seen;           /* kept_jit_maps.clock when it was last seen */
	uint64_t next_look_ns, interval_ns;
};

struct kept_jit_maps {
	struct kept_jit_map items[MAPS_MAX];
	size_t n;
	size_t let_go;
	uint64_t clock; /* counts the processes that are seen */
	int plain[PLAIN_SLOTS];
};

struct kept_jit_maps *kept_jit_maps_new(void)
{
	return xcalloc(1, sizeof(struct kept_jit_maps));
}

static void kept_jit_map_done(struct kept_jit_map *e)
{
	file_place_done(&e->place);
	closep(&e->fd);
}

void kept_jit_maps_free(struct kept_jit_maps *m)
{
	for (size_t i = 0; m && i < m->n; i++)
		kept_jit_map_done(&m->items[i]);
	free(m);
}

static struct kept_jit_map *kept_jit_map_of(struct kept_jit_maps *m, int pid)
{
	for (size_t i = 0; i < m->n; i++)
		if (m->items[i].pid == pid)
			return &m->items[i];
	return NULL;
}

static void kept_jit_map_drop(struct kept_jit_maps *m, struct kept_jit_map *e)
{
	kept_jit_map_done(e);
	*e = m->items[--m->n];
}

static bool process_lives(int pid)
{
	uid_t user;

	return process_user(pid, &user);
}

/*
 * Returns the path to which process @pid writes its map, or NULL: it is where every reader looks
 * for it.
 */
static char *jit_map_path(int pid)
{
	int inner = process_inner_pid(pid);
	_cleanup_(freep) char *path = xasprintf("/tmp/perf-%d.map", inner);
	char *inside = process_path(pid, path);

	return inside ? inside : inner != pid ? TAKE(path) : NULL;
}

/* Finds the place through the process, which must still be alive. */
static void kept_jit_map_place(struct kept_jit_map *e)
{
	_cleanup_(diag_done) struct diag ignored = { 0 };
	_cleanup_(freep) char *path = jit_map_path(e->pid);

	if (path && e->place.folder < 0)
		file_place_find(path, FILE_PLACE_ANY_LINK, &e->place, &ignored);
}

static bool kept_jit_map_trusts(const struct kept_jit_map *e, uid_t owner)
{
	return owner == 0 || owner == geteuid() || owner == e->user;
}

static void kept_jit_map_look(struct kept_jit_map *e)
{
	_cleanup_(closep) int fd = -1;
	struct stat st;

	if (e->fd >= 0)
		return;
	/* A process that begins as root may have changed its user since. */
	process_user(e->pid, &e->user);
	kept_jit_map_place(e);
	if (e->place.folder < 0)
		return;
	fd = input_file_open_at(e->place.folder, e->place.name, &st);
	if (fd < 0 || !kept_jit_map_trusts(e, st.st_uid))
		return;
	file_place_done(&e->place);
	e->place = FILE_PLACE_NONE;
	e->fd = fd;
	fd = -1;
}

/* Closes an entry without a map, or else the one that was not seen for the longest time. */
static void kept_jit_maps_make_room(struct kept_jit_maps *m)
{
	struct kept_jit_map *oldest = NULL;

	for (size_t i = 0; i < m->n; i++) {
		struct kept_jit_map *e = &m->items[i];

		if (!oldest || (e->fd < 0) > (oldest->fd < 0) ||
		    ((e->fd < 0) == (oldest->fd < 0) && e->seen < oldest->seen))
			oldest = e;
	}
	m->let_go += oldest->fd >= 0;
	kept_jit_map_drop(m, oldest);
}

/* Adds a process. NULL: it is not in a container, or has already ended. */
static struct kept_jit_map *kept_jit_maps_add(struct kept_jit_maps *m, int pid, uint64_t now_ns)
{
	struct kept_jit_map e = { .pid = pid, .place = FILE_PLACE_NONE, .fd = -1 };
	_cleanup_(freep) char *path = jit_map_path(pid);

	if (!path || !process_user(pid, &e.user)) {
		m->plain[(unsigned)pid % PLAIN_SLOTS] = pid;
		return NULL;
	}
	if (m->n == MAPS_MAX)
		kept_jit_maps_make_room(m);
	e.interval_ns = LOOK_FIRST_NS;
	e.next_look_ns = now_ns;
	m->items[m->n] = e;
	return &m->items[m->n++];
}

static void kept_jit_map_look_at(struct kept_jit_map *e, uint64_t now_ns)
{
	if (now_ns < e->next_look_ns || e->fd >= 0)
		return;
	kept_jit_map_look(e);
	e->next_look_ns = now_ns + e->interval_ns;
	e->interval_ns = 2 * e->interval_ns < LOOK_LAST_NS ? 2 * e->interval_ns : LOOK_LAST_NS;
}

void kept_jit_maps_see(struct kept_jit_maps *m, int pid, uint64_t now_ns)
{
	struct kept_jit_map *e;

	if (pid <= 0 || m->plain[(unsigned)pid % PLAIN_SLOTS] == pid)
		return;
	e = kept_jit_map_of(m, pid);
	if (!e)
		e = kept_jit_maps_add(m, pid, now_ns);
	if (!e)
		return;
	e->seen = ++m->clock;
	kept_jit_map_look_at(e, now_ns);
}

void kept_jit_maps_forked(struct kept_jit_maps *m, int pid)
{
	int *plain = &m->plain[(unsigned)pid % PLAIN_SLOTS];

	if (*plain == pid)
		*plain = 0;
}

/* The record is that of the first thread: others of the process may still run. */
void kept_jit_maps_exited(struct kept_jit_maps *m, int pid)
{
	struct kept_jit_map *e = kept_jit_map_of(m, pid);

	if (!e)
		return;
	kept_jit_map_look(e);
	if (e->fd < 0 && !process_lives(pid))
		kept_jit_map_drop(m, e);
}

void kept_jit_maps_look(struct kept_jit_maps *m, uint64_t now_ns)
{
	for (size_t i = 0; i < m->n; i++)
		kept_jit_map_look_at(&m->items[i], now_ns);
}

int kept_jit_maps_find(struct kept_jit_maps *m, int pid)
{
	struct kept_jit_map *e = kept_jit_map_of(m, pid);

	if (!e)
		return -ENOENT;
	kept_jit_map_look(e);
	return e->fd < 0 ? -ENOENT : e->fd;
}

size_t kept_jit_maps_let_go(const struct kept_jit_maps *m)
{
	return m->let_go;
}
