/* SPDX-License-Identifier: MIT */
#include "profile/report-plan.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/similar.h"

/*
 * A column that one of the user's lists requests; names in the same braces are on the same level.
 */
struct report_plan_asked {
	struct report_column column;
	size_t level;
};

struct asked_list {
	struct report_plan_asked *items;
	size_t n, room;
};

struct planner {
	const struct report_request *request;
	const struct key_env *env;
	struct diag *diag;
	bool strict;        /* --fields lists everything that is shown */
	bool breaks_down;   /* mem and snoop of --fields are breakdowns */
	bool means;         /* ins_lat and p_stage_cyc of --fields are means */
	bool drops_columns; /* columns that have only one value are not shown */
	struct asked_list sorts, fields;
	struct report_plan plan;
};

void report_plan_done(struct report_plan *p)
{
	keys_done(&p->keys);
	free(p->columns.items);
	for (size_t i = 0; i < p->n_levels; i++)
		free(p->levels[i].items);
	free(p->levels);
	free(p->order);
	free(p->sort);
}

static void planner_done(struct planner *p)
{
	free(p->sorts.items);
	free(p->fields.items);
	report_plan_done(&p->plan);
}

void report_plan_drop_latency(struct report_plan *p)
{
	size_t n = 0;

	for (size_t i = 0; i < p->columns.n; i++) {
		const struct figure *f = p->columns.items[i].figure;

		if (!f || !(f->needs & ROW_NEEDS_LATENCY))
			p->columns.items[n++] = p->columns.items[i];
	}
	p->columns.n = n;
}

bool report_plan_has_key(const struct report_plan *p, const char *name)
{
	for (size_t i = 0; i < p->keys.n; i++)
		if (!strcmp(p->keys.items[i].type->name, name))
			return true;
	return false;
}

static bool same_column(const struct report_column *a, const struct report_column *b)
{
	return a->figure == b->figure && (a->figure || a->key == b->key);
}

static void asked_add(struct asked_list *list, struct report_column column, size_t level)
{
	for (size_t i = 0; i < list->n; i++)
		if (same_column(&list->items[i].column, &column))
			return;
	*ARRAY_ADD(list) = (struct report_plan_asked){ .column = column, .level = level };
}

static struct report_column key_column(const struct planner *p, size_t key)
{
	return (struct report_column){ .key = key, .title = p->plan.keys.items[key].title };
}

static int report_plan_add_keys(struct planner *p, struct asked_list *list, size_t level,
				const char *name)
{
	const struct keys *keys = &p->plan.keys;
	const struct key_type *type = key_type_find(name);
	size_t before = keys->n;
	int r = keys_add(&p->plan.keys, p->env, p->request->mode, name, p->diag);

	if (r < 0)
		return r;
	for (size_t i = before; i < keys->n; i++)
		asked_add(list, key_column(p, i), level);
	/* The other list contains the key already. */
	for (size_t i = 0; i < before && keys->n == before; i++)
		if (type ? keys->items[i].type == type : !strcmp(keys->items[i].title, name))
			asked_add(list, key_column(p, i), level);
	return 0;
}

static void similar_figure(void *arg, const struct figure *f)
{
	similar_add(arg, f->name);
}

static void suggest_figure(const char *name, struct diag *diag)
{
	struct similar near = { .typed = name };
	_cleanup_(freep) char *phrase = NULL;

	if (figure_find(name, true)) {
		diag_hint(diag,
			  "'%s' is a column of -F for accesses to memory: it takes --mem-mode",
			  name);
		return;
	}
	figures_for_each(similar_figure, &near);
	phrase = similar_phrase(&near);
	if (phrase)
		diag_hint(diag, "did you mean %s?", phrase);
}

