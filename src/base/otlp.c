/* SPDX-License-Identifier: MIT */
#include "base/otlp.h"

#include <stdlib.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/protobuf.h"

/* The fields of each message. */
enum {
	OTLP_DATA_RESOURCE = 1,
	OTLP_DATA_DICTIONARY = 2,

	OTLP_RESOURCE_RESOURCE = 1,
	OTLP_RESOURCE_SCOPE = 2,
	OTLP_RESOURCE_ATTRIBUTE = 1,
	OTLP_ATTRIBUTE_KEY = 1,
	OTLP_ATTRIBUTE_VALUE = 2,

	OTLP_SCOPE_SCOPE = 1,
	OTLP_SCOPE_PROFILE = 2,
	OTLP_SCOPE_NAME = 1,

	OTLP_PROFILE_TYPE = 1,
	OTLP_PROFILE_SAMPLE = 2,
	OTLP_PROFILE_TIME = 3,
	OTLP_PROFILE_DURATION = 4,
	OTLP_PROFILE_PERIOD_TYPE = 5,
	OTLP_PROFILE_PERIOD = 6,
	OTLP_PROFILE_ID = 7,

	OTLP_TYPE_NAME = 1,
	OTLP_TYPE_UNIT = 2,

	OTLP_SAMPLE_STACK = 1,
	OTLP_SAMPLE_ATTRIBUTES = 2,
	OTLP_SAMPLE_VALUES = 4,

	OTLP_TABLE_MAPPING = 1,
	OTLP_TABLE_LOCATION = 2,
	OTLP_TABLE_FUNCTION = 3,
	OTLP_TABLE_LINK = 4,
	OTLP_TABLE_STRING = 5,
	OTLP_TABLE_ATTRIBUTE = 6,
	OTLP_TABLE_STACK = 7,

	OTLP_MAPPING_START = 1,
	OTLP_MAPPING_END = 2,
	OTLP_MAPPING_OFFSET = 3,
	OTLP_MAPPING_FILE = 4,
	OTLP_MAPPING_ATTRIBUTES = 5,

	OTLP_LOCATION_MAPPING = 1,
	OTLP_LOCATION_ADDRESS = 2,
	OTLP_LOCATION_LINE = 3,

	OTLP_LINE_FUNCTION = 1,
	OTLP_LINE_LINE = 2,

	OTLP_FUNCTION_NAME = 1,
	OTLP_FUNCTION_SYSTEM_NAME = 2,
	OTLP_FUNCTION_FILE = 3,

	OTLP_STACK_LOCATIONS = 1,

	/* Fields of the table of attributes, in which texts are numbers. */
	OTLP_KEYED_KEY = 1,
	OTLP_KEYED_VALUE = 2,

	OTLP_VALUE_STRING = 1,
	OTLP_VALUE_INT = 3,
};

void otlp_init(struct otlp *o, struct protobuf *p)
{
	*o = (struct otlp){ .p = p };
	contexts_init(&o->attributes, 3);
	contexts_init(&o->functions, 2);
	text_table_add(&o->texts, "");
}

void otlp_done(struct otlp *o)
{
	text_table_done(&o->texts);
	text_table_done(&o->values);
	contexts_done(&o->attributes);
	contexts_done(&o->functions);
	free(o->stacks.items);
	u64_map_done(&o->stack_of_key);
}

/* Adds an attribute of a resource, whose texts are not in the table. */
static void otlp_add_resource_text(struct otlp *o, const struct otlp_text *t)
{
	protobuf_begin(o->p, OTLP_RESOURCE_ATTRIBUTE);
	protobuf_text(o->p, OTLP_ATTRIBUTE_KEY, t->key);
	protobuf_begin(o->p, OTLP_ATTRIBUTE_VALUE);
	protobuf_text(o->p, OTLP_VALUE_STRING, t->text);
	protobuf_end(o->p);
	protobuf_end(o->p);
}

