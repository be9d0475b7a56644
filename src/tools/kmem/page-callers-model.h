/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Finds the allocator's caller of a page: the first function of the stack that is not the page
 * allocator's own.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/u64-map.h"

struct session;
struct session_sample;

/* A cache of the functions that were checked. It begins empty: `struct page_callers c = { 0 };`. */
struct page_callers {
	struct u64_map is_allocator; /* by address: earlier results */
};

void page_callers_done(struct page_callers *c);

/*
 * True if @name is a function that allocates pages for its caller. These are alloc_pages(),
 * __get_free_pages(), get_zeroed_page() and all functions whose names begin like these. Since Linux
 * 6.10 they also include names that end in _noprof: the kernel itself counts their memory for their
 * callers.
 */
bool page_allocator_is(const char *name);

/*
 * Returns the address in the caller from the stack of @s, or, without a stack, the address of the
 * sample.
 */
uint64_t page_callers_find(struct page_callers *c, const struct session *session,
			   const struct session_sample *s);

/*
 * Does the same for a stack that a BPF program has read: at most @n frames, up to one that is 0.
 * Its first frames belong to the tracepoint; those of the page allocator follow. @name returns the
 * function at an address, or NULL. Returns 0 if there are no frames.
 */
uint64_t page_caller_of_frames(const uint64_t *frames, size_t n,
			       const char *(*name)(void *arg, uint64_t addr), void *arg);
