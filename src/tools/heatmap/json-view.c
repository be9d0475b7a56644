/* SPDX-License-Identifier: MIT */
#include "tools/heatmap/json-view.h"

#include "tools/heatmap/words-view.h"
#include "view/json.h"

static void heatmap_json_print_rows(struct json *j, const struct heat_map *m)
{
	json_key(j, "rows");
	json_array(j);
	j->on_line = true;
	for (size_t i = 0; i <= m->rows.n; i++)
		json_unsigned(j, m->rows.bounds[i]);
	json_end(j, ']');
	j->on_line = false;
}

/* Prints the cells, each as [column, row, count]. */
static void heatmap_json_print_cells(struct json *j, const struct heat_map *m)
{
	json_key(j, "cells");
	json_array(j);
	for (size_t c = 0; c < m->n_columns; c++)
		for (size_t r = 0; r < m->rows.n; r++) {
			if (!heat_count(m, c, r))
				continue;
			json_array(j);
			j->on_line = true;
			json_unsigned(j, c);
			json_unsigned(j, r);
			json_unsigned(j, heat_count(m, c, r));
			json_end(j, ']');
			j->on_line = false;
		}
	json_end(j, ']');
}

void heat_json_print(const struct heat_picture *p, FILE *out)
{
	const struct heat_map *m = p->map;
	struct json j;

	json_init(&j, out);
	json_object(&j);
	json_member(&j, "title", p->title);
	json_member(&j, "counted", p->noun);
	json_member(&j, "value", p->value_name);
	json_member(&j, "unit", p->values_are_times ? "ns" : NULL);
	json_member_unsigned(&j, "total", m->total);
	json_member_unsigned(&j, "above", m->over);
	json_member_unsigned(&j, "below", m->under);
	json_member_unsigned(&j, "smallest", m->smallest);
	json_member_unsigned(&j, "largest", m->largest);
	json_member_unsigned(&j, "start_ns", m->start_ns);
	json_member_unsigned(&j, "step_ns", m->step_ns);
	json_member_unsigned(&j, "columns", m->n_columns);
	json_member_bool(&j, "log", m->is_log);
	heatmap_json_print_rows(&j, m);
	heatmap_json_print_cells(&j, m);
	json_end(&j, '}');
	json_done(&j);
}
