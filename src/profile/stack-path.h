/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The stack of a sample on its way into the trie, for one thread.
 *
 * Most of a stack is the same as that of the sample before. The outer frames that are the same are
 * neither resolved nor looked up in the trie again.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/resolver.h"
#include "profile/stacks.h"
#include "session/call-chain.h"
#include "session/call-sites.h"

/*
 * A place of the stack; the outermost is the first. With inlined functions, an entry of the chain
 * becomes several steps.
 */
struct path_step {
	uint64_t ip;
	uint64_t key; /* in the trie, if it is one of the first stack_path.n_keys steps */
	uint32_t frame;
	uint32_t n_inner; /* for an entry's first step: how many more the entry has */
	struct span span; /* the times for which this frame and those before are valid */
	enum address_mode mode;
	bool is_return; /* as in the chain's entry */
};

struct stack_path {
	struct resolver *resolver;
	struct call_chain chain;
	struct path_step *steps;
	size_t n, room;
	uint32_t user, kernel; /* the address spaces of the steps */
	bool callers_first;    /* call trees begin with the callers */
	enum inlines inlines;  /* inlined functions are steps */
	/*
	 * The mode of the sample. A step at which no image is known gets the mode of the step
	 * before it on the way.
	 */
	enum address_mode mode;
	bool has_nowhere;
	/*
	 * The number of steps that have their key, which is for a path below the root with this
	 * key.
	 */
	size_t n_keys;
	uint64_t root_key;
};

void stack_path_init(struct stack_path *p, struct resolver *r);
void stack_path_done(struct stack_path *p);

/* Drops the kept steps, which are not valid any more: resolver_refresh() found news. */
void stack_path_forget(struct stack_path *p);

/*
 * Makes the path that of p->chain, the stack of a sample in @mode, of @task at @time, with those
 * @inlines, if the resolver looks for them.
 */
void stack_path_take(struct stack_path *p, const struct resolved_task *task, uint64_t time,
		     enum address_mode mode, enum inlines inlines);

/* Removes the frames from step @n on, which are not to be shown. */
void stack_path_cut(struct stack_path *p, size_t n);

/* Returns the node of the whole path below @root, which belongs to @s. */
uint32_t stack_path_node(struct stack_path *p, struct stacks *s, uint32_t root);
