/* SPDX-License-Identifier: MIT */
#include "session/machine.h"

#include <stdio.h>

#include "session/internal.h"
#include "session/space.h"
#include "symbol/symbolizer.h"

/*
 * Returns a generated name. Threads without a name are few, but several threads may ask for them at
 * once.
 */
static const char *machine_nameless(struct session *s, uint32_t tid)
{
	struct machine *m = &s->machine;
	const char *name;
	char text[16];

	snprintf(text, sizeof(text), ":%d", (int32_t)tid);
	pthread_mutex_lock(&m->nameless_lock);
	name = intern_text(&m->nameless, text);
	pthread_mutex_unlock(&m->nameless_lock);
	return name;
}

uint64_t machine_generation(const struct session *s)
{
	return s->machine.turn;
}

const char *machine_comm_span(const struct session *s, uint32_t pid, uint32_t tid, uint64_t time,
			      struct span *ret)
{
	struct span span = SPAN_ALWAYS;
	const char *comm = tasks_comm(&s->machine.tasks, tid, moment_after(time), &span);

	(void)pid;
	*ret = span;
	/*
	 * The cast is allowed because it is for the table of generated names, which has a lock and
	 * is not part of the session's state.
	 */
	return comm ? comm : machine_nameless((struct session *)s, tid);
}

const char *machine_comm(const struct session *s, uint32_t pid, uint32_t tid, uint64_t time)
{
	struct span span;

	return machine_comm_span(s, pid, tid, time, &span);
}

enum address_mode address_mode_of(uint16_t misc)
{
	switch (misc & PERF_RECORD_MISC_CPUMODE_MASK) {
	case PERF_RECORD_MISC_KERNEL:
		return ADDRESS_KERNEL;
	case PERF_RECORD_MISC_USER:
		return ADDRESS_USER;
	case PERF_RECORD_MISC_HYPERVISOR:
		return ADDRESS_HYPERVISOR;
	case PERF_RECORD_MISC_GUEST_KERNEL:
		return ADDRESS_GUEST_KERNEL;
	case PERF_RECORD_MISC_GUEST_USER:
		return ADDRESS_GUEST_USER;
	default:
		return ADDRESS_UNKNOWN;
	}
}

/* Returns the kernel of that mode; NULL: unknown. */
static const struct kernel_space *machine_kernel_of(const struct machine *m, uint32_t pid,
						    enum address_mode mode)
{
	switch (mode) {
	case ADDRESS_KERNEL:
		return &m->host;
	case ADDRESS_GUEST_KERNEL:
		return machine_guest(m, pid);
	default:
		return NULL;
	}
}

static const struct map *machine_find_map(const struct machine *m, uint32_t pid,
					  enum address_mode mode, uint64_t addr, struct moment at,
					  struct span *span)
{
	const struct kernel_space *k = machine_kernel_of(m, pid, mode);

	if (k)
		return kernel_space_find(k, addr, at, span);
	if (mode != ADDRESS_USER)
		return NULL;

	const struct space *sp = tasks_space(&m->tasks, pid, at, span);
	/*
	 * JIT dumps are more precise than maps, because some of V8's code is in the program's file.
	 */
	const struct map *made = m->jit_maps.n ? space_find_jit(sp, addr, at, span) : NULL;

	return made ? made : space_find_span(sp, addr, at, span);
}

/* Returns the mode to use. Guests of KVM test programs run functions of the program itself. */
static enum address_mode mode_in(const struct session *s, enum address_mode mode)
{
	bool is_guest = mode == ADDRESS_GUEST_KERNEL || mode == ADDRESS_GUEST_USER;

	return is_guest && s->guest_code ? ADDRESS_USER : mode;
}

const void *machine_space(const struct session *s, uint32_t pid, enum address_mode mode,
			  uint64_t time, struct span *ret_span)
{
	const struct machine *m = &s->machine;
	const void *found;
	struct span span = SPAN_ALWAYS;

	mode = mode_in(s, mode);
	found = machine_kernel_of(m, pid, mode);
	if (mode == ADDRESS_USER) {
		struct moment at = moment_after(time);
		const struct space *sp = tasks_space(&m->tasks, pid, at, &span);

		found = sp ? space_seen(sp, at, &span) : NULL;
	}
	*ret_span = span;
	return found;
}

