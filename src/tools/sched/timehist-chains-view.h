/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Stacks as numbers: those that read the same are the same one. For `perf sched timehist -I`, whose
 * model compares stacks and knows no names.
 */
#include <stdint.h>

#include "base/intern.h"
#include "base/text.h"
#include "base/u64-map.h"
#include "view/sched/chain.h"

struct sched_event;

/* `struct timehist_chains c = { 0 };` with its chain filled in. */
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

/* The number of the stack of @e; 0: it has none. */
uint32_t timehist_chain_of(struct timehist_chains *c, const struct sched_event *e);

/* The text of a number that timehist_chain_of() gave. */
const char *timehist_chain_text(const struct timehist_chains *c, uint32_t number);
