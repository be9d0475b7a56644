/* SPDX-License-Identifier: MIT */
#include "tools/probe/variables-view.h"

#include <inttypes.h>
#include <string.h>

#include "base/escape.h"
#include "base/text.h"
#include "probe/variable-list.h"

static void probe_variables_add_escaped(struct text *out, const char *s)
{
	escape_terminal(out, s, strlen(s));
}

void probe_variables_head(struct text *out, const char *point)
{
	text_add(out, "Available variables at ");
	probe_variables_add_escaped(out, point);
	text_add_char(out, '\n');
}

static void add_ranges(struct text *out, const char *function, const struct listed_variable *v)
{
	text_add(out, "\t@<");
	probe_variables_add_escaped(out, function);
	text_add(out, "+[");
	for (size_t i = 0; i < v->n_ranges; i++)
		text_addf(out, "%s%" PRId64 "-%" PRId64, i ? "," : "", v->ranges[i].start,
			  v->ranges[i].end);
	text_add(out, "]>");
}

static void probe_variables_add_variable(struct text *out, const char *function,
					 const struct listed_variable *v, bool with_ranges)
{
	static const char *const states[] = {
		[LISTED_EXTERN] = "[EXT]\t",
		[LISTED_ELSEWHERE] = "[INV]\t",
		[LISTED_HERE] = "[VAL]\t",
	};

	text_addf(out, "\t\t%s", with_ranges ? states[v->state] : "");
	probe_variables_add_escaped(out, v->type);
	text_add_char(out, '\t');
	probe_variables_add_escaped(out, v->name);
	if (with_ranges && v->n_ranges)
		add_ranges(out, function, v);
	text_add_char(out, '\n');
}

void probe_variables_text(struct text *out, const char *function, uint64_t offset,
			  const struct variable_list *l, bool with_ranges)
{
	text_add(out, "\t@<");
	probe_variables_add_escaped(out, function);
	text_addf(out, "+%" PRIu64 ">\n", offset);
	for (size_t i = 0; i < l->n; i++)
		probe_variables_add_variable(out, function, &l->items[i], with_ranges);
	if (!l->n)
		text_add(out, "\t\t(No matched variables)\n");
}
