/* SPDX-License-Identifier: MIT */
#include "probe/variable-list.h"

#include <stdlib.h>
#include <string.h>

#include "base/c-type.h"
#include "base/memory.h"
#include "dwarf/debug-places.h"
#include "dwarf/debug-variables.h"
#include "probe/btf-parameters.h"
#include "probe/name-filter.h"

struct variable_list_reading {
	struct debug_info *info;
	const struct debug_place *place;
	const struct variable_list_options *options;
	struct variable_list *list;
};

static void listed_done(struct listed_variable *v)
{
	free(v->type);
	free(v->name);
	free(v->ranges);
}

void variable_list_done(struct variable_list *l)
{
	for (size_t i = 0; i < l->n; i++)
		listed_done(&l->items[i]);
	free(l->items);
}

struct ranges_reading {
	struct listed_variable *variable;
	uint64_t start;
	bool any; /* a range that is not empty was found */
};

static void variable_list_add_range(void *arg, uint64_t start, uint64_t end)
{
	struct ranges_reading *r = arg;
	struct listed_variable *v = r->variable;

	v->ranges = array_reserve(v->ranges, &v->ranges_room, v->n_ranges + 1, sizeof(*v->ranges));
	v->ranges[v->n_ranges++] = (struct listed_range){
		.start = (int64_t)(start - r->start),
		.end = (int64_t)(end - r->start),
	};
	r->any |= start != end;
}

bool variable_is_listed(const struct debug_variable *v, const struct debug_place *place)
{
	return v->is_external || v->is_plain ||
	       (v->is_elsewhere && v->is_parameter && place->addr == place->start);
}

/* Chooses the state of @v. Returns true if it is to be shown. */
static bool choose_state(const struct variable_list_reading *r, const struct debug_variable *v,
			 struct listed_variable *out)
{
	struct ranges_reading ranges = { .variable = out, .start = r->place->start };
	bool is_listed = variable_is_listed(v, r->place);

	out->state = v->is_extern ? LISTED_EXTERN : LISTED_HERE;
	if (v->is_extern || !r->options->ranges)
		return is_listed;
	debug_variable_ranges(r->info, v, variable_list_add_range, &ranges);
	if (!is_listed)
		out->state = LISTED_ELSEWHERE;
	return v->place.where != VARIABLE_CONSTANT &&
	       (is_listed || (v->is_elsewhere && ranges.any));
}

static int variable_list_take(void *arg, const struct debug_variable *v)
{
	struct variable_list_reading *r = arg;
	struct listed_variable out = { .type = NULL };

	if (r->options->filter && !name_filter_has(r->options->filter, v->name))
		return 0;
	if (!choose_state(r, v, &out)) {
		listed_done(&out);
		return 0;
	}
	out.type = c_type_text(v->type);
	out.name = xstrdup(v->name);
	*ARRAY_ADD(r->list) = out;
	return 0;
}

static int compare_ranges(const struct listed_variable *a, const struct listed_variable *b)
{
	for (size_t i = 0; i < a->n_ranges && i < b->n_ranges; i++) {
		const struct listed_range *x = &a->ranges[i], *y = &b->ranges[i];

		if (x->start != y->start)
			return x->start < y->start ? -1 : 1;
		if (x->end != y->end)
			return x->end < y->end ? -1 : 1;
	}
	return a->n_ranges == b->n_ranges ? 0 : a->n_ranges < b->n_ranges ? -1 : 1;
}

static int variable_list_compare(const void *left, const void *right)
{
	const struct listed_variable *a = left, *b = right;
	int r = a->state < b->state ? -1 : a->state > b->state;

	if (!r)
		r = strcmp(a->type, b->type);
	if (!r)
		r = strcmp(a->name, b->name);
	return r ? r : compare_ranges(a, b);
}

/*
 * Compares two lines. Without ranges, a global and a local variable of the same name and type are
 * one line.
 */
static int variable_list_compare_lines(const void *left, const void *right)
{
	const struct listed_variable *a = left, *b = right;
	int r = strcmp(a->type, b->type);

	return r ? r : strcmp(a->name, b->name);
}

static void variable_list_sort(struct variable_list *l, int (*order)(const void *, const void *))
{
	size_t n = 0;

	if (l->n)
		qsort(l->items, l->n, sizeof(l->items[0]), order);
	for (size_t i = 0; i < l->n; i++) {
		if (n && order(&l->items[n - 1], &l->items[i]) == 0)
			listed_done(&l->items[i]);
		else
			l->items[n++] = l->items[i];
	}
	l->n = n;
}

void variable_list_read(struct debug_info *d, const struct debug_place *place,
			const struct variable_list_options *o, struct variable_list *l)
{
	struct variable_list_reading r = { .info = d, .place = place, .options = o, .list = l };

	debug_variables_each(d, place, o->externs, variable_list_take, &r);
	variable_list_sort(l, o->ranges ? variable_list_compare : variable_list_compare_lines);
}

void variable_list_read_btf(const struct btf_parameters *p, const struct variable_list_options *o,
			    struct variable_list *l)
{
	const struct debug_variable *v;

	for (size_t i = 0; (v = btf_parameter_get(p, i)); i++) {
		if (!v->name || (o->filter && !name_filter_has(o->filter, v->name)))
			continue;
		*ARRAY_ADD(l) = (struct listed_variable){
			.state = LISTED_HERE,
			.type = c_type_text(v->type),
			.name = xstrdup(v->name),
		};
	}
	variable_list_sort(l, variable_list_compare_lines);
}