/* Marks the mistake in @text and suggests a figure; for keys, keys_add() has suggested one. */
static int add_failed(struct planner *p, int error, const char *text, size_t offset,
		      const char *name)
{
	suggest_figure(name, p->diag);
	free(p->diag->excerpt);
	p->diag->excerpt = xstrdup(text);
	p->diag->offset = offset;
	p->diag->length = strlen(name);
	return error;
}

static bool goes_over_key(const struct planner *p, const struct figure *f)
{
	return f->over_key == OVER_KEY_ALWAYS || (f->over_key == OVER_KEY_BESIDE_MEANS && p->means);
}

/*
 * Finds the figure @name. Keys come first: "s" is the symbol, not the samples. But in --fields mem
 * and snoop may be breakdowns.
 */
static const struct figure *find_figure(const struct planner *p, const struct asked_list *list,
					const char *name)
{
	bool memory = p->request->mode == REPORT_MEMORY && list == &p->fields;
	const struct figure *f = figure_find(name, memory);
	const struct key_type *key = key_type_find(name);
	bool is_both = f && f->breakdown != NO_BREAKDOWN && key && key->flags & KEY_OF_MEMORY;

	if (f && goes_over_key(p, f) && list == &p->fields && !strcasecmp(f->name, name))
		return f;
	return !key || (is_both && p->breaks_down) ? f : NULL;
}

typedef bool figure_is_fn(const struct figure *f, const char *name);

/* True if @is holds for one of the figures in @fields. */
static bool has_figure(const char *fields, figure_is_fn *is)
{
	bool found = false;

	for (const char *at = fields; at && *at && !found;) {
		size_t n = strcspn(at, ", ");
		_cleanup_(freep) char *name = xstrndup(at, n);
		const struct figure *f = n ? figure_find(name, true) : NULL;

		found = f && is(f, name);
		at += n + !!at[n];
	}
	return found;
}

/* True if the column can only be a breakdown. */
static bool is_breakdown(const struct figure *f, const char *name)
{
	return f->breakdown != NO_BREAKDOWN && !key_type_find(name);
}

/* True if the column is always a mean. */
static bool is_mean(const struct figure *f, const char *name)
{
	return f->what.by == ROW_BY_WEIGHT &&
	       (f->over_key == OVER_KEY_ALWAYS ? !strcasecmp(f->name, name) : !key_type_find(name));
}

static int report_plan_add_name(struct planner *p, struct asked_list *list, size_t level,
				const char *name)
{
	const struct figure *f = find_figure(p, list, name);

	if (!f)
		return report_plan_add_keys(p, list, level, name);
	asked_add(list, (struct report_column){ .figure = f, .title = f->title }, level);
	return 0;
}

/* Returns @text without what sort_text() has added to the typed keys. */
static const char *typed_part(const struct planner *p, const char *text)
{
	const char *sort = p->request->sort;

	return sort && *sort != '+' && !strncmp(text, sort, strlen(sort)) ? sort : text;
}

static int report_plan_add_list(struct planner *p, struct asked_list *list, const char *text)
{
	size_t level = 0, depth = 0, n;

	for (const char *at = text; *at; at += n) {
		n = strcspn(at, ", {}");
		if (!n) {
			depth = *at == '{' ? 1 : *at == '}' ? 0 : depth;
			level += *at == '{' || *at == '}';
			n = 1;
			continue;
		}
		_cleanup_(freep) char *name = xstrndup(at, n);
		int r = report_plan_add_name(p, list, level, name);
		if (r < 0)
			return add_failed(p, r, typed_part(p, text), (size_t)(at - text), name);
		level += !depth;
	}
	return 0;
}

static void report_plan_add_column(struct report_columns *columns, struct report_column column)
{
	for (size_t i = 0; i < columns->n; i++)
		if (same_column(&columns->items[i], &column))
			return;
	*ARRAY_ADD(columns) = column;
}

