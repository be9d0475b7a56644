/* SPDX-License-Identifier: MIT */
#include "tools/kmem/kmem-bpf.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/memory.h"
#include "bpf/image.h"
#include "bpf/module.h"
#include "event/env.h"
#include "kernel/tracefs.h"

/*
 * The maximum number of call sites, and of keys of pages. The counts of one take 48 bytes on each
 * CPU.
 */
#define ROWS_MAX   4096
#define STACKS_MAX 8192

/*
 * The number of buckets of 256 bytes, for everything that is allocated at the same time: 8 MB for
 * 262,144 allocations.
 */
#define OBJECT_BUCKETS 32768
#define PAGE_BUCKETS   32768

struct bpf_kmem {
	struct bpf_module *module;
	size_t n_cpus;
	bool slab, page;
};

void bpf_kmem_free(struct bpf_kmem *k)
{
	if (!k)
		return;
	bpf_module_free(k->module);
	free(k);
}

/*
 * The programs for frees are attached first. Otherwise an allocation that is freed before they run
 * would never be removed.
 */
static const char *const slab_programs[] = { "on_kfree", "on_cache_free", "on_kmalloc",
					     "on_cache_alloc" };
static const char *const page_programs[] = { "on_page_free", "on_page_alloc" };

static int bpf_kmem_size_maps(struct bpf_kmem *k)
{
	static const struct {
		const char *map;
		uint32_t slab, page; /* the capacity, if these are counted; 0: unchanged */
	} sizes[] = {
		{ "objects", OBJECT_BUCKETS, 0 }, { "sites", ROWS_MAX, 0 },
		{ "site_counts", ROWS_MAX, 0 },   { "pages", 0, PAGE_BUCKETS },
		{ "page_keys", 0, ROWS_MAX },     { "page_counts", 0, ROWS_MAX },
		{ "stacks", 0, STACKS_MAX },
	};
	int r = 0;

	for (size_t i = 0; i < ARRAY_SIZE(sizes) && r >= 0; i++) {
		uint32_t n = (k->slab ? sizes[i].slab : 0) + (k->page ? sizes[i].page : 0);

		if (n)
			r = bpf_module_size(k->module, sizes[i].map, n);
	}
	return r;
}

static int bpf_kmem_want(struct bpf_module *m, const char *const *programs, size_t n)
{
	int r = 0;

	for (size_t i = 0; i < n && r >= 0; i++)
		r = bpf_module_want(m, programs[i]);
	return r;
}

/*
 * Checks the arguments of the tracepoints. Linux 6.1 gave those of objects the arguments that the
 * programs take, and removed those for nodes.
 */
static int check_arguments(struct event_env *env, struct diag *diag)
{
	struct tracefs *fs;
	uint64_t id;
	int r = event_env_tracefs(env, &fs, diag);

	if (r < 0 || tracefs_event_id(fs, "kmem", "kmalloc_node", &id) == -ENOENT)
		return r;
	diag_set(diag, -EOPNOTSUPP, "--bpf needs the tracepoints of Linux 6.1 or later");
	diag_hint(diag, "Record them: perf kmem record");
	return -EOPNOTSUPP;
}

static int bpf_kmem_prepare(const struct bpf_kmem_request *rq, struct bpf_kmem *k,
			    struct diag *diag)
{
	struct bpf_kmem_constants *c = bpf_module_constants(k->module, sizeof(*c));
	int r = c ? bpf_kmem_size_maps(k)
		  : diag_set(diag, -EOPNOTSUPP, "BPF: the constants of 'kmem' are missing");

	if (r >= 0 && k->slab)
		r = check_arguments(rq->env, diag);
	if (r < 0)
		return r;
	c->object_buckets = k->slab ? OBJECT_BUCKETS : 1;
	c->page_buckets = k->page ? PAGE_BUCKETS : 1;
	c->rows_max = ROWS_MAX;
	if (k->slab)
		r = bpf_kmem_want(k->module, slab_programs, ARRAY_SIZE(slab_programs));
	if (k->page && r >= 0)
		r = bpf_kmem_want(k->module, page_programs, ARRAY_SIZE(page_programs));
	return r < 0 ? r : bpf_targets_prepare(&rq->targets, rq->env, k->module, &c->targets, diag);
}

static int bpf_kmem_attach(struct bpf_module *m, const char *const *programs, size_t n,
			   struct diag *diag)
{
	int r = 0;

	for (size_t i = 0; i < n && r >= 0; i++)
		r = bpf_module_attach_raw(m, programs[i], diag);
	return r;
}

static int bpf_kmem_load(const struct bpf_kmem_request *rq, struct bpf_kmem *k, struct diag *diag)
{
	int r = bpf_module_load(k->module, diag);

	if (r < 0) {
		diag_hint(diag, "'perf kmem record' needs no BPF.");
		return r;
	}
	r = bpf_targets_begin(&rq->targets, rq->env, k->module, diag);
	if (k->slab && r >= 0)
		r = bpf_kmem_attach(k->module, slab_programs, ARRAY_SIZE(slab_programs), diag);
	if (k->page && r >= 0)
		r = bpf_kmem_attach(k->module, page_programs, ARRAY_SIZE(page_programs), diag);
	return r;
}

int bpf_kmem_begin(const struct bpf_kmem_request *rq, struct bpf_kmem **ret, struct diag *diag)
{
	_cleanup_(bpf_kmem_freep) struct bpf_kmem *k = xcalloc(1, sizeof(*k));
	int r = bpf_module_open(&bpf_image_kmem, &k->module, diag), n = bpf_module_cpus();

	k->n_cpus = n > 0 ? (size_t)n : 1;
	k->slab = rq->slab;
	k->page = rq->page;
	if (r >= 0)
		r = bpf_kmem_prepare(rq, k, diag);
	if (r >= 0)
		r = bpf_kmem_load(rq, k, diag);
	if (r >= 0)
		*ret = TAKE(k);
	return r;
}

