/* SPDX-License-Identifier: MIT */
#include "tools/annotate/types-work.h"

#include <string.h>

#include "base/workers.h"
#include "profile/annotate.h"
#include "profile/annotation.h"
#include "session/reading.h"
#include "session/session.h"
#include "symbol/symbol.h"

static void annotate_types_count_unnamed(void *arg, const struct image *im, uint64_t samples)
{
	struct type_stats *s = arg;

	(void)im, (void)samples;
	s->by_status[ACCESS_NO_SYMBOL]++;
}

struct asking {
	struct access_types *types;
	const struct annotated_functions *all;
};

static void annotate_types_ask(void *arg, size_t i, unsigned worker)
{
	const struct asking *a = arg;
	const struct annotated_function *f = &a->all->items[i];

	(void)worker;
	for (size_t k = 0; k < f->n; k++)
		(void)access_types_find(a->types, f->image, f->sym, f->addrs[k]);
}

/* Finds the functions that the request names. Their types are found on all CPUs. */
static void annotate_types_find_functions(struct annotate_job *j, size_t first, size_t n,
					  struct annotated_functions *ret)
{
	struct asking a = { .types = j->types, .all = ret };
	size_t kept = 0;

	annotation_functions(j->annotation, first, n, ret);
	for (size_t i = 0; i < ret->n; i++)
		if (!j->rq->symbol || !strcmp(ret->items[i].sym->name, j->rq->symbol))
			ret->items[kept++] = ret->items[i];
	ret->n = kept;
	j->n_shown += kept;
	workers_run(j->workers, ret->n, annotate_types_ask, &a);
}

void annotate_type_stats(struct annotate_job *j, struct type_stats *ret, bool with_names)
{
	struct annotated_functions all = { 0 };

	*ret = (struct type_stats){ .followed = 0 };
	annotate_types_find_functions(j, 0, session_event_count(j->session), &all);
	type_stats_add(ret, &all, j->types, with_names ? &j->kit.tools[0] : NULL);
	annotated_functions_done(&all);
	if (!j->rq->symbol)
		annotation_unnamed(j->annotation, annotate_types_count_unnamed, ret);
	type_stats_settle(ret);
}

int annotate_types_each(struct annotate_job *j,
			int (*each)(void *arg, size_t first, size_t n,
				    const struct type_weights *t),
			void *arg)
{
	int r = 0;

	for (size_t first = 0, n; first < session_event_count(j->session) && r >= 0; first += n) {
		struct annotated_functions all = { 0 };
		struct type_weights types = { 0 };

		n = reading_group_size(j->session, j->rq->group, first);
		annotate_types_find_functions(j, first, n, &all);
		type_weights_make(&types, &all, j->types);
		r = each(arg, first, n, &types);
		type_weights_done(&types);
		annotated_functions_done(&all);
	}
	return r;
}
