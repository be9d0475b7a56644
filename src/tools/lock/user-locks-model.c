/* SPDX-License-Identifier: MIT */
#include "tools/lock/user-locks-model.h"

#include <inttypes.h>
#include <linux/futex.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/bisect.h"
#include "base/intern.h"
#include "base/memory.h"
#include "base/u64-map.h"
#include "profile/wait-kind.h"
#include "session/machine.h"
#include "symbol/symbol.h"
#include "symbol/symbolizer.h"
#include "tools/lock/data-objects-work.h"
#include "tools/lock/type-model.h"

/* The maximum depth of the functions of libc that take a lock. */
#define LIBRARY_FRAMES 6

/* The executable mappings of a process, of programs and libraries, by address. */
struct process_code {
	struct code_map {
		uint64_t start, pgoff;
		struct image *image;
	} * items;
	size_t n, room;
};

struct user_locks {
	const struct session *session;
	struct intern texts;
	struct u64_map processes; /* struct process_code */
	struct {
		struct process_code **items;
		size_t n, room;
	} codes;
	struct u64_map images; /* variables by image */
	struct {
		struct data_objects **items;
		size_t n, room;
	} objects;
};

struct user_locks *user_locks_new(const struct session *s)
{
	struct user_locks *u = xcalloc(1, sizeof(*u));

	u->session = s;
	return u;
}

void user_locks_free(struct user_locks *u)
{
	if (!u)
		return;
	for (size_t i = 0; i < u->objects.n; i++)
		data_objects_free(u->objects.items[i]);
	free(u->objects.items);
	u64_map_done(&u->images);
	for (size_t i = 0; i < u->codes.n; i++) {
		free(u->codes.items[i]->items);
		free(u->codes.items[i]);
	}
	free(u->codes.items);
	u64_map_done(&u->processes);
	intern_done(&u->texts);
	free(u);
}

static struct data_objects *objects_of(struct user_locks *u, struct image *im)
{
	struct data_objects *o = u64_map_find(&u->images, (uintptr_t)im);

	if (o)
		return o;
	o = data_objects_load(im);
	*ARRAY_ADD(&u->objects) = o;
	u64_map_put(&u->images, (uintptr_t)im, o);
	return o;
}

static void user_locks_set_name(struct user_locks *u, const char *name, uint64_t offset,
				struct lock_symbol *ret)
{
	_cleanup_(freep) char *text = NULL;

	if (offset)
		text = xasprintf("%s+%#" PRIx64, name, offset);
	*ret = (struct lock_symbol){ .name = intern_text(&u->texts, text ? text : name) };
}

static void user_locks_add_code(void *arg, const struct map *m)
{
	struct process_code *c = arg;

	if (m->image && image_kind(m->image) == IMAGE_USER && m->prot & PROT_EXEC)
		*ARRAY_ADD(c) = (struct code_map){ m->start, m->pgoff, m->image };
}

static const struct process_code *user_locks_code_of(struct user_locks *u, uint32_t pid)
{
	struct process_code *c = u64_map_find(&u->processes, pid);

	if (c)
		return c;
	c = xcalloc(1, sizeof(*c));
	machine_maps(u->session, pid, user_locks_add_code, c);
	*ARRAY_ADD(&u->codes) = c;
	u64_map_put(&u->processes, pid, c);
	return c;
}

/*
 * Finds the variable at @addr. A program's variables are a fixed distance after its code, whichever
 * mapping they are in. So the last code before the address is that of the variable's program, if
 * there is one.
 */
static bool user_locks_find_variable(struct user_locks *u, uint32_t pid, uint64_t addr,
				     struct lock_symbol *ret)
{
	const struct process_code *c = user_locks_code_of(u, pid);
	size_t after = BISECT(i, c->n, c->items[i].start <= addr);
	const struct symbol *sym;
	const struct code_map *m;
	uint64_t link = 0;

	if (!after)
		return false;
	m = &c->items[after - 1];
	sym = data_objects_find(objects_of(u, m->image), m->start, m->pgoff, addr, &link);
	if (sym)
		user_locks_set_name(u, sym->name, link - sym->start, ret);
	return sym;
}

/* Returns the name without the folder: "[heap]", "[stack]", "libc.so.6". */
static const char *map_name(const struct map *m)
{
	const char *slash = strrchr(m->name, '/');

	return slash && slash[1] && slash != m->name + 1 ? slash + 1 : m->name;
}

/*
 * Variables are looked up first, because the kernel reports a program's first mapping as
 * executable, and it covers the data too.
 */
