/* SPDX-License-Identifier: MIT */
#include "session/live.h"

#include "base/memory.h"
#include "session/internal.h"
#include "session/image-rules.h"
#include "session/machine-forget.h"
#include "symbol/symbolizer.h"

#define SPAN_MAX 64

/* Each process that maps a file may be the one through which the recorder can open it. */
#define FILE_TRIES 32

struct session *session_live_new(const struct session_live_options *o)
{
	struct session *s = xcalloc(1, sizeof(*s));

	s->with_symbols = o->symbolizer;
	s->is_gone = o->is_gone;
	machine_init(&s->machine, o->symbolizer);
	s->image_rules = image_rules_new(FILE_TRIES);
	for (size_t i = 0; i < o->n_events; i++)
		events_put(&s->events, &o->events[i]);
	return s;
}

bool session_live_place(const struct session *s, const uint8_t *bytes, size_t size,
			struct delivered *ret)
{
	struct delivered d = { .raw = { .bytes = bytes } };

	if (record_header_decode(bytes, size, s->swap, &d.raw.header) < 0 ||
	    d.raw.header.size > size)
		return false;
	if (d.raw.header.type < PERF_RECORD_USER_FIRST)
		events_place(&s->events, &d.raw, s->swap, &d.event, &d.time);
	*ret = d;
	return true;
}

static void wait_turn(struct session *s, const struct delivered *d)
{
	const struct waiting w = {
		.time = d->time,
		.bytes = d->raw.bytes,
		.event = d->event->index < WAITING_EVENT_NONE ? d->event->index
							      : WAITING_EVENT_NONE,
	};

	order_add(&s->order, &w);
}

/* Readers of files have no use for EXIT records; here a task is forgotten some time after its end.
 */
static bool is_wanted(uint32_t type)
{
	return sideband_matters(type) || type == PERF_RECORD_EXIT;
}

static void take(struct session *s, const struct delivered *d)
{
	s->has_lost |= d->raw.header.type == PERF_RECORD_LOST;
	if (!d->event || !is_wanted(d->raw.header.type))
		order_saw(&s->order, d->time);
	else if (d->time)
		wait_turn(s, d);
	else
		session_apply(s, d);
}

static void apply_waiting(struct session *s, const struct waiting *w)
{
	const struct delivered d = {
		.raw = { .bytes = w->bytes, .header = record_header_at(w->bytes, s->swap) },
		.time = w->time,
		.event = w->event == WAITING_EVENT_NONE ? NULL : s->events.items[w->event],
	};

	session_apply(s, &d);
}

static void apply_due(struct session *s)
{
	const struct waiting *w;
	size_t n;

	while ((w = order_next(&s->order, SPAN_MAX, &n)))
		for (size_t i = 0; i < n; i++)
			apply_waiting(s, &w[i]);
}

void session_live_pass(struct session *s, const uint8_t *bytes, size_t size)
{
	struct delivered d;

	for (size_t at = 0; session_live_place(s, bytes + at, size - at, &d);
	     at += d.raw.header.size)
		take(s, &d);
	s->settled = s->newest[0];
	s->newest[0] = s->newest[1];
	s->newest[1] = s->order.newest;
	order_round(&s->order);
	apply_due(s);
}

/* Whether a living process has it mapped, or it was looked into not long ago. */
static bool is_image_needed(void *arg, const struct image *im)
{
	const struct session *s = arg;

	return images_has(&s->machine.images, im) || image_rules_has(s->image_rules, im);
}

static bool is_image_mapped(void *arg, const struct image *im)
{
	const struct session *s = arg;

	return images_has(&s->machine.images, im);
}

static bool is_code_mapped(void *arg, const struct jit_code *c)
{
	const struct session *s = arg;

	return u64_map_find(&s->machine.jit_maps, (uintptr_t)c);
}

void session_live_forget(struct session *s)
{
	struct machine *m = &s->machine;

	if (!s->settled || !machine_forget_due(m))
		return;
	/* Their samples may still be in the last pass, so that they are forgotten the next time. */
	if (s->has_lost && s->is_gone)
		lineage_end_gone(&m->lineage, s->is_gone,
				 (struct moment){ s->order.newest, m->turn });
	s->has_lost = false;
	images_forget(&m->images);
	machine_forget_before(m, s->settled);
	image_rules_forget(s->image_rules, is_image_mapped, s);
	symbolizer_forget(m->images.symbolizer,
			  &(struct symbolizer_keeps){ is_image_needed, is_code_mapped, s });
}

void session_live_finish(struct session *s)
{
	order_finish(&s->order);
	apply_due(s);
}
