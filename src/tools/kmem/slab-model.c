/* SPDX-License-Identifier: MIT */
#include "tools/kmem/slab-model.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/cpu-list.h"
#include "base/memory.h"
#include "datafile/features.h"
#include "tools/kmem/event-model.h"

#define FREED (-1)

void slab_model_done(struct slab_model *m)
{
	free(m->sites.items);
	free(m->pointers.items);
	u64_map_done(&m->site_of);
	u64_map_done(&m->pointer_of);
	free(m->nodes);
}

static void set_node(struct slab_model *m, unsigned cpu, uint32_t node)
{
	if (cpu >= m->n_nodes) {
		m->nodes = xrealloc(m->nodes, (cpu + 1) * sizeof(m->nodes[0]));
		memset(m->nodes + m->n_nodes, 0, (cpu + 1 - m->n_nodes) * sizeof(m->nodes[0]));
		m->n_nodes = cpu + 1;
	}
	m->nodes[cpu] = (uint16_t)node;
}

void slab_model_set_nodes(struct slab_model *m, const struct features *f)
{
	for (size_t i = 0; i < f->numa_nodes.n; i++) {
		_cleanup_(cpu_list_done) struct cpu_list cpus = { 0 };

		if (cpu_list_parse(f->numa_nodes.items[i].cpus, &cpus) < 0)
			continue;
		for (size_t c = 0; c < cpus.n; c++)
			set_node(m, cpus.items[c], f->numa_nodes.items[i].node);
	}
}

static uint32_t site_index(struct slab_model *m, uint64_t call_site)
{
	uintptr_t found = (uintptr_t)u64_map_find(&m->site_of, call_site);

	if (!found) {
		*ARRAY_ADD(&m->sites) = (struct slab_row){ .call_site = call_site };
		found = m->sites.n;
		u64_map_put(&m->site_of, call_site, (void *)found);
	}
	return (uint32_t)(found - 1);
}

static struct slab_pointer *pointer_find(const struct slab_model *m, uint64_t ptr)
{
	uintptr_t found = (uintptr_t)u64_map_find(&m->pointer_of, ptr);

	return found ? &m->pointers.items[found - 1] : NULL;
}

static struct slab_pointer *pointer_of(struct slab_model *m, uint64_t ptr)
{
	struct slab_pointer *p = pointer_find(m, ptr);

	if (p)
		return p;
	p = ARRAY_ADD(&m->pointers);
	p->row.ptr = ptr;
	u64_map_put(&m->pointer_of, ptr, (void *)(uintptr_t)m->pointers.n);
	return p;
}

static void add_hit(struct slab_row *row, const struct kmem_event *e)
{
	row->hits++;
	row->bytes_requested += e->bytes_requested;
	row->bytes_allocated += e->bytes_allocated;
}

static int64_t slab_node_of(const struct slab_model *m, uint32_t cpu)
{
	return cpu < m->n_nodes ? m->nodes[cpu] : 0;
}

void slab_model_alloc(struct slab_model *m, const struct kmem_event *e)
{
	struct slab_pointer *p = pointer_of(m, e->ptr);

	p->site = site_index(m, e->call_site);
	p->row.call_site = e->call_site;
	p->last_bytes = e->bytes_allocated;
	p->allocated_at = e->time;
	p->cpu = e->cpu;
	add_hit(&p->row, e);
	add_hit(&m->sites.items[p->site], e);
	m->totals.allocations++;
	m->totals.bytes_requested += e->bytes_requested;
	m->totals.bytes_allocated += e->bytes_allocated;
	m->totals.other_node += e->node != KMEM_NO_NODE && e->node != slab_node_of(m, e->cpu);
	m->last_time = e->time;
}

void slab_model_expect(const struct slab_model *m, uint64_t ptr)
{
	u64_map_prefetch(&m->pointer_of, ptr);
}

void slab_model_free(struct slab_model *m, const struct kmem_event *e)
{
	struct slab_pointer *p = pointer_find(m, e->ptr);

	m->last_time = e->time;
	if (!p) {
		m->totals.unmatched_frees++;
		return;
	}
	m->totals.bytes_freed += p->last_bytes;
	if (p->cpu != (int64_t)e->cpu) {
		p->row.ping_pongs++;
		m->sites.items[p->site].ping_pongs++;
	}
	p->cpu = FREED;
}

