/* SPDX-License-Identifier: MIT */
/*
 * A profile has values of one type, so each event has two profiles: the number of samples and their
 * period.
 */
#include "tools/data/otlp.h"

#include <stdlib.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/otlp.h"
#include "base/protobuf.h"
#include "elf/build-id.h"
#include "profile/profile.h"
#include "profile/weighed.h"
#include "session/session.h"
#include "symbol/symbolizer.h"

struct otlp_sample {
	uint32_t event, stack;
	struct weight weight;
	uint32_t first_attribute, n_attributes; /* a range of otlp.attributes */
};

struct data_otlp {
	const struct export_source *src;
	struct otlp out;
	struct code_table code;
	struct contexts paths; /* caller + 1, location: a stack is one such path */
	struct {
		struct otlp_sample *items;
		size_t n, room;
	} samples;
	struct otlp_list attributes;
	const struct session_event **events;
	size_t n_events;
};

static const char *const attribute_names[N_EXPORT_LABELS] = {
	[EXPORT_LABEL_COMM] = "thread.name",    [EXPORT_LABEL_PID] = "process.pid",
	[EXPORT_LABEL_TID] = "thread.id",       [EXPORT_LABEL_CPU] = "cpu.logical_number",
	[EXPORT_LABEL_CGROUP] = "linux.cgroup",
};

/* Returns the index of a stack in its table. */
static uint32_t otlp_add_stack(struct data_otlp *o, const struct weighed_stack *s)
{
	uint64_t path = 0;

	for (size_t i = s->n_places; i-- > 0;) {
		const uint64_t key[] = { path, s->places[i] };

		path = contexts_add(&o->paths, key) + 1;
	}
	return (uint32_t)otlp_stack(&o->out, path);
}

/* Adds the locations of @path to @ret. */
static void otlp_list_path(void *arg, uint64_t path, struct otlp_list *ret)
{
	const struct data_otlp *o = arg;

	while (path) {
		const uint64_t *key = contexts_get(&o->paths, (uint32_t)(path - 1));

		*ARRAY_ADD(ret) = key[1] + 1;
		path = key[0];
	}
}

static void otlp_add_labels(struct data_otlp *o, struct otlp_sample *sample,
			    const struct label_values *v)
{
	sample->first_attribute = (uint32_t)o->attributes.n;
	for (int i = 0; i < N_EXPORT_LABELS; i++) {
		const char *text = label_text(v, (enum export_label)i);
		int64_t number = label_number(v, (enum export_label)i);

		if (text || number >= 0) {
			uint64_t a = otlp_attribute(&o->out, attribute_names[i], text,
						    text ? 0 : (uint64_t)number);

			*ARRAY_ADD(&o->attributes) = a;
		}
	}
	sample->n_attributes = (uint32_t)o->attributes.n - sample->first_attribute;
}

static void otlp_take_stack(void *arg, const struct weighed_stack *s)
{
	struct data_otlp *o = arg;
	struct otlp_sample sample = { .event = (uint32_t)s->event,
				      .stack = otlp_add_stack(o, s),
				      .weight = s->weight };

	otlp_add_labels(o, &sample, s->labels);
	*ARRAY_ADD(&o->samples) = sample;
}

static void otlp_set_times(const struct data_otlp *o, struct otlp_profile *ret)
{
	const struct features *f = session_features(o->src->profile->session);

	if (!features_have(f, FEATURE_SAMPLE_TIME))
		return;
	ret->has_time = features_have(f, FEATURE_CLOCK_DATA);
	ret->time_ns = f->clock_data.wall_clock_ns - f->clock_data.clockid_ns +
		       f->sample_time.first;
	ret->duration_ns = f->sample_time.last - f->sample_time.first;
}

