/* SPDX-License-Identifier: MIT */
#include "session/machine.h"

#include <stdio.h>

#include "session/internal.h"
#include "session/space.h"
#include "symbol/symbolizer.h"

/* Threads without a name are few, but may be asked for from several threads at once. */
static const char *nameless(struct session *s, uint32_t tid)
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

const char *machine_comm(const struct session *s, uint32_t pid, uint32_t tid, uint64_t time)
{
	const char *comm = tasks_comm(&s->machine.tasks, tid, moment_after(time));

	(void)pid;
	/* The cast is to the table of names given out, which is guarded and no part of the state.
	 */
	return comm ? comm : nameless((struct session *)s, tid);
}

bool machine_knows(const struct session *s, uint32_t pid, uint32_t tid)
{
	(void)pid;
	return tasks_knows(&s->machine.tasks, tid);
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

/* The kernel that @mode is about; NULL: none that is known. */
static const struct kernel_space *kernel_of(const struct machine *m, uint32_t pid,
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

static const struct map *find_map(const struct machine *m, uint32_t pid, enum address_mode mode,
				  uint64_t addr, struct moment at)
{
	const struct kernel_space *k = kernel_of(m, pid, mode);

	if (k)
		return kernel_space_find(k, addr, at);
	return mode == ADDRESS_USER ? space_find(tasks_space(&m->tasks, pid, at), addr, at) : NULL;
}

static bool by_file_offset(const struct image *im)
{
	enum image_kind kind = image_kind(im);

	return kind == IMAGE_USER || kind == IMAGE_VDSO;
}

static const struct map *find_behind_text(const struct session *s, uint32_t pid,
					  enum address_mode mode, uint64_t addr)
{
	const struct kernel_space *k = s->with_symbols ? kernel_of(&s->machine, pid, mode) : NULL;
	const struct map *text = k ? kernel_space_behind_text(k, addr) : NULL;

	return text && image_symbol_find(text->image, addr) ? text : NULL;
}

bool machine_locate(const struct session *s, uint32_t pid, enum address_mode mode, uint64_t addr,
		    uint64_t time, struct location *ret)
{
	const struct map *map = find_map(&s->machine, pid, mode, addr, moment_after(time));

	if (!map)
		map = find_behind_text(s, pid, mode, addr);

	*ret = (struct location){ .addr = addr, .map = map, .image_addr = addr };
	if (map && by_file_offset(map->image))
		ret->image_addr = addr - map->start + map->pgoff;
	return map;
}

bool machine_resolve(const struct session *s, uint32_t pid, enum address_mode mode, uint64_t addr,
		     uint64_t time, struct location *ret)
{
	if (!machine_locate(s, pid, mode, addr, time, ret))
		return false;
	if (s->with_symbols)
		ret->sym = image_symbol_find(ret->map->image, ret->image_addr);
	return true;
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
