/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The stack of a sample on its way into the trie, for one thread.
 *
 * Most of a stack is that of the sample before: its outer frames are neither looked up nor looked
 * for in the trie again.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/resolver.h"
#include "profile/stacks.h"
#include "session/call-chain.h"
#include "session/call-sites.h"

/*
 * A place of the stack; the outermost is the first. Where functions are inlined, an entry of the
 * chain is several.
 */
struct path_step {
	uint64_t ip;
	uint64_t key; /* in the trie, if the step is one of stack_path.n_keys */
	uint32_t frame;
	uint32_t n_inner; /* of an entry's first: how many follow that are of the same */
	struct span span; /* for which this frame, and those before, are so */
	enum address_mode mode;
	bool is_return; /* as the chain's entry */
};

struct stack_path {
	struct resolver *resolver;
	struct call_chain chain;
	struct path_step *steps;
	size_t n, room;
	uint32_t user, kernel; /* the spaces that the steps lie in */
	bool callers_first;    /* the way that call trees go */
	enum inlines inlines;  /* functions that are inlined are steps */
	/* Of the sample. What lies nowhere is marked like what comes before it on the way. */
	enum address_mode mode;
	bool has_nowhere;
	/* How many of the steps have their key, which is one below the root with this. */
	size_t n_keys;
	uint64_t root_key;
};

void stack_path_init(struct stack_path *p, struct resolver *r);
void stack_path_done(struct stack_path *p);

/* What was kept does not hold any more: resolver_refresh() found news. */
void stack_path_forget(struct stack_path *p);

/*
 * Makes the path that of p->chain, which is of a sample in @mode, of @task at @time, with those
 * @inlines, if the resolver looks for them.
 */
void stack_path_take(struct stack_path *p, const struct resolved_task *task, uint64_t time,
		     enum address_mode mode, enum inlines inlines);

/* Leaves out the frames from step @n on: they are not to be seen. */
void stack_path_cut(struct stack_path *p, size_t n);

/* The node of the whole path below @root, which belongs to @s. */
uint32_t stack_path_node(struct stack_path *p, struct stacks *s, uint32_t root);
