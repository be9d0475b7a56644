/* SPDX-License-Identifier: MIT */
#include "view/report/json.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "datafile/features.h"
#include "profile/report-group.h"
#include "profile/report-hierarchy.h"
#include "profile/report-plan.h"
#include "view/json.h"
#include "view/report/cells.h"
#include "view/report/table.h"
#include "view/report/title.h"
#include "view/report/tree-pen.h"

#define DOCUMENT_VERSION 1

struct writer {
	struct json json;
	const struct report_view *view;
	struct report_pen pen;
	struct text name; /* scratch */
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

static void add_facts(struct json *j, const struct report_facts *f)
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

static const struct key *column_key(const struct writer *w, const struct report_column *c)
{
	return &w->view->plan->keys.items[c->key];
}

/* A field of a tracepoint is called like its title, with a number if other events have it, too. */
static const char *column_name(struct writer *w, const struct report_column *c)
{
	const struct keys *keys = &w->view->plan->keys;
	const struct key *k;
	size_t n = 1;

	if (c->figure)
		return c->figure->name;
	k = column_key(w, c);
	if (!k->event)
		return k->type->name;
	for (size_t i = 0; i < c->key; i++)
		n += keys->items[i].event && !strcmp(keys->items[i].title, k->title);
	text_clear(&w->name);
	text_add(&w->name, k->title);
	if (n > 1)
		text_addf(&w->name, "#%zu", n);
	return w->name.chars;
}

static void add_columns(struct writer *w, const struct report_columns *columns)
{
	struct json *j = &w->json;

	for (size_t i = 0; i < columns->n; i++) {
		const struct report_column *c = &columns->items[i];

		json_object(j);
		j->on_line = true;
		json_member(j, "name", column_name(w, c));
		json_member(j, "title", c->title);
		json_member(j, "type",
			    !c->figure         ? "text"
			    : c->figure->share ? "percent"
					       : "count");
		json_end(j, '}');
		j->on_line = false;
	}
}

static void add_all_columns(struct writer *w)
{
	const struct report_plan *plan = w->view->plan;

	json_key(&w->json, "columns");
	json_array(&w->json);
	add_columns(w, &plan->columns);
	for (size_t i = 0; i < plan->n_levels; i++)
		add_columns(w, &plan->levels[i]);
	json_end(&w->json, ']');
}

static void add_figure(struct writer *w, const struct figure *f, const struct report_entry *e,
		       size_t member)
{
	const struct report_row *row = e->members[member];
	uint64_t value = row ? figure_value(&f->what, row) : 0;

	if (!report_figure_is_known(&w->pen, f))
		json_null(&w->json);
	else if (f->share)
		json_double(&w->json, report_percent(&w->pen, member, value));
	else
		json_unsigned(&w->json, value);
}

/* One number; or in a group, one of each event. */
static void add_figures(struct writer *w, const struct figure *f, const struct report_entry *e)
{
	size_t n = w->pen.group->n_members;

	if (n == 1) {
		add_figure(w, f, e, 0);
		return;
	}
	json_array(&w->json);
	for (size_t i = 0; i < n; i++)
		add_figure(w, f, e, i);
	json_end(&w->json, ']');
}

static void add_text(struct writer *w, const struct report_column *c, const struct report_entry *e)
{
	struct text *text = report_key_text(&w->pen, c, e);

	while (text->length && text->chars[text->length - 1] == ' ')
		text->chars[--text->length] = '\0';
	json_string(&w->json, text->chars + strspn(text->chars, " "));
}

static void add_cells(struct writer *w, const struct report_columns *columns,
		      const struct report_entry *e)
{
	for (size_t i = 0; i < columns->n; i++) {
		const struct report_column *c = &columns->items[i];

		json_key(&w->json, column_name(w, c));
		if (c->figure)
			add_figures(w, c->figure, e);
		else
			add_text(w, c, e);
	}
}

static void add_branches(struct writer *w, const struct call_node *parent)
{
	struct json *j = &w->json;

	json_array(j);
	for (size_t i = 0; i < parent->n_children; i++) {
		const struct call_node *n = &parent->children[i];

		json_object(j);
		json_key(j, "frames");
		json_array(j);
		for (size_t k = 0; k < n->n_frames; k++)
			json_string(j, report_tree_name(w->pen.tree, n->frames[k])->chars);
		json_end(j, ']');
		json_member_unsigned(j, "self", n->self.period);
		json_member_unsigned(j, "total", n->total.period);
		json_member_unsigned(j, "samples", n->total.samples);
		if (n->n_children) {
			json_key(j, "children");
			add_branches(w, n);
		}
		json_end(j, '}');
	}
	json_end(j, ']');
}

static void add_tree(struct writer *w, const struct report_entry *e)
{
	_cleanup_(call_tree_done) struct call_tree tree = { 0 };

	if (!w->pen.tree || !e->members[0])
		return;
	call_tree_init(&tree, w->pen.tree->builder, e->members[0]);
	json_key(&w->json, "calls");
	add_branches(w, &tree.root);
}

static bool is_shown(const struct writer *w, const struct report_entry *e)
{
	return report_entry_percent(&w->pen, e) >= w->view->percent_limit;
}

static void add_rows(struct writer *w)
{
	const struct report_group *g = w->pen.group;
	struct json *j = &w->json;

	for (size_t i = 0; i < g->n; i++) {
		if (!is_shown(w, &g->entries[i]))
			continue;
		json_object(j);
		j->on_line = true;
		add_cells(w, &w->view->plan->columns, &g->entries[i]);
		add_tree(w, &g->entries[i]);
		json_end(j, '}');
		j->on_line = false;
	}
}

static void add_level(struct writer *w, size_t level, const struct hierarchy_row *rows, size_t n)
{
	const struct report_plan *plan = w->view->plan;
	struct json *j = &w->json;

	for (size_t i = 0; i < n; i++) {
		const struct report_entry *e = &rows[i].entry;

		if (!is_shown(w, e))
			continue;
		json_object(j);
		j->on_line = true;
		add_cells(w, &plan->columns, e);
		add_cells(w, &plan->levels[level], e);
		if (level + 1 == plan->n_levels) {
			add_tree(w, e);
		} else {
			json_key(j, "rows");
			json_array(j);
			j->on_line = false;
			add_level(w, level + 1, rows[i].children, rows[i].n_children);
			json_end(j, ']');
			j->on_line = true;
		}
		json_end(j, '}');
		j->on_line = false;
	}
}

static void add_block(struct writer *w, const struct report_block *b)
{
	_cleanup_(report_tree_freep) struct report_tree *tree = NULL;
	struct json *j = &w->json;

	w->pen.group = b->group;
	if (b->tree) {
		struct report_tree_options o = *b->tree;

		o.escape = false;
		tree = report_tree_new(&o, b->group->members[0]);
	}
	w->pen.tree = tree;
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

		add_level(w, 0, h->rows, h->n);
	} else {
		add_rows(w);
	}
	json_end(j, ']');
	json_end(j, '}');
}

int report_json_print(FILE *out, const struct report_view *v, const struct report_facts *facts)
{
	struct report_view view = *v;
	struct writer w = {
		.view = &view,
		.pen = { .view = &view,
			 .file = out,
			 .out = TEXT_EMPTY,
			 .cell = TEXT_EMPTY,
			 .escaped = TEXT_EMPTY },
		.name = TEXT_EMPTY,
	};
	struct json *j = &w.json;

	/* JSON has escapes of its own. */
	view.escape = false;
	json_init(j, out);
	json_object(j);
	json_member_unsigned(j, "version", DOCUMENT_VERSION);
	add_facts(j, facts);
	add_all_columns(&w);
	json_key(j, "events");
	json_array(j);
	for (size_t i = 0; i < v->n_blocks; i++)
		add_block(&w, &v->blocks[i]);
	json_end(j, ']');
	json_end(j, '}');
	json_done(j);
	report_pen_done(&w.pen);
	text_done(&w.name);
	return ferror(out) ? -EIO : 0;
}
