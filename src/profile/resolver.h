/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Finds the frames for the addresses of samples quickly, for one thread.
 *
 * There are many samples from few places. The identity of a task, and the map around an address,
 * are looked up once and kept together with the times (and addresses) for which they are valid. The
 * frame of an address of an image is kept once for all processes that have the image mapped.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/u64-map.h"
#include "profile/frames.h"
#include "session/call-sites.h"
#include "session/machine.h"

struct session;

/* A task at some time. */
struct resolved_task {
	uint32_t pid, tid;
	const char *comm;
	uint32_t user, kernel; /* numbers of its address spaces */
	struct span span;
};

/* The map around an address of a space. */
struct resolved_map {
	struct span span;
	const struct map *map; /* NULL: no map is known there */
	uint64_t shift;        /* from the image's addresses to run-time addresses */
	uint32_t space;        /* 0: none yet */
	uint32_t image;        /* the image's number */
	uint32_t number;       /* the map's own number, in the same numbering as images */
	uint32_t mode;         /* enum address_mode */
};

/*
 * The frame at an address. Slots are small, because there are many and each lookup has to wait for
 * memory.
 */
struct resolved_frame {
	uint64_t addr;
	uint32_t image; /* the image's number and the address's role: see resolver.c */
	uint32_t frame; /* FRAME_NONE: a free slot */
};

struct resolver {
	const struct session *session;
	struct frames *frames;
	/* the machine's generation, for which all data here is valid */
	uint64_t generation;
	struct resolved_task *tasks; /* by tid: the last one that was looked up */
	struct u64_map spaces;       /* numbers of address spaces, from 1 */
	uint32_t n_spaces;
	struct resolved_map *maps; /* by space and part of the address: the last one looked up */
	struct u64_map images;     /* numbers of images and maps, from 1; 0: unknown place */
	uint32_t n_images;
	struct resolved_frame *slots; /* a hash table */
	size_t n, n_slots;
	enum inlines inlines; /* the inlined functions that are wanted in stacks */
	struct {
		uint32_t *items;
		size_t n, room;
	} lists;             /* lists of frames with inlined ones: the number, then the frames */
	struct span sampled; /* the times for which the last resolver_sampled_frame() is valid */
	uint32_t one;        /* the last returned frame, if it is a single one */
	bool is_nowhere;     /* no map is known at the last returned frame */
	bool is_divided;     /* a call that returns there is in another function */
};

/* The function at an address, and the functions that are inlined there, innermost last. */
struct resolved_frames {
	const uint32_t *items;
	size_t n;
};

void resolver_init(struct resolver *r, const struct session *s, struct frames *frames);
void resolver_done(struct resolver *r);

/* Releases most memory. resolver_refresh() has to be called before the next lookup. */
void resolver_forget(struct resolver *r);

/*
 * Prepares for lookups for records of a new batch, since a stream may have reported more. Returns
 * true if it did; then everything that was returned before must be looked up again.
 */
bool resolver_refresh(struct resolver *r);

/* Returns the task at @time; valid until the next call. */
const struct resolved_task *resolver_task(struct resolver *r, uint32_t pid, uint32_t tid,
					  uint64_t time);

/* Announces that frames at @ip will be looked up soon. */
void resolver_expect(struct resolver *r, const struct resolved_task *task, enum address_mode mode,
		     uint64_t ip, uint64_t time);

/*
 * Return the frame at @ip for @task: of an entry of a stack, or of a sampled address; these differ
 * if there is no function. *@ret_span: the times for which the result is valid.
 * resolver_stack_frames() returns inlined functions too, with r->inlines; its result is valid until
 * the next call. @is_call: a call returns to @ip, and the function of the call is wanted.
 */
uint32_t resolver_stack_frame(struct resolver *r, const struct resolved_task *task,
			      enum address_mode mode, uint64_t ip, uint64_t time,
			      struct span *ret_span);
struct resolved_frames resolver_stack_frames(struct resolver *r, const struct resolved_task *task,
					     enum address_mode mode, uint64_t ip, bool is_call,
					     uint64_t time, struct span *ret_span);
uint32_t resolver_sampled_frame(struct resolver *r, const struct resolved_task *task,
				enum address_mode mode, uint64_t ip, uint64_t time);
