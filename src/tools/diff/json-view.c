/* SPDX-License-Identifier: MIT */
#include "tools/diff/json-view.h"

#include <stdlib.h>

#include "tools/diff/hosts-view.h"
#include "tools/diff/repeats-model.h"
#include "tools/diff/text-view.h"
#include "view/json.h"
#include "view/stat/compare-json.h"

static void diff_json_add_whole(struct json *j, const struct diff_repeats *r)
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

static void diff_json_add_row(struct json *j, const struct table *keys, const struct compare *c,
			      const struct diff_repeat *row)
{
	_cleanup_(table_scratch_done) struct table_scratch scratch = TABLE_SCRATCH;

	json_object(j);
	json_key(j, "keys");
	json_object(j);
	table_write_members(keys, &row->row->entry, &scratch, j);
	json_end(j, '}');
	compare_json_add_figures(j, c, row->figures);
	json_end(j, '}');
}

static void diff_json_add_rows(struct json *j, const struct report_plan *plan,
			       const struct diff_repeats *r)
{
	const struct report_view view = { .plan = plan };
	const struct report_group group = { .members = r->diff->sides, .n_members = 1 };
	struct report_columns columns = diff_key_columns(plan);
	_cleanup_(report_cells_done) struct report_cells keys;

	report_cells_init_json(&keys, &view, &group,
			       (const struct report_columns *const[]){ &columns }, 1);
	json_key(j, "rows");
	json_array(j);
	for (size_t i = 0; i < r->n; i++)
		diff_json_add_row(j, &keys.table, r->compare, &r->rows[i]);
	json_end(j, ']');
	free(columns.items);
}

void diff_json_print(FILE *out, const struct report_plan *plan,
		     const struct diff_json_event *events, size_t n)
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
		if (events[i].fleet)
			diff_hosts_write(&j, events[i].fleet);
		diff_json_add_whole(&j, events[i].repeats);
		diff_json_add_rows(&j, plan, events[i].repeats);
		compare_json_add_limits(&j, events[i].limits);
		json_end(&j, '}');
	}
	json_end(&j, ']');
	json_end(&j, '}');
	json_done(&j);
}
