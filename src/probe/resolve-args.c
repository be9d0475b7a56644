/* SPDX-License-Identifier: MIT */
/*
 * The arguments of a definition at each of its places.
 *
 * A variable may have a location in one copy of a function and be optimised away in another. The
 * event has the same arguments at all places, so a recognisable number replaces the variable where
 * it is missing.
 */
#include <errno.h>
#include <stdlib.h>

#include "base/diag.h"
#include "base/memory.h"
#include "base/text.h"
#include "probe/fetch-arg.h"
#include "probe/probe-def.h"
#include "probe/resolve-internal.h"
#include "probe/trace-probe.h"

/* The number that Linux's perf uses. */
#define NOT_HERE "\\0xdeade12d"

static bool is_of_place(int error)
{
	return error == -ENODATA || error == -ENOENT;
}

static void move_diag(struct diag *from, struct diag *to)
{
	diag_done(to);
	*to = *from;
	*from = (struct diag){ 0 };
}

static void resolve_args_add_gap(struct resolving *r, int error, struct diag *why)
{
	struct trace_probe *p = &r->out->items[r->out->n - 1];
	struct resolve_gap *g = ARRAY_ADD(&r->gaps);

	*g = (struct resolve_gap){ .probe = r->out->n - 1, .slot = p->n_args, .error = error };
	text_addf(r->notes, "%s; 0xdeade12d is recorded for it\n", why->message);
	move_diag(why, &g->why);
	trace_probe_add_arg(p)->value = xstrdup(NOT_HERE);
}

int resolving_args(struct resolving *r, struct debug_info *info, const struct debug_place *place,
		   struct diag *diag)
{
	for (size_t i = 0; i < r->def->n_args; i++) {
		_cleanup_(diag_done) struct diag why = { 0 };
		struct trace_probe *p = &r->out->items[r->out->n - 1];
		int e = fetch_arg_add(r->def, i, r->target, info, place, p, &why);

		if (e >= 0)
			continue;
		if (!place || !is_of_place(e)) {
			move_diag(&why, diag);
			return e;
		}
		resolve_args_add_gap(r, e, &why);
	}
	return 0;
}

static bool is_gap(const struct resolving *r, size_t probe, size_t slot)
{
	for (size_t i = 0; i < r->gaps.n; i++)
		if (r->gaps.items[i].probe == probe && r->gaps.items[i].slot == slot)
			return true;
	return false;
}

/*
 * Returns the same argument at a place that has it. Only $vars and $params can expand to several
 * arguments or to none, so all arguments before one of these have the same slot at every place.
 */
static const struct trace_arg *donor_of(const struct resolving *r, const struct resolve_gap *g)
{
	for (size_t i = r->first; i < r->out->n; i++) {
		const struct trace_probe *p = &r->out->items[i];

		if (g->slot < p->n_args && !is_gap(r, i, g->slot))
			return &p->args[g->slot];
	}
	return NULL;
}

int resolving_fill_gaps(struct resolving *r, struct diag *diag)
{
	for (size_t i = 0; i < r->gaps.n; i++) {
		struct resolve_gap *g = &r->gaps.items[i];
		const struct trace_arg *donor = donor_of(r, g);

		if (!donor) {
			move_diag(&g->why, diag);
			return g->error;
		}

		struct trace_arg *a = &r->out->items[g->probe].args[g->slot];

		a->name = donor->name ? xstrdup(donor->name) : NULL;
		a->type = donor->type ? xstrdup(donor->type) : NULL;
	}
	return 0;
}

void resolving_done(struct resolving *r)
{
	for (size_t i = 0; i < r->gaps.n; i++)
		diag_done(&r->gaps.items[i].why);
	free(r->gaps.items);
}
