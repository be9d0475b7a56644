/* SPDX-License-Identifier: MIT */
#include "cmd/report-config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "cli/config.h"
#include "cmd/report-opts.h"

/* "+key" on the command line adds to what is configured. */
static void apply_sort(const struct config *c, struct report_opts *o)
{
	const char *order = config_get(c, "report.sort_order");

	if (!order)
		order = config_get(c, "report.sort-order");
	if (!order || (o->fields && o->fields[0] != '+') || (o->sort && o->sort[0] != '+'))
		return;
	o->sort_text = o->sort ? xasprintf("%s,%s", order, o->sort + 1) : xstrdup(order);
	o->sort = o->sort_text;
}

/* A percentage; its sign may stand behind it. 1: set, 0: not. */
static int get_percent(const struct config *c, const char *key, double *ret, struct diag *diag)
{
	const char *value = config_get(c, key);
	char *end;
	double percent;

	if (!value)
		return 0;
	percent = strtod(value, &end);
	if (end == value || (*end && strcmp(end, "%")) || !(percent >= 0 && percent <= 100))
		return config_refuse(c, key, "a number from 0 to 100", diag);
	*ret = percent;
	return 1;
}

/* The words of -g, one variable each. */
static const struct {
	const char *key, *wanted;
} layout_words[] = {
	{ "call-graph.print-type", "graph, fractal, flat, folded" },
	{ "call-graph.order", "caller, callee" },
	{ "call-graph.sort-key", "function, address, srcline" },
};

static int parse_layout(const struct config *c, struct calltree_layout *ret, struct diag *diag)
{
	for (size_t i = 0; i < ARRAY_SIZE(layout_words); i++) {
		const char *key = layout_words[i].key, *value = config_get(c, key);
		size_t offset, length;

		if (value && calltree_parse(value, ret, &offset, &length) < 0)
			return config_refuse(c, key, layout_words[i].wanted, diag);
	}
	return 0;
}

static int apply_limits(const struct config *c, struct calltree_layout *l, struct diag *diag)
{
	double rows = 0, branches = 0;
	uint64_t limit = 0;
	int has_rows = get_percent(c, "report.percent-limit", &rows, diag);
	int has_branches = has_rows < 0 ? has_rows
					: get_percent(c, "call-graph.threshold", &branches, diag);
	int has_limit = has_branches < 0
				? has_branches
				: config_get_uint(c, "call-graph.print-limit", &limit, diag);

	if (has_rows < 0 || has_branches < 0 || has_limit < 0)
		return -EINVAL;
	if (has_rows && !l->has_row_limit)
		l->row_limit = rows;
	if (!l->has_threshold && (has_rows || has_branches)) {
		l->threshold = has_rows ? rows : branches;
		l->has_threshold = true;
	}
	if (has_limit && !l->has_limit)
		l->limit = limit;
	return 0;
}

static int apply_layout(const struct config *c, struct calltree_layout *l, struct diag *diag)
{
	struct calltree_layout configured = { 0 };
	int r = parse_layout(c, &configured, diag);

	if (r < 0)
		return r;
	if (l->print == CALLTREE_PRINT_DEFAULT)
		l->print = configured.print;
	if (l->order == CALLTREE_ORDER_DEFAULT)
		l->order = configured.order;
	if (!l->has_key)
		l->key = configured.key;
	return apply_limits(c, l, diag);
}

int report_config_apply(const struct config *c, struct report_opts *o, struct diag *diag)
{
	enum choice group = CHOICE_UNSAID;
	int r = choice_configure(c, "report.children", &o->calltree.children, diag);

	if (r >= 0)
		r = choice_configure(c, "report.group", &group, diag);
	if (r >= 0)
		r = choice_configure(c, "report.skip-empty", &o->skip_empty, diag);
	if (r >= 0)
		r = percentage_configure(&o->percentage, c, diag);
	if (r >= 0)
		r = apply_layout(c, &o->calltree.layout, diag);
	if (r < 0)
		return r;
	/* It turns groups off; only the command line puts together what was recorded apart. */
	if (o->group == CHOICE_UNSAID && group == CHOICE_NO)
		o->group = CHOICE_NO;
	apply_sort(c, o);
	return 0;
}
