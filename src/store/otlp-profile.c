/* SPDX-License-Identifier: MIT */
#include "store/otlp-profile.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/otlp-fields.h"
#include "base/protobuf.h"
#include "base/text-table.h"
#include "base/u64-map.h"
#include "store/content-id.h"
#include "store/data.h"

#define SECOND_NS UINT64_C(1000000000)

/*
 * The state of writing. The first entry of each of OTLP's tables is empty, and means none. Images
 * and frames are in the order of their rows; the others are in that of their first use, so that no
 * two entries are the same, and each is referred to.
 */
struct otlp_profile_state {
	const struct fleet_data *data;
	struct protobuf *p;
	struct text_table texts, functions, attributes; /* attributes: a letter and the value */
	struct u64_map stack_places; /* by id: the index in the table of stacks */
	struct {
		int64_t *items; /* ids of stacks */
		size_t n, room;
	} stacks;
	struct {
		uint64_t *items;
		size_t n, room;
	} list;
};

/* Samples of one resource, minute and event: those of these rows whose source is @resource's. */
struct otlp_profile_part {
	const union fleet_cell *resource; /* a row of FLEET_SOURCE */
	size_t from, to;
	int64_t event;
};

static void otlp_profile_add_text(struct otlp_profile_state *o, unsigned field, const char *s)
{
	protobuf_known(o->p, field, text_table_add(&o->texts, s));
}

/* Returns the index of a row in its table; 0: none. */
static uint64_t otlp_profile_place_of(const struct otlp_profile_state *o, enum fleet_table t,
				      int64_t id)
{
	const union fleet_cell *row = fleet_find(o->data, t, id);

	return row ? (uint64_t)(row - o->data->tables[t].cells) / fleet_tables[t].n_columns + 1 : 0;
}

static uint64_t place_of_stack(struct otlp_profile_state *o, int64_t id)
{
	uintptr_t place = id ? (uintptr_t)u64_map_find(&o->stack_places, (uint64_t)id) : 0;

	if (place || !id)
		return place;
	*ARRAY_ADD(&o->stacks) = id;
	u64_map_put(&o->stack_places, (uint64_t)id, (void *)(uintptr_t)o->stacks.n);
	return o->stacks.n;
}

/* The letters that stand for attributes. */
#define BUILD_ID "b"
#define COMM     "c"

/* Returns the index of an attribute in its table. */
static uint64_t place_of_attribute(struct otlp_profile_state *o, const char *letter,
				   const char *value)
{
	_cleanup_(freep) char *text = xasprintf("%s%s", letter, value);

	return text_table_add(&o->attributes, text) + 1;
}

static bool is_of_resource(const union fleet_cell *a, const union fleet_cell *b)
{
	return a && !strcmp(a[FLEET_SOURCE_HOST].text, b[FLEET_SOURCE_HOST].text) &&
	       !strcmp(a[FLEET_SOURCE_SERVICE].text, b[FLEET_SOURCE_SERVICE].text) &&
	       !strcmp(a[FLEET_SOURCE_CONTAINER].text, b[FLEET_SOURCE_CONTAINER].text);
}

static bool otlp_profile_is_in(const struct otlp_profile_state *o,
			       const struct otlp_profile_part *part, const union fleet_cell *sample)
{
	return sample[SAMPLE_EVENT].number == part->event &&
	       is_of_resource(fleet_find(o->data, FLEET_SOURCE, sample[SAMPLE_SOURCE].number),
			      part->resource);
}

static void otlp_profile_add_sample(struct otlp_profile_state *o, const union fleet_cell *row,
				    size_t value_column)
{
	const union fleet_cell *source = fleet_find(o->data, FLEET_SOURCE,
						    row[SAMPLE_SOURCE].number);
	uint64_t attribute = place_of_attribute(o, COMM, source[FLEET_SOURCE_COMM].text);
	uint64_t value = (uint64_t)row[value_column].number;

	protobuf_begin(o->p, OTLP_PROFILE_SAMPLE);
	protobuf_known(o->p, OTLP_SAMPLE_STACK, place_of_stack(o, row[SAMPLE_STACK].number));
	protobuf_packed(o->p, OTLP_SAMPLE_ATTRIBUTES, &attribute, 1);
	protobuf_packed(o->p, OTLP_SAMPLE_VALUES, &value, 1);
	protobuf_end(o->p);
}

