/* SPDX-License-Identifier: MIT */
#include "tools/sched/prio.h"

#include <ctype.h>
#include <stdlib.h>

#include "base/memory.h"
#include "options/value.h"
#include "tools/sched/timehist-model.h"

/*
 * The highest priority. In the kernel, 0 to 99 are for real-time tasks, 100 to 139 for all others,
 * and 140 is idle.
 */
#define PRIO_MAX 140

void prio_list_done(struct prio_list *l)
{
	free(l->items);
}

/*
 * Parses a number at *@at and moves *@at past it. Returns -1 if there is none, or if it is too
 * large.
 */
static long take_prio(const char **at)
{
	char *end;
	long prio;

	if (!isdigit((unsigned char)**at))
		return -1;
	prio = strtol(*at, &end, 10);
	*at = end;
	return prio > PRIO_MAX ? -1 : prio;
}

/* Parses a priority or a range of them at *@at. */
static bool prio_take_range(const char **at, struct timehist_prio_range *ret)
{
	long first = take_prio(at), last = first;

	if (first >= 0 && **at == '-') {
		++*at;
		last = take_prio(at);
	}
	if (first < 0 || last < first)
		return false;
	*ret = (struct timehist_prio_range){ (uint32_t)first, (uint32_t)last };
	return true;
}

int prio_list_set(void *field, const struct option *o, const char *value, bool negated,
		  struct diag *diag)
{
	struct prio_list l = { 0 };
	struct timehist_prio_range range;
	const char *at = value;

	while (!negated) {
		if (!prio_take_range(&at, &range) || (*at && *at != ',')) {
			prio_list_done(&l);
			return value_refuse(diag, o, value, (size_t)(at - value), 1,
					    "'%s' is not a list of priorities from 0 to %d: "
					    "0,120-129",
					    value, PRIO_MAX);
		}
		*ARRAY_ADD(&l) = range;
		if (!*at++)
			break;
	}
	prio_list_done(field);
	*(struct prio_list *)field = l;
	return 0;
}
