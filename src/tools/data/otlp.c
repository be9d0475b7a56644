/* SPDX-License-Identifier: MIT */
/*
 * A ProfilesData: profiles, and a dictionary of everything to which they refer by its index in a
 * table. The first entry of each table is empty, and means none. A profile has values of one type,
 * so each event has two profiles: the number of samples and their period.
 */
#include "tools/data/otlp.h"

#include <stdlib.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/otlp-fields.h"
#include "base/protobuf.h"
#include "base/text-table.h"
#include "base/u64-map.h"
#include "elf/build-id.h"
#include "profile/profile.h"
#include "profile/weighed.h"
#include "session/session.h"
#include "symbol/symbolizer.h"

struct otlp_attribute {
	uint32_t key;
	uint32_t text; /* 0: it is a number */
	uint64_t number;
};

struct otlp_sample {
	uint32_t event, stack;
	struct weight weight;
	uint32_t first_attribute, n_attributes; /* a range of otlp.sample_attributes */
};

struct data_otlp {
	const struct export_source *src;
	struct protobuf p;
	struct text_table texts;
	/* attributes' values, which they contain directly; the first is "" */
	struct text_table values;
	struct code_table code;
	struct contexts attribute_keys; /* key, text, number */
	struct contexts functions;      /* name, file: each once, whichever image has them */
	struct contexts paths;          /* caller + 1, location: a stack is one such path */
	struct u64_map stack_of_path;   /* by path: the stack's index in its table */
	struct {
		uint32_t *items; /* the path of each stack */
		size_t n, room;
	} stacks;
	struct {
		struct otlp_sample *items;
		size_t n, room;
	} samples;
	struct {
		uint64_t *items;
		size_t n, room;
	} sample_attributes, list;
	const struct session_event **events;
	size_t n_events;
};

static const char *const attribute_names[N_EXPORT_LABELS] = {
	[EXPORT_LABEL_COMM] = "thread.name",    [EXPORT_LABEL_PID] = "process.pid",
	[EXPORT_LABEL_TID] = "thread.id",       [EXPORT_LABEL_CPU] = "cpu.logical_number",
	[EXPORT_LABEL_CGROUP] = "linux.cgroup",
};

/* Returns the index of an attribute in its table. */
static uint64_t otlp_attribute(struct data_otlp *o, const char *key, const char *text,
			       uint64_t number)
{
	const uint64_t tuple[] = { text_table_add(&o->texts, key),
				   text ? text_table_add(&o->values, text) : 0, number };

	return contexts_add(&o->attribute_keys, tuple) + 1;
}

/* Returns the index of a stack in its table. */
static uint32_t otlp_add_stack(struct data_otlp *o, const struct weighed_stack *s)
{
	uint64_t path = 0;
	uintptr_t place;

	for (size_t i = s->n_places; i-- > 0;) {
		const uint64_t key[] = { path, s->places[i] };

		path = contexts_add(&o->paths, key) + 1;
	}
	if (!path)
		return 0;
	place = (uintptr_t)u64_map_find(&o->stack_of_path, path);
	if (!place) {
		*ARRAY_ADD(&o->stacks) = (uint32_t)path;
		place = o->stacks.n;
		u64_map_put(&o->stack_of_path, path, (void *)place);
	}
	return (uint32_t)place;
}

static void add_labels(struct data_otlp *o, struct otlp_sample *sample,
		       const struct label_values *v)
{
	sample->first_attribute = (uint32_t)o->sample_attributes.n;
	for (int i = 0; i < N_EXPORT_LABELS; i++) {
		const char *text = label_text(v, (enum export_label)i);
		int64_t number = label_number(v, (enum export_label)i);

		if (text || number >= 0) {
			uint64_t a = otlp_attribute(o, attribute_names[i], text,
						    text ? 0 : (uint64_t)number);

			*ARRAY_ADD(&o->sample_attributes) = a;
		}
	}
	sample->n_attributes = (uint32_t)o->sample_attributes.n - sample->first_attribute;
}

