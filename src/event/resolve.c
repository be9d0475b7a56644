/* SPDX-License-Identifier: MIT */
#include "event/resolve.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "event/env.h"
#include "event/suggest.h"

static void resolve_event_free(struct event *e)
{
	free(e->name);
	free(e->tracepoint);
	free(e->system);
	free(e->filter);
	free(e->data_filter);
	free(e->unit);
	free(e->group_name);
	free(e->file);
	free(e->drm_pmu);
	free(e->drm_key);
	free(e->settings.call_graph);
	free(e->settings.driver_config);
	free(e->settings.metric_id);
	free(e);
}

void event_list_done(struct event_list *l)
{
	for (size_t i = 0; i < l->n; i++)
		resolve_event_free(l->items[i]);
	free(l->items);
	*l = (struct event_list){ 0 };
}

struct event *resolve_add(struct event_resolver *r, uint32_t type, uint64_t config)
{
	struct event *e = xcalloc(1, sizeof(*e));

	e->attr.type = type;
	e->attr.config = config;
	/*
	 * Code in a virtual machine does not belong to this machine's program (see
	 * modifier_apply()).
	 */
	e->attr.exclude_guest = event_env_worlds(r->env) == EVENT_HOST;
	e->attr.exclude_host = event_env_worlds(r->env) == EVENT_GUESTS;
	e->modifiers.guests_too = !e->attr.exclude_guest;
	e->scale = 1.0;
	e->unit = xstrdup("");
	e->leader = r->list->n;
	*ARRAY_ADD(r->list) = e;
	return e;
}

void resolve_drop_last(struct event_resolver *r)
{
	resolve_event_free(r->list->items[--r->list->n]);
}

int resolve_wrong(struct event_resolver *r, int error, struct text_span where, const char *format,
		  ...)
{
	va_list ap;

	va_start(ap, format);
	_cleanup_(freep) char *what = xvasprintf(format, ap);
	va_end(ap);
	return diag_mark(r->diag, error, r->ast->source, where.at, where.length,
			 "event syntax error: %s", what);
}

static int resolve_breakpoint(struct event_resolver *r, const struct event_node *node)
{
	struct event *e = resolve_add(r, PERF_TYPE_BREAKPOINT, 0);
	const char *access = node->access ? node->access : "rw";

	for (; *access; access++)
		e->attr.bp_type |= *access == 'r'   ? HW_BREAKPOINT_R
				   : *access == 'w' ? HW_BREAKPOINT_W
						    : HW_BREAKPOINT_X;
	e->attr.bp_addr = node->address;
	e->attr.bp_len = node->breakpoint_size;
	/* The kernel requires an execution breakpoint to be as long as a word of the machine. */
	if (!node->breakpoint_size)
		e->attr.bp_len = e->attr.bp_type == HW_BREAKPOINT_X ? sizeof(long) : 4;
	return resolve_terms(r, e, node);
}

static int resolve_numeric(struct event_resolver *r, const struct event_node *node)
{
	uint32_t type = (uint32_t)node->type;

	if (type == PERF_TYPE_HARDWARE || type == PERF_TYPE_HW_CACHE || type == PERF_TYPE_RAW)
		return resolve_hardware(r, node, type, node->config);
	return resolve_terms(r, resolve_add(r, type, node->config), node);
}

/* Resolves the events to which programs of a BPF source or object are attached. */
static int resolve_bpf(struct event_resolver *r, const struct event_node *node)
{
	int result = event_env_programs(r->env, node, r->ast->source, r->list, r->diag);

	if (result != -EOPNOTSUPP || r->diag->message)
		return result;
	resolve_wrong(r, result, node->name_span, "BPF programs are not events for this command");
	diag_hint(r->diag, "perf record, perf stat and perf trace take them.");
	return result;
}

static int unknown_event(struct event_resolver *r, const struct event_node *node)
{
	resolve_wrong(r, -ENOENT, node->name_span, "unknown event '%s'", node->name);
	suggest_event(r->env, node->name, r->diag);
	return -ENOENT;
}

/* Resolves word or word:modifiers. */
static int resolve_word(struct event_resolver *r, const struct event_node *node)
{
	int result = resolve_generic(r, node);

	if (result == -ENOENT)
		result = resolve_alias(r, node);
	if (result == -ENOENT)
		result = resolve_sensor(r, node);
	if (result == -ENOENT)
		result = resolve_drm(r, node);
	if (result == -ENOENT)
		result = resolve_pfm(r, node);
	return result == -ENOENT ? unknown_event(r, node) : result;
}

static int resolve_slashes(struct event_resolver *r, const struct event_node *node)
{
	int result = resolve_generic(r, node);

	if (result == -ENOENT)
		result = resolve_software_pmu(r, node);
	return result == -ENOENT ? resolve_pmu(r, node) : result;
}

