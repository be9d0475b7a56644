/* SPDX-License-Identifier: MIT */
#include "view/data-json-pen.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "session/machine.h"
#include "symbol/symbolizer.h"
#include "tracepoint/field.h"
#include "tracepoint/format.h"
#include "tracepoint/plan.h"
#include "view/record-text.h"
#include "wire/sample.h"

/* How many brackets are open around a sample, its members, and the frames of its stack. */
enum {
	DEPTH_SAMPLE = 2,
	DEPTH_MEMBER,
	DEPTH_FRAME,
};

/* A power of two; more than the distinct frames of most profiles. */
#define FRAMES_MAX 16384

/* As JSON, what lay at an address of a space. */
struct json_frame {
	const void *space;
	uint64_t ip;
	bool is_call; /* the function is that of the call before it */
	uint64_t generation;
	struct span span;
	struct text text;
};

void json_pen_init(struct json_pen *p, const struct json_style *style)
{
	*p = (struct json_pen){
		.style = style, .out = TEXT_EMPTY, .comm_text = TEXT_EMPTY, .scratch = TEXT_EMPTY
	};
	json_init_text(&p->json, &p->out);
	p->json.spreads_empty = true;
}

void json_pen_done(struct json_pen *p)
{
	for (size_t i = 0; p->frames && i < FRAMES_MAX; i++)
		text_done(&p->frames[i].text);
	free(p->frames);
	text_done(&p->out);
	text_done(&p->comm_text);
	text_done(&p->scratch);
	call_chain_done(&p->chain);
}

static void write_frame(struct text *t, uint64_t ip, const struct location *at)
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

static const struct text *frame_at(struct json_pen *p, const void *space, const struct sample *s,
				   const struct chain_entry *e, bool is_call)
{
	const struct session *session = p->style->session;
	uint64_t generation = machine_generation(session);
	uint64_t hash = (e->ip ^ (uintptr_t)space >> 4) * UINT64_C(0x9e3779b97f4a7c15);
	struct json_frame *f = &p->frames[hash >> 32 & (FRAMES_MAX - 1)];
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
	write_frame(&f->text, e->ip, &at);
	return &f->text;
}

/* Without a chain the sample's own place is all there is. */
static void take_chain(struct json_pen *p, const struct session_event *e, const struct sample *s)
{
	struct call_chain *c = &p->chain;

	if (e->attr.sample_type & PERF_SAMPLE_CALLCHAIN) {
		call_chain_take(c, p->style->session, s, s->time, SIZE_MAX);
		call_chain_mark_unwound(c, &e->attr);
		return;
	}
	c->n = 0;
	if (!(e->attr.sample_type & PERF_SAMPLE_IP))
		return;
	c->items = array_reserve(c->items, &c->room, 1, sizeof(*c->items));
	c->items[c->n++] = (struct chain_entry){ .ip = s->ip, .mode = address_mode_of(s->misc) };
}

static void add_chain(struct json_pen *p, const struct session_event *e, const struct sample *s)
{
	const void *space = NULL;

	if (!p->frames)
		p->frames = frames_new();
	take_chain(p, e, s);
	json_key(&p->json, "callchain");
	json_array(&p->json);
	for (size_t i = 0; i < p->chain.n; i++) {
		const struct chain_entry *entry = &p->chain.items[i];
		const struct text *t;
		struct span span;

		if (!i || entry->mode != entry[-1].mode)
			space = machine_space(p->style->session, s->pid, entry->mode, s->time,
					      &span);
		t = frame_at(p, space, s, entry,
			     call_chain_is_call(&p->chain, p->style->session, s->pid, s->time, i));
		json_written(&p->json, t->chars, t->length);
	}
	json_end(&p->json, ']');
}

static void add_comm(struct json_pen *p, const struct sample *s)
{
	const char *comm = machine_comm(p->style->session, s->pid, s->tid, s->time);

	if (comm != p->comm) {
		struct json j;

		p->comm = comm;
		text_clear(&p->comm_text);
		json_init_value(&j, &p->comm_text, DEPTH_MEMBER);
		json_string(&j, comm);
	}
	json_key(&p->json, "comm");
	json_written(&p->json, p->comm_text.chars, p->comm_text.length);
}

/* Addresses and arrays are text, as `script' prints them. */
static void add_field(struct json_pen *p, const struct session_event *e, const struct sample *s,
		      const struct tracepoint_field *f)
{
	const struct field_ref ref = field_ref_of(f, p->style->swap);
	uint64_t v;

	if (!f->is_pointer && field_ref_number(&ref, s->raw, s->raw_size, &v)) {
		if (f->is_signed)
			json_member_signed(&p->json, f->name, (int64_t)v);
		else
			json_member_unsigned(&p->json, f->name, v);
		return;
	}
	text_clear(&p->scratch);
	tracepoint_plan_print_field(e->plan, p->style->tracepoints, f, s->raw, s->raw_size,
				    &p->scratch);
	json_member(&p->json, f->name, p->scratch.chars);
}

static void add_fields(struct json_pen *p, const struct session_event *e, const struct sample *s)
{
	json_key(&p->json, "fields");
	json_object(&p->json);
	for (size_t i = 0; i < e->format->n_fields; i++)
		if (!e->format->fields[i].is_common)
			add_field(p, e, s, &e->format->fields[i]);
	json_end(&p->json, '}');
}

static void add_rest(struct json_pen *p, const struct session_event *e, const struct sample *s,
		     uint64_t period)
{
	uint64_t type = e->attr.sample_type;
	struct json *j = &p->json;

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
		add_fields(p, e, s);
}

static void begin(struct json_pen *p)
{
	p->json.depth = DEPTH_SAMPLE;
	p->json.filled = true;
	json_object(&p->json);
}

/* -1: it has none. */
static void add_time(struct json_pen *p, uint64_t time, bool there)
{
	json_member_signed(&p->json, "timestamp",
			   there ? (int64_t)time + p->style->wall_offset_ns : -1);
}

void json_pen_sample(struct json_pen *p, const struct session_sample *ss)
{
	const struct session_event *event = ss->event;
	const struct sample *s = ss->sample;
	uint64_t type = event->attr.sample_type;
	struct json *j = &p->json;

	begin(p);
	add_time(p, s->time, type & PERF_SAMPLE_TIME);
	json_member_signed(j, "pid", (int32_t)s->pid);
	json_member_signed(j, "tid", (int32_t)s->tid);
	if (type & PERF_SAMPLE_CPU)
		json_member_signed(j, "cpu", (int32_t)s->cpu);
	add_comm(p, s);
	add_chain(p, event, s);
	if (p->style->all)
		add_rest(p, event, s, ss->period);
	json_end(j, '}');
	p->samples++;
}

void json_pen_record(struct json_pen *p, const struct delivered *d)
{
	const char *name = record_type_name(d->raw.header.type);
	struct record r;

	if (!name || session_decode_record(p->style->session, d, &r) < 0)
		return;
	begin(p);
	add_time(p, d->time, d->time);
	json_member(&p->json, "type", name + strlen("PERF_RECORD_"));
	text_clear(&p->scratch);
	record_text(&p->scratch, &r);
	json_member(&p->json, "text", p->scratch.chars);
	json_end(&p->json, '}');
}
