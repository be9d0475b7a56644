/* SPDX-License-Identifier: MIT */
/*
 * Samples on their way into columns. A batch is filtered, and data that all columns need of a
 * sample is looked up once. Then each column takes the whole batch.
 */
#include "profile/sample-table.h"

#include <errno.h>
#include <string.h>

#include "base/diag.h"
#include "base/memory.h"
#include "base/similar.h"
#include "profile/sample-table-internal.h"
#include "session/sample-filter.h"
#include "tracepoint/format.h"
#include "wire/sample.h"

size_t sample_column_width(enum sample_column_type type)
{
	switch (type) {
	case SAMPLE_COLUMN_I32:
	case SAMPLE_COLUMN_NAME:
	case SAMPLE_COLUMN_LIST_NAMES:
		return sizeof(int32_t);
	default:
		return sizeof(int64_t);
	}
}

bool sample_column_is_list(enum sample_column_type type)
{
	return type == SAMPLE_COLUMN_LIST_U64 || type == SAMPLE_COLUMN_LIST_NAMES;
}

bool sample_column_has_names(enum sample_column_type type)
{
	return type == SAMPLE_COLUMN_NAME || type == SAMPLE_COLUMN_LIST_NAMES;
}

struct sample_table *sample_table_ref(struct sample_table *t)
{
	__atomic_add_fetch(&t->refs, 1, __ATOMIC_RELAXED);
	return t;
}

static void column_release(struct sample_column *c)
{
	free(c->name);
	free(c->values);
	free(c->offsets);
	free(c->valid);
	free(c->items_valid);
	free(c->names.bytes);
	free(c->names.offsets);
}

void sample_table_unref(struct sample_table *t)
{
	if (!t || __atomic_sub_fetch(&t->refs, 1, __ATOMIC_ACQ_REL))
		return;
	for (size_t i = 0; i < t->n_columns; i++)
		column_release(&t->columns[i]);
	free(t->columns);
	free(t);
}

const struct sample_column *sample_table_find(const struct sample_table *t, const char *name)
{
	for (size_t i = 0; i < t->n_columns; i++)
		if (!strcmp(t->columns[i].name, name))
			return &t->columns[i];
	return NULL;
}

const char *sample_names_get(const struct sample_names *names, size_t i, size_t *ret_length)
{
	*ret_length = (size_t)(names->offsets[i + 1] - names->offsets[i]);
	return names->bytes + names->offsets[i];
}

static int sample_table_refuse_field(const struct sample_table_options *o, const char *name,
				     struct diag *diag)
{
	struct similar near = { .typed = name };
	_cleanup_(freep) char *phrase = NULL;

	diag_set(diag, -EINVAL, "neither samples nor the events of '%s' have a field '%s'",
		 session_path(o->session), name);
	for (size_t i = 0; sample_table_field(i); i++)
		similar_add(&near, sample_table_field(i));
	for (size_t e = 0; e < session_event_count(o->session); e++) {
		const struct tracepoint_format *f = session_event(o->session, e)->format;

		for (size_t i = 0; f && i < f->n_fields; i++)
			similar_add(&near, f->fields[i].name);
	}
	phrase = similar_phrase(&near);
	if (phrase)
		diag_hint(diag, "Did you mean %s?", phrase);
	return -EINVAL;
}

/* Returns the kind of column that the field of a tracepoint makes; SOURCE_NUMBER: none. */
static enum sample_field_source sample_table_source_of(const struct sample_table_options *o,
						       const struct tracepoint_field *f)
{
	if (f->is_string)
		return SOURCE_TRACEPOINT_TEXT;
	if (field_ref_of(f, false).kind == FIELD_NUMBER)
		return SOURCE_TRACEPOINT_NUMBER;
	return o->for_queries ? SOURCE_TRACEPOINT_ARRAY : SOURCE_NUMBER;
}

static bool sample_table_is_selected(const struct sample_selection *only, size_t event)
{
	return !only->events || (event < only->n_events && only->events[event]);
}

static int mixed_field(const char *name, const struct session_event *e, const char *problem,
		       struct diag *diag)
{
	diag_set(diag, -EINVAL, "the field '%s' of '%s' %s", name, e->name, problem);
	diag_hint(diag, "Choose events for which it is a number or a text.");
	return -EINVAL;
}

/* Binds @name, a field of tracepoints, in all events that have it. */
static int sample_table_bind_tracepoint(const struct sample_table_options *o, const char *name,
					struct table_column *c, struct diag *diag)
{
	bool is_signed = false, found = false;