void otlp_begin_resource(struct otlp *o, const struct otlp_text *texts, size_t n)
{
	protobuf_begin(o->p, OTLP_DATA_RESOURCE);
	protobuf_begin(o->p, OTLP_RESOURCE_RESOURCE);
	for (size_t i = 0; i < n; i++)
		if (texts[i].text)
			otlp_add_resource_text(o, &texts[i]);
	protobuf_end(o->p);
	protobuf_begin(o->p, OTLP_RESOURCE_SCOPE);
	protobuf_begin(o->p, OTLP_SCOPE_SCOPE);
	protobuf_text(o->p, OTLP_SCOPE_NAME, "perf");
	protobuf_end(o->p);
}

void otlp_end_resource(struct otlp *o)
{
	protobuf_end(o->p);
	protobuf_end(o->p);
}

static void otlp_add_text(struct otlp *o, unsigned field, const char *s)
{
	protobuf_known(o->p, field, text_table_add(&o->texts, s));
}

static void otlp_add_type(struct otlp *o, unsigned field, const char *name, const char *unit)
{
	protobuf_begin(o->p, field);
	otlp_add_text(o, OTLP_TYPE_NAME, name);
	otlp_add_text(o, OTLP_TYPE_UNIT, unit);
	protobuf_end(o->p);
}

void otlp_begin_profile(struct otlp *o, const struct otlp_profile *profile)
{
	protobuf_begin(o->p, OTLP_SCOPE_PROFILE);
	if (profile->counts_samples)
		otlp_add_type(o, OTLP_PROFILE_TYPE, "samples", "count");
	else
		otlp_add_type(o, OTLP_PROFILE_TYPE, profile->event, profile->unit);
}

void otlp_end_profile(struct otlp *o, const struct otlp_profile *profile)
{
	if (profile->has_time)
		protobuf_fixed64(o->p, OTLP_PROFILE_TIME, profile->time_ns);
	protobuf_known(o->p, OTLP_PROFILE_DURATION, profile->duration_ns);
	otlp_add_type(o, OTLP_PROFILE_PERIOD_TYPE, profile->event, profile->unit);
	protobuf_known(o->p, OTLP_PROFILE_PERIOD, profile->period);
	if (profile->id)
		protobuf_bytes(o->p, OTLP_PROFILE_ID, profile->id, 2 * sizeof(*profile->id));
	protobuf_end(o->p);
}

void otlp_add_sample(struct otlp *o, uint64_t stack, const uint64_t *attributes,
		     size_t n_attributes, uint64_t value)
{
	protobuf_begin(o->p, OTLP_PROFILE_SAMPLE);
	protobuf_known(o->p, OTLP_SAMPLE_STACK, stack);
	protobuf_packed(o->p, OTLP_SAMPLE_ATTRIBUTES, attributes, n_attributes);
	protobuf_packed(o->p, OTLP_SAMPLE_VALUES, &value, 1);
	protobuf_end(o->p);
}

uint64_t otlp_stack(struct otlp *o, uint64_t key)
{
	uintptr_t place = key ? (uintptr_t)u64_map_find(&o->stack_of_key, key) : 0;

	if (place || !key)
		return place;
	*ARRAY_ADD(&o->stacks) = key;
	u64_map_put(&o->stack_of_key, key, (void *)(uintptr_t)o->stacks.n);
	return o->stacks.n;
}

uint64_t otlp_attribute(struct otlp *o, const char *key, const char *text, uint64_t number)
{
	const uint64_t tuple[] = { text_table_add(&o->values, key),
				   text ? text_table_add(&o->values, text) + 1ULL : 0, number };

	if (o->keys_first)
		text_table_add(&o->texts, key);
	return contexts_add(&o->attributes, tuple) + 1;
}

void otlp_begin_dictionary(struct otlp *o)
{
	static const unsigned tables[] = { OTLP_TABLE_MAPPING,   OTLP_TABLE_LOCATION,
					   OTLP_TABLE_FUNCTION,  OTLP_TABLE_LINK,
					   OTLP_TABLE_ATTRIBUTE, OTLP_TABLE_STACK };

	protobuf_begin(o->p, OTLP_DATA_DICTIONARY);
	for (size_t i = 0; i < ARRAY_SIZE(tables); i++) {
		protobuf_begin(o->p, tables[i]);
		protobuf_end(o->p);
	}
}

