/* SPDX-License-Identifier: MIT */
#include "store/otlp-profile.h"

#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/otlp.h"
#include "base/u64-map.h"
#include "store/content-id.h"
#include "store/data.h"

#define SECOND_NS UINT64_C(1000000000)

/* The state of writing. Images and frames are mappings and locations in the order of their rows. */
struct otlp_profile_state {
	const struct fleet_data *data;
	struct otlp out;
};

/* Samples of one resource, minute and event: those of these rows whose source is @resource's. */
struct otlp_profile_part {
	const union fleet_cell *resource; /* a row of FLEET_SOURCE */
	size_t from, to;
	int64_t event;
};

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
	uint64_t attribute = otlp_attribute(&o->out, "thread.name", source[FLEET_SOURCE_COMM].text,
					    0);

	otlp_add_sample(&o->out, otlp_stack(&o->out, (uint64_t)row[SAMPLE_STACK].number),
			&attribute, 1, (uint64_t)row[value_column].number);
}

/* Makes the id of a profile, two numbers. */
static void otlp_profile_make_id(const struct otlp_profile_state *o,
				 const struct otlp_profile_part *part, size_t value_column,
				 int64_t ret[2])
{
	struct content_hash h;

	content_hash_begin(&h);
	content_hash_number(&h, (uint64_t)part->event);
	content_hash_number(&h, value_column);
	content_hash_text(&h, part->resource[FLEET_SOURCE_HOST].text);
	content_hash_text(&h, part->resource[FLEET_SOURCE_SERVICE].text);
	content_hash_text(&h, part->resource[FLEET_SOURCE_CONTAINER].text);
	ret[0] = fleet_row(o->data, FLEET_SAMPLE, part->from)[SAMPLE_BATCH].number;
	ret[1] = content_hash_id(&h);
}

static void otlp_profile_add(struct otlp_profile_state *o, const struct otlp_profile_part *part,
			     size_t value_column)
{
	const union fleet_cell *first = fleet_row(o->data, FLEET_SAMPLE, part->from);
	const union fleet_cell *event = fleet_find(o->data, FLEET_EVENT, part->event);
	int64_t id[2];
	const struct otlp_profile profile = {
		.event = event ? event[EVENT_NAME].text : "",
		.unit = event && event[EVENT_IS_TIME].number ? "nanoseconds" : "count",
		.counts_samples = value_column == SAMPLE_SAMPLES,
		.has_time = true,
		.time_ns = (uint64_t)first[SAMPLE_MINUTE].number * SECOND_NS,
		.duration_ns = 60 * SECOND_NS,
		.id = id,
	};

	otlp_profile_make_id(o, part, value_column, id);
	otlp_begin_profile(&o->out, &profile);
	for (size_t i = part->from; i < part->to; i++) {
		const union fleet_cell *row = fleet_row(o->data, FLEET_SAMPLE, i);

		if (otlp_profile_is_in(o, part, row))
			otlp_profile_add_sample(o, row, value_column);
	}
	otlp_end_profile(&o->out, &profile);
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

/* Returns @text, or NULL if there is none. */
static const char *otlp_profile_known(union fleet_cell text)
{
	return *text.text ? text.text : NULL;
}

static void otlp_profile_add_resource(struct otlp_profile_state *o,
				      const union fleet_cell *resource)
{
	const struct fleet_rows *samples = &o->data->tables[FLEET_SAMPLE];
	const struct otlp_text texts[] = {
		{ "host.name", otlp_profile_known(resource[FLEET_SOURCE_HOST]) },
		{ "service.name", otlp_profile_known(resource[FLEET_SOURCE_SERVICE]) },
		{ "container.id", otlp_profile_known(resource[FLEET_SOURCE_CONTAINER]) },
		{ "os.type", "linux" },
	};
	size_t from = 0;

	otlp_begin_resource(&o->out, texts, ARRAY_SIZE(texts));
	for (size_t i = 1; i <= samples->n; i++) {
		if (i < samples->n &&
		    fleet_row(o->data, FLEET_SAMPLE, i)[SAMPLE_BATCH].number ==
			    fleet_row(o->data, FLEET_SAMPLE, from)[SAMPLE_BATCH].number)
			continue;
		add_batch(o, resource, from, i);
		from = i;
	}
	otlp_end_resource(&o->out);
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

/* Adds a function, or if it has no name, an address in the file. */
static void otlp_profile_add_location(struct otlp_profile_state *o, const union fleet_cell *row)
{
	otlp_begin_location(&o->out,
			    fleet_find_number(o->data, FLEET_IMAGE, row[FRAME_IMAGE].number),
			    (uint64_t)row[FRAME_ADDRESS].number);
	if (*row[FRAME_FUNCTION].text)
		otlp_add_line(&o->out, row[FRAME_FUNCTION].text, NULL, 0);
	otlp_end_location(&o->out);
}

static void otlp_profile_list_frames(void *arg, uint64_t stack, struct otlp_list *ret)
{
	const struct otlp_profile_state *o = arg;
	int64_t id = (int64_t)stack;
	const union fleet_cell *row;

	while ((row = id ? fleet_find(o->data, FLEET_STACK, id) : NULL)) {
		*ARRAY_ADD(ret) = fleet_find_number(o->data, FLEET_FRAME, row[STACK_FRAME].number);
		id = row[STACK_PARENT].number;
	}
}

static void otlp_profile_add_dictionary(struct otlp_profile_state *o)
{
	const struct fleet_data *d = o->data;

	otlp_begin_dictionary(&o->out);
	for (size_t i = 0; i < d->tables[FLEET_IMAGE].n; i++) {
		const union fleet_cell *row = fleet_row(d, FLEET_IMAGE, i);

		otlp_add_mapping(&o->out,
				 &(struct otlp_mapping){ .file = row[IMAGE_NAME].text,
							 .build_id = row[IMAGE_BUILD_ID].text });
	}
	for (size_t i = 0; i < d->tables[FLEET_FRAME].n; i++)
		otlp_profile_add_location(o, fleet_row(d, FLEET_FRAME, i));
	otlp_end_dictionary(&o->out, otlp_profile_list_frames, o);
}

void fleet_otlp_write(struct protobuf *p, const struct fleet_data *d)
{
	struct otlp_profile_state o = { .data = d };

	otlp_init(&o.out, p);
	add_resources(&o);
	otlp_profile_add_dictionary(&o);
	otlp_done(&o.out);
}
