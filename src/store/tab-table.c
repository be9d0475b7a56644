/* SPDX-License-Identifier: MIT */
#include "store/tab-table.h"

#include <errno.h>
#include <stdlib.h>

#include "base/diag.h"
#include "base/digits.h"
#include "base/memory.h"
#include "base/text.h"
#include "store/data.h"
#include "store/select.h"
#include "store/tab-rows.h"

void fleet_tab_add(struct tab_writer *w, enum fleet_table t, const union fleet_cell *row)
{
	for (size_t i = 0; i < fleet_tables[t].n_columns; i++) {
		if (fleet_tables[t].columns[i].is_text)
			tab_writer_text(w, row[i].text);
		else
			tab_writer_number(w, row[i].number);
	}
	tab_writer_end_row(w);
}

void fleet_tab_columns(struct text *t, enum fleet_table table)
{
	for (size_t i = 0; i < fleet_tables[table].n_columns; i++)
		text_addf(t, "%s%s", i ? ", " : "", fleet_tables[table].columns[i].name);
}

void fleet_tab_target(struct text *t, enum fleet_table table)
{
	text_addf(t, "%s (", fleet_tables[table].name);
	fleet_tab_columns(t, table);
	text_add_char(t, ')');
}

void fleet_tab_numbers(struct text *t, const int64_t *numbers, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		char *at = text_room(t, DIGITS_MAX + 2);

		if (i)
			*at++ = ',';
		text_filled(t, digits_signed(at, numbers[i]));
	}
}

static int tab_table_refuse(const struct fleet_tab_sink *s, const char *column)
{
	return diag_set(s->diag, -EBADMSG,
			"the store is damaged: %s.%s has a value of another type",
			fleet_tables[s->table].name, column);
}

int fleet_tab_take(void *sink, const struct tab_cell *cells)
{
	const struct fleet_tab_sink *s = sink;
	const struct fleet_table_type *type = &fleet_tables[s->table];
	union fleet_cell row[FLEET_COLUMNS_MAX];

	for (size_t i = 0; i < type->n_columns; i++) {
		if (type->columns[i].is_text)
			row[i].text = cells[i].text;
		if (type->columns[i].is_text ? !cells[i].text
					     : tab_cell_number(&cells[i], &row[i].number) < 0)
			return tab_table_refuse(s, type->columns[i].name);
	}
	fleet_add(s->data, s->table, row);
	return 0;
}

int fleet_tab_take_weight(void *sink, const struct tab_cell *cells)
{
	static const struct {
		int from, to;
		const char *name;
	} numbers[] = {
		{ WEIGHT_MINUTE, SAMPLE_MINUTE, "minute" },
		{ WEIGHT_EVENT, SAMPLE_EVENT, "event" },
		{ WEIGHT_STACK, SAMPLE_STACK, "stack" },
		{ WEIGHT_SAMPLES, SAMPLE_SAMPLES, "samples" },
		{ WEIGHT_PERIOD, SAMPLE_PERIOD, "period" },
	};
	const struct fleet_tab_sink *s = sink;
	const struct fleet_source source = { .host = cells[WEIGHT_HOST].text,
					     .service = "",
					     .container = "",
					     .comm = cells[WEIGHT_COMM].text };
	union fleet_cell row[N_SAMPLE_COLUMNS] = { 0 };

	if (!source.host || !source.comm)
		return tab_table_refuse(s, "source");
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++)
		if (tab_cell_number(&cells[numbers[i].from], &row[numbers[i].to].number) < 0)
			return tab_table_refuse(s, numbers[i].name);
	row[SAMPLE_SOURCE].number = fleet_add_source(s->data, &source);
	fleet_add(s->data, FLEET_SAMPLE, row);
	return 0;
}

void fleet_ids_done(struct fleet_ids *ids)
{
	free(ids->items);
	u64_map_done(&ids->set);
}

bool fleet_ids_has(const struct fleet_ids *ids, int64_t id)
{
	return u64_map_find(&ids->set, (uint64_t)id);
}

int fleet_tab_take_id(void *arg, const struct tab_cell *cells)
{
	struct fleet_ids *ids = arg;
	int64_t id;

	if (tab_cell_number(&cells[0], &id) < 0)
		return diag_set(ids->diag, -EBADMSG, "the store is damaged: an id is not a number");
	*ARRAY_ADD(ids) = id;
	u64_map_put(&ids->set, (uint64_t)id, ids);
	return 0;
}
