/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Counts objects of the slab allocator: the sizes that call sites requested and got, and the fate
 * of each address.
 *
 * The model grows with call sites and with distinct addresses. An address that was freed is kept:
 * if the next allocation there is lost, its free still counts the bytes of the previous one, as in
 * Linux's perf.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/u64-map.h"

struct features;
struct kmem_event;

/* The sums for an address or a call site. */
struct slab_row {
	uint64_t ptr;       /* 0 for a call site */
	uint64_t call_site; /* for an address: the last one */
	uint64_t hits;      /* allocations */
	uint64_t bytes_requested, bytes_allocated;
	uint64_t ping_pongs; /* frees on another CPU than that of the allocation */
};

/* The sums for an address, and its last allocation. */
struct slab_pointer {
	struct slab_row row;
	uint64_t last_bytes;   /* the size of its last allocation */
	uint64_t allocated_at; /* the time of that allocation */
	uint32_t site;         /* the index of its call site */
	int64_t cpu;           /* the CPU of its allocation; -1: freed */
};

/* The objects of a call site that were not freed. */
struct slab_live {
	uint64_t call_site;
	uint64_t objects, bytes;
	uint64_t age_p50_ns, age_max_ns; /* the ages of these objects at the end */
};

struct slab_totals {
	uint64_t allocations;
	uint64_t bytes_requested, bytes_allocated, bytes_freed;
	uint64_t other_node;      /* allocations from another node than that of the CPU */
	uint64_t unmatched_frees; /* frees of objects whose allocation was not seen */
};

struct slab_model {
	struct slab_totals totals;
	struct {
		struct slab_row *items;
		size_t n, room;
	} sites;
	struct {
		struct slab_pointer *items;
		size_t n, room;
	} pointers;
	struct u64_map site_of, pointer_of; /* map to index + 1 */
	uint16_t *nodes;                    /* the node of each CPU */
	size_t n_nodes;
	uint64_t last_time; /* the time of the last event */
};

/* Releases @m. An empty model is `struct slab_model m = { 0 };`. */
void slab_model_done(struct slab_model *m);

/* Copies the assignment of CPUs to nodes. CPUs that are missing in @f belong to node 0. */
void slab_model_set_nodes(struct slab_model *m, const struct features *f);

/* Count an object that was allocated (KMEM_ALLOC), or freed (KMEM_FREE). O(1). */
void slab_model_alloc(struct slab_model *m, const struct kmem_event *e);
void slab_model_free(struct slab_model *m, const struct kmem_event *e);

/* Begins to load what is known of the object at @ptr, of which an event will be taken soon. */
void slab_model_expect(const struct slab_model *m, uint64_t ptr);

/*
 * slab_model_add_site() adds sums that were counted elsewhere: a new call site with the bytes that
 * it freed. slab_model_add_object() adds an object that is still allocated, for a call site that
 * was added before.
 */
void slab_model_add_site(struct slab_model *m, const struct slab_row *row, uint64_t bytes_freed);
void slab_model_add_object(struct slab_model *m, const struct slab_pointer *p);

/*
 * Return copies of the rows, in ascending order of call sites, or of addresses. The caller frees
 * them.
 */
struct slab_row *slab_model_sites(const struct slab_model *m);
struct slab_row *slab_model_pointers(const struct slab_model *m);

/*
 * Returns the call sites with objects that were not freed, those with the most bytes first. The
 * caller frees them.
 */
struct slab_live *slab_model_live(const struct slab_model *m, size_t *ret_n);

/*
 * Returns the share of the allocated bytes that nobody requested, in percent, or 0 if there were
 * none.
 */
double slab_fragmentation(uint64_t bytes_requested, uint64_t bytes_allocated);
