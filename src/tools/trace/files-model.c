/* SPDX-License-Identifier: MIT */
#include "tools/trace/files-model.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/memory.h"

#define PATH_LENGTH_MAX 4095
#define ROOM_FIRST      16
/*
 * The maximum number of descriptors. It limits the memory for a program that tries descriptors at
 * random.
 */
#define DESCRIPTORS_MAX 65536

/* A path that several descriptors, or the tables of several processes, may share. */
struct trace_files_path {
	uint32_t refs;
	uint32_t room; /* the capacity of @text */
	char text[];
};

struct trace_files_slot {
	int32_t fd;
	uint8_t state; /* enum trace_file_state */
	bool is_used;
	uint64_t time_ns;              /* the time since which it is valid */
	struct trace_files_path *path; /* kept for the next use of @fd; or NULL */
};

/* A table with open addressing, at most half full. Slots are reused but never become free. */
struct trace_files_table {
	uint32_t refs;
	uint32_t n, room;
	struct trace_files_slot *slots;
};

struct trace_files {
	uint32_t refs;
	uint64_t seed;
	struct trace_files_table *table;
};

static struct trace_files_table *trace_files_table_new(uint32_t room)
{
	struct trace_files_table *t = xcalloc(1, sizeof(*t));

	t->refs = 1;
	t->room = room;
	t->slots = xcalloc(room, sizeof(*t->slots));
	return t;
}

static void path_unref(struct trace_files_path *p)
{
	if (p && !--p->refs)
		free(p);
}

static void table_unref(struct trace_files_table *t)
{
	if (--t->refs)
		return;
	for (uint32_t i = 0; i < t->room; i++)
		path_unref(t->slots[i].path);
	free(t->slots);
	free(t);
}

struct trace_files *trace_files_new(void)
{
	struct trace_files *f = xcalloc(1, sizeof(*f));

	f->refs = 1;
	f->seed = hash_seed();
	f->table = trace_files_table_new(ROOM_FIRST);
	return f;
}

struct trace_files *trace_files_ref(struct trace_files *f)
{
	f->refs++;
	return f;
}

void trace_files_unref(struct trace_files *f)
{
	if (!f || --f->refs)
		return;
	table_unref(f->table);
	free(f);
}

struct trace_files *trace_files_copy(const struct trace_files *f)
{
	struct trace_files *copy = xcalloc(1, sizeof(*copy));

	*copy = *f;
	copy->refs = 1;
	copy->table->refs++;
	return copy;
}

/* Returns the slot of @fd, or the free slot for it. */
static struct trace_files_slot *trace_files_slot_of(const struct trace_files *f,
						    const struct trace_files_table *t, int32_t fd)
{
	uint32_t i = (uint32_t)hash_u64(f->seed, (uint32_t)fd) & (t->room - 1);

	while (t->slots[i].is_used && t->slots[i].fd != fd)
		i = (i + 1) & (t->room - 1);
	return &t->slots[i];
}

/* Replaces the table by one of @room slots with the same contents, which belongs to @f alone. */
static void change_table(struct trace_files *f, uint32_t room)
{
	struct trace_files_table *old = f->table, *t = trace_files_table_new(room);

	for (uint32_t i = 0; i < old->room; i++) {
		const struct trace_files_slot *s = &old->slots[i];

		if (!s->is_used)
			continue;
		*trace_files_slot_of(f, t, s->fd) = *s;
		if (s->path)
			s->path->refs++;
	}
	t->n = old->n;
	f->table = t;
	table_unref(old);
}

/* Returns the slot of @fd in a table that @f may change. */
static struct trace_files_slot *slot_for_change(struct trace_files *f, int32_t fd)
{
	struct trace_files_slot *s;

	if (f->table->n >= DESCRIPTORS_MAX) {
		table_unref(f->table);
		f->table = trace_files_table_new(ROOM_FIRST);
	}
	if (2 * (f->table->n + 1) > f->table->room)
		change_table(f, 2 * f->table->room);
	else if (f->table->refs > 1)
		change_table(f, f->table->room);
	s = trace_files_slot_of(f, f->table, fd);
	if (!s->is_used) {
		*s = (struct trace_files_slot){ .fd = fd, .is_used = true };
		f->table->n++;
	}
	return s;
}

