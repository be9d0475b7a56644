/* SPDX-License-Identifier: MIT */
#include "base/glob.h"
#include "event/resolve.h"

#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "event/env.h"
#include "event/suggest.h"
#include "kernel/tracefs.h"

static int resolve_tracepoint_add_one(struct event_resolver *r, const struct event_node *node,
				      struct tracefs *fs, const char *system, const char *name)
{
	uint64_t id;
	int result = tracefs_event_id(fs, system, name, &id);

	if (result < 0)
		return result;

	struct event *e = resolve_add(r, PERF_TYPE_TRACEPOINT, id);

	e->system = xstrdup(system);
	e->tracepoint = xstrdup(name);
	result = resolve_terms(r, e, node);
	if (result >= 0 && !e->name)
		e->name = xasprintf("%s:%s", system, name);
	return result;
}

/* Adds every event of @system that the name's glob selects, in the order of tracefs. */
static int resolve_tracepoint_add_events(struct event_resolver *r, const struct event_node *node,
					 struct tracefs *fs, const char *system)
{
	_cleanup_(name_list_done) struct name_list names = { 0 };
	int result = tracefs_events(fs, system, &names);

	for (size_t i = 0; i < names.n && result >= 0; i++) {
		if (!glob_matches(node->name, names.items[i]))
			continue;
		result = resolve_tracepoint_add_one(r, node, fs, system, names.items[i]);
		/* A module or a probe may have been removed since the directory was read. */
		if (result == -ENOENT)
			result = 0;
	}
	return result;
}

static int add_systems(struct event_resolver *r, const struct event_node *node, struct tracefs *fs)
{
	_cleanup_(name_list_done) struct name_list systems = { 0 };
	int result = tracefs_systems(fs, &systems);

	for (size_t i = 0; i < systems.n && result >= 0; i++)
		if (glob_matches(node->system, systems.items[i]))
			result = resolve_tracepoint_add_events(r, node, fs, systems.items[i]);
	return result;
}

static bool is_generic(const char *name)
{
	uint64_t config;

	return named_event_find(name) || event_tool_find(name) || raw_event_parse(name, &config) ||
	       cache_event_parse(name, &config) == 0;
}

/* Reports that cycles:x and cycles:u:k look like tracepoints, but letters were meant. */
static int bad_modifiers(struct event_resolver *r, const struct event_node *node)
{
	size_t good = strspn(node->name, MODIFIER_LETTERS), length = strlen(node->name);
	struct text_span letter = { node->name_span.at + node->name_span.length - length + good,
				    1 };

	if (good == length)
		return resolve_wrong(r, -EINVAL, letter,
				     "nothing may follow the modifiers of an event");
	return resolve_wrong(r, -EINVAL, letter, "unknown modifier '%c' (one of %s)",
			     node->name[good], MODIFIER_LETTERS);
}

static int unknown_tracepoint(struct event_resolver *r, const struct event_node *node)
{
	if (is_generic(node->system))
		return bad_modifiers(r, node);
	if (!strncmp(node->system, "sdt_", 4)) {
		resolve_wrong(r, -ENOENT, node->name_span, "no probe is set at a marker '%s:%s'",
			      node->system, node->name);
		diag_hint(r->diag, "'perf list sdt' lists the known markers; 'perf buildid-cache "
				   "--add PROGRAM' adds those of a program.");
		return -ENOENT;
	}
	if (strchr(node->name, ':')) {
		resolve_wrong(r, -ENOENT, node->name_span,
			      "libpfm4 knows no event '%s:%s' on this machine", node->system,
			      node->name);
		diag_hint(r->diag, "'perf list pfm' shows those that it knows.");
		return -ENOENT;
	}
	if (glob_is_pattern(node->system) || glob_is_pattern(node->name))
		resolve_wrong(r, -ENOENT, node->name_span, "no tracepoint matches '%s:%s'",
			      node->system, node->name);
	else
		resolve_wrong(r, -ENOENT, node->name_span, "unknown tracepoint '%s:%s'",
			      node->system, node->name);
	suggest_tracepoint(r->env, node->system, node->name, r->diag);
	return -ENOENT;
}

int resolve_tracepoint(struct event_resolver *r, const struct event_node *node)
{
	size_t first = r->list->n;
	struct tracefs *fs;
	int result = event_env_tracefs(r->env, &fs, r->diag);

	if (result < 0 && resolve_pfm(r, node) >= 0) {
		diag_done(r->diag);
		return 0;
	}
	if (result < 0)
		return is_generic(node->system) ? bad_modifiers(r, node) : result;
	if (glob_is_pattern(node->system))
		result = add_systems(r, node, fs);
	else if (glob_is_pattern(node->name))
		result = resolve_tracepoint_add_events(r, node, fs, node->system);
	else
		result = resolve_tracepoint_add_one(r, node, fs, node->system, node->name);
	if (result == -ENOENT || (result >= 0 && r->list->n == first))
		return resolve_pfm(r, node) < 0 ? unknown_tracepoint(r, node) : 0;
	if (result == -EACCES)
		return tracefs_explain_denied(fs, r->diag);
	return result;
}