static void otlp_profile_add_type(struct otlp_profile_state *o, unsigned field, const char *name,
				  const char *unit)
{
	protobuf_begin(o->p, field);
	otlp_profile_add_text(o, OTLP_TYPE_NAME, name);
	otlp_profile_add_text(o, OTLP_TYPE_UNIT, unit);
	protobuf_end(o->p);
}

static void otlp_profile_add_id(struct otlp_profile_state *o, const struct otlp_profile_part *part,
				size_t value_column)
{
	struct content_hash h;
	int64_t id[2] = { fleet_row(o->data, FLEET_SAMPLE, part->from)[SAMPLE_BATCH].number };

	content_hash_begin(&h);
	content_hash_number(&h, (uint64_t)part->event);
	content_hash_number(&h, value_column);
	content_hash_text(&h, part->resource[FLEET_SOURCE_HOST].text);
	content_hash_text(&h, part->resource[FLEET_SOURCE_SERVICE].text);
	content_hash_text(&h, part->resource[FLEET_SOURCE_CONTAINER].text);
	id[1] = content_hash_id(&h);
	protobuf_bytes(o->p, OTLP_PROFILE_ID, id, sizeof(id));
}

static void otlp_profile_add(struct otlp_profile_state *o, const struct otlp_profile_part *part,
			     size_t value_column)
{
	const union fleet_cell *first = fleet_row(o->data, FLEET_SAMPLE, part->from);
	const union fleet_cell *event = fleet_find(o->data, FLEET_EVENT, part->event);
	const char *name = event ? event[EVENT_NAME].text : "";
	const char *unit = event && event[EVENT_IS_TIME].number ? "nanoseconds" : "count";

	protobuf_begin(o->p, OTLP_SCOPE_PROFILE);
	if (value_column == SAMPLE_SAMPLES)
		otlp_profile_add_type(o, OTLP_PROFILE_TYPE, "samples", "count");
	else
		otlp_profile_add_type(o, OTLP_PROFILE_TYPE, name, unit);
	for (size_t i = part->from; i < part->to; i++) {
		const union fleet_cell *row = fleet_row(o->data, FLEET_SAMPLE, i);

		if (otlp_profile_is_in(o, part, row))
			otlp_profile_add_sample(o, row, value_column);
	}
	protobuf_fixed64(o->p, OTLP_PROFILE_TIME,
			 (uint64_t)first[SAMPLE_MINUTE].number * SECOND_NS);
	protobuf_known(o->p, OTLP_PROFILE_DURATION, 60 * SECOND_NS);
	otlp_profile_add_type(o, OTLP_PROFILE_PERIOD_TYPE, name, unit);
	otlp_profile_add_id(o, part, value_column);
	protobuf_end(o->p);
}

static bool otlp_profile_has_samples(const struct otlp_profile_state *o,
				     const struct otlp_profile_part *part)
{
	for (size_t i = part->from; i < part->to; i++)
		if (otlp_profile_is_in(o, part, fleet_row(o->data, FLEET_SAMPLE, i)))
			return true;
	return false;
}

/* Adds the profiles of one batch, which consists of rows @from to @to. */
static void add_batch(struct otlp_profile_state *o, const union fleet_cell *resource, size_t from,
		      size_t to)
{
	for (size_t i = 0; i < o->data->tables[FLEET_EVENT].n; i++) {
		const struct otlp_profile_part part = {
			.resource = resource,
			.from = from,
			.to = to,
			.event = fleet_row(o->data, FLEET_EVENT, i)[EVENT_ID].number,
		};

		if (!otlp_profile_has_samples(o, &part))
			continue;
		otlp_profile_add(o, &part, SAMPLE_PERIOD);
		otlp_profile_add(o, &part, SAMPLE_SAMPLES);
	}
}

