/* SPDX-License-Identifier: MIT */
#include "probe/debug-alias.h"

#include <string.h>

#include "base/diag.h"
#include "base/memory.h"
#include "dwarf/debug-info.h"
#include "dwarf/debug-places.h"
#include "probe/probe-target.h"

struct debug_alias_search {
	struct debug_info *info;
	const char *typed;
	struct name_list *found;
};

static void add_once(struct name_list *l, const char *name)
{
	for (size_t i = 0; i < l->n; i++)
		if (!strcmp(l->items[i], name))
			return;
	name_list_add(l, name);
}

static int debug_alias_stop(void *arg, const struct debug_function *f)
{
	(void)arg, (void)f;
	return 1;
}

/*
 * Takes the linkage name if there is one: it stands for one function, whereas a plain name may
 * stand for many.
 */
static void debug_alias_take(void *arg, const struct probe_symbol *s)
{
	struct debug_alias_search *x = arg;
	struct debug_place at;

	if (!s->is_function)
		return;
	if (strcmp(s->name, x->typed) &&
	    debug_info_functions(x->info, s->name, debug_alias_stop, NULL) > 0)
		add_once(x->found, s->name);
	else if (debug_place_at(x->info, s->addr, &at) && at.start == s->addr && at.name &&
		 strcmp(at.name, x->typed) != 0)
		add_once(x->found, at.name);
}

void debug_alias_find(struct probe_target *t, struct debug_info *info, const char *name,
		      struct name_list *ret)
{
	_cleanup_(diag_done) struct diag unused = { 0 };
	struct debug_alias_search x = { .info = info, .typed = name, .found = ret };

	if (probe_target_kind(t) == PROBE_PROGRAM)
		(void)probe_target_functions(t, name, debug_alias_take, &x, &unused);
}