bool user_locks_symbol(struct user_locks *u, uint32_t pid, uint64_t addr, struct lock_symbol *ret)
{
	struct location at;

	if (user_locks_find_variable(u, pid, addr, ret))
		return true;
	if (!machine_resolve(u->session, pid, ADDRESS_USER, addr, 0, &at) || !at.map)
		return false;
	if (at.sym && at.map->prot & PROT_EXEC)
		*ret = (struct lock_symbol){ .name = at.sym->name,
					     .offset = at.image_addr - at.sym->start };
	else
		user_locks_set_name(u, map_name(at.map), addr - at.map->start, ret);
	return true;
}

/* True if the address is in libc's code. Its inner functions may have no names. */
static bool is_in_libc(struct user_locks *u, uint32_t pid, uint64_t addr)
{
	struct location at;
	const char *name;

	if (!machine_locate(u->session, pid, ADDRESS_USER, addr, 0, &at) || !at.map)
		return false;
	name = map_name(at.map);
	return !strncmp(name, "libc.", 5) || !strncmp(name, "libc-", 5) ||
	       !strncmp(name, "libpthread", 10) || !strncmp(name, "ld-", 3);
}

bool futex_op_waits(uint32_t op)
{
	switch (op & FUTEX_CMD_MASK) {
	case FUTEX_WAIT:
	case FUTEX_WAIT_BITSET:
	case FUTEX_LOCK_PI:
	case FUTEX_LOCK_PI2:
	case FUTEX_WAIT_REQUEUE_PI:
		return true;
	default:
		return false;
	}
}

/*
 * Returns the flags of a wait. A condition variable acquires its mutex again, in functions that may
 * have no names; that is a wait for a lock. glibc's mutex waits with FUTEX_WAIT while its word is
 * 2, its conditions wait with FUTEX_WAIT_BITSET.
 */
static uint32_t user_locks_flags_of(const struct futex_wait *w, enum wait_hint hint)
{
	if (w->op == FUTEX_LOCK_PI || w->op == FUTEX_LOCK_PI2)
		return LOCK_USER | LOCK_RT;
	if (w->op == FUTEX_WAIT_REQUEUE_PI)
		return LOCK_USER | LOCK_CONDITION;
	if (hint == WAIT_HINT_SLEEP && !(w->op == FUTEX_WAIT && w->value == 2))
		return LOCK_USER | LOCK_CONDITION;
	return LOCK_USER;
}

/*
 * True if the stack begins in libc, except for syscall(), which other code calls for its own locks.
 */
static bool begins_in_libc(struct user_locks *u, const struct futex_wait *w)
{
	struct lock_symbol sym = { 0 };

	if (!w->n_stack || !is_in_libc(u, w->pid, w->stack[0]))
		return false;
	return !user_locks_symbol(u, w->pid, w->stack[0], &sym) ||
	       strcspn(sym.name, "@") != strlen("syscall") || strncmp(sym.name, "syscall", 7) != 0;
}

/*
 * True if the wait is for an event and not for a lock. If libc has no frame pointers, no function
 * shows what its inner ones wait for. With FUTEX_WAIT_BITSET glibc waits for conditions, semaphores
 * and the ends of threads. It also uses it to wait for a lock: for a mutex with a timeout while its
 * word is 2, and for a read-write lock while its word is 2 or 3.
 */
static bool waits_for_event(struct user_locks *u, const struct futex_wait *w)
{
	return w->op == FUTEX_WAIT_BITSET && w->value != 2 && w->value != 3 && begins_in_libc(u, w);
}

struct user_wait user_locks_wait(struct user_locks *u, const struct futex_wait *w)
{
	enum wait_hint hint = WAIT_HINT_NONE;
	size_t skip = 0;

	for (size_t i = 0; i < w->n_stack && i < LIBRARY_FRAMES; i++) {
		struct lock_symbol sym = { 0 };
		enum wait_hint own = WAIT_HINT_NONE;

		if (user_locks_symbol(u, w->pid, w->stack[i], &sym))
			own = wait_hint_of(sym.name, false);
		if (own == WAIT_HINT_NONE && !is_in_libc(u, w->pid, w->stack[i]))
			break;
		hint = hint == WAIT_HINT_NONE ? own : hint;
		skip = i + 1;
	}
	if (hint == WAIT_HINT_NONE && waits_for_event(u, w))
		hint = WAIT_HINT_SLEEP;
	return (struct user_wait){ .flags = user_locks_flags_of(w, hint),
				   .skip = skip < w->n_stack ? skip : 0 };
}