void bpf_kmem_stop(struct bpf_kmem *k)
{
	bpf_module_detach(k->module);
}

/* Reads the counts of @row, summed up over all CPUs. */
static int bpf_kmem_read_counts(const struct bpf_kmem *k, const char *map, uint32_t row,
				struct bpf_kmem_counts *ret, struct diag *diag)
{
	_cleanup_(freep) struct bpf_kmem_counts *each = xcalloc(k->n_cpus, sizeof(*each));
	int r = bpf_module_look_up(k->module, map, &row, each, diag);

	for (size_t i = 0; i < k->n_cpus && r >= 0; i++) {
		ret->allocations += each[i].allocations;
		ret->bytes_requested += each[i].bytes_requested;
		ret->bytes_allocated += each[i].bytes_allocated;
		ret->frees += each[i].frees;
		ret->bytes_freed += each[i].bytes_freed;
		ret->ping_pongs += each[i].ping_pongs;
	}
	return r;
}

/*
 * Reads the rows, whose indices are below ROWS_MAX. Some rows have no key, because two CPUs wanted
 * the same key.
 */
static int read_sites(const struct bpf_kmem *k, struct bpf_kmem_result *ret, struct diag *diag)
{
	struct bpf_entries e;
	int r = bpf_module_read(k->module, "sites", &e, diag);

	if (r < 0)
		return r;
	ret->sites = xcalloc(ROWS_MAX, sizeof(*ret->sites));
	for (size_t i = 0; i < e.n && r >= 0; i++) {
		uint32_t row;

		memcpy(&row, e.values + i * sizeof(row), sizeof(row));
		if (row >= ROWS_MAX)
			continue;
		memcpy(&ret->sites[row].call_site, e.keys + i * sizeof(uint64_t), sizeof(uint64_t));
		r = bpf_kmem_read_counts(k, "site_counts", row, &ret->sites[row].counts, diag);
		if (row >= ret->n_sites)
			ret->n_sites = row + 1;
	}
	bpf_entries_done(&e);
	return r;
}

static int read_page_rows(const struct bpf_kmem *k, struct bpf_kmem_result *ret, struct diag *diag)
{
	struct bpf_entries e;
	int r = bpf_module_read(k->module, "page_keys", &e, diag);

	if (r < 0)
		return r;
	ret->page_rows = xcalloc(ROWS_MAX, sizeof(*ret->page_rows));
	for (size_t i = 0; i < e.n && r >= 0; i++) {
		struct bpf_kmem_page_row *p;
		uint32_t row;

		memcpy(&row, e.values + i * sizeof(row), sizeof(row));
		if (row >= ROWS_MAX)
			continue;
		p = &ret->page_rows[row];
		memcpy(&p->key, e.keys + i * sizeof(p->key), sizeof(p->key));
		r = bpf_kmem_read_counts(k, "page_counts", row, &p->counts, diag);
		if (p->key.stack >= 0 && r >= 0)
			r = bpf_module_look_up(k->module, "stacks", &p->key.stack, p->frames, diag);
		if (row >= ret->n_page_rows)
			ret->n_page_rows = row + 1;
	}
	bpf_entries_done(&e);
	return r;
}

/* Reads the slots that are in use and whose rows are below @n_rows. */
static int bpf_kmem_read_slots(const struct bpf_kmem *k, const char *map, size_t n_buckets,
			       size_t n_rows, struct bpf_kmem_live **ret, size_t *ret_n,
			       struct diag *diag)
{
	const struct bpf_kmem_bucket *b;
	struct bpf_kmem_live *live;
	void *memory;
	size_t n = 0;
	int r = bpf_module_map_memory(k->module, map, &memory, diag);

	if (r < 0)
		return r;
	b = memory;
	live = xcalloc(n_buckets * BPF_KMEM_SLOTS, sizeof(*live));
	for (size_t i = 0; i < n_buckets * BPF_KMEM_SLOTS; i++) {
		const struct bpf_kmem_bucket *at = &b[i / BPF_KMEM_SLOTS];
		size_t slot = i % BPF_KMEM_SLOTS;

		if (at->addrs[slot] && at->slots[slot].row < n_rows)
			live[n++] = (struct bpf_kmem_live){ at->addrs[slot], at->slots[slot] };
	}
	*ret = live;
	*ret_n = n;
	return 0;
}

int bpf_kmem_read(const struct bpf_kmem *k, struct bpf_kmem_result *ret, struct diag *diag)
{
	int r;

	*ret = (struct bpf_kmem_result){ 0 };
	r = bpf_module_sum(k->module, "totals", BPF_KMEM_TOTALS, ret->totals, diag);
	if (r >= 0)
		r = bpf_targets_lost(k->module, &ret->lost_tasks, diag);
	if (r >= 0 && k->slab)
		r = read_sites(k, ret, diag);
	if (r >= 0 && k->slab)
		r = bpf_kmem_read_slots(k, "objects", OBJECT_BUCKETS, ret->n_sites, &ret->objects,
					&ret->n_objects, diag);
	if (r >= 0 && k->page)
		r = read_page_rows(k, ret, diag);
	if (r >= 0 && k->page)
		r = bpf_kmem_read_slots(k, "pages", PAGE_BUCKETS, ret->n_page_rows, &ret->pages,
					&ret->n_pages, diag);
	ret->missed_runs = bpf_module_missed(k->module);
	return r;
}

void bpf_kmem_result_done(struct bpf_kmem_result *r)
{
	free(r->sites);
	free(r->page_rows);
	free(r->objects);
	free(r->pages);
}
