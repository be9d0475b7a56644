/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Turns the stacks of a profile into the boxes of a flame graph.
 *
 * Stacks stand on boxes that say whose they are: by default a command, as in FlameGraph's pictures.
 * The values of these boxes are sort keys of the profile (flame_roots_sort()), so the collector has
 * separated them already.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/flame.h"
#include "profile/stacks.h"

struct key;
struct key_env;
struct sample_filter;
struct tally;

enum flame_root {
	FLAME_ROOT_COMM,    /* `java` */
	FLAME_ROOT_THREAD,  /* `java-1234/1240` */
	FLAME_ROOT_PROCESS, /* `java-1234`, by the name of its main thread */
	FLAME_ROOT_CPU,     /* `CPU 3` */
	FLAME_ROOT_CGROUP,  /* `/system.slice/nginx.service` */
	N_FLAME_ROOTS,
};

/* The boxes below each stack, the lowest first. */
struct flame_roots {
	enum flame_root items[N_FLAME_ROOTS];
	size_t n;
};

/*
 * Parses `comm`, several as in `cgroup,comm`, or `none`. -EINVAL with the position and length of
 * the mistake in *@ret_offset and *@ret_length; *@ret is then untouched.
 */
int flame_roots_parse(const char *text, struct flame_roots *ret, size_t *ret_offset,
		      size_t *ret_length);

/*
 * Returns the sort keys that the profile needs for @r, in the form of --sort. The caller frees the
 * text.
 */
char *flame_roots_sort(const struct flame_roots *r);

/* Returns the PERF_SAMPLE_* bits that samples must have for @r. */
uint64_t flame_roots_sample_types(const struct flame_roots *r);

struct flame_stacks_options {
	struct key_env *env;
	const struct key *keys; /* the profile's keys */
	size_t n_keys;
	const struct sample_filter *filter; /* by function and image; NULL: all count */
	const char *part;                   /* only functions whose name contains it; NULL: all */
	const struct flame_roots *roots;
	bool by_period;    /* stacks weigh their periods, not their numbers of samples */
	bool reverse;      /* the innermost function comes first, the roots last */
	bool folded_names; /* names in the form of profile/folded.h, */
	bool folded_kinds; /* with the suffixes for their kinds */
	enum flame_side side;
	bool with_samples; /* the other side gets the number of samples */
};

/*
 * Adds the stacks of @t: in O(nodes), or for reversed ones in O(stacks * depth). A sample without a
 * stack is the sampled function alone.
 */
void flame_add_stacks(struct flame_builder *b, const struct flame_stacks_options *o,
		      const struct tally *t);

/*
 * Makes the boxes of single stacks, for callers that determine themselves what a stack weighs and
 * what stands between its functions. All stacks are of one profile, of any of its tallies.
 */
struct flame_walk;

/* Makes a walk. Both parameters are borrowed; the side and weights of @o are not used here. */
struct flame_walk *flame_walk_new(struct flame_builder *b, const struct flame_stacks_options *o);
void flame_walk_free(struct flame_walk *w);
DEFINE_FREEP(flame_walk)

/* True if a filter for functions and images leaves out the stack that ends at @node of @t. */
bool flame_walk_leaves_out(struct flame_walk *w, const struct tally *t, uint32_t node);

/* Returns the own weight of @node of @t; all zero: none, or a filter leaves it out. */
struct weight flame_walk_weight(struct flame_walk *w, const struct tally *t, uint32_t node);

/*
 * Each of these adds boxes on top of @box and returns the last of them. flame_walk_roots() adds the
 * boxes that say whose stack @node of @t is. flame_walk_functions() adds its functions, the
 * outermost first, or with options.reverse the innermost. flame_walk_waker() adds its functions as
 * those of a waker, the innermost first, up to the one at @outermost; STACK_NONE: all of them.
 */
uint32_t flame_walk_roots(struct flame_walk *w, const struct tally *t, uint32_t node, uint32_t box);
uint32_t flame_walk_functions(struct flame_walk *w, const struct tally *t, uint32_t node,
			      uint32_t box);
uint32_t flame_walk_waker(struct flame_walk *w, const struct tally *t, uint32_t node, uint32_t box,
			  uint32_t outermost);
