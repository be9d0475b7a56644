/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Weighted stacks from any source: another profiler's file, lines of text, a database.
 *
 * Readers of formats fill it in; foreign/recording.h makes a recording from it, which all code that
 * reads recordings can show. Events, images, frames, tasks and stacks are numbers, in the order in
 * which they were added. Each exists once: adding it again gives the same number.
 *
 * Files and stores may come from anywhere. Everything that is added is paid from a budget, at its
 * cost here and in the recording; a reader declares the bytes that it reads
 * (stack_profile_allow()). Once the budget is used up, additions are not kept, and
 * stack_profile_check() reports it.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/budget.h"
#include "base/build-id.h"
#include "base/cleanup.h"
#include "base/intern.h"
#include "base/u64-map.h"

struct diag;

/* The stack without frames, which is the root of all others. */
#define STACK_PROFILE_ROOT 0

/* The image of functions whose image is unknown. */
#define STACK_PROFILE_NOWHERE "[unknown]"

struct profile_event {
	const char *name;
	bool is_time; /* weights are nanoseconds */
};

struct profile_image {
	const char *name;
	struct build_id build_id; /* size 0: unknown */
	bool is_kernel;           /* the kernel, or a module of it */
};

/* A function of an image, or, without a name, an address in the image. */
struct profile_frame {
	uint32_t image;
	const char *function; /* NULL: @offset gives the place */
	bool is_inlined;
	uint64_t offset; /* in the file of the image */
};

struct profile_task {
	uint32_t pid, tid;
	uint32_t group; /* 1 + its number; 0: none */
	const char *comm;
};

struct profile_stack {
	uint32_t parent, frame; /* @parent is the caller's stack */
	uint32_t depth;         /* number of frames */
};

struct profile_weight {
	uint32_t event, task, stack;
	uint32_t cpu;  /* UINT32_MAX: unknown */
	uint64_t time; /* in nanoseconds; 0: unknown */
	uint64_t samples, period;
};

struct stack_profile {
	struct intern texts;
	struct {
		struct profile_event *items;
		size_t n, room;
	} events;
	struct {
		struct profile_image *items;
		size_t n, room;
	} images;
	struct {
		struct profile_frame *items;
		size_t n, room;
	} frames;
	struct {
		struct profile_task *items;
		size_t n, room;
	} tasks;
	struct {
		const char **items; /* cgroups, as which the hosts of a fleet are shown */
		size_t n, room;
	} groups;
	struct {
		struct profile_stack *items;
		size_t n, room;
	} stacks; /* the first is STACK_PROFILE_ROOT */
	struct {
		struct profile_weight *items;
		size_t n, room;
	} weights;
	bool has_times, has_cpus;
	struct budget budget; /* in bytes */
	bool is_full, is_packed;
	char *remark; /* a sentence about omitted data; NULL: there is none */

	/* Private: lists of items with the same hash. */
	struct number_index {
		uint32_t *first; /* by hash: 1 + a number; 0: none */
		uint32_t *next;  /* for each number: the next one in its list */
		size_t n_first, next_room;
	} by_image, by_frame, by_task, by_stack;
	struct u64_map by_group; /* 1 + the number, by text */
	uint64_t seed;
};

struct stack_profile *stack_profile_new(void);
void stack_profile_free(struct stack_profile *p);
DEFINE_FREEP(stack_profile)

/* Adds the budget for @size bytes of input. */
void stack_profile_allow(struct stack_profile *p, uint64_t size);

/*
 * Does the same for @packed bytes of a file, from which @unpacked were decompressed that are in
 * memory as well.
 */
void stack_profile_allow_packed(struct stack_profile *p, uint64_t packed, uint64_t unpacked);

/* Checks the budget. -EFBIG with @diag: not everything that was added was kept. */
int stack_profile_check(const struct stack_profile *p, struct diag *diag);

/* Adds an event. Events of the same name are kept apart. */
uint32_t stack_profile_event(struct stack_profile *p, const char *name, bool is_time);

/*
 * Adds an image. @id may be NULL. The name shows whether it belongs to the kernel. Kernels of
 * several machines are one: their functions have names, and their addresses have no meaning.
 */
uint32_t stack_profile_image(struct stack_profile *p, const char *name, const struct build_id *id);

uint32_t stack_profile_function(struct stack_profile *p, uint32_t image, const char *name,
				bool is_inlined);
uint32_t stack_profile_address(struct stack_profile *p, uint32_t image, uint64_t offset);
uint32_t stack_profile_task(struct stack_profile *p, uint32_t pid, uint32_t tid, const char *comm);

/* Puts @task into a group, which is identified by its name. */
void stack_profile_set_group(struct stack_profile *p, uint32_t task, const char *name);

/* Returns the stack of @frame, called by @parent. */
uint32_t stack_profile_stack(struct stack_profile *p, uint32_t parent, uint32_t frame);

void stack_profile_add(struct stack_profile *p, struct profile_weight w);
