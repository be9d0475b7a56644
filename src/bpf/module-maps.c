/* SPDX-License-Identifier: MIT */
#include <config.h>

#if HAVE_BPF

#include <bpf/bpf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/memory.h"
#include "bpf/module-internal.h"

/* More than a bucket of a hash table ever contains, because the kernel returns whole buckets. */
#define ENTRIES_AT_ONCE 1024

bool bpf_module_map(const struct bpf_module *m, size_t i, struct bpf_map_shape *ret)
{
	struct bpf_map *map;

	bpf_object__for_each_map(map, m->object)
	{
		if (i--)
			continue;
		*ret = (struct bpf_map_shape){ .name = bpf_map__name(map),
					       .type = bpf_map__type(map),
					       .key_size = bpf_map__key_size(map),
					       .value_size = bpf_map__value_size(map),
					       .max_entries = bpf_map__max_entries(map),
					       .is_internal = bpf_map__is_internal(map) };
		return true;
	}
	return false;
}

int bpf_module_size(struct bpf_module *m, const char *map, uint32_t n)
{
	struct bpf_map *found = bpf_object__find_map_by_name(m->object, map);

	return found ? bpf_map__set_max_entries(found, n) : -ENOENT;
}

int bpf_module_key_size(struct bpf_module *m, const char *map, uint32_t size)
{
	struct bpf_map *found = bpf_object__find_map_by_name(m->object, map);

	return found ? bpf_map__set_key_size(found, size) : -ENOENT;
}

int bpf_module_value_size(struct bpf_module *m, const char *map, uint32_t size)
{
	struct bpf_map *found = bpf_object__find_map_by_name(m->object, map);

	return found ? bpf_map__set_value_size(found, size) : -ENOENT;
}

int bpf_module_cpus(void)
{
	return libbpf_num_possible_cpus();
}

static int map_fd(const struct bpf_module *m, const char *map, struct diag *diag)
{
	int fd = bpf_object__find_map_fd_by_name(m->object, map);

	return fd < 0 ? diag_set(diag, fd, "BPF: there is no map '%s'", map) : fd;
}

int bpf_module_put(struct bpf_module *m, const char *map, const void *key, const void *value,
		   struct diag *diag)
{
	int fd = map_fd(m, map, diag);

	if (fd >= 0 && bpf_map_update_elem(fd, key, value, BPF_ANY) < 0)
		return diag_set(diag, -errno, "BPF: the map '%s' takes no more: %s", map,
				strerror(errno));
	return fd < 0 ? fd : 0;
}

int bpf_module_map_memory(struct bpf_module *m, const char *map, void **ret, struct diag *diag)
{
	struct bpf_map *found = bpf_object__find_map_by_name(m->object, map);
	int fd = map_fd(m, map, diag);
	size_t page = (size_t)sysconf(_SC_PAGESIZE), size;
	void *bytes;

	if (fd < 0)
		return fd;
	size = ((size_t)bpf_map__value_size(found) + 7) / 8 * 8 * bpf_map__max_entries(found);
	size = (size + page - 1) / page * page;
	bytes = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (bytes == MAP_FAILED)
		return diag_set(diag, -errno, "BPF: the map '%s' cannot be mapped: %s", map,
				strerror(errno));
	*ARRAY_ADD(&m->memory) = (struct memory_map){ bytes, size };
	*ret = bytes;
	return 0;
}

static int ignore_wakeup(void *arg, void *bytes, size_t size)
{
	(void)arg, (void)bytes, (void)size;
	return 0;
}

int bpf_module_wakeups(struct bpf_module *m, const char *map, struct diag *diag)
{
	int fd = map_fd(m, map, diag);

	if (fd < 0)
		return fd;
	m->wakeups = ring_buffer__new(fd, ignore_wakeup, NULL, NULL);
	if (!m->wakeups)
		return diag_set(diag, -errno, "BPF: cannot wait for the map '%s': %s", map,
				strerror(errno));
	return ring_buffer__epoll_fd(m->wakeups);
}

void bpf_module_woken(struct bpf_module *m)
{
	ring_buffer__consume(m->wakeups);
}

void bpf_module_remove(struct bpf_module *m, const char *map, const void *key)
{
	int fd = bpf_object__find_map_fd_by_name(m->object, map);

	if (fd >= 0)
		bpf_map_delete_elem(fd, key);
}

struct bpf_reader {
	struct ring_buffer *ring;
	bpf_take_fn *take;
	void *arg;
};

static int bpf_module_take_entry(void *arg, void *bytes, size_t size)
{
	struct bpf_reader *r = arg;

	return r->take(r->arg, bytes, size);
}

int bpf_reader_open(struct bpf_module *m, const char *map, bpf_take_fn *take, void *arg,
		    struct bpf_reader **ret, struct diag *diag)
{
	int fd = map_fd(m, map, diag);
	struct bpf_reader *r;