static void report_plan_add_figure(struct planner *p, bool wanted, const char *name)
{
	const struct figure *f = figure_get(name);
	/* Beside a column with callees, a row's own overhead is called "Self". */
	bool self = p->plan.children && f->what.by == ROW_BY_SELF;

	if (wanted)
		report_plan_add_column(
			&p->plan.columns,
			(struct report_column){ .figure = f, .title = self ? "Self" : f->title });
}

static bool names_latency(const struct planner *p)
{
	return strstr(p->plan.sort, "latency");
}

/*
 * Adds the shares of CPU time and of wall-clock time. Those that --sort names are added elsewhere.
 */
static void report_plan_add_both(struct planner *p, bool wanted, const char *cpu, const char *wall)
{
	enum latency_columns l = p->request->latency;

	if (names_latency(p))
		return;
	report_plan_add_figure(p, wanted && l == LATENCY_FIRST, wall);
	report_plan_add_figure(p, wanted, cpu);
	report_plan_add_figure(p, wanted && l == LATENCY_BESIDE, wall);
}

/* Adds figures in the order of --sort, before the keys. */
static void add_sorted_figures(struct planner *p)
{
	for (size_t i = 0; i < p->sorts.n; i++)
		if (p->sorts.items[i].column.figure)
			report_plan_add_figure(p, true, p->sorts.items[i].column.figure->name);
}

static void add_usual_figures(struct planner *p)
{
	const struct report_request *r = p->request;

	if (names_latency(p))
		add_sorted_figures(p);
	report_plan_add_both(p, p->plan.children, "overhead_children", "latency_children");
	report_plan_add_both(p, true, "overhead", "latency");
	report_plan_add_figure(p, r->cpu_utilization, "overhead_sys");
	report_plan_add_figure(p, r->cpu_utilization, "overhead_us");
	report_plan_add_figure(p, r->cpu_utilization && r->guests, "overhead_guest_sys");
	report_plan_add_figure(p, r->cpu_utilization && r->guests, "overhead_guest_us");
	report_plan_add_figure(p, r->nr_samples, "sample");
	report_plan_add_figure(p, r->total_period, "period");
}

/*
 * True if the column has no meaning. Without rows for callers their totals have none, unless they
 * are requested explicitly.
 */
static bool says_nothing(const struct planner *p, const struct report_column *c)
{
	return c->figure &&
	       (c->figure->what.by == ROW_BY_TOTAL || c->figure->what.by == ROW_BY_LATENCY_TOTAL) &&
	       !p->plan.children && !p->strict;
}

static bool has_column(const struct report_columns *columns, const struct report_column *c)
{
	for (size_t i = 0; i < columns->n; i++)
		if (same_column(&columns->items[i], c))
			return true;
	return false;
}

static bool is_level(const struct report_plan *plan, const struct report_column *c)
{
	for (size_t i = 0; i < plan->n_levels; i++)
		if (has_column(&plan->levels[i], c))
			return true;
	return false;
}

/* Adds a level for each name of @list, or for names in the same braces, that is no column yet. */
static void add_levels(struct planner *p, const struct asked_list *list)
{
	struct report_plan *plan = &p->plan;
	size_t last = SIZE_MAX;

	for (size_t i = 0; i < list->n; i++) {
		const struct report_plan_asked *a = &list->items[i];

		if (says_nothing(p, &a->column) || has_column(&plan->columns, &a->column) ||
		    is_level(plan, &a->column))
			continue;
		if (a->level != last) {
			plan->levels = array_reserve(plan->levels, &plan->levels_room,
						     plan->n_levels + 1, sizeof(*plan->levels));
			plan->levels[plan->n_levels++] = (struct report_columns){ 0 };
		}
		last = a->level;
		report_plan_add_column(&plan->levels[plan->n_levels - 1], a->column);
	}
}