static void otlp_profile_add_resource_text(struct otlp_profile_state *o, const char *key,
					   const char *text)
{
	if (!*text)
		return;
	protobuf_begin(o->p, OTLP_RESOURCE_ATTRIBUTE);
	protobuf_text(o->p, OTLP_ATTRIBUTE_KEY, key);
	protobuf_begin(o->p, OTLP_ATTRIBUTE_VALUE);
	protobuf_text(o->p, OTLP_VALUE_STRING, text);
	protobuf_end(o->p);
	protobuf_end(o->p);
}

static void otlp_profile_add_resource(struct otlp_profile_state *o,
				      const union fleet_cell *resource)
{
	const struct fleet_rows *samples = &o->data->tables[FLEET_SAMPLE];
	size_t from = 0;

	protobuf_begin(o->p, OTLP_DATA_RESOURCE);
	protobuf_begin(o->p, OTLP_RESOURCE_RESOURCE);
	otlp_profile_add_resource_text(o, "host.name", resource[FLEET_SOURCE_HOST].text);
	otlp_profile_add_resource_text(o, "service.name", resource[FLEET_SOURCE_SERVICE].text);
	otlp_profile_add_resource_text(o, "container.id", resource[FLEET_SOURCE_CONTAINER].text);
	otlp_profile_add_resource_text(o, "os.type", "linux");
	protobuf_end(o->p);
	protobuf_begin(o->p, OTLP_RESOURCE_SCOPE);
	protobuf_begin(o->p, OTLP_SCOPE_SCOPE);
	protobuf_text(o->p, OTLP_SCOPE_NAME, "perf");
	protobuf_end(o->p);
	for (size_t i = 1; i <= samples->n; i++) {
		if (i < samples->n &&
		    fleet_row(o->data, FLEET_SAMPLE, i)[SAMPLE_BATCH].number ==
			    fleet_row(o->data, FLEET_SAMPLE, from)[SAMPLE_BATCH].number)
			continue;
		add_batch(o, resource, from, i);
		from = i;
	}
	protobuf_end(o->p);
	protobuf_end(o->p);
}

/* Adds the resources. A resource is written at the first of its sources. */
static void add_resources(struct otlp_profile_state *o)
{
	const size_t n = o->data->tables[FLEET_SOURCE].n;
	const size_t n_samples = o->data->tables[FLEET_SAMPLE].n;
	struct u64_map used = { 0 };

	for (size_t i = 0; i < n_samples; i++)
		u64_map_put(&used,
			    (uint64_t)fleet_row(o->data, FLEET_SAMPLE, i)[SAMPLE_SOURCE].number, o);
	for (size_t i = 0; i < n; i++) {
		const union fleet_cell *row = fleet_row(o->data, FLEET_SOURCE, i);
		bool is_first = u64_map_find(&used, (uint64_t)row[FLEET_SOURCE_ID].number);

		for (size_t k = 0; is_first && k < i; k++) {
			const union fleet_cell *other = fleet_row(o->data, FLEET_SOURCE, k);

			is_first = !u64_map_find(&used, (uint64_t)other[FLEET_SOURCE_ID].number) ||
				   !is_of_resource(other, row);
		}
		if (is_first)
			otlp_profile_add_resource(o, row);
	}
	u64_map_done(&used);
}

static void otlp_profile_add_mapping(struct otlp_profile_state *o, size_t i)
{
	const union fleet_cell *row = fleet_row(o->data, FLEET_IMAGE, i);
	uint64_t build_id;

	protobuf_begin(o->p, OTLP_TABLE_MAPPING);
	otlp_profile_add_text(o, OTLP_MAPPING_FILE, row[IMAGE_NAME].text);
	if (*row[IMAGE_BUILD_ID].text) {
		build_id = place_of_attribute(o, BUILD_ID, row[IMAGE_BUILD_ID].text);
		protobuf_packed(o->p, OTLP_MAPPING_ATTRIBUTES, &build_id, 1);
	}
	protobuf_end(o->p);
}

