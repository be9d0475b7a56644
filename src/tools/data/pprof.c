/* SPDX-License-Identifier: MIT */
/*
 * pprof: a gzipped message of the schema profile.proto, made common by Go's tools.
 *
 * Every sample has two values for each event: how many samples it stands for, and their period.
 * Texts are numbers of a string table whose first entry is "". Everything else is numbered from 1.
 */
#include "tools/data/pprof.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/pprof-fields.h"
#include "base/protobuf.h"
#include "base/text-table.h"
#include "elf/build-id.h"
#include "profile/profile.h"
#include "profile/weighed.h"
#include "session/session.h"
#include "symbol/symbolizer.h"
#include "tools/data/packed-file.h"

/* The message is passed on when it has grown to this size. */
#define PIECE_BYTES 65536

struct data_pprof {
	const struct export_source *src;
	struct packed_file *file;
	struct protobuf p;
	struct text_table texts;
	struct code_table code;
	const struct session_event **events;
	size_t n_events;
	uint64_t *values; /* two for each event: 0 except for the current event */
	struct {
		uint64_t *items;
		size_t n, room;
	} ids;
};

static void pprof_hand_on(struct data_pprof *o, size_t limit)
{
	if (o->p.out.n < limit)
		return;
	packed_file_add(o->file, o->p.out.data, o->p.out.n);
	protobuf_clear(&o->p);
}

static void pprof_add_text(struct data_pprof *o, unsigned field, const char *s)
{
	protobuf_known(&o->p, field, text_table_add(&o->texts, s));
}

static void pprof_add_type(struct data_pprof *o, unsigned field, const char *name, const char *unit)
{
	protobuf_begin(&o->p, field);
	pprof_add_text(o, PPROF_TYPE_NAME, name);
	pprof_add_text(o, PPROF_TYPE_UNIT, unit);
	protobuf_end(&o->p);
}

/* Returns the type that counts samples. With several events, it contains the event's name too. */
static char *samples_type(const struct data_pprof *o, size_t i)
{
	return o->n_events == 1 ? xstrdup("samples") : xasprintf("%s_samples", o->events[i]->name);
}

static void pprof_add_types(struct data_pprof *o)
{
	for (size_t i = 0; i < o->n_events; i++) {
		_cleanup_(freep) char *samples = samples_type(o, i);

		pprof_add_type(o, PPROF_PROFILE_SAMPLE_TYPE, samples, "count");
		pprof_add_type(o, PPROF_PROFILE_SAMPLE_TYPE, o->events[i]->name,
			       weighed_unit(o->events[i]));
	}
	if (!o->n_events)
		return;
	pprof_add_text(o, PPROF_PROFILE_DEFAULT_TYPE, o->events[0]->name);
	if (o->events[0]->attr.freq)
		return;
	pprof_add_type(o, PPROF_PROFILE_PERIOD_TYPE, o->events[0]->name,
		       weighed_unit(o->events[0]));
	protobuf_known(&o->p, PPROF_PROFILE_PERIOD, o->events[0]->attr.sample_period);
}

static void pprof_add_label(struct data_pprof *o, const struct label_values *v,
			    enum export_label label)
{
	const char *text = label_text(v, label);
	int64_t number = label_number(v, label);

	if (!text && number < 0)
		return;
	protobuf_begin(&o->p, PPROF_SAMPLE_LABEL);
	pprof_add_text(o, PPROF_LABEL_KEY, export_label_name(label));
	if (text)
		pprof_add_text(o, PPROF_LABEL_TEXT, text);
	else
		protobuf_number(&o->p, PPROF_LABEL_NUMBER, (uint64_t)number);
	protobuf_end(&o->p);
}

static void pprof_add_sample(void *arg, const struct weighed_stack *s)
{
	struct data_pprof *o = arg;
	uint64_t *values = o->values + 2 * s->event;

	o->ids.n = 0;
	for (size_t i = 0; i < s->n_places; i++)
		*ARRAY_ADD(&o->ids) = s->places[i] + 1;
	values[0] = s->weight.samples;
	values[1] = s->weight.period;
	protobuf_begin(&o->p, PPROF_PROFILE_SAMPLE);
	protobuf_packed(&o->p, PPROF_SAMPLE_LOCATIONS, o->ids.items, o->ids.n);
	protobuf_packed(&o->p, PPROF_SAMPLE_VALUES, o->values, 2 * o->n_events);
	for (int i = 0; i < N_EXPORT_LABELS; i++)
		pprof_add_label(o, s->labels, (enum export_label)i);
	protobuf_end(&o->p);
	values[0] = values[1] = 0;
	pprof_hand_on(o, PIECE_BYTES);
}