static int resolve_what(struct event_resolver *r, const struct event_node *node)
{
	switch (node->syntax) {
	case EVENT_SYNTAX_WORD:
		return resolve_word(r, node);
	case EVENT_SYNTAX_PMU:
		return resolve_slashes(r, node);
	case EVENT_SYNTAX_TRACEPOINT:
		return resolve_tracepoint(r, node);
	case EVENT_SYNTAX_NUMERIC:
		return resolve_numeric(r, node);
	case EVENT_SYNTAX_BREAKPOINT:
		return resolve_breakpoint(r, node);
	case EVENT_SYNTAX_BPF:
		return resolve_bpf(r, node);
	}
	return -EINVAL;
}

static int bad_modifier(struct event_resolver *r, const char *letters, struct text_span where,
			const char *bad)
{
	struct text_span letter = { where.at + (size_t)(bad - letters), 1 };

	return resolve_wrong(
		r, -EINVAL, letter,
		*bad == 'p' ? "precision goes up to ppp" : "modifier '%c' is given twice", *bad);
}

/* Rejects a latency for a counter: it is measured for each sample. */
static int refuse_latency(struct event_resolver *r, const char *letters, struct text_span where)
{
	const char *at = letters && r->use == EVENT_USE_COUNTING ? strchr(letters, 'R') : NULL;
	int result;

	if (!at)
		return 0;
	result = resolve_wrong(r, -EINVAL,
			       (struct text_span){ where.at + (size_t)(at - letters), 1 },
			       "retire latencies (R) are sampled, not counted");
	diag_hint(r->diag, "perf record -e EVENT:ppR, then perf report -F +retire_lat, on Intel's "
			   "processors with TPEBS (from Granite Rapids on); or leave out R to "
			   "count the event.");
	return result;
}

/*
 * Rejects terms for the config: that of a tracepoint is its id, and a breakpoint's other words are
 * its place.
 */
static int refuse_config_terms(struct event_resolver *r, const struct event_node *node)
{
	if (node->syntax != EVENT_SYNTAX_TRACEPOINT && node->syntax != EVENT_SYNTAX_BREAKPOINT)
		return 0;
	for (size_t i = 0; i < node->n_terms; i++) {
		const struct event_term *t = &node->terms[i];
		uint64_t raw;

		if (!strncmp(t->name, "config", 6) || raw_event_parse(t->name, &raw))
			return resolve_wrong(r, -EINVAL, t->name_span,
					     "this kind of event has no '%s'", t->name);
	}
	return 0;
}

/* Resolves the events of one node: its name, its modifiers, and the typed text as their name. */
static int resolve_node(struct event_resolver *r, const struct event_node *node)
{
	size_t first = r->list->n;
	int result = refuse_config_terms(r, node);

	if (result >= 0)
		result = refuse_latency(r, node->modifiers, node->modifiers_span);
	if (result >= 0)
		result = resolve_what(r, node);
	for (size_t i = first; i < r->list->n && result >= 0; i++) {
		struct event *e = r->list->items[i];
		const char *bad;

		if (!e->name)
			e->name = xstrndup(r->ast->source + node->span.at, node->span.length);
		if (node->modifiers &&
		    modifier_apply(node->modifiers, &e->attr, &e->modifiers, &bad) < 0)
			result = bad_modifier(r, node->modifiers, node->modifiers_span, bad);
	}
	return result;
}

static int join_group(struct event_resolver *r, const struct event_item *item, size_t first)
{
	if (item->group_name)
		r->list->items[first]->group_name = xstrdup(item->group_name);
	for (size_t i = first; i < r->list->n; i++) {
		struct event *e = r->list->items[i];
		const char *bad;

		e->leader = first;
		if (item->modifiers && modifier_apply_group(item->modifiers, i == first, &e->attr,
							    &e->modifiers, &bad) < 0)
			return bad_modifier(r, item->modifiers, item->modifiers_span, bad);
	}
	return 0;
}

static int resolve_item(struct event_resolver *r, const struct event_item *item)
{
	size_t first = r->list->n;
	int result = refuse_latency(r, item->modifiers, item->modifiers_span);

	for (size_t i = 0; i < item->n && result >= 0; i++)
		result = resolve_node(r, &item->items[i]);
	return result < 0 || !item->group ? result : join_group(r, item, first);
}

/* Moves the events of @from to the end of @to, where their leaders' indexes are higher. */
static void move_events(struct event_list *from, struct event_list *to)
{
	size_t first = to->n;

	for (size_t i = 0; i < from->n; i++) {
		from->items[i]->leader += first;
		*ARRAY_ADD(to) = from->items[i];
	}
	to->last = first;
	from->n = 0;
}

int event_list_parse(struct event_list *l, const char *text, struct event_env *env,
		     enum event_use use, struct diag *diag)
{
	_cleanup_(event_ast_done) struct event_ast ast = { 0 };
	_cleanup_(event_list_done) struct event_list events = { 0 };
	struct event_resolver r = { &ast, env, use, &events, diag };
	int result = event_ast_parse(text, &ast, diag);

	for (size_t i = 0; i < ast.n && result >= 0; i++)
		result = resolve_item(&r, &ast.items[i]);
	if (result < 0)
		return result;
	move_events(&events, l);
	return 0;
}
