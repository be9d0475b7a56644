/* SPDX-License-Identifier: MIT */
#include "store/tables.h"

#include "base/text.h"

#define NUMBER(word)                                                                               \
	{                                                                                          \
		.name = word                                                                       \
	}
#define TEXT(word)                                                                                 \
	{                                                                                          \
		.name = word, .is_text = true                                                      \
	}

const struct fleet_table_type fleet_tables[N_FLEET_TABLES] = {
	[FLEET_IMAGE] = { "perf_image",
			  true,
			  N_IMAGE_COLUMNS,
			  { NUMBER("id"), TEXT("build_id"), TEXT("name"), NUMBER("is_kernel") } },
	[FLEET_FRAME] = { "perf_frame",
			  true,
			  N_FRAME_COLUMNS,
			  { NUMBER("id"), NUMBER("image"), TEXT("function"), NUMBER("is_inlined"),
			    NUMBER("address") } },
	[FLEET_STACK] = { "perf_stack",
			  true,
			  N_STACK_COLUMNS,
			  { NUMBER("id"), NUMBER("parent"), NUMBER("frame") } },
	[FLEET_SOURCE] = { "perf_source",
			   true,
			   N_SOURCE_COLUMNS,
			   { NUMBER("id"), TEXT("host"), TEXT("service"), TEXT("container"),
			     TEXT("comm"), NUMBER("rollup") } },
	[FLEET_EVENT] = { "perf_event",
			  true,
			  N_EVENT_COLUMNS,
			  { NUMBER("id"), TEXT("name"), NUMBER("is_time") } },
	[FLEET_BATCH] = { "perf_batch",
			  false,
			  N_BATCH_COLUMNS,
			  { NUMBER("id"), NUMBER("minute"), TEXT("host") } },
	[FLEET_SAMPLE] = { "perf_sample",
			   false,
			   N_SAMPLE_COLUMNS,
			   { NUMBER("minute"), NUMBER("batch"), NUMBER("source"), NUMBER("event"),
			     NUMBER("stack"), NUMBER("samples"), NUMBER("period") } },
	[FLEET_HOUR] = { "perf_hour",
			 false,
			 N_HOUR_COLUMNS,
			 { NUMBER("hour"), NUMBER("source"), NUMBER("event"), NUMBER("stack"),
			   NUMBER("samples"), NUMBER("period") } },
};

const struct fleet_reference fleet_references[N_FLEET_REFERENCES] = {
	{ FLEET_STACK, FLEET_SAMPLE, SAMPLE_STACK, true },
	{ FLEET_STACK, FLEET_STACK, STACK_PARENT, true },
	{ FLEET_FRAME, FLEET_STACK, STACK_FRAME, false },
	{ FLEET_IMAGE, FLEET_FRAME, FRAME_IMAGE, false },
	{ FLEET_EVENT, FLEET_SAMPLE, SAMPLE_EVENT, false },
	{ FLEET_SOURCE, FLEET_SAMPLE, SAMPLE_SOURCE, false },
};

void fleet_add_columns(struct text *t, enum fleet_table table, const char *number_type,
		       const char *text_type)
{
	const struct fleet_table_type *type = &fleet_tables[table];

	text_addf(t, "CREATE TABLE IF NOT EXISTS %s (", type->name);
	for (size_t i = 0; i < type->n_columns; i++)
		text_addf(t, "%s%s %s", i ? ", " : "", type->columns[i].name,
			  type->columns[i].is_text ? text_type : number_type);
}
