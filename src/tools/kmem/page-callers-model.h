/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Who allocated a page: the first function of the stack that is not the page allocator's own.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/u64-map.h"

struct session;
struct session_sample;

/* `struct page_callers c = { 0 };` knows nothing yet. */
struct page_callers {
	struct u64_map is_allocator; /* by address: what was found out before */
};

void page_callers_done(struct page_callers *c);

/*
 * Is @name that of a function that allocates pages for its caller? Those are alloc_pages(),
 * __get_free_pages(), get_zeroed_page() and all whose names begin so; and since Linux 6.10 those
 * that end in _noprof, whose memory the kernel itself counts for their callers.
 */
bool page_allocator_is(const char *name);

/* The address in the caller of the stack of @s; without one, the address of the sample. */
uint64_t page_callers_find(struct page_callers *c, const struct session *session,
			   const struct session_sample *s);

/*
 * The same for a stack that a BPF program has read: @n frames at most, up to one that is 0. Its
 * first frames are those of the tracepoint, up to the page allocator's. @name gives the function
 * at an address, or NULL. 0: there are no frames.
 */
uint64_t page_caller_of_frames(const uint64_t *frames, size_t n,
			       const char *(*name)(void *arg, uint64_t addr), void *arg);