static void pprof_add_mapping(struct data_pprof *o, uint32_t i)
{
	const struct code_image *im = &o->code.images.items[i];
	char id[BUILD_ID_TEXT_MAX];

	protobuf_begin(&o->p, PPROF_PROFILE_MAPPING);
	protobuf_number(&o->p, PPROF_MAPPING_ID, i + 1);
	protobuf_known(&o->p, PPROF_MAPPING_START, im->start);
	protobuf_known(&o->p, PPROF_MAPPING_END, im->end);
	protobuf_known(&o->p, PPROF_MAPPING_OFFSET, im->offset);
	pprof_add_text(o, PPROF_MAPPING_FILE, code_image_name(im));
	pprof_add_text(o, PPROF_MAPPING_BUILD_ID, build_id_format(image_build_id(im->image), id));
	protobuf_bool(&o->p, PPROF_MAPPING_HAS_FUNCTIONS, im->has_functions);
	protobuf_bool(&o->p, PPROF_MAPPING_HAS_FILES, im->has_lines);
	protobuf_bool(&o->p, PPROF_MAPPING_HAS_LINES, im->has_lines);
	protobuf_bool(&o->p, PPROF_MAPPING_HAS_INLINES, im->has_inlines);
	protobuf_end(&o->p);
}

static void pprof_add_line(struct data_pprof *o, const struct located_function *l)
{
	protobuf_begin(&o->p, PPROF_LOCATION_LINE);
	protobuf_number(&o->p, PPROF_LINE_FUNCTION, l->function + 1);
	protobuf_known(&o->p, PPROF_LINE_LINE, l->line);
	protobuf_end(&o->p);
}

static void pprof_add_location(struct data_pprof *o, uint32_t i)
{
	const struct code_location *l = &o->code.locations.items[i];

	protobuf_begin(&o->p, PPROF_PROFILE_LOCATION);
	protobuf_number(&o->p, PPROF_LOCATION_ID, i + 1);
	if (l->image != CODE_NONE)
		protobuf_number(&o->p, PPROF_LOCATION_MAPPING, l->image + 1);
	protobuf_known(&o->p, PPROF_LOCATION_ADDRESS, l->addr);
	for (uint32_t k = 0; k < l->n_lines; k++)
		pprof_add_line(o, &o->code.lines.items[l->first_line + k]);
	protobuf_end(&o->p);
	pprof_hand_on(o, PIECE_BYTES);
}

static void pprof_add_function(struct data_pprof *o, uint32_t i)
{
	const struct code_function *f = &o->code.functions.items[i];

	protobuf_begin(&o->p, PPROF_PROFILE_FUNCTION);
	protobuf_number(&o->p, PPROF_FUNCTION_ID, i + 1);
	pprof_add_text(o, PPROF_FUNCTION_NAME, f->name);
	pprof_add_text(o, PPROF_FUNCTION_SYSTEM_NAME, f->name);
	if (f->file)
		pprof_add_text(o, PPROF_FUNCTION_FILE, f->file);
	protobuf_end(&o->p);
	pprof_hand_on(o, PIECE_BYTES);
}

/* Adds when it was recorded, and for how long, if the recording has that data. */
static void pprof_add_times(struct data_pprof *o)
{
	const struct features *f = session_features(o->src->profile->session);

	if (!features_have(f, FEATURE_SAMPLE_TIME))
		return;
	if (features_have(f, FEATURE_CLOCK_DATA))
		protobuf_known(&o->p, PPROF_PROFILE_TIME,
			       f->clock_data.wall_clock_ns - f->clock_data.clockid_ns +
				       f->sample_time.first);
	protobuf_known(&o->p, PPROF_PROFILE_DURATION, f->sample_time.last - f->sample_time.first);
}

static void add_comment(struct data_pprof *o)
{
	const struct features *f = session_features(o->src->profile->session);
	_cleanup_(text_done) struct text line = TEXT_EMPTY;

	for (size_t i = 0; i < f->cmdline.n; i++)
		text_addf(&line, "%s%s", i ? " " : "", f->cmdline.items[i]);
	if (line.length)
		pprof_add_text(o, PPROF_PROFILE_COMMENT, line.chars);
}

static void pprof_add_all(struct data_pprof *o)
{
	text_table_add(&o->texts, "");
	pprof_add_types(o);
	pprof_add_times(o);
	add_comment(o);
	weighed_for_each(o->src->profile, o->src->settings->labels, &o->code, pprof_add_sample, o);
	for (uint32_t i = 0; i < o->code.images.n; i++)
		pprof_add_mapping(o, i);
	for (uint32_t i = 0; i < o->code.locations.n; i++)
		pprof_add_location(o, i);
	for (uint32_t i = 0; i < o->code.functions.n; i++)
		pprof_add_function(o, i);
	for (size_t i = 0; i < o->texts.n; i++) {
		protobuf_text(&o->p, PPROF_PROFILE_STRING, o->texts.items[i]);
		pprof_hand_on(o, PIECE_BYTES);
	}
	pprof_hand_on(o, 0);
}

static int write_pprof(const struct export_source *src, struct diag *diag)
{
	_cleanup_(packed_file_freep) struct packed_file *file = packed_file_new(src->out);
	struct data_pprof o = { .src = src, .file = file };

	(void)diag;
	o.events = weighed_events(src->profile, &o.n_events);
	o.values = xcalloc(2 * o.n_events + 1, sizeof(*o.values));
	code_table_init(&o.code, src->profile->env.frames, src->settings->lines);
	pprof_add_all(&o);
	packed_file_end(file);
	code_table_done(&o.code);
	text_table_done(&o.texts);
	protobuf_done(&o.p);
	free(o.events);
	free(o.values);
	free(o.ids.items);
	return 0;
}

const struct export_format export_pprof = {
	.word = "pprof",
	.title = "pprof data",
	.has_labels = true,
	.has_lines = true,
	.write = write_pprof,
};
