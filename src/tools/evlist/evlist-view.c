/* SPDX-License-Identifier: MIT */
#include "tools/evlist/evlist-view.h"

#include <inttypes.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/escape.h"
#include "base/text.h"
#include "session/session.h"
#include "tracepoint/format.h"
#include "view/attr-names.h"
#include "view/attr-text.h"

#define ANONYMOUS_GROUP "{anon_group}"

static void evlist_print_text(FILE *out, const char *s)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	escape_terminal(&t, s, strlen(s));
	fputs(t.chars, out);
}

static void evlist_print_fields(const struct session_event *e, FILE *out)
{
	const char *comma = "";

	fputs("trace_fields: ", out);
	for (size_t i = 0; e->format && i < e->format->n_fields; i++) {
		const struct tracepoint_field *f = &e->format->fields[i];

		if (f->is_common)
			continue;
		fputs(comma, out);
		evlist_print_text(out, f->name);
		comma = ",";
	}
}

static void print_details(const struct session *s, const struct session_event *e, bool named,
			  FILE *out)
{
	_cleanup_(attr_names_done) struct attr_names names = { TEXT_EMPTY, TEXT_EMPTY };

	if (!named) {
		attr_print(&e->attr, out);
		return;
	}
	names = attr_names_of(&e->attr, session_features(s), e->name);
	attr_print_named(&e->attr, &names, out);
}

static void evlist_print_event(const struct session *s, const struct session_event *e,
			       const struct evlist_options *o, FILE *out)
{
	bool tracepoint = e->attr.type == PERF_TYPE_TRACEPOINT;

	evlist_print_text(out, e->name);
	if (o->details) {
		fputs(": ", out);
		print_details(s, e, o->names, out);
	} else if (o->frequency) {
		fprintf(out, ": sample_%s=%" PRIu64, e->attr.freq ? "freq" : "period",
			e->attr.sample_period);
	}
	if (o->trace_fields) {
		fputs(o->details || o->frequency ? ", " : ": ", out);
		if (tracepoint)
			evlist_print_fields(e, out);
		else
			fputs("(not a tracepoint)", out);
	}
	fputc('\n', out);
}

/* Prints a group. The members follow their leader. */
static void print_group(const struct session *s, const struct session_event *leader, FILE *out)
{
	const char *name = leader->group_name;

	if (leader->n_members < 2) {
		evlist_print_text(out, leader->name);
		fputc('\n', out);
		return;
	}
	if (name && strcmp(name, ANONYMOUS_GROUP) != 0)
		evlist_print_text(out, name);
	for (size_t i = 0; i < leader->n_members; i++) {
		fputc(i ? ',' : '{', out);
		evlist_print_text(out, session_event(s, leader->index + i)->name);
	}
	fputs("}\n", out);
}

void evlist_print(const struct session *s, const struct evlist_options *o, FILE *out)
{
	bool tracepoints = false, groups = false;

	for (size_t i = 0; i < session_event_count(s); i++) {
		const struct session_event *e = session_event(s, i);

		if (!o->groups)
			evlist_print_event(s, e, o, out);
		else if (e->leader == i)
			print_group(s, e, out);
		tracepoints |= e->attr.type == PERF_TYPE_TRACEPOINT;
		groups |= e->n_members > 1;
	}
	if (tracepoints && !o->trace_fields)
		fputs("# Tip: use 'perf evlist --trace-fields' to show fields for tracepoint "
		      "events\n",
		      out);
	if (groups && o->names && !o->groups)
		fputs("# Tip: use 'perf evlist -g' to show group information\n", out);
}