static void otlp_take_stack(void *arg, const struct weighed_stack *s)
{
	struct data_otlp *o = arg;
	struct otlp_sample sample = { .event = (uint32_t)s->event,
				      .stack = otlp_add_stack(o, s),
				      .weight = s->weight };

	add_labels(o, &sample, s->labels);
	*ARRAY_ADD(&o->samples) = sample;
}

static void otlp_add_text(struct data_otlp *o, unsigned field, const char *s)
{
	protobuf_known(&o->p, field, text_table_add(&o->texts, s));
}

static void otlp_add_type(struct data_otlp *o, unsigned field, const char *name, const char *unit)
{
	protobuf_begin(&o->p, field);
	otlp_add_text(o, OTLP_TYPE_NAME, name);
	otlp_add_text(o, OTLP_TYPE_UNIT, unit);
	protobuf_end(&o->p);
}

static void otlp_add_times(struct data_otlp *o)
{
	const struct features *f = session_features(o->src->profile->session);

	if (!features_have(f, FEATURE_SAMPLE_TIME))
		return;
	if (features_have(f, FEATURE_CLOCK_DATA))
		protobuf_fixed64(&o->p, OTLP_PROFILE_TIME,
				 f->clock_data.wall_clock_ns - f->clock_data.clockid_ns +
					 f->sample_time.first);
	protobuf_known(&o->p, OTLP_PROFILE_DURATION, f->sample_time.last - f->sample_time.first);
}

static void otlp_add_sample(struct data_otlp *o, const struct otlp_sample *s, uint64_t value)
{
	protobuf_begin(&o->p, OTLP_PROFILE_SAMPLE);
	protobuf_known(&o->p, OTLP_SAMPLE_STACK, s->stack);
	protobuf_packed(&o->p, OTLP_SAMPLE_ATTRIBUTES,
			o->sample_attributes.items + s->first_attribute, s->n_attributes);
	protobuf_packed(&o->p, OTLP_SAMPLE_VALUES, &value, 1);
	protobuf_end(&o->p);
}

static void otlp_add_profile(struct data_otlp *o, size_t event, bool counts_samples)
{
	const struct session_event *e = o->events[event];

	protobuf_begin(&o->p, OTLP_SCOPE_PROFILE);
	if (counts_samples)
		otlp_add_type(o, OTLP_PROFILE_TYPE, "samples", "count");
	else
		otlp_add_type(o, OTLP_PROFILE_TYPE, e->name, weighed_unit(e));
	for (size_t i = 0; i < o->samples.n; i++) {
		const struct otlp_sample *s = &o->samples.items[i];

		if (s->event == event)
			otlp_add_sample(o, s,
					counts_samples ? s->weight.samples : s->weight.period);
	}
	otlp_add_times(o);
	otlp_add_type(o, OTLP_PROFILE_PERIOD_TYPE, e->name, weighed_unit(e));
	if (!e->attr.freq)
		protobuf_known(&o->p, OTLP_PROFILE_PERIOD, e->attr.sample_period);
	protobuf_end(&o->p);
}

/* Adds an attribute of a resource, whose texts are not in the table. */
static void otlp_add_resource_text(struct data_otlp *o, const char *key, const char *text)
{
	if (!text)
		return;
	protobuf_begin(&o->p, OTLP_RESOURCE_ATTRIBUTE);
	protobuf_text(&o->p, OTLP_ATTRIBUTE_KEY, key);
	protobuf_begin(&o->p, OTLP_ATTRIBUTE_VALUE);
	protobuf_text(&o->p, OTLP_VALUE_STRING, text);
	protobuf_end(&o->p);
	protobuf_end(&o->p);
}

static void otlp_add_resource(struct data_otlp *o)
{
	const struct features *f = session_features(o->src->profile->session);

	protobuf_begin(&o->p, OTLP_RESOURCE_RESOURCE);
	otlp_add_resource_text(o, "host.name", f->hostname);
	otlp_add_resource_text(o, "host.arch", f->arch);
	otlp_add_resource_text(o, "os.type", "linux");
	otlp_add_resource_text(o, "os.version", f->os_release);
	protobuf_end(&o->p);
}