	for (size_t i = 0; i < session_event_count(o->session); i++) {
		const struct session_event *e = session_event(o->session, i);
		const struct tracepoint_field *f = e->format
							   ? tracepoint_field_find(e->format, name)
							   : NULL;
		enum sample_field_source source;

		if (!f || !sample_table_is_selected(&o->only, i))
			continue;
		source = sample_table_source_of(o, f);
		if (source == SOURCE_NUMBER)
			return mixed_field(name, e, "is an array", diag);
		if (found && source != c->field.source)
			return mixed_field(name, e, "is of another kind than in other events",
					   diag);
		c->field.source = source;
		is_signed |= f->is_signed;
		found = true;
	}
	if (!found)
		return sample_table_refuse_field(o, name, diag);
	c->field.type = c->field.source != SOURCE_TRACEPOINT_NUMBER ? SAMPLE_COLUMN_NAME
			: is_signed                                 ? SAMPLE_COLUMN_I64
								    : SAMPLE_COLUMN_U64;
	c->partial = true;
	return 0;
}

/* True if some event, or one that a stream reports later, may lack the field. */
static bool is_partial(const struct sample_table_options *o, const struct sample_field *f)
{
	if (!f->recorded)
		return false;
	if (session_is_stream(o->session))
		return true;
	for (size_t i = 0; i < session_event_count(o->session); i++)
		if (!(session_event(o->session, i)->attr.sample_type & f->recorded))
			return true;
	return false;
}

static int bind_column(const struct sample_table_options *o, const char *name,
		       struct table_column *c, struct diag *diag)
{
	const struct sample_field *f = sample_field_find(name);

	if (!f && o->for_queries)
		f = sample_field_find_more(name);
	name += o->for_queries && *name == '.';
	c->name = xstrdup(name);
	if (!f)
		return sample_table_bind_tracepoint(o, name, c, diag);
	c->field = *f;
	c->partial = is_partial(o, f);
	return 0;
}

static void sample_table_worker_init(struct sample_table_maker *m, struct table_worker *w)
{
	resolver_init(&w->resolver, m->options.session, m->frames);
	stack_path_init(&w->path, &w->resolver);
	w->parts = xcalloc(m->n_columns + 1, sizeof(*w->parts));
	w->scratch = (struct text)TEXT_EMPTY;
}

static void sample_table_part_done(struct column_part *p)
{
	free(p->values);
	free(p->valid);
	free(p->items);
	free(p->refs);
	intern_done(&p->names.texts);
	u64_map_done(&p->names.codes);
	free(p->names.list.items);
}

static void sample_table_worker_done(struct sample_table_maker *m, struct table_worker *w)
{
	for (size_t i = 0; i < m->n_columns; i++)
		sample_table_part_done(&w->parts[i]);
	free(w->parts);
	free(w->times);
	free(w->runs.items);
	free(w->kept);
	free(w->chain_ips);
	free(w->chain_frames);
	free(w->marks);
	text_done(&w->scratch);
	stack_path_done(&w->path);
	resolver_done(&w->resolver);
}

int sample_table_maker_new(const struct sample_table_options *o, struct sample_table_maker **ret,
			   struct diag *diag)
{
	_cleanup_(sample_table_maker_freep) struct sample_table_maker *m = xcalloc(1, sizeof(*m));
	const struct sample_filter *f = o->filter;
	int r;

	m->options = *o;
	m->columns = xcalloc(o->n_fields + 1, sizeof(*m->columns));
	for (size_t i = 0; i < o->n_fields; i++) {
		m->n_columns++;
		r = bind_column(o, o->fields[i], &m->columns[i], diag);
		if (r < 0)
			return r;
		m->wants |= m->columns[i].field.wants;
	}
	if (f && sample_filter_has_places(f))
		m->wants |= FIELD_WANTS_PLACE;
	m->frames = frames_new(m->wants & FIELD_WANTS_OFFSET);
	m->workers = xcalloc(o->n_workers, sizeof(*m->workers));
	for (unsigned i = 0; i < o->n_workers; i++)
		sample_table_worker_init(m, &m->workers[i]);
	*ret = TAKE(m);
	return 0;
}

void sample_table_maker_free(struct sample_table_maker *m)
{
	if (!m)
		return;
	for (unsigned i = 0; m->workers && i < m->options.n_workers; i++)
		sample_table_worker_done(m, &m->workers[i]);
	free(m->workers);
	frames_free(m->frames);
	for (size_t i = 0; i < m->n_columns; i++)
		free(m->columns[i].name);
	free(m->columns);
	free(m);
}

static bool sample_table_passes_place(struct sample_table_maker *m, struct table_worker *w,
				      uint32_t id)
{
	const struct frame *f = frames_get(m->frames, id);

	if (id >= w->marks_room) {
		size_t old = w->marks_room;

		w->marks = array_reserve(w->marks, &w->marks_room, id + 1, 1);
		memset(w->marks + old, 0, w->marks_room - old);
	}
	if (!w->marks[id]) {
		const struct location loc = { .addr = f->ip,
					      .map = f->image ? f->map : NULL,
					      .image_addr = f->addr,
					      .sym = f->sym };

		w->marks[id] = sample_filter_passes_place(m->options.filter, &loc) ? 1 : 2;
	}
	return w->marks[id] == 1;
}