/* Adds a function, or if it has no name, an address in the file. */
static void otlp_profile_add_location(struct otlp_profile_state *o, size_t i)
{
	const union fleet_cell *row = fleet_row(o->data, FLEET_FRAME, i);

	protobuf_begin(o->p, OTLP_TABLE_LOCATION);
	protobuf_known(o->p, OTLP_LOCATION_MAPPING,
		       otlp_profile_place_of(o, FLEET_IMAGE, row[FRAME_IMAGE].number));
	protobuf_known(o->p, OTLP_LOCATION_ADDRESS, (uint64_t)row[FRAME_ADDRESS].number);
	if (*row[FRAME_FUNCTION].text) {
		protobuf_begin(o->p, OTLP_LOCATION_LINE);
		protobuf_number(o->p, OTLP_LINE_FUNCTION,
				text_table_add(&o->functions, row[FRAME_FUNCTION].text) + 1);
		protobuf_end(o->p);
	}
	protobuf_end(o->p);
}

static void otlp_profile_add_function(struct otlp_profile_state *o, const char *name)
{
	protobuf_begin(o->p, OTLP_TABLE_FUNCTION);
	otlp_profile_add_text(o, OTLP_FUNCTION_NAME, name);
	otlp_profile_add_text(o, OTLP_FUNCTION_SYSTEM_NAME, name);
	protobuf_end(o->p);
}

/* Adds the frames of stack @id, innermost first. */
static void otlp_profile_add_stack(struct otlp_profile_state *o, int64_t id)
{
	const union fleet_cell *row;

	o->list.n = 0;
	while ((row = id ? fleet_find(o->data, FLEET_STACK, id) : NULL)) {
		*ARRAY_ADD(&o->list) = otlp_profile_place_of(o, FLEET_FRAME,
							     row[STACK_FRAME].number);
		id = row[STACK_PARENT].number;
	}
	protobuf_begin(o->p, OTLP_TABLE_STACK);
	protobuf_packed(o->p, OTLP_STACK_LOCATIONS, o->list.items, o->list.n);
	protobuf_end(o->p);
}

static void otlp_profile_add_attribute(struct otlp_profile_state *o, const char *text)
{
	const char *key = *text == *COMM ? "thread.name" : "process.executable.build_id.gnu";

	protobuf_begin(o->p, OTLP_TABLE_ATTRIBUTE);
	otlp_profile_add_text(o, OTLP_KEYED_KEY, key);
	protobuf_begin(o->p, OTLP_KEYED_VALUE);
	protobuf_text(o->p, OTLP_VALUE_STRING, text + 1);
	protobuf_end(o->p);
	protobuf_end(o->p);
}

static void otlp_profile_add_dictionary(struct otlp_profile_state *o)
{
	static const unsigned tables[] = { OTLP_TABLE_MAPPING,   OTLP_TABLE_LOCATION,
					   OTLP_TABLE_FUNCTION,  OTLP_TABLE_LINK,
					   OTLP_TABLE_ATTRIBUTE, OTLP_TABLE_STACK };
	const struct fleet_data *d = o->data;

	protobuf_begin(o->p, OTLP_DATA_DICTIONARY);
	for (size_t i = 0; i < ARRAY_SIZE(tables); i++) {
		protobuf_begin(o->p, tables[i]);
		protobuf_end(o->p);
	}
	for (size_t i = 0; i < d->tables[FLEET_IMAGE].n; i++)
		otlp_profile_add_mapping(o, i);
	for (size_t i = 0; i < d->tables[FLEET_FRAME].n; i++)
		otlp_profile_add_location(o, i);
	for (size_t i = 0; i < o->functions.n; i++)
		otlp_profile_add_function(o, o->functions.items[i]);
	for (size_t i = 0; i < o->stacks.n; i++)
		otlp_profile_add_stack(o, o->stacks.items[i]);
	for (size_t i = 0; i < o->attributes.n; i++)
		otlp_profile_add_attribute(o, o->attributes.items[i]);
	for (size_t i = 0; i < o->texts.n; i++)
		protobuf_text(o->p, OTLP_TABLE_STRING, o->texts.items[i]);
	protobuf_end(o->p);
}

void fleet_otlp_write(struct protobuf *p, const struct fleet_data *d)
{
	struct otlp_profile_state o = { .data = d, .p = p };

	text_table_add(&o.texts, "");
	add_resources(&o);
	otlp_profile_add_dictionary(&o);
	text_table_done(&o.texts);
	text_table_done(&o.functions);
	text_table_done(&o.attributes);
	u64_map_done(&o.stack_places);
	free(o.stacks.items);
	free(o.list.items);
}