	if (fd < 0)
		return fd;
	r = xcalloc(1, sizeof(*r));
	r->take = take;
	r->arg = arg;
	r->ring = ring_buffer__new(fd, bpf_module_take_entry, r, NULL);
	if (!r->ring) {
		int error = -errno;

		free(r);
		return diag_set(diag, error, "BPF: cannot read the map '%s': %s", map,
				strerror(-error));
	}
	*ret = r;
	return 0;
}

void bpf_reader_close(struct bpf_reader *r)
{
	if (!r)
		return;
	ring_buffer__free(r->ring);
	free(r);
}

int bpf_reader_fd(const struct bpf_reader *r)
{
	return ring_buffer__epoll_fd(r->ring);
}

int bpf_reader_read(struct bpf_reader *r)
{
	int n = ring_buffer__consume(r->ring);

	return n < 0 ? n : 0;
}

void bpf_module_clear(struct bpf_module *m, const char *map)
{
	struct bpf_map *found = bpf_object__find_map_by_name(m->object, map);
	int fd = bpf_object__find_map_fd_by_name(m->object, map);
	_cleanup_(freep) void *key = NULL;

	if (!found || fd < 0)
		return;
	key = xcalloc(1, bpf_map__key_size(found));
	while (bpf_map_get_next_key(fd, NULL, key) == 0 && bpf_map_delete_elem(fd, key) == 0)
		;
}

int bpf_module_map_fd(const struct bpf_module *m, const char *map)
{
	int fd = bpf_object__find_map_fd_by_name(m->object, map);

	return fd < 0 ? -ENOENT : fd;
}

int bpf_module_sum(const struct bpf_module *m, const char *map, size_t n, uint64_t *ret,
		   struct diag *diag)
{
	int n_cpus = libbpf_num_possible_cpus(), fd = map_fd(m, map, diag);
	_cleanup_(freep) uint64_t *values = NULL;

	if (fd < 0)
		return fd;
	if (n_cpus < 0)
		return diag_set(diag, n_cpus, "BPF: the number of CPUs is unknown");
	values = xcalloc((size_t)n_cpus, sizeof(*values));
	for (uint32_t i = 0; i < n; i++) {
		if (bpf_map_lookup_elem(fd, &i, values) < 0)
			return diag_set(diag, -errno, "BPF: cannot read the map '%s': %s", map,
					strerror(errno));
		ret[i] = 0;
		for (int cpu = 0; cpu < n_cpus; cpu++)
			ret[i] += values[cpu];
	}
	return 0;
}

int bpf_module_look_up(const struct bpf_module *m, const char *map, const void *key, void *ret,
		       struct diag *diag)
{
	int fd = map_fd(m, map, diag);

	if (fd >= 0 && bpf_map_lookup_elem(fd, key, ret) < 0)
		return diag_set(diag, -errno, "BPF: cannot read the map '%s': %s", map,
				strerror(errno));
	return fd < 0 ? fd : 0;
}

void bpf_entries_done(struct bpf_entries *e)
{
	free(e->keys);
	free(e->values);
	*e = (struct bpf_entries){ 0 };
}

/* Reserves capacity for @n more entries. */
static void entries_reserve(struct bpf_entries *e, size_t n)
{
	size_t room = e->room;

	e->keys = array_reserve(e->keys, &room, e->n + n, e->key_size);
	e->values = array_reserve(e->values, &e->room, e->n + n, e->value_size);
}

/*
 * Reads all entries of the map, several at a time: a system call for each would take much longer.
 */
static int bpf_module_read_entries(int fd, struct bpf_entries *e)
{
	uint32_t batch = 0;
	void *from = NULL;
	int r;

	do {
		uint32_t n = ENTRIES_AT_ONCE;

		entries_reserve(e, n);
		r = bpf_map_lookup_batch(fd, from, &batch, e->keys + e->n * e->key_size,
					 e->values + e->n * e->value_size, &n, NULL);
		/* The last batch is returned with an error. */
		if (r == 0 || errno == ENOENT)
			e->n += n;
		from = &batch;
	} while (r == 0);
	return errno == ENOENT ? 0 : -errno;
}

int bpf_module_read(const struct bpf_module *m, const char *map, struct bpf_entries *ret,
		    struct diag *diag)
{
	const struct bpf_map *found = bpf_object__find_map_by_name(m->object, map);
	struct bpf_entries e = { 0 };
	int r;

	if (!found)
		return diag_set(diag, -ENOENT, "BPF: there is no map '%s'", map);
	e.key_size = bpf_map__key_size(found);
	e.value_size = bpf_map__value_size(found);
	r = bpf_module_read_entries(bpf_map__fd(found), &e);
	if (r < 0) {
		bpf_entries_done(&e);
		return diag_set(diag, r, "BPF: cannot read the map '%s': %s", map, strerror(-r));
	}
	*ret = e;
	return 0;
}

#endif
