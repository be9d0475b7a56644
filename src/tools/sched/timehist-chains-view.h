/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Numbers for stacks: stacks with the same text have the same number. It is used for `perf sched
 * timehist -I`, whose model compares stacks and knows no names.
 */
#include <stdint.h>

#include "base/intern.h"
#include "base/text.h"
#include "base/u64-map.h"
#include "view/sched/chain.h"

struct sched_event;

/* Texts of stacks. It begins as `struct timehist_chains c = { 0 };` with its chain filled in. */
struct timehist_chains {
	struct sched_chain chain;
	struct intern texts;
	struct u64_map numbers; /* by text */
	struct {
		const char **items; /* the texts by number - 1 */
		size_t n, room;
	} list;
	struct text text;
};

void timehist_chains_done(struct timehist_chains *c);

/* Returns the number of the stack of @e; 0: it has none. */
uint32_t timehist_chain_of(struct timehist_chains *c, const struct sched_event *e);

/* Returns the text for a number from timehist_chain_of(). */
const char *timehist_chain_text(const struct timehist_chains *c, uint32_t number);
