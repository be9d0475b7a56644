/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <string.h>

#include "arch/arch.h"
#include "base/cpu-list.h"
#include "base/diag.h"
#include "base/escape.h"
#include "base/memory.h"
#include "hwtrace/decoder.h"
#include "session/lbr-stitch.h"
#include "session/machine.h"
#include "session/session.h"
#include "session/trace-machine.h"
#include "symbol/symbolizer.h"
#include "tools/script/script-view.h"
#include "tools/script/writer-view.h"

static void add_stop_symbols(struct stop_set *set, const char *list)
{
	for (const char *at = list; at && *at;) {
		size_t n = strcspn(at, ",");

		if (n)
			*ARRAY_ADD(set) = xstrndup(at, n);
		at += n + !!at[n];
	}
}

static unsigned script_setup_style_of(uint64_t fields)
{
	return (fields & FIELD_BIT(SYM) ? FRAME_SYM : 0) |
	       (fields & FIELD_BIT(SYMOFF) ? FRAME_SYMOFF : 0) |
	       (fields & FIELD_BIT(DSO) ? FRAME_DSO : 0) |
	       (fields & FIELD_BIT(SRCLINE) ? FRAME_LINE : 0);
}

/* Sets the style of stacks. Linux's perf marks unknown lines only in stacks that it unwound. */
static void style_stacks(struct script_event *e, const struct script_options *o)
{
	const struct attr *a = &e->event->attr;

	e->inlines = inlines_of(o->inlines, a);
	e->style |= stacks_are_unwound(a) ? FRAME_UNKNOWN_LINE : 0;
}

static bool script_setup_has_chains(const struct script_options *o, const struct session_event *ev)
{
	return (ev->attr.sample_type & PERF_SAMPLE_CALLCHAIN) && !o->hide_call_graph;
}

/* Returns " name: ", right-aligned in @width columns. */
static char *script_setup_make_title(const char *name, size_t width, bool escape)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	text_addf(&t, "%*s", (int)(width - strlen(name)), "");
	if (escape)
		escape_terminal(&t, name, strlen(name));
	else
		text_add(&t, name);
	text_add(&t, ": ");
	return text_take(&t);
}

static void make_event(struct script_setup *s, const struct script_options *o,
		       const struct session_event *ev, const struct script_fields *f)
{
	enum script_type t = script_type_of(ev->attr.type);
	struct script_event *e = &s->events[ev->index];
	const struct attr *a = &ev->attr;

	*e = (struct script_event){
		.event = ev,
		.fields = f->of[t],
		.addr_symbols = attr_addr_has_symbols(a),
		.bpf_output = a->type == PERF_TYPE_SOFTWARE &&
			      a->config == PERF_COUNT_SW_BPF_OUTPUT,
		.synthetic = a->type == AUX_TYPE_SYNTHETIC,
		.branch = a->type == PERF_TYPE_HARDWARE &&
			  a->config == PERF_COUNT_HW_BRANCH_INSTRUCTIONS && a->sample_period == 1,
		.title = script_setup_make_title(ev->name, s->name_width, o->escape),
	};
	e->branch_target = (f->of[t] & FIELD_BIT(ADDR)) ||
			   ((a->sample_type & PERF_SAMPLE_ADDR) && !f->shaped[t]);
	e->title_length = strlen(e->title);
	e->style = script_setup_style_of(e->fields);
	e->chain = script_setup_has_chains(o, ev) && (e->fields & FIELD_BIT(IP));
	if (e->chain)
		style_stacks(e, o);
	/* Programs that parse stacks do not expect blanks in front. */
	e->aligned = !e->chain;
	s->has_time |= a->sample_type & PERF_SAMPLE_TIME;
}

static void make_events(struct script_setup *s, const struct script_options *o,
			const struct script_fields *fields)
{
	size_t n = session_event_count(s->session);

	s->events = xcalloc(n + !n, sizeof(*s->events));
	for (size_t i = 0; i < n; i++) {
		const struct session_event *ev = session_event(s->session, i);
		size_t length = strlen(ev->name);

		s->name_width = length > s->name_width ? length : s->name_width;
	}
	for (; s->n_events < n; s->n_events++) {
		const struct session_event *ev = session_event(s->session, s->n_events);

		make_event(s, o, ev, fields);
	}
}

/* Finds the offset from the samples' clock to the time of day, if the recorder noted both. */
static int script_setup_find_wall_clock(struct script_setup *s, struct diag *diag)
{
	const struct features *f = session_features(s->session);
	bool wanted = false;

	for (size_t i = 0; i < s->n_events; i++)
		wanted |= s->events[i].fields & FIELD_BIT(TOD);
	if (!wanted)
		return 0;
	if (!features_have(f, FEATURE_CLOCK_DATA))
		return diag_set(diag, -EINVAL,
				"Can't provide 'tod' time, missing clock data. Please record with "
				"-k/--clockid option.");
	s->wall_offset_ns = (int64_t)(f->clock_data.wall_clock_ns - f->clock_data.clockid_ns);
	return 0;
}

static int prepare_code(struct script_setup *s, struct diag *diag)
{
	uint64_t fields = 0;

	for (size_t i = 0; i < s->n_events; i++)
		fields |= s->events[i].fields & FIELDS_OF_CODE;
	return fields ? code_reading_new(s->arch, fields, &s->code, diag) : 0;
}

static int check_filter(const struct script_setup *s, const struct sample_filter_request *w,
			struct diag *diag)
{
	if (!w->cpus || !w->cpus->n)
		return 0;
	for (size_t i = 0; i < s->n_events; i++)
		if (!(s->events[i].event->attr.sample_type & PERF_SAMPLE_CPU))
			return diag_set(diag, -EINVAL,
					"File does not contain CPU events. Remove -C option to "
					"proceed.");
	return 0;
}

void script_setup_done(struct script_setup *s)
{
	for (size_t i = 0; i < s->n_events; i++)
		free(s->events[i].title);
	free(s->events);
	for (size_t i = 0; i < s->stop.n; i++)
		free(s->stop.items[i]);
	free(s->stop.items);
	trace_machine_free(s->trace);
	code_reading_free(s->code);
	frame_texts_free(s->frames);
}

int script_setup_make(struct script_setup *s, struct session *session,
		      const struct script_options *o, const struct script_fields *fields,
		      struct diag *diag)
{
	const struct features *f = session_features(session);
	int r;

	*s = (struct script_setup){
		.session = session,
		.ns = o->ns,
		.reltime = o->reltime,
		.deltatime = o->deltatime,
		.latency = o->latency,
		.escape = o->escape,
		.full_source_paths = o->full_source_paths,
		.max_stack = o->max_stack ? o->max_stack : SCRIPT_MAX_STACK,
		.lbr_registers = o->stitch_lbr ? lbr_registers(f) : 0,
		.max_blocks = o->max_blocks,
		.counter_width = branch_counter_width(f),
		.counter_names = o->counter_names,
		.arch = arch_find(f->arch),
		.frames = frame_texts_new(o->escape, o->full_source_paths),
	};
	make_events(s, o, fields);
	s->trace = trace_machine_new(session);
	s->tracepoints = trace_machine_get(s->trace);
	add_stop_symbols(&s->stop, o->stop_symbols);
	r = script_setup_find_wall_clock(s, diag);
	if (r >= 0)
		r = prepare_code(s, diag);
	return r < 0 ? r : check_filter(s, &o->filter, diag);
}
