/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * From the addresses of samples to frames, quickly, for one thread.
 *
 * Samples come in great numbers from few places. Who a task is, and which map lies around an
 * address, is asked once and kept together with the times (and addresses) for which that holds; the
 * frame of an address of an image, once for all processes that have it mapped.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/u64-map.h"
#include "profile/frames.h"
#include "session/call-sites.h"
#include "session/machine.h"

struct session;

/* A task as of some time. */
struct resolved_task {
	uint32_t pid, tid;
	const char *comm;
	uint32_t user, kernel; /* its address spaces, numbered */
	struct span span;
};

/* Which map lies around an address of a space. */
struct resolved_map {
	struct span span;
	const struct map *map; /* NULL: nothing is known to lie there */
	uint64_t shift;        /* from the image's addresses to those at run time */
	uint32_t space;        /* 0: none yet */
	uint32_t image;        /* its number */
	uint32_t number;       /* of the map itself, among those of images */
	uint32_t mode;         /* enum address_mode */
};

/* The frame at an address. Small: there are many, and each is waited for. */
struct resolved_frame {
	uint64_t addr;
	uint32_t image; /* its number, with what the address is: see resolver.c */
	uint32_t frame; /* FRAME_NONE: a free slot */
};

struct resolver {
	const struct session *session;
	struct frames *frames;
	uint64_t generation;         /* of the machine, that all of it is of */
	struct resolved_task *tasks; /* by tid, the last that was asked for */
	struct u64_map spaces;       /* their numbers, from 1 */
	uint32_t n_spaces;
	struct resolved_map *maps; /* by space and part of the address, the last */
	struct u64_map images;     /* numbers of images and maps, from 1; 0: nothing lies there */
	uint32_t n_images;
	struct resolved_frame *slots; /* a hash table */
	size_t n, n_slots;
	enum inlines inlines; /* functions that are wanted where they are inlined in a stack */
	struct {
		uint32_t *items;
		size_t n, room;
	} lists; /* of frames where there are such: how many, and then these */
	struct span
		sampled; /* of the last resolver_sampled_frame(): the times for which it is so */
	uint32_t one;    /* the last frame given out, if it is one */
	bool is_nowhere; /* nothing is known to lie where the last frame given out is */
	bool is_divided; /* a call that returns there is of another function */
};

/* The function at an address, and the functions that are inlined there, innermost last. */
struct resolved_frames {
	const uint32_t *items;
	size_t n;
};

void resolver_init(struct resolver *r, const struct session *s, struct frames *frames);
void resolver_done(struct resolver *r);

/*
 * To be called before questions about records of a new batch: a stream may have told more. Whether
 * it did, and everything given out before is to be asked for again.
 */
bool resolver_refresh(struct resolver *r);

/* The task at @time; good until the next call. */
const struct resolved_task *resolver_task(struct resolver *r, uint32_t pid, uint32_t tid,
					  uint64_t time);

/* Says that frames are asked for at @ip soon. */
void resolver_expect(struct resolver *r, const struct resolved_task *task, enum address_mode mode,
		     uint64_t ip, uint64_t time);

/*
 * The frame at @ip for @task: of an entry of a stack, or of what was sampled, which differ where
 * there is no function. *@ret_span: the times for which that is so. resolver_stack_frames() gives
 * inlined functions, too, with r->inlines; its result is good until the next call. @is_call: a call
 * returns to @ip, and its function is wanted.
 */
uint32_t resolver_stack_frame(struct resolver *r, const struct resolved_task *task,
			      enum address_mode mode, uint64_t ip, uint64_t time,
			      struct span *ret_span);
struct resolved_frames resolver_stack_frames(struct resolver *r, const struct resolved_task *task,
					     enum address_mode mode, uint64_t ip, bool is_call,
					     uint64_t time, struct span *ret_span);
uint32_t resolver_sampled_frame(struct resolver *r, const struct resolved_task *task,
				enum address_mode mode, uint64_t ip, uint64_t time);
