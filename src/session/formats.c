/* SPDX-License-Identifier: MIT */
#include "session/formats.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "session/events.h"
#include "tracepoint/format.h"
#include "tracepoint/plan.h"

/* The number in the line "ID: n" near the beginning of @text, or 0. */
static uint64_t format_id(const struct tracing_format *tf)
{
	static const char label[] = "\nID:";
	const char *at = memmem(tf->text, tf->length, label, strlen(label));
	uint64_t id = 0;

	if (!at)
		return 0;
	at += strlen(label);
	while (at < tf->text + tf->length && *at == ' ')
		at++;
	for (; at < tf->text + tf->length && *at >= '0' && *at <= '9'; at++)
		id = id * 10 + (uint64_t)(*at - '0');
	return id;
}

static void read_tracing_data(struct events *ev, const struct bytes *blob)
{
	_cleanup_(diag_done) struct diag ignored = { 0 };

	ev->tracing_blob.n = 0;
	bytes_add(&ev->tracing_blob, blob->data, blob->n);
	if (tracing_data_parse(ev->tracing_blob.data, blob->n, &ev->tracing, &ignored) < 0)
		return;
	ev->has_tracing = true;
	for (size_t i = 0; i < ev->tracing.n_formats; i++)
		u64_map_put(&ev->formats, format_id(&ev->tracing.formats[i]),
			    &ev->tracing.formats[i]);
}

/* Read once, however many events belong to this tracepoint. */
struct read_format {
	struct tracepoint_format *format; /* NULL: it cannot be read */
	struct tracepoint_plan *plan;
};

static const struct read_format *formats_read_format(struct events *ev, uint64_t id,
						     const struct tracing_format *tf)
{
	_cleanup_(diag_done) struct diag ignored = { 0 };
	_cleanup_(freep) char *text = NULL;
	struct read_format *known = u64_map_find(&ev->read_formats, id);

	if (known)
		return known;
	known = xcalloc(1, sizeof(*known));
	text = xstrndup(tf->text, tf->length);
	if (tracepoint_format_parse(text, &known->format, &ignored) < 0)
		known->format = NULL;
	else
		known->plan = tracepoint_plan_new(known->format, ev->tracing.long_size);
	u64_map_put(&ev->read_formats, id, known);
	return known;
}

/* If a format cannot be read, the event has none, and the view says so. */
static void give_format(struct events *ev, struct session_event *e, const struct tracing_format *tf)
{
	const struct read_format *known = formats_read_format(ev, e->attr.config, tf);

	if (!known->format)
		return;
	e->format = known->format;
	e->plan = known->plan;
	e->system = tf->system;
	e->tracepoint = known->format->name;
	free(e->name);
	e->name = xasprintf("%s:%s", e->system, e->tracepoint);
}

void formats_sync(struct events *ev, const struct features *f)
{
	if (!ev->has_tracing && f->tracing_data.n)
		read_tracing_data(ev, &f->tracing_data);
	for (size_t i = 0; i < ev->n; i++) {
		struct session_event *e = ev->items[i];
		const struct tracing_format *tf = u64_map_find(&ev->formats, e->attr.config);

		if (tf && e->attr.type == PERF_TYPE_TRACEPOINT && !e->format)
			give_format(ev, e, tf);
	}
}

static void format_free(void *arg, uint64_t id, void *value)
{
	struct read_format *known = value;

	(void)arg;
	(void)id;
	tracepoint_plan_free(known->plan);
	tracepoint_format_free(known->format);
	free(known);
}

void formats_done(struct events *ev)
{
	u64_map_for_each(&ev->read_formats, format_free, NULL);
	u64_map_done(&ev->read_formats);
	u64_map_done(&ev->formats);
}
