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

/* A format that cannot be read leaves its event as it was: the view says that it has none. */
static void give_format(struct session_event *e, const struct tracing_format *tf,
			unsigned long_size)
{
	_cleanup_(diag_done) struct diag ignored = { 0 };
	_cleanup_(freep) char *text = xstrndup(tf->text, tf->length);
	struct tracepoint_format *format;

	if (tracepoint_format_parse(text, &format, &ignored) < 0)
		return;
	e->format = format;
	e->plan = tracepoint_plan_new(format, long_size);
	e->system = tf->system;
	e->tracepoint = format->name;
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
			give_format(e, tf, ev->tracing.long_size);
	}
}

void formats_forget(struct session_event *e)
{
	tracepoint_plan_free((struct tracepoint_plan *)e->plan);
	tracepoint_format_free((struct tracepoint_format *)e->format);
}