void otlp_add_mapping(struct otlp *o, const struct otlp_mapping *m)
{
	uint64_t build_id;

	protobuf_begin(o->p, OTLP_TABLE_MAPPING);
	protobuf_known(o->p, OTLP_MAPPING_START, m->start);
	protobuf_known(o->p, OTLP_MAPPING_END, m->end);
	protobuf_known(o->p, OTLP_MAPPING_OFFSET, m->offset);
	otlp_add_text(o, OTLP_MAPPING_FILE, m->file);
	if (*m->build_id) {
		build_id = otlp_attribute(o, "process.executable.build_id.gnu", m->build_id, 0);
		protobuf_packed(o->p, OTLP_MAPPING_ATTRIBUTES, &build_id, 1);
	}
	protobuf_end(o->p);
}

void otlp_begin_location(struct otlp *o, uint64_t mapping, uint64_t addr)
{
	protobuf_begin(o->p, OTLP_TABLE_LOCATION);
	protobuf_known(o->p, OTLP_LOCATION_MAPPING, mapping);
	protobuf_known(o->p, OTLP_LOCATION_ADDRESS, addr);
}

void otlp_add_line(struct otlp *o, const char *function, const char *file, uint64_t line)
{
	const uint64_t key[] = { text_table_add(&o->texts, function),
				 file ? text_table_add(&o->texts, file) : 0 };

	protobuf_begin(o->p, OTLP_LOCATION_LINE);
	protobuf_number(o->p, OTLP_LINE_FUNCTION, contexts_add(&o->functions, key) + 1);
	protobuf_known(o->p, OTLP_LINE_LINE, line);
	protobuf_end(o->p);
}

void otlp_end_location(struct otlp *o)
{
	protobuf_end(o->p);
}

static void otlp_add_function(struct otlp *o, const uint64_t *key)
{
	protobuf_begin(o->p, OTLP_TABLE_FUNCTION);
	protobuf_known(o->p, OTLP_FUNCTION_NAME, key[0]);
	protobuf_known(o->p, OTLP_FUNCTION_SYSTEM_NAME, key[0]);
	protobuf_known(o->p, OTLP_FUNCTION_FILE, key[1]);
	protobuf_end(o->p);
}

static void otlp_add_attribute(struct otlp *o, const uint64_t *tuple)
{
	protobuf_begin(o->p, OTLP_TABLE_ATTRIBUTE);
	otlp_add_text(o, OTLP_KEYED_KEY, o->values.items[tuple[0]]);
	protobuf_begin(o->p, OTLP_KEYED_VALUE);
	if (tuple[1])
		protobuf_text(o->p, OTLP_VALUE_STRING, o->values.items[tuple[1] - 1]);
	else
		protobuf_number(o->p, OTLP_VALUE_INT, tuple[2]);
	protobuf_end(o->p);
	protobuf_end(o->p);
}

void otlp_end_dictionary(struct otlp *o,
			 void (*locations)(void *arg, uint64_t key, struct otlp_list *ret),
			 void *arg)
{
	struct otlp_list list = { 0 };

	for (uint32_t i = 0; i < o->functions.n; i++)
		otlp_add_function(o, contexts_get(&o->functions, i));
	for (size_t i = 0; i < o->stacks.n; i++) {
		list.n = 0;
		locations(arg, o->stacks.items[i], &list);
		protobuf_begin(o->p, OTLP_TABLE_STACK);
		protobuf_packed(o->p, OTLP_STACK_LOCATIONS, list.items, list.n);
		protobuf_end(o->p);
	}
	free(list.items);
	for (uint32_t i = 0; i < o->attributes.n; i++)
		otlp_add_attribute(o, contexts_get(&o->attributes, i));
	for (size_t i = 0; i < o->texts.n; i++)
		protobuf_text(o->p, OTLP_TABLE_STRING, o->texts.items[i]);
	protobuf_end(o->p);
}