static void add_profiles(struct data_otlp *o)
{
	protobuf_begin(&o->p, OTLP_DATA_RESOURCE);
	otlp_add_resource(o);
	protobuf_begin(&o->p, OTLP_RESOURCE_SCOPE);
	protobuf_begin(&o->p, OTLP_SCOPE_SCOPE);
	protobuf_text(&o->p, OTLP_SCOPE_NAME, "perf");
	protobuf_end(&o->p);
	for (size_t i = 0; i < o->n_events; i++) {
		otlp_add_profile(o, i, false);
		otlp_add_profile(o, i, true);
	}
	protobuf_end(&o->p);
	protobuf_end(&o->p);
}

static void add_nothing(struct data_otlp *o, unsigned field)
{
	protobuf_begin(&o->p, field);
	protobuf_end(&o->p);
}

static void otlp_add_mapping(struct data_otlp *o, const struct code_image *im)
{
	char id[BUILD_ID_TEXT_MAX];
	uint64_t build_id;

	protobuf_begin(&o->p, OTLP_TABLE_MAPPING);
	protobuf_known(&o->p, OTLP_MAPPING_START, im->start);
	protobuf_known(&o->p, OTLP_MAPPING_END, im->end);
	protobuf_known(&o->p, OTLP_MAPPING_OFFSET, im->offset);
	otlp_add_text(o, OTLP_MAPPING_FILE, code_image_name(im));
	if (*build_id_format(image_build_id(im->image), id)) {
		build_id = otlp_attribute(o, "process.executable.build_id.gnu", id, 0);
		protobuf_packed(&o->p, OTLP_MAPPING_ATTRIBUTES, &build_id, 1);
	}
	protobuf_end(&o->p);
}

/* Returns the index of a function in its table. */
static uint64_t function_place(struct data_otlp *o, const struct code_function *f)
{
	const uint64_t key[] = { text_table_add(&o->texts, f->name),
				 f->file ? text_table_add(&o->texts, f->file) : 0 };

	return contexts_add(&o->functions, key) + 1;
}

/*
 * True if the location has only the address 0: an entry without any field would mean that there is
 * no frame.
 */
static bool is_nothing(const struct code_location *l)
{
	return l->image == CODE_NONE && !l->addr && !l->n_lines;
}

static void otlp_add_unknown(struct data_otlp *o)
{
	static const struct code_function unknown = { .name = "[unknown]" };

	protobuf_begin(&o->p, OTLP_LOCATION_LINE);
	protobuf_number(&o->p, OTLP_LINE_FUNCTION, function_place(o, &unknown));
	protobuf_end(&o->p);
}

static void otlp_add_location(struct data_otlp *o, const struct code_location *l)
{
	protobuf_begin(&o->p, OTLP_TABLE_LOCATION);
	if (l->image != CODE_NONE)
		protobuf_number(&o->p, OTLP_LOCATION_MAPPING, l->image + 1);
	protobuf_known(&o->p, OTLP_LOCATION_ADDRESS, l->addr);
	for (uint32_t i = 0; i < l->n_lines; i++) {
		const struct located_function *f = &o->code.lines.items[l->first_line + i];

		protobuf_begin(&o->p, OTLP_LOCATION_LINE);
		protobuf_number(&o->p, OTLP_LINE_FUNCTION,
				function_place(o, &o->code.functions.items[f->function]));
		protobuf_known(&o->p, OTLP_LINE_LINE, f->line);
		protobuf_end(&o->p);
	}
	if (is_nothing(l))
		otlp_add_unknown(o);
	protobuf_end(&o->p);
}

static void otlp_add_function(struct data_otlp *o, const uint64_t *key)
{
	protobuf_begin(&o->p, OTLP_TABLE_FUNCTION);
	protobuf_known(&o->p, OTLP_FUNCTION_NAME, key[0]);
	protobuf_known(&o->p, OTLP_FUNCTION_SYSTEM_NAME, key[0]);
	protobuf_known(&o->p, OTLP_FUNCTION_FILE, key[1]);
	protobuf_end(&o->p);
}