static void report_plan_make_columns(struct planner *p)
{
	if (!p->strict)
		add_usual_figures(p);
	/* In a hierarchy figures come first, and keys are levels. */
	for (size_t i = 0; i < p->fields.n; i++)
		if (!says_nothing(p, &p->fields.items[i].column) &&
		    (!p->request->hierarchy || p->fields.items[i].column.figure))
			report_plan_add_column(&p->plan.columns, p->fields.items[i].column);
	if (p->request->hierarchy) {
		add_levels(p, &p->fields);
		add_levels(p, &p->sorts);
		return;
	}
	for (size_t i = 0; i < p->sorts.n; i++)
		if (!says_nothing(p, &p->sorts.items[i].column))
			report_plan_add_column(&p->plan.columns, p->sorts.items[i].column);
}

static bool has_one_value(const struct planner *p, const struct report_column *c)
{
	const struct report_request *r = p->request;
	const char *name = c->figure ? "" : p->plan.keys.items[c->key].type->name;

	return (r->one_comm && !strcmp(name, "comm")) || (r->one_dso && !strcmp(name, "dso")) ||
	       (r->one_symbol && !strcmp(name, "symbol"));
}

/* Drops columns with only one value, as long as a key remains. */
static void drop_columns(struct planner *p)
{
	struct report_columns *columns = &p->plan.columns;
	size_t n_keys = 0, n_dropped = 0, n = 0;

	for (size_t i = 0; i < columns->n; i++) {
		n_keys += !columns->items[i].figure;
		n_dropped += has_one_value(p, &columns->items[i]);
	}
	if (n_dropped == n_keys)
		return;
	for (size_t i = 0; i < columns->n; i++)
		if (!has_one_value(p, &columns->items[i]))
			columns->items[n++] = columns->items[i];
	columns->n = n;
	p->drops_columns = true;
}

static void add_order(struct report_plan *plan, struct row_order o)
{
	if ((o.by == ROW_BY_TOTAL || o.by == ROW_BY_LATENCY_TOTAL) && !plan->children)
		return;
	if (o.by == ROW_BY_BRANCHES)
		return;
	for (size_t i = 0; i < plan->n_order; i++)
		if (plan->order[i].by == o.by && plan->order[i].index == o.index)
			return;
	plan->order = array_reserve(plan->order, &plan->order_room, plan->n_order + 1,
				    sizeof(*plan->order));
	plan->order[plan->n_order++] = o;
}

static void report_plan_add_orders(struct planner *p, const struct asked_list *list)
{
	for (size_t i = 0; i < list->n; i++) {
		const struct report_column *c = &list->items[i].column;

		/* Rows are not sorted by columns that are not shown. */
		if (p->drops_columns && has_one_value(p, c))
			continue;
		add_order(&p->plan,
			  c->figure ? c->figure->what : (struct row_order){ ROW_BY_KEY, c->key });
	}
}

/* Any overhead named in --sort replaces the default one at the front. */
static void report_plan_make_order(struct planner *p)
{
	if (p->request->latency == LATENCY_FIRST && !p->strict) {
		add_order(&p->plan, (struct row_order){ .by = ROW_BY_LATENCY_TOTAL });
		add_order(&p->plan, (struct row_order){ .by = ROW_BY_LATENCY });
	}
	if (!p->strict && !strstr(p->plan.sort, "overhead_children") && !names_latency(p))
		add_order(&p->plan, (struct row_order){ .by = ROW_BY_TOTAL });
	if (p->request->latency == LATENCY_BESIDE && !p->strict && !names_latency(p))
		add_order(&p->plan, (struct row_order){ .by = ROW_BY_LATENCY_TOTAL });
	if (!p->strict && !strstr(p->plan.sort, "overhead") && !names_latency(p))
		add_order(&p->plan, (struct row_order){ .by = ROW_BY_SELF });
	if (p->request->latency == LATENCY_BESIDE && !p->strict && !names_latency(p))
		add_order(&p->plan, (struct row_order){ .by = ROW_BY_LATENCY });
	report_plan_add_orders(p, &p->sorts);
	report_plan_add_orders(p, &p->fields);
	for (size_t i = 0; i < p->plan.columns.n; i++)
		if (p->plan.columns.items[i].figure)
			add_order(&p->plan, p->plan.columns.items[i].figure->what);
}

