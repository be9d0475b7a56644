/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Reads the tracepoints of the kernel's memory allocators: objects of the slab allocator and pages
 * that are allocated and freed. Fields are bound once for a recording; a sample is then read
 * without names.
 *
 *	kmem_events_bind(&e, session);
 *	for each sample:
 *		if (kmem_event_read(&e, sample, &event))
 *			...
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kmem_source;
struct session;
struct session_event;
struct session_sample;

enum kmem_kind {
	KMEM_NONE,       /* not an event of an allocator */
	KMEM_ALLOC,      /* kmalloc, kmem_cache_alloc, and before Linux 6.0 kmalloc_node and
			    kmem_cache_alloc_node */
	KMEM_FREE,       /* kfree, kmem_cache_free */
	KMEM_PAGE_ALLOC, /* mm_page_alloc */
	KMEM_PAGE_FREE,  /* mm_page_free */
};
#define KMEM_KINDS (KMEM_PAGE_FREE + 1)

/*
 * The node of an allocation that may come from any node, and of tracepoints that do not report it.
 */
#define KMEM_NO_NODE (-1)

/* An event. Fields that do not belong to its kind are 0. */
struct kmem_event {
	enum kmem_kind kind;
	uint64_t time;
	uint32_t cpu;
	/* For objects: */
	uint64_t ptr;
	uint64_t call_site; /* the address after the call */
	uint64_t bytes_requested, bytes_allocated;
	int64_t node;
	/* For pages: */
	uint64_t page;
	bool failed; /* no page was available */
	uint32_t order;
	uint64_t gfp_flags;
	int32_t migratetype;
};

struct kmem_events {
	struct kmem_source *sources; /* indexed by event of the recording */
	size_t n_sources;
	bool has[KMEM_KINDS]; /* the kinds that were recorded */
	/*
	 * Pages are identified by their number, or, up to Linux 4.0, by the address of a struct
	 * page.
	 */
	bool pages_by_number;
	const struct session_event *page_alloc; /* the first such event, or NULL */
};

/* Binds the events of @s. */
void kmem_events_bind(struct kmem_events *e, const struct session *s);
void kmem_events_done(struct kmem_events *e);

/* Returns the kind of the samples of @event. */
enum kmem_kind kmem_event_kind(const struct kmem_events *e, const struct session_event *event);

/* Reads @s. False: it is not an event of an allocator, or its record is too short. */
bool kmem_event_read(const struct kmem_events *e, const struct session_sample *s,
		     struct kmem_event *ret);
