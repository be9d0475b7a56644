/* SPDX-License-Identifier: MIT */
#include "view/diff/json.h"

#include "base/text.h"
#include "profile/diff-repeats.h"
#include "view/stat/compare-json.h"
#include "view/json.h"

/* Keys have their names in --sort. */
static void add_keys(struct json *j, const struct report_entry *e)
{
	const struct report_options *o = e->rows->options;
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	json_key(j, "keys");
	json_object(j);
	for (size_t i = 0; i < o->n_keys; i++) {
		const struct key_cell cell = report_row_cell(e->row, i);

		text_clear(&t);
		o->keys[i].type->print(&o->keys[i], o->env, &cell, &t);
		json_member(j, o->keys[i].type->name, t.chars);
	}
	json_end(j, '}');
}

static void add_whole(struct json *j, const struct diff_repeats *r)
{
	json_key(j, "whole");
	json_array(j);
	for (size_t i = 0; i < r->n_whole; i++) {
		json_object(j);
		compare_json_add_figures(j, r->compare, r->compare->rows[i]);
		json_end(j, '}');
	}
	json_end(j, ']');
}

static void add_rows(struct json *j, const struct diff_repeats *r)
{
	json_key(j, "rows");
	json_array(j);
	for (size_t i = 0; i < r->n; i++) {
		json_object(j);
		add_keys(j, &r->rows[i].row->entry);
		compare_json_add_figures(j, r->compare, r->rows[i].figures);
		json_end(j, '}');
	}
	json_end(j, ']');
}

void diff_json_print(FILE *out, const struct diff_json_event *events, size_t n)
{
	struct json j;

	json_init(&j, out);
	json_object(&j);
	json_key(&j, "events");
	json_array(&j);
	for (size_t i = 0; i < n; i++) {
		json_object(&j);
		json_member(&j, "event", events[i].name);
		compare_json_add_commands(&j, events[i].repeats->compare);
		json_member(&j, "correction", "Benjamini-Hochberg, of rows");
		add_whole(&j, events[i].repeats);
		add_rows(&j, events[i].repeats);
		compare_json_add_limits(&j, events[i].limits);
		json_end(&j, '}');
	}
	json_end(&j, ']');
	json_end(&j, '}');
	json_done(&j);
}
