/* SPDX-License-Identifier: MIT */
#include "measure/cgroup-choice.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "measure/event-words.h"

void cgroup_choice_done(struct cgroup_choice *c)
{
	for (size_t i = 0; i < c->n; i++)
		cgroup_done(&c->items[i]);
	free(c->items);
	free(c->of);
	*c = (struct cgroup_choice){ 0 };
}

int cgroup_choice_find(struct cgroup_choice *c, const char *name, int *ret, struct diag *diag)
{
	*ret = -1;
	if (!*name)
		return 0;
	for (size_t i = 0; i < c->n; i++) {
		if (!strcmp(c->items[i].name, name)) {
			*ret = (int)i;
			return 0;
		}
	}

	int r = cgroup_open(NULL, name, ARRAY_ADD(c), diag);

	if (r < 0)
		c->n--;
	else
		*ret = (int)c->n - 1;
	return r;
}

void cgroup_choice_limit(struct cgroup_choice *c, size_t first, size_t n, int cgroup)
{
	c->of = xrealloc(c->of, (first + n + 1) * sizeof(c->of[0]));
	for (size_t i = first; i < first + n; i++)
		c->of[i] = cgroup;
}

/*
 * Assigns names: -G a,,b applies to the first, second and third of the @n events before it, and a
 * -G after it continues from there; a single name at first applies to all of them.
 */
static int measure_cgroup_choice_assign(struct cgroup_choice *c, const char *names, size_t n,
					size_t *next, struct diag *diag)
{
	_cleanup_(freep) char *copy = xstrdup(names);
	char *rest = copy;
	bool for_all = *next == 0 && !strchr(names, ',');

	for (char *name; (name = strsep(&rest, ","));) {
		int cgroup, r;

		if (*next >= n) {
			diag_set(diag, -EINVAL,
				 "-G names more cgroups than there are events before it");
			diag_hint(diag,
				  "Give each event its cgroup: -e a,b -G one,two; or one for all.");
			return -EINVAL;
		}
		r = cgroup_choice_find(c, name, &cgroup, diag);
		if (r < 0)
			return r;
		for (size_t i = *next; i < (for_all ? n : *next + 1); i++)
			c->of[i] = cgroup;
		(*next)++;
	}
	return 0;
}

int cgroup_choice_assign(struct cgroup_choice *c, const struct event_words *words,
			 const size_t *before, size_t n, struct diag *diag)
{
	size_t next = 0;
	int r = 0;

	cgroup_choice_limit(c, 0, n, -1);
	for (size_t i = 0; i < words->n && r >= 0; i++)
		if (words->items[i].kind == EVENT_WORD_CGROUP)
			r = measure_cgroup_choice_assign(c, words->items[i].text,
							 before[i] ? before[i] : n, &next, diag);
	return r;
}

int cgroup_choice_fd(const struct cgroup_choice *c, size_t i)
{
	return c->of[i] < 0 ? -1 : c->items[c->of[i]].fd;
}