static void otlp_add_profile(struct data_otlp *o, size_t event, bool counts_samples)
{
	const struct session_event *e = o->events[event];
	struct otlp_profile profile = {
		.event = e->name,
		.unit = weighed_unit(e),
		.counts_samples = counts_samples,
		.period = e->attr.freq ? 0 : e->attr.sample_period,
	};

	otlp_set_times(o, &profile);
	otlp_begin_profile(&o->out, &profile);
	for (size_t i = 0; i < o->samples.n; i++) {
		const struct otlp_sample *s = &o->samples.items[i];

		if (s->event == event)
			otlp_add_sample(&o->out, s->stack, o->attributes.items + s->first_attribute,
					s->n_attributes,
					counts_samples ? s->weight.samples : s->weight.period);
	}
	otlp_end_profile(&o->out, &profile);
}

static void otlp_add_profiles(struct data_otlp *o)
{
	const struct features *f = session_features(o->src->profile->session);
	const struct otlp_text texts[] = { { "host.name", f->hostname },
					   { "host.arch", f->arch },
					   { "os.type", "linux" },
					   { "os.version", f->os_release } };

	otlp_begin_resource(&o->out, texts, ARRAY_SIZE(texts));
	for (size_t i = 0; i < o->n_events; i++) {
		otlp_add_profile(o, i, false);
		otlp_add_profile(o, i, true);
	}
	otlp_end_resource(&o->out);
}

static void otlp_add_image(struct data_otlp *o, const struct code_image *im)
{
	char id[BUILD_ID_TEXT_MAX];
	const struct otlp_mapping mapping = {
		.start = im->start,
		.end = im->end,
		.offset = im->offset,
		.file = code_image_name(im),
		.build_id = build_id_format(image_build_id(im->image), id),
	};

	otlp_add_mapping(&o->out, &mapping);
}

static void otlp_add_location(struct data_otlp *o, const struct code_location *l)
{
	bool has_image = l->image != CODE_NONE;

	otlp_begin_location(&o->out, has_image ? l->image + 1 : 0, l->addr);
	for (uint32_t i = 0; i < l->n_lines; i++) {
		const struct located_function *f = &o->code.lines.items[l->first_line + i];
		const struct code_function *function = &o->code.functions.items[f->function];

		otlp_add_line(&o->out, function->name, function->file, f->line);
	}
	/* An entry without any field would mean that there is no frame. */
	if (!has_image && !l->addr && !l->n_lines)
		otlp_add_line(&o->out, "[unknown]", NULL, 0);
	otlp_end_location(&o->out);
}

static void otlp_add_dictionary(struct data_otlp *o)
{
	otlp_begin_dictionary(&o->out);
	for (size_t i = 0; i < o->code.images.n; i++)
		otlp_add_image(o, &o->code.images.items[i]);
	for (size_t i = 0; i < o->code.locations.n; i++)
		otlp_add_location(o, &o->code.locations.items[i]);
	otlp_end_dictionary(&o->out, otlp_list_path, o);
}

static void data_otlp_done(struct data_otlp *o)
{
	otlp_done(&o->out);
	code_table_done(&o->code);
	contexts_done(&o->paths);
	free(o->samples.items);
	free(o->attributes.items);
	free(o->events);
}

static int write_otlp(const struct export_source *src, struct diag *diag)
{
	_cleanup_(protobuf_done) struct protobuf p = { 0 };
	_cleanup_(data_otlp_done) struct data_otlp o = { .src = src };

	(void)diag;
	otlp_init(&o.out, &p);
	o.out.keys_first = true;
	o.events = weighed_events(src->profile, &o.n_events);
	code_table_init(&o.code, src->profile->env.frames, src->settings->lines);
	contexts_init(&o.paths, 2);
	weighed_for_each(src->profile, src->settings->labels, &o.code, otlp_take_stack, &o);
	otlp_add_profiles(&o);
	otlp_add_dictionary(&o);
	fwrite(p.out.data, 1, p.out.n, src->out);
	return 0;
}

const struct export_format export_otlp = {
	.word = "otlp",
	.title = "OTLP profiles",
	.has_labels = true,
	.has_lines = true,
	.write = write_otlp,
};
