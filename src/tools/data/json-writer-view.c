/* SPDX-License-Identifier: MIT */
#include "tools/data/json-writer-view.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "session/machine.h"
#include "symbol/symbolizer.h"
#include "tools/data/number-format-model.h"
#include "tracepoint/field.h"
#include "tracepoint/format.h"
#include "tracepoint/plan.h"
#include "view/record-text.h"
#include "wire/sample.h"

/* The number of open brackets around a sample, its members, and the frames of its stack. */
enum {
	DEPTH_SAMPLE = 2,
	DEPTH_MEMBER,
	DEPTH_FRAME,
};

/* A power of two; more than the distinct frames of most profiles. */
#define FRAMES_MAX 16384

/* The frame at an address of a space, as JSON. */
struct json_frame {
	const void *space;
	uint64_t ip;
	bool is_call; /* its function is that of the call before the address */
	uint64_t generation;
	struct span span;
	struct text text;
};

void sample_writer_init(struct sample_writer *w, const struct json_style *style)
{
	*w = (struct sample_writer){
		.style = style, .out = TEXT_EMPTY, .comm_text = TEXT_EMPTY, .scratch = TEXT_EMPTY
	};
	json_init_text(&w->json, &w->out);
	w->json.spreads_empty = true;
}

void sample_writer_done(struct sample_writer *w)
{
	for (size_t i = 0; w->frames && i < FRAMES_MAX; i++)
		text_done(&w->frames[i].text);
	free(w->frames);
	u64_map_done(&w->formats);
	arena_done(&w->arena);
	text_done(&w->out);
	text_done(&w->comm_text);
	text_done(&w->scratch);
	call_chain_done(&w->chain);
}

static void sample_writer_write_frame(struct text *t, uint64_t ip, const struct location *at)
{
	struct json j;

	text_clear(t);
	json_init_value(&j, t, DEPTH_FRAME);
	json_object(&j);
	json_member_address(&j, "ip", ip);
	if (at->sym) {
		json_member(&j, "symbol", at->sym->name);
		json_member(&j, "dso", image_short_name(at->map->image));
	}
	json_end(&j, '}');
}

static struct json_frame *frames_new(void)
{
	struct json_frame *frames = xcalloc(FRAMES_MAX, sizeof(*frames));

	for (size_t i = 0; i < FRAMES_MAX; i++)
		frames[i].text = (struct text)TEXT_EMPTY;
	return frames;
}

static const struct text *sample_writer_frame_at(struct sample_writer *w, const void *space,
						 const struct sample *s,
						 const struct chain_entry *e, bool is_call)
{
	const struct session *session = w->style->session;
	uint64_t generation = machine_generation(session);
	uint64_t hash = (e->ip ^ (uintptr_t)space >> 4) * UINT64_C(0x9e3779b97f4a7c15);
	struct json_frame *f = &w->frames[hash >> 32 & (FRAMES_MAX - 1)];
	struct location at;

	if (f->space == space && f->ip == e->ip && f->is_call == is_call &&
	    f->generation == generation && span_has(&f->span, s->time) && f->text.length)
		return &f->text;
	machine_resolve_span(session, s->pid, e->mode, e->ip - is_call, s->time, &at, &f->span);
	if (is_call && !at.sym)
		machine_resolve_span(session, s->pid, e->mode, e->ip, s->time, &at, &f->span);
	f->space = space;
	f->ip = e->ip;
	f->is_call = is_call;
	f->generation = generation;
	sample_writer_write_frame(&f->text, e->ip, &at);
	return &f->text;
}

/* Takes the chain. Without one, only the sample's own place is used. */
static void sample_writer_take_chain(struct sample_writer *w, const struct session_event *e,
				     const struct sample *s)
{
	struct call_chain *c = &w->chain;

	if (e->attr.sample_type & PERF_SAMPLE_CALLCHAIN) {
		call_chain_take(c, w->style->session, s, s->time, SIZE_MAX);
		call_chain_mark_unwound(c, &e->attr);
		return;
	}
	c->n = 0;
	if (!(e->attr.sample_type & PERF_SAMPLE_IP))
		return;
	c->items = array_reserve(c->items, &c->room, 1, sizeof(*c->items));
	c->items[c->n++] = (struct chain_entry){ .ip = s->ip, .mode = address_mode_of(s->misc) };
}

static void sample_writer_add_chain(struct sample_writer *w, const struct session_event *e,
				    const struct sample *s)
{
	const void *space = NULL;

	if (!w->frames)
		w->frames = frames_new();
	sample_writer_take_chain(w, e, s);
	json_key(&w->json, "callchain");
	json_array(&w->json);
	for (size_t i = 0; i < w->chain.n; i++) {
		const struct chain_entry *entry = &w->chain.items[i];
		const struct text *t;
		struct span span;

		if (!i || entry->mode != entry[-1].mode)
			space = machine_space(w->style->session, s->pid, entry->mode, s->time,
					      &span);
		t = sample_writer_frame_at(
			w, space, s, entry,
			call_chain_is_call(&w->chain, w->style->session, s->pid, s->time, i));
		json_written(&w->json, t->chars, t->length);
	}
	json_end(&w->json, ']');
}

static void sample_writer_add_comm(struct sample_writer *w, const struct sample *s)
{
	const char *comm = machine_comm(w->style->session, s->pid, s->tid, s->time);

	if (comm != w->comm) {
		struct json j;

		w->comm = comm;
		text_clear(&w->comm_text);
		json_init_value(&j, &w->comm_text, DEPTH_MEMBER);
		json_string(&j, comm);
	}
	json_key(&w->json, "comm");
	json_written(&w->json, w->comm_text.chars, w->comm_text.length);
}