static bool by_file_offset(const struct image *im)
{
	enum image_kind kind = image_kind(im);

	return kind == IMAGE_USER || kind == IMAGE_VDSO;
}

static const struct map *find_behind_text(const struct session *s, uint32_t pid,
					  enum address_mode mode, uint64_t addr)
{
	const struct kernel_space *k = s->with_symbols ? machine_kernel_of(&s->machine, pid, mode)
						       : NULL;
	const struct map *text = k ? kernel_space_behind_text(k, addr) : NULL;

	return text && image_symbol_find(text->image, addr) ? text : NULL;
}

bool machine_locate_span(const struct session *s, uint32_t pid, enum address_mode mode,
			 uint64_t addr, uint64_t time, struct location *ret, struct span *ret_span)
{
	struct span span = SPAN_ALWAYS;
	const struct map *map;

	mode = mode_in(s, mode);
	map = machine_find_map(&s->machine, pid, mode, addr, moment_after(time), &span);
	if (!map) {
		map = find_behind_text(s, pid, mode, addr);
		span_within(&span, addr, addr + 1);
	}
	*ret_span = span;
	*ret = (struct location){ .addr = addr, .map = map, .image_addr = addr };
	if (map && by_file_offset(map->image))
		ret->image_addr = addr - map->start + map->pgoff;
	return map;
}

void machine_name(const struct session *s, struct location *at)
{
	if (s->with_symbols && at->map)
		at->sym = image_symbol_find(at->map->image, at->image_addr);
}

bool machine_resolve_span(const struct session *s, uint32_t pid, enum address_mode mode,
			  uint64_t addr, uint64_t time, struct location *ret, struct span *ret_span)
{
	if (!machine_locate_span(s, pid, mode, addr, time, ret, ret_span))
		return false;
	machine_name(s, ret);
	return true;
}

bool machine_locate(const struct session *s, uint32_t pid, enum address_mode mode, uint64_t addr,
		    uint64_t time, struct location *ret)
{
	struct span span;

	return machine_locate_span(s, pid, mode, addr, time, ret, &span);
}

bool machine_resolve(const struct session *s, uint32_t pid, enum address_mode mode, uint64_t addr,
		     uint64_t time, struct location *ret)
{
	struct span span;

	return machine_resolve_span(s, pid, mode, addr, time, ret, &span);
}

void machine_tasks(const struct session *s, void (*each)(void *arg, const struct task *t),
		   void *arg)
{
	lineage_for_each(&s->machine.lineage, each, arg);
}

struct map_walk {
	void (*each)(void *arg, const struct map *m);
	void *arg;
};

static void visit_map(void *arg, uint64_t start, uint64_t end, const struct map *map)
{
	const struct map_walk *w = arg;
	struct map part = *map;

	part.start = start;
	part.end = end;
	part.pgoff += start - map->start;
	w->each(w->arg, &part);
}

void machine_maps(const struct session *s, uint32_t pid,
		  void (*each)(void *arg, const struct map *m), void *arg)
{
	struct moment end = moment_after(0);
	const struct space *sp = tasks_space(&s->machine.tasks, pid, end, NULL);

	if (sp)
		space_for_each(sp, end, visit_map, &(struct map_walk){ each, arg });
}

const struct thread_read *machine_reads(const struct session *s, size_t *ret_n)
{
	*ret_n = s->machine.reads.n;
	return s->machine.reads.items;
}

const struct namespaces *machine_namespaces(const struct session *s, uint32_t pid, uint64_t time)
{
	return tasks_namespaces(&s->machine.tasks, pid, moment_after(time));
}

const char *machine_cgroup(const struct session *s, uint64_t id)
{
	return u64_map_find(&s->machine.cgroups, id);
}

void machine_images(const struct session *s, void (*each)(void *arg, struct image *im), void *arg)
{
	const struct images *im = &s->machine.images;

	for (size_t i = 0; i < im->list.n; i++)
		each(arg, im->list.items[i]);
}
