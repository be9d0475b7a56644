/* SPDX-License-Identifier: MIT */
#include "view/report/json.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "datafile/features.h"
#include "profile/report-group.h"
#include "profile/report-hierarchy.h"
#include "profile/report-plan.h"
#include "view/json.h"
#include "view/report/cells.h"
#include "view/report/table.h"
#include "view/report/title.h"
#include "view/report/tree-text.h"

#define DOCUMENT_VERSION 2

struct report_json_writer {
	struct json json;
	const struct report_view *view;
	const struct report_group *group;
	struct report_tree *tree;
	struct report_cells cells; /* one set for the columns in front, and one for each level */
	struct table_scratch scratch;
};

static void add_strings(struct json *j, const char *const *items, size_t n)
{
	json_array(j);
	j->on_line = true;
	for (size_t i = 0; i < n; i++)
		json_string(j, items[i]);
	json_end(j, ']');
	j->on_line = false;
}

static void report_json_add_facts(struct json *j, const struct report_facts *f)
{
	json_key(j, "recording");
	json_object(j);
	json_member(j, "file", f->file);
	if (f->command && f->command->n) {
		json_key(j, "command");
		add_strings(j, (const char *const *)f->command->items, f->command->n);
	}
	json_member(j, "hostname", f->hostname);
	json_member(j, "os-release", f->os_release);
	json_member(j, "arch", f->arch);
	json_member(j, "perf-version", f->perf_version);
	json_member_unsigned(j, "lost-samples", f->lost_samples);
	json_end(j, '}');
}

/* Lays out all columns of the plan for @g. */
static void report_json_lay_out(struct report_json_writer *w, const struct report_group *g)
{
	const struct report_plan *plan = w->view->plan;
	_cleanup_(freep)
		const struct report_columns **sets = xcalloc(plan->n_levels + 1, sizeof(*sets));

	sets[0] = &plan->columns;
	for (size_t i = 0; i < plan->n_levels; i++)
		sets[i + 1] = &plan->levels[i];
	report_cells_init_json(&w->cells, w->view, g, sets, plan->n_levels + 1);
}

static void report_json_add_cells(struct report_json_writer *w, size_t set,
				  const struct report_entry *e)
{
	const struct table t = report_cells_set(&w->cells, set);

	table_write_members(&t, e, &w->scratch, &w->json);
}

static void report_json_add_branches(struct report_json_writer *w, const struct call_node *parent)
{
	struct json *j = &w->json;

	json_array(j);
	for (size_t i = 0; i < parent->n_children; i++) {
		const struct call_node *n = &parent->children[i];

		json_object(j);
		json_key(j, "frames");
		json_array(j);
		for (size_t k = 0; k < n->n_frames; k++)
			json_string(j, report_tree_name(w->tree, n->frames[k])->chars);
		json_end(j, ']');
		json_member_unsigned(j, "self", n->self.period);
		json_member_unsigned(j, "total", n->total.period);
		json_member_unsigned(j, "samples", n->total.samples);
		if (n->n_children) {
			json_key(j, "children");
			report_json_add_branches(w, n);
		}
		json_end(j, '}');
	}
	json_end(j, ']');
}

static void report_json_add_tree(struct report_json_writer *w, const struct report_entry *e)
{
	_cleanup_(call_tree_done) struct call_tree tree = { 0 };

	if (!w->tree || !e->members[0])
		return;
	call_tree_init(&tree, w->tree->builder, e->members[0]);
	json_key(&w->json, "calls");
	report_json_add_branches(w, &tree.root);
}

static void report_json_add_rows(struct report_json_writer *w)
{
	const struct report_group *g = w->group;
	struct json *j = &w->json;

	for (size_t i = 0; i < g->n; i++) {
		if (!report_entry_is_shown(g, &g->entries[i]))
			continue;
		json_object(j);
		j->on_line = true;
		report_json_add_cells(w, 0, &g->entries[i]);
		report_json_add_tree(w, &g->entries[i]);
		json_end(j, '}');
		j->on_line = false;
	}
}

static void report_json_add_level(struct report_json_writer *w, size_t level,
				  const struct hierarchy_row *rows, size_t n)
{
	const struct report_plan *plan = w->view->plan;
	struct json *j = &w->json;

	for (size_t i = 0; i < n; i++) {
		const struct report_entry *e = &rows[i].entry;

		if (!report_entry_is_shown(w->group, e))
			continue;
		json_object(j);
		j->on_line = true;
		report_json_add_cells(w, 0, e);
		report_json_add_cells(w, level + 1, e);
		if (level + 1 == plan->n_levels) {
			report_json_add_tree(w, e);
		} else {
			json_key(j, "rows");
			json_array(j);
			j->on_line = false;
			report_json_add_level(w, level + 1, rows[i].children, rows[i].n_children);
			json_end(j, ']');
			j->on_line = true;
		}
		json_end(j, '}');
		j->on_line = false;
	}
}

static void report_json_add_block(struct report_json_writer *w, const struct report_block *b)
{
	_cleanup_(report_tree_freep) struct report_tree *tree = NULL;
	struct json *j = &w->json;

	report_cells_done(&w->cells);
	report_json_lay_out(w, b->group);
	w->group = b->group;
	if (b->tree) {
		struct report_tree_options o = *b->tree;

		o.form.escape = false;
		tree = report_tree_new(&o, b->group->members[0]);
	}
	w->tree = tree;
	json_object(j);
	json_key(j, "names");
	add_strings(j, b->title->events, b->title->n_events);
	json_member_unsigned(j, "samples", b->title->samples);
	json_member_unsigned(j, "period", b->title->period);
	json_key(j, "rows");
	json_array(j);
	if (w->view->plan->levels) {
		_cleanup_(report_hierarchy_freep) struct report_hierarchy *h =
			report_hierarchy_new(b->group, w->view->plan);

		report_json_add_level(w, 0, h->rows, h->n);
	} else {
		report_json_add_rows(w);
	}
	json_end(j, ']');
	json_end(j, '}');
}

static void report_json_add_columns(struct report_json_writer *w)
{
	static const struct report_group nobody;

	json_key(&w->json, "columns");
	json_array(&w->json);
	report_json_lay_out(w, &nobody);
	table_write_columns(&w->cells.table, &w->json);
	json_end(&w->json, ']');
}

int report_json_print(FILE *out, const struct report_view *v, const struct report_facts *facts)
{
	struct report_json_writer w = { .view = v, .scratch = TABLE_SCRATCH };
	struct json *j = &w.json;

	json_init(j, out);
	json_object(j);
	json_member_unsigned(j, "version", DOCUMENT_VERSION);
	report_json_add_facts(j, facts);
	report_json_add_columns(&w);
	json_key(j, "events");
	json_array(j);
	for (size_t i = 0; i < v->n_blocks; i++)
		report_json_add_block(&w, &v->blocks[i]);
	json_end(j, ']');
	json_end(j, '}');
	json_done(j);
	report_cells_done(&w.cells);
	table_scratch_done(&w.scratch);
	return ferror(out) ? -EIO : 0;
}