/* Adds a field. Addresses and arrays are text, as `script' prints them. */
static void sample_writer_add_field(struct sample_writer *w, const struct session_event *e,
				    const struct sample *s, const struct tracepoint_field *f)
{
	const struct field_ref ref = field_ref_of(f, w->style->swap);
	uint64_t v;

	if (!f->is_pointer && field_ref_number(&ref, s->raw, s->raw_size, &v)) {
		if (f->is_signed)
			json_member_signed(&w->json, f->name, (int64_t)v);
		else
			json_member_unsigned(&w->json, f->name, v);
		return;
	}
	text_clear(&w->scratch);
	tracepoint_plan_print_field(e->plan, w->style->tracepoints, f, s->raw, s->raw_size,
				    &w->scratch);
	json_member(&w->json, f->name, w->scratch.chars);
}

static void sample_writer_add_fields(struct sample_writer *w, const struct session_event *e,
				     const struct sample *s)
{
	json_key(&w->json, "fields");
	json_object(&w->json);
	for (size_t i = 0; i < e->format->n_fields; i++)
		if (!e->format->fields[i].is_common)
			sample_writer_add_field(w, e, s, &e->format->fields[i]);
	json_end(&w->json, '}');
}

/* Returns the format of @f in the print fmt of @e, which is looked up once. */
static const struct number_format *sample_writer_format_of(struct sample_writer *w,
							   const struct session_event *e,
							   const struct tracepoint_field *f)
{
	struct number_format *format = u64_map_find(&w->formats, (uintptr_t)f);

	if (!format) {
		format = arena_alloc(&w->arena, sizeof(*format));
		*format = number_format_find(e->format->print_fmt, f->name);
		u64_map_put(&w->formats, (uintptr_t)f, format);
	}
	return format;
}

/*
 * Adds the text of a field. A number has the form that it has in the event's text; other fields are
 * unchanged.
 */
static void add_field_text(struct sample_writer *w, const struct session_event *e,
			   const struct sample *s, const struct tracepoint_field *f)
{
	const struct number_format *format = sample_writer_format_of(w, e, f);
	const struct field_ref ref = field_ref_of(f, w->style->swap);
	uint64_t v;

	text_clear(&w->scratch);
	if (format->conversion && field_ref_number(&ref, s->raw, s->raw_size, &v))
		number_format_add(&w->scratch, format, v);
	else
		tracepoint_plan_print_field(e->plan, w->style->tracepoints, f, s->raw, s->raw_size,
					    &w->scratch);
	json_member(&w->json, f->name, w->scratch.chars);
}

/* Adds the fields in the form of Linux's perf: beside the other members, all of them texts. */
static void add_field_texts(struct sample_writer *w, const struct session_event *e,
			    const struct sample *s)
{
	for (size_t i = 0; i < e->format->n_fields; i++)
		if (!e->format->fields[i].is_common)
			add_field_text(w, e, s, &e->format->fields[i]);
}

static void sample_writer_add_rest(struct sample_writer *w, const struct session_event *e,
				   const struct sample *s, uint64_t period)
{
	uint64_t type = e->attr.sample_type;
	struct json *j = &w->json;

	json_member(j, "event", e->name);
	json_member_unsigned(j, "period", period);
	if (type & PERF_SAMPLE_ADDR)
		json_member_address(j, "addr", s->addr);
	if (type & PERF_SAMPLE_PHYS_ADDR)
		json_member_address(j, "phys-addr", s->phys_addr);
	if (type & (PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT))
		json_member_unsigned(j, "weight", s->weight);
	if (type & PERF_SAMPLE_CGROUP)
		json_member_unsigned(j, "cgroup", s->cgroup);
	if (type & PERF_SAMPLE_RAW && e->format && e->plan)
		sample_writer_add_fields(w, e, s);
}

static void sample_writer_begin(struct sample_writer *w)
{
	w->json.depth = DEPTH_SAMPLE;
	w->json.filled = true;
	json_object(&w->json);
}

/* Adds the time. -1: there is none. */
static void sample_writer_add_time(struct sample_writer *w, uint64_t time, bool there)
{
	json_member_signed(&w->json, "timestamp",
			   there ? (int64_t)time + w->style->wall_offset_ns : -1);
}

void sample_writer_sample(struct sample_writer *w, const struct session_sample *ss)
{
	const struct session_event *event = ss->event;
	const struct sample *s = ss->sample;
	uint64_t type = event->attr.sample_type;
	struct json *j = &w->json;

	sample_writer_begin(w);
	sample_writer_add_time(w, s->time, type & PERF_SAMPLE_TIME);
	json_member_signed(j, "pid", (int32_t)s->pid);
	json_member_signed(j, "tid", (int32_t)s->tid);
	if (type & PERF_SAMPLE_CPU)
		json_member_signed(j, "cpu", (int32_t)s->cpu);
	sample_writer_add_comm(w, s);
	sample_writer_add_chain(w, event, s);
	if (w->style->all)
		sample_writer_add_rest(w, event, s, ss->period);
	else if (type & PERF_SAMPLE_RAW && event->format && event->plan)
		add_field_texts(w, event, s);
	json_end(j, '}');
	w->samples++;
}

void sample_writer_record(struct sample_writer *w, const struct delivered *d)
{
	const char *name = record_type_name(d->raw.header.type);
	struct record r;

	if (!name || session_decode_record(w->style->session, d, &r) < 0)
		return;
	sample_writer_begin(w);
	sample_writer_add_time(w, d->time, d->time);
	json_member(&w->json, "type", name + strlen("PERF_RECORD_"));
	text_clear(&w->scratch);
	record_text(&w->scratch, &r);
	json_member(&w->json, "text", w->scratch.chars);
	json_end(&w->json, '}');
}