void slab_model_add_site(struct slab_model *m, const struct slab_row *row, uint64_t bytes_freed)
{
	uint32_t site = site_index(m, row->call_site);

	m->sites.items[site] = *row;
	m->totals.allocations += row->hits;
	m->totals.bytes_requested += row->bytes_requested;
	m->totals.bytes_allocated += row->bytes_allocated;
	m->totals.bytes_freed += bytes_freed;
}

void slab_model_add_object(struct slab_model *m, const struct slab_pointer *p)
{
	struct slab_pointer *added = pointer_of(m, p->row.ptr);

	*added = *p;
	added->site = site_index(m, p->row.call_site);
}

static int slab_by_call_site(const void *a, const void *b)
{
	const struct slab_row *x = a, *y = b;

	return (x->call_site > y->call_site) - (x->call_site < y->call_site);
}

struct slab_row *slab_model_sites(const struct slab_model *m)
{
	struct slab_row *rows = xcalloc(m->sites.n + 1, sizeof(*rows));

	if (m->sites.n)
		memcpy(rows, m->sites.items, m->sites.n * sizeof(*rows));
	qsort(rows, m->sites.n, sizeof(*rows), slab_by_call_site);
	return rows;
}

static int by_ptr(const void *a, const void *b)
{
	const struct slab_row *x = a, *y = b;

	return (x->ptr > y->ptr) - (x->ptr < y->ptr);
}

struct slab_row *slab_model_pointers(const struct slab_model *m)
{
	struct slab_row *rows = xcalloc(m->pointers.n + 1, sizeof(*rows));

	for (size_t i = 0; i < m->pointers.n; i++)
		rows[i] = m->pointers.items[i].row;
	qsort(rows, m->pointers.n, sizeof(*rows), by_ptr);
	return rows;
}

static int by_site_and_time(const void *a, const void *b)
{
	const struct slab_pointer *x = *(const struct slab_pointer *const *)a;
	const struct slab_pointer *y = *(const struct slab_pointer *const *)b;

	if (x->site != y->site)
		return x->site < y->site ? -1 : 1;
	return (x->allocated_at > y->allocated_at) - (x->allocated_at < y->allocated_at);
}

static uint64_t slab_age(const struct slab_model *m, const struct slab_pointer *p)
{
	return m->last_time > p->allocated_at ? m->last_time - p->allocated_at : 0;
}

/* Sums up @n objects of a call site, oldest first. */
static struct slab_live live_of(const struct slab_model *m, const struct slab_pointer **objects,
				size_t n)
{
	struct slab_live l = { .call_site = m->sites.items[objects[0]->site].call_site,
			       .objects = n,
			       .age_max_ns = slab_age(m, objects[0]),
			       .age_p50_ns = slab_age(m, objects[n / 2]) };

	for (size_t i = 0; i < n; i++)
		l.bytes += objects[i]->last_bytes;
	return l;
}

static int by_bytes(const void *a, const void *b)
{
	const struct slab_live *x = a, *y = b;

	if (x->bytes != y->bytes)
		return x->bytes > y->bytes ? -1 : 1;
	return (x->call_site > y->call_site) - (x->call_site < y->call_site);
}

/* True if @p is allocated. A failed allocation is reported as one at address 0. */
static bool slab_is_live(const struct slab_pointer *p)
{
	return p->cpu != FREED && p->row.ptr;
}

struct slab_live *slab_model_live(const struct slab_model *m, size_t *ret_n)
{
	_cleanup_(freep) const struct slab_pointer **objects = xcalloc(m->pointers.n + 1,
								       sizeof(objects[0]));
	struct slab_live *rows = xcalloc(m->sites.n + 1, sizeof(*rows));
	size_t n = 0, n_rows = 0, first, end;

	for (size_t i = 0; i < m->pointers.n; i++)
		if (slab_is_live(&m->pointers.items[i]))
			objects[n++] = &m->pointers.items[i];
	qsort(objects, n, sizeof(objects[0]), by_site_and_time);
	for (first = 0; first < n; first = end) {
		for (end = first + 1; end < n && objects[end]->site == objects[first]->site;)
			end++;
		rows[n_rows++] = live_of(m, objects + first, end - first);
	}
	qsort(rows, n_rows, sizeof(*rows), by_bytes);
	*ret_n = n_rows;
	return rows;
}

double slab_fragmentation(uint64_t bytes_requested, uint64_t bytes_allocated)
{
	if (!bytes_allocated)
		return 0;
	return 100.0 - 100.0 * (double)bytes_requested / (double)bytes_allocated;
}
