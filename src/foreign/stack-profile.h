/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Weighed stacks, wherever they came from: another profiler's file, lines of text, a database.
 *
 * Readers of formats fill it in; foreign/recording.h makes a recording of it, which everything that
 * reads recordings can show. Events, images, frames, tasks and stacks are numbers, in the order of
 * adding. Each is there once: adding it again gives the same number.
 *
 * Files and stores are anybody's. What is added is paid from a budget, at what it costs here and in
 * the recording; a reader says how many bytes it reads (stack_profile_allow()). Once the budget is
 * used up, what is added is not kept, and stack_profile_check() says so.
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

/* The stack without frames, below which all others are. */
#define STACK_PROFILE_ROOT 0

/* The image of functions of which nobody said where they are. */
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

/* A function of an image, or, without a name, an address in it. */
struct profile_frame {
	uint32_t image;
	const char *function; /* NULL: @offset tells where */
	bool is_inlined;
	uint64_t offset; /* in the file of the image */
};

struct profile_task {
	uint32_t pid, tid;
	uint32_t group; /* 1 + its number; 0: none */
	const char *comm;
};

struct profile_stack {
	uint32_t parent, frame; /* parent is caller */
	uint32_t depth;         /* in frames */
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
		const char **items; /* cgroups, which are what hosts of a fleet are shown as */
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
	char *remark; /* a sentence about what was left out; NULL: nothing was */

	/* Private: lists of what has the same hash. */
	struct number_index {
		uint32_t *first; /* by hash: 1 + a number; 0: none */
		uint32_t *next;  /* of each number */
		size_t n_first, next_room;
	} by_image, by_frame, by_task, by_stack;
	struct u64_map by_group; /* by text: 1 + the number */
	uint64_t seed;
};

struct stack_profile *stack_profile_new(void);
void stack_profile_free(struct stack_profile *p);
DEFINE_FREEP(stack_profile)

/* Adds what @size bytes of input pay for. */
void stack_profile_allow(struct stack_profile *p, uint64_t size);

/* The same for @packed bytes of a file, of which @unpacked were made that are in memory as well. */
void stack_profile_allow_packed(struct stack_profile *p, uint64_t packed, uint64_t unpacked);

/* -EFBIG with @diag: not all that was added is there. */
int stack_profile_check(const struct stack_profile *p, struct diag *diag);

/* Events of equal names are told apart. */
uint32_t stack_profile_event(struct stack_profile *p, const char *name, bool is_time);

/*
 * @id may be NULL. Whether it is the kernel's, the name tells. Kernels of several machines are one:
 * their functions have names, and their addresses mean nothing.
 */
uint32_t stack_profile_image(struct stack_profile *p, const char *name, const struct build_id *id);

uint32_t stack_profile_function(struct stack_profile *p, uint32_t image, const char *name,
				bool is_inlined);
uint32_t stack_profile_address(struct stack_profile *p, uint32_t image, uint64_t offset);
uint32_t stack_profile_task(struct stack_profile *p, uint32_t pid, uint32_t tid, const char *comm);

/* Puts @task into a group, which is known by its name. */
void stack_profile_set_group(struct stack_profile *p, uint32_t task, const char *name);

/* The stack of @frame, called by @parent. */
uint32_t stack_profile_stack(struct stack_profile *p, uint32_t parent, uint32_t frame);

void stack_profile_add(struct stack_profile *p, struct profile_weight w);