static void sample_table_take_chain(struct sample_table_maker *m, struct table_worker *w,
				    const struct resolved_task *task, struct kept_sample *k)
{
	const struct session_sample *s = k->s;
	struct call_chain *chain = &w->path.chain;
	size_t n;

	chain->n = 0;
	call_chain_take(chain, m->options.session, s->sample, s->time, m->options.max_stack);
	call_chain_mark_unwound(chain, &s->event->attr);
	n = chain->n;
	k->chain_first = (uint32_t)w->n_chain;
	k->chain_n = (uint32_t)n;
	w->chain_ips = array_reserve(w->chain_ips, &w->ips_room, w->n_chain + n,
				     sizeof(*w->chain_ips));
	for (size_t i = 0; i < n; i++)
		w->chain_ips[w->n_chain + i] = chain->items[i].ip;
	if (m->wants & FIELD_WANTS_CHAIN_PLACES) {
		w->chain_frames = array_reserve(w->chain_frames, &w->frames_room, w->n_chain + n,
						sizeof(*w->chain_frames));
		stack_path_take(&w->path, task, s->time, address_mode_of(s->sample->misc),
				INLINES_NONE);
		for (size_t i = 0; i < n; i++)
			w->chain_frames[w->n_chain + i] =
				i < w->path.n ? w->path.steps[w->path.n - 1 - i].frame : FRAME_NONE;
	}
	w->n_chain += n;
}

/*
 * Looks up the data that the columns and the filter need. Returns false if a filter leaves the
 * sample out.
 */
static bool sample_table_look_up(struct sample_table_maker *m, struct table_worker *w,
				 struct kept_sample *k)
{
	const struct sample_filter *f = m->options.filter;
	const struct session_sample *s = k->s;
	const struct resolved_task *task;

	k->frame = FRAME_NONE;
	if (!m->wants && !f)
		return true;
	task = resolver_task(&w->resolver, s->sample->pid, s->sample->tid, s->time);
	k->comm = task->comm;
	if (f && (!sample_filter_passes_task(f, task->pid, task->tid) ||
		  !sample_filter_passes_comm(f, task->comm)))
		return false;
	if (m->wants & FIELD_WANTS_PLACE)
		k->frame = resolver_sampled_frame(&w->resolver, task,
						  address_mode_of(s->sample->misc), s->sample->ip,
						  s->time);
	if (f && sample_filter_has_places(f) && !sample_table_passes_place(m, w, k->frame))
		return false;
	if (m->wants & FIELD_WANTS_CHAIN)
		sample_table_take_chain(m, w, task, k);
	return true;
}

/*
 * Notes that rows @first to @first + @n are consecutive in the file, possibly following the rows
 * taken last.
 */
static void note_run(struct table_worker *w, const struct sample_batch *b, size_t n)
{
	const struct raw_record *first = &b->items[0].record->raw;
	const struct raw_record *last = &b->items[b->n - 1].record->raw;
	struct row_run *run = w->runs.n ? &w->runs.items[w->runs.n - 1] : NULL;

	if (run && first->position == w->next_position) {
		run->n += n;
	} else {
		run = ARRAY_ADD(&w->runs);
		*run = (struct row_run){
			.position = first->position, .first = w->n, .n = n, .worker = b->worker
		};
	}
	w->next_position = last->position + last->header.size;
}

static bool sample_table_passes(const struct sample_selection *only, const struct session_sample *s)
{
	if (only->by_time && (s->time == SAMPLE_TIME_SUM || (int64_t)s->time < only->from_ns ||
			      (int64_t)s->time > only->to_ns))
		return false;
	return (!only->by_cpu || s->sample->cpu == only->cpu) &&
	       (!only->by_pid || s->sample->pid == only->pid) &&
	       (!only->by_tid || s->sample->tid == only->tid) &&
	       sample_table_is_selected(only, s->event->index);
}

void sample_table_take(struct sample_table_maker *m, const struct sample_batch *b)
{
	sample_table_take_stacks(m, b, NULL);
}

void sample_table_take_stacks(struct sample_table_maker *m, const struct sample_batch *b,
			      const uint32_t *nodes)
{
	struct table_worker *w = &m->workers[b->worker];
	size_t n = 0;

	if (resolver_refresh(&w->resolver))
		stack_path_forget(&w->path);
	w->kept = array_reserve(w->kept, &w->kept_room, b->n, sizeof(*w->kept));
	w->times = array_reserve(w->times, &w->times_room, w->n + b->n, sizeof(*w->times));
	w->n_chain = 0;
	for (size_t i = 0; i < b->n; i++) {
		w->kept[n] = (struct kept_sample){ .s = &b->items[i],
						   .node = nodes ? nodes[i] : STACK_NONE };
		if (!sample_table_passes(&m->options.only, &b->items[i]) ||
		    !sample_table_look_up(m, w, &w->kept[n]))
			continue;
		w->times[w->n + n++] = b->items[i].time;
	}
	if (!n)
		return;
	note_run(w, b, n);
	for (size_t i = 0; i < m->n_columns; i++)
		sample_field_fill(m, w, i, n);
	w->n += n;
}
