/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Priorities of tasks on the command line: --prio 0,120-129.
 */
#include <stddef.h>

#include "cli/option.h"

struct timehist_prio_range;

struct prio_list {
	struct timehist_prio_range *items;
	size_t n, room;
};

void prio_list_done(struct prio_list *l);

/* An option_set_fn for a `struct prio_list`. The last use of the option wins. */
option_set_fn prio_list_set;