enum trace_file_state trace_files_find(const struct trace_files *f, int32_t fd, const char **ret)
{
	const struct trace_files_slot *s = trace_files_slot_of(f, f->table, fd);

	if (!s->is_used)
		return TRACE_FILE_UNKNOWN;
	if (s->state == TRACE_FILE_KNOWN)
		*ret = s->path->text;
	return s->state;
}

/*
 * True if @s was reported after @time_ns. A path that was looked up, and not reported, has the time
 * 0.
 */
static bool trace_files_is_newer(const struct trace_files_slot *s, uint64_t time_ns)
{
	return s->state == TRACE_FILE_KNOWN && s->time_ns > time_ns;
}

static void trace_files_set_path(struct trace_files_slot *s, const char *text)
{
	size_t n = strnlen(text, PATH_LENGTH_MAX);
	struct trace_files_path *p = s->path;

	if (!p || p->refs > 1 || p->room <= n) {
		uint32_t room = (uint32_t)(n + 64) & ~UINT32_C(63);

		path_unref(p);
		p = s->path = xmalloc(sizeof(*p) + room);
		p->refs = 1;
		p->room = room;
	}
	memmove(p->text, text, n);
	p->text[n] = '\0';
}

void trace_files_set(struct trace_files *f, int32_t fd, const char *path, uint64_t time_ns)
{
	struct trace_files_slot *s = slot_for_change(f, fd);

	if (trace_files_is_newer(s, time_ns))
		return;
	s->time_ns = time_ns;
	s->state = path ? TRACE_FILE_KNOWN : TRACE_FILE_ABSENT;
	if (path)
		trace_files_set_path(s, path);
}

struct trace_files *trace_files_after_exec(const struct trace_files *f)
{
	struct trace_files *after = trace_files_new();

	for (int32_t fd = 0; fd <= STDERR_FILENO; fd++) {
		const struct trace_files_slot *s = trace_files_slot_of(f, f->table, fd);

		if (s->state == TRACE_FILE_KNOWN)
			trace_files_set(after, fd, s->path->text, s->time_ns);
	}
	return after;
}

void trace_files_duplicate(struct trace_files *f, int32_t from, int32_t to, uint64_t time_ns)
{
	struct trace_files_slot *s = slot_for_change(f, to);
	const struct trace_files_slot *source = trace_files_slot_of(f, f->table, from);

	if (trace_files_is_newer(s, time_ns) || s == source)
		return;
	s->time_ns = time_ns;
	s->state = source->state == TRACE_FILE_KNOWN ? TRACE_FILE_KNOWN : TRACE_FILE_UNKNOWN;
	if (s->state != TRACE_FILE_KNOWN)
		return;
	source->path->refs++;
	path_unref(s->path);
	s->path = source->path;
}

void trace_files_forget(struct trace_files *f, int32_t fd, uint64_t time_ns)
{
	const struct trace_files_slot *known = trace_files_slot_of(f, f->table, fd);

	if (known->state == TRACE_FILE_UNKNOWN || trace_files_is_newer(known, time_ns))
		return;
	slot_for_change(f, fd)->state = TRACE_FILE_UNKNOWN;
}

static bool is_looked_up(const struct trace_files_slot *s)
{
	return s->state != TRACE_FILE_UNKNOWN && !s->time_ns;
}

void trace_files_forget_looked_up(struct trace_files *f)
{
	for (uint32_t i = 0; i < f->table->room; i++) {
		if (!is_looked_up(&f->table->slots[i]))
			continue;
		if (f->table->refs > 1)
			change_table(f, f->table->room);
		f->table->slots[i].state = TRACE_FILE_UNKNOWN;
	}
}

void trace_files_forget_range(struct trace_files *f, uint32_t first, uint32_t last,
			      uint64_t time_ns)
{
	if (f->table->refs > 1)
		change_table(f, f->table->room);
	for (uint32_t i = 0; i < f->table->room; i++) {
		struct trace_files_slot *s = &f->table->slots[i];

		if (!trace_files_is_newer(s, time_ns) && (uint32_t)s->fd >= first &&
		    (uint32_t)s->fd <= last)
			s->state = TRACE_FILE_UNKNOWN;
	}
}