static bool sorts_by(const struct planner *p, const char *name)
{
	for (size_t i = 0; i < p->sorts.n; i++) {
		const struct report_column *c = &p->sorts.items[i].column;

		if (!c->figure && !strcmp(p->plan.keys.items[c->key].type->name, name))
			return true;
	}
	return false;
}

static void add_needs(struct report_plan *plan, const struct report_columns *columns)
{
	for (size_t i = 0; i < columns->n; i++) {
		const struct figure *f = columns->items[i].figure;

		plan->by_mode |= f && f->what.by == ROW_BY_SELF_MODE;
		plan->needs |= f ? f->needs : 0;
	}
}

static void make_needs(struct report_plan *plan)
{
	for (size_t i = 0; i < plan->keys.n; i++)
		plan->key_flags |= plan->keys.items[i].type->flags;
	add_needs(plan, &plan->columns);
	for (size_t i = 0; i < plan->n_levels; i++)
		add_needs(plan, &plan->levels[i]);
	for (size_t i = 0; i < plan->n_order; i++)
		plan->by_mode |= plan->order[i].by == ROW_BY_SELF_MODE;
}

static int check_request(const struct report_request *r, struct diag *diag)
{
	if (r->sort && !strcmp(r->sort, "+"))
		return diag_set(diag, -EINVAL, "--sort + names no key to add");
	if (r->fields && (!*r->fields || !strcmp(r->fields, "+")))
		return diag_set(diag, -EINVAL, "--fields names no column");
	return 0;
}

/* Returns the column of instructions per cycle, which is shown beside requested functions. */
static const char *ipc_text(const struct report_request *r)
{
	if (!r->sort || !strstr(r->sort, "symbol") || r->plain_functions)
		return "";
	return r->mode == REPORT_BRANCH ? ",ipc_lbr" : ",ipc_null";
}

/* Returns the complete text of --sort. */
static char *sort_text(const struct planner *p)
{
	const char *sort = p->request->sort, *ipc = ipc_text(p->request);
	const char *parent = p->request->parent ? ",parent" : "";

	if (!sort && p->strict)
		return xstrdup(parent + !!*parent);
	if (sort && *sort != '+')
		return xasprintf("%s%s%s", sort, ipc, parent);
	return xasprintf("%s%s%s%s%s", keys_default(p->request->mode), sort ? "," : "",
			 sort ? sort + 1 : "", ipc, parent);
}

int report_plan_make(const struct report_request *r, const struct key_env *env,
		     struct report_plan *ret, struct diag *diag)
{
	_cleanup_(planner_done) struct planner p = {
		.request = r,
		.env = env,
		.diag = diag,
		.strict = r->fields && *r->fields != '+',
		.breaks_down = r->memory_fields || has_figure(r->fields, is_breakdown),
		.means = has_figure(r->fields, is_mean),
		.plan.children = r->children && !r->hierarchy,
	};
	int e = check_request(r, diag);

	if (e < 0)
		return e;
	p.plan.sort = sort_text(&p);
	e = report_plan_add_list(&p, &p.sorts, p.plan.sort);
	if (e >= 0 && r->fields)
		e = report_plan_add_list(&p, &p.fields, r->fields + !p.strict);
	if (e < 0)
		return e;
	report_plan_make_columns(&p);
	drop_columns(&p);
	report_plan_make_order(&p);
	make_needs(&p.plan);
	p.plan.sorts_comms = sorts_by(&p, "comm");
	p.plan.mixes_places = r->mode != REPORT_BRANCH && r->mode != REPORT_MEMORY &&
			      !sorts_by(&p, "dso") && !sorts_by(&p, "symbol");
	*ret = p.plan;
	p.plan = (struct report_plan){ 0 };
	return 0;
}