/* Adds the locations of @path, innermost first. */
static void otlp_add_path(struct data_otlp *o, uint64_t path)
{
	o->list.n = 0;
	while (path) {
		const uint64_t *key = contexts_get(&o->paths, (uint32_t)(path - 1));

		*ARRAY_ADD(&o->list) = key[1] + 1;
		path = key[0];
	}
	protobuf_begin(&o->p, OTLP_TABLE_STACK);
	protobuf_packed(&o->p, OTLP_STACK_LOCATIONS, o->list.items, o->list.n);
	protobuf_end(&o->p);
}

static void otlp_add_attribute(struct data_otlp *o, const uint64_t *tuple)
{
	protobuf_begin(&o->p, OTLP_TABLE_ATTRIBUTE);
	protobuf_known(&o->p, OTLP_KEYED_KEY, tuple[0]);
	protobuf_begin(&o->p, OTLP_KEYED_VALUE);
	if (tuple[1])
		protobuf_text(&o->p, OTLP_VALUE_STRING, o->values.items[tuple[1]]);
	else
		protobuf_number(&o->p, OTLP_VALUE_INT, tuple[2]);
	protobuf_end(&o->p);
	protobuf_end(&o->p);
}

static void otlp_add_dictionary(struct data_otlp *o)
{
	static const unsigned tables[] = { OTLP_TABLE_MAPPING,   OTLP_TABLE_LOCATION,
					   OTLP_TABLE_FUNCTION,  OTLP_TABLE_LINK,
					   OTLP_TABLE_ATTRIBUTE, OTLP_TABLE_STACK };

	protobuf_begin(&o->p, OTLP_DATA_DICTIONARY);
	for (size_t i = 0; i < ARRAY_SIZE(tables); i++)
		add_nothing(o, tables[i]);
	for (size_t i = 0; i < o->code.images.n; i++)
		otlp_add_mapping(o, &o->code.images.items[i]);
	for (size_t i = 0; i < o->code.locations.n; i++)
		otlp_add_location(o, &o->code.locations.items[i]);
	for (uint32_t i = 0; i < o->functions.n; i++)
		otlp_add_function(o, contexts_get(&o->functions, i));
	for (size_t i = 0; i < o->stacks.n; i++)
		otlp_add_path(o, o->stacks.items[i]);
	for (uint32_t i = 0; i < o->attribute_keys.n; i++)
		otlp_add_attribute(o, contexts_get(&o->attribute_keys, i));
	for (size_t i = 0; i < o->texts.n; i++)
		protobuf_text(&o->p, OTLP_TABLE_STRING, o->texts.items[i]);
	protobuf_end(&o->p);
}

static void otlp_done(struct data_otlp *o)
{
	protobuf_done(&o->p);
	text_table_done(&o->texts);
	text_table_done(&o->values);
	code_table_done(&o->code);
	contexts_done(&o->attribute_keys);
	contexts_done(&o->functions);
	contexts_done(&o->paths);
	u64_map_done(&o->stack_of_path);
	free(o->stacks.items);
	free(o->samples.items);
	free(o->sample_attributes.items);
	free(o->list.items);
	free(o->events);
}

static int write_otlp(const struct export_source *src, struct diag *diag)
{
	_cleanup_(otlp_done) struct data_otlp o = { .src = src };

	(void)diag;
	o.events = weighed_events(src->profile, &o.n_events);
	code_table_init(&o.code, src->profile->env.frames, src->settings->lines);
	contexts_init(&o.attribute_keys, 3);
	contexts_init(&o.functions, 2);
	contexts_init(&o.paths, 2);
	text_table_add(&o.texts, "");
	text_table_add(&o.values, "");
	weighed_for_each(src->profile, src->settings->labels, &o.code, otlp_take_stack, &o);
	add_profiles(&o);
	otlp_add_dictionary(&o);
	fwrite(o.p.out.data, 1, o.p.out.n, src->out);
	return 0;
}

const struct export_format export_otlp = {
	.word = "otlp",
	.title = "OTLP profiles",
	.has_labels = true,
	.has_lines = true,
	.write = write_otlp,
};
