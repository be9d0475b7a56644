/* SPDX-License-Identifier: MIT */
#include "session/events.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "session/event-name.h"
#include "tracepoint/format.h"
#include "tracepoint/plan.h"

/* The tracing data about the recorded tracepoints: formats, and the plans to print them. */

/* Returns the number in the line "ID: n" near the beginning of @text, or 0. */
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

/* A format that is read once, however many events belong to this tracepoint. */
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

/*
 * Gives the event its format. If it cannot be read, the event has none, and the view reports this.
 */
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

/*
 * Gives the tracepoints among @ev their formats, if they have none yet and the tracing data is
 * available.
 */
static void formats_sync(struct events *ev, const struct features *f)
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

/* Releases the formats that formats_sync() gave to events. */
static void formats_done(struct events *ev)
{
	u64_map_for_each(&ev->read_formats, format_free, NULL);
	u64_map_done(&ev->read_formats);
	u64_map_done(&ev->formats);
}

/* This number of ids is looked up without hashing; the others are found by hash. */
#define NEAR_MAX 16384

static void events_event_free(struct session_event *e)
{
	free(e->name);
	free(e->unit);
	free(e->group_name);
	free(e);
}

void events_done(struct events *ev)
{
	for (size_t i = 0; i < ev->n; i++)
		events_event_free(ev->items[i]);
	free(ev->items);
	u64_map_done(&ev->by_id);
	free(ev->near.items);
	formats_done(ev);
	tracing_data_done(&ev->tracing);
	bytes_done(&ev->tracing_blob);
}

static void rename_event(struct session_event *e, const char *name)
{
	free(e->name);
	e->name = xstrdup(name);
}

static void put_near(struct events *ev, uint64_t id, struct session_event *e)
{
	uint64_t i;

	if (!ev->near.n)
		ev->near.first = id;
	i = id - ev->near.first;
	if (i >= NEAR_MAX)
		return;
	while (ev->near.n <= i)
		*ARRAY_ADD(&ev->near) = NULL;
	ev->near.items[i] = e;
}

static void put_id(struct events *ev, uint64_t id, struct session_event *e)
{
	if (u64_map_find(&ev->by_id, id))
		return;
	u64_map_put(&ev->by_id, id, e);
	put_near(ev, id, e);
}

void events_put(struct events *ev, const struct file_event *fe)
{
	struct session_event *e = xcalloc(1, sizeof(*e));

	*e = (struct session_event){
		.index = ev->n,
		.attr = fe->attr,
		.name = fe->name ? xstrdup(fe->name) : event_name_derive(&fe->attr),
		.unit = xstrdup(""),
		.scale = 1,
		.leader = ev->n,
		.n_members = 1,
		.ids = fe->ids,
		.n_ids = fe->n_ids,
		.time_offset = sample_time_offset(&fe->attr),
		.id_offset = sample_id_offset(&fe->attr),
	};
	*ARRAY_ADD(ev) = e;
	ev->defers |= e->attr.defer_callchain;
	for (size_t i = 0; i < fe->n_ids; i++)
		put_id(ev, fe->ids[i], e);
}

void events_add(struct events *ev, const struct datafile *df)
{
	while (ev->n < datafile_event_count(df))
		events_put(ev, datafile_event(df, ev->n));
}

/* Names the events. Descriptions come in the order of events; if ids differ, ids decide. */
static void sync_names(struct events *ev, const struct features *f)
{
	for (size_t i = 0; i < f->event_descs.n; i++) {
		const struct event_desc *d = &f->event_descs.items[i];
		struct session_event *e = d->n_ids ? u64_map_find(&ev->by_id, d->ids[0]) : NULL;

		if (!e && i < ev->n)
			e = ev->items[i];
		if (e && d->name && d->name[0])
			rename_event(e, d->name);
	}
}

/*
 * True if no event of the group is in another one. An event is in one group. If groups share
 * members, the file is damaged or repeats itself: the first group stays, so that all groups
 * together take as many steps as there are events.
 */
static bool group_is_new(const struct events *ev, const struct group_desc *g)
{
	if (g->leader_idx >= ev->n || g->nr_members > ev->n - g->leader_idx || !g->nr_members)
		return false;
	for (size_t j = 0; j < g->nr_members; j++) {
		const struct session_event *e = ev->items[g->leader_idx + j];

		if (e->leader != e->index || e->n_members > 1)
			return false;
	}
	return true;
}

static void sync_groups(struct events *ev, const struct features *f)
{
	for (size_t i = 0; i < f->group_descs.n; i++) {
		const struct group_desc *g = &f->group_descs.items[i];

		if (!group_is_new(ev, g))
			continue;

		struct session_event *leader = ev->items[g->leader_idx];

		leader->n_members = g->nr_members;
		free(leader->group_name);
		leader->group_name = xstrdup(g->name ? g->name : "");
		for (size_t j = 0; j < g->nr_members; j++)
			ev->items[g->leader_idx + j]->leader = g->leader_idx;
	}
}

void events_sync(struct events *ev, const struct features *f)
{
	formats_sync(ev, f);
	sync_names(ev, f);
	sync_groups(ev, f);
}

uint64_t events_sync_steps(const struct events *ev, const struct features *f)
{
	return ev->n + f->event_descs.n + f->group_descs.n;
}

bool events_sync_needed(unsigned feature)
{
	return feature == FEATURE_EVENT_DESC || feature == FEATURE_GROUP_DESC ||
	       feature == FEATURE_TRACING_DATA;
}

void events_update(struct events *ev, const struct record_event_update *u)
{
	struct session_event *e = u64_map_find(&ev->by_id, u->id);

	if (!e)
		return;
	switch (u->kind) {
	case EVENT_UPDATE_UNIT:
		free(e->unit);
		e->unit = xstrdup(u->text);
		break;
	case EVENT_UPDATE_SCALE:
		e->scale = u->scale;
		break;
	case EVENT_UPDATE_NAME:
		rename_event(e, u->text);
		break;
	default:
		break;
	}
}

void events_name(struct events *ev, uint64_t config, const char *name)
{
	for (size_t i = 0; i < ev->n; i++)
		if (ev->items[i]->attr.config == config)
			rename_event(ev->items[i], name);
}

const struct session_event *events_find(const struct events *ev, uint64_t id)
{
	if (ev->n == 1 && !ev->items[0]->n_ids)
		return ev->items[0];
	return u64_map_find(&ev->by_id, id);
}

/*
 * Records without a trailer, and those that perf made itself (id 0), are laid out like the first
 * event's.
 */
bool events_place_other(const struct events *ev, const struct raw_record *raw, bool swap,
			const struct session_event **ret, uint64_t *ret_time)
{
	const struct session_event *e = ev->items[0], *owner;
	struct sample_id id = { 0 };

	if (!e->attr.sample_id_all) {
		*ret = e;
		*ret_time = 0;
		return true;
	}
	if (!record_trailer(raw->bytes, raw->header.size, swap, &e->attr, &id))
		return false;
	owner = id.id ? u64_map_find(&ev->by_id, id.id) : NULL;
	if (owner && owner != e && owner->attr.sample_type != e->attr.sample_type &&
	    !record_trailer(raw->bytes, raw->header.size, swap, &owner->attr, &id))
		return false;
	*ret = owner ? owner : e;
	*ret_time = id.time;
	return true;
}
