/* SPDX-License-Identifier: MIT */
#include "probe/attach.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/diag.h"
#include "base/glob.h"
#include "base/memory.h"
#include "event/ast.h"
#include "event/env.h"
#include "base/name-list.h"
#include "kernel/probe-events.h"
#include "kernel/tracefs.h"
#include "probe/probe-cache.h"

struct attached_probes {
	struct probe_events *files[2]; /* by enum probe_events_kind; NULL: not needed yet */
	struct name_list added[2];     /* "GROUP/EVENT" */
};

/* The state of one call of probes_attach(). */
struct attaching {
	struct attached_probes *to;
	const char *buildid_dir;
	struct event_env *env;
	struct tracefs *fs; /* NULL: not needed yet */
	struct diag *diag;
};

void attached_probes_free(struct attached_probes *a)
{
	if (!a)
		return;
	for (size_t kind = 0; kind < ARRAY_SIZE(a->files); kind++) {
		for (size_t i = 0; i < a->added[kind].n; i++) {
			_cleanup_(diag_done) struct diag ignored = { 0 };
			_cleanup_(freep) char *line = xasprintf("-:%s", a->added[kind].items[i]);

			probe_events_write(a->files[kind], line, &ignored);
		}
		name_list_done(&a->added[kind]);
		probe_events_free(a->files[kind]);
	}
	free(a);
}

static bool is_marker(const struct event_node *node)
{
	return !strncmp(node->system, "sdt_", strlen("sdt_"));
}

static bool attach_has_event(const struct attaching *a, const char *group, const char *event)
{
	uint64_t id;

	return a->fs && tracefs_event_id(a->fs, group, event, &id) == 0;
}

/*
 * Refuses a name that cannot be checked. Only these two files tell whether a name is taken, and
 * only root may read them.
 */
static int attach_deny(struct attaching *a, const struct event_ast *ast,
		       const struct event_node *node)
{
	diag_mark(a->diag, -EACCES, ast->source, node->name_span.at, node->name_span.length,
		  "'%s:%s' has to be set as a probe first, and only root may", node->system,
		  node->name);
	diag_hint(a->diag, "Run it as root: sudo perf ... (whose cache is another: sudo perf "
			   "buildid-cache --add PROGRAM)");
	return -EACCES;
}

static int attach_open_file(struct attaching *a, enum probe_events_kind kind)
{
	struct probe_events **file = &a->to->files[kind];

	return *file ? 0 : probe_events_open(a->fs, kind, true, file, a->diag);
}

/* Compares two texts, where NULL stands for the kernel's own choice. */
static bool is_same_text(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

static bool has_arg(const struct trace_probe *p, const struct trace_arg *arg)
{
	for (size_t i = 0; i < p->n_args; i++)
		if (is_same_text(p->args[i].name, arg->name) &&
		    is_same_text(p->args[i].type, arg->type))
			return true;
	return false;
}

static void drop_arg(struct trace_probe *p, size_t i)
{
	free(p->args[i].name);
	free(p->args[i].value);
	free(p->args[i].type);
	p->n_args--;
	memmove(&p->args[i], &p->args[i + 1], (p->n_args - i) * sizeof(p->args[0]));
}

static bool attach_is_same_event(const struct trace_probe *a, const struct trace_probe *b)
{
	return !strcmp(a->group, b->group) && !strcmp(a->event, b->event);
}

/*
 * Drops the arguments of @l that a place lacks. The kernel requires that all places of an event
 * have the same arguments (trace_probe_append()), so an argument that one place cannot have is
 * dropped everywhere.
 */
static void keep_common_args(struct trace_probes *l, const struct trace_probe *p)
{
	for (size_t i = 0; i < l->n; i++) {
		struct trace_probe *other = &l->items[i];

		if (other == p || !attach_is_same_event(other, p))
			continue;
		for (size_t j = other->n_args; j-- > 0;)
			if (!has_arg(p, &other->args[j]))
				drop_arg(other, j);
	}
}

static bool attach_is_ours(const struct attaching *a, const struct trace_probe *p)
{
	const struct name_list *l =
		&a->to->added[p->is_user ? PROBE_EVENTS_USER : PROBE_EVENTS_KERNEL];
	_cleanup_(freep) char *name = xasprintf("%s/%s", p->group, p->event);

	for (size_t i = 0; i < l->n; i++)
		if (!strcmp(l->items[i], name))
			return true;
	return false;
}

/* Adds the place @p of an event that is new, or was set by us. */
static int attach_add_place(struct attaching *a, const struct trace_probe *p)
{
	enum probe_events_kind kind = p->is_user ? PROBE_EVENTS_USER : PROBE_EVENTS_KERNEL;
	_cleanup_(freep) char *line = trace_probe_text(p);
	_cleanup_(freep) char *name = xasprintf("%s/%s", p->group, p->event);
	int r = attach_open_file(a, kind);

	if (r >= 0)
		r = probe_events_write(a->to->files[kind], line, a->diag);
	if (r >= 0 && !attach_is_ours(a, p))
		name_list_add(&a->to->added[kind], name);
	return r;
}

static int attach_add_places(struct attaching *a, struct trace_probes *l)
{
	_cleanup_(freep) bool *is_new = xcalloc(l->n + 1, sizeof(*is_new));
	int r = 0;

	/*
	 * All names are checked before the first place is added. Otherwise later places would find
	 * the event of the first place, and treat it as another's.
	 */
	for (size_t i = 0; i < l->n; i++) {
		is_new[i] = !attach_has_event(a, l->items[i].group, l->items[i].event);
		keep_common_args(l, &l->items[i]);
	}
	for (size_t i = 0; i < l->n && r >= 0; i++)
		if (is_new[i])
			r = attach_add_place(a, &l->items[i]);
	return r;
}

/* Reports an unknown name. It is an error only if it can be nothing but a marker. */
static int not_known(struct attaching *a, const struct event_ast *ast,
		     const struct event_node *node, struct diag *why)
{
	if (!is_marker(node) || glob_is_pattern(node->system) || glob_is_pattern(node->name))
		return 0;
	diag_mark(a->diag, -ENOENT, ast->source, node->name_span.at, node->name_span.length, "%s",
		  why->message);
	if (why->hint)
		diag_hint(a->diag, "%s", why->hint);
	return -ENOENT;
}

static int attach_node(struct attaching *a, const struct event_ast *ast,
		       const struct event_node *node)
{
	_cleanup_(trace_probes_done) struct trace_probes places = { 0 };
	_cleanup_(diag_done) struct diag why = { 0 };
	bool glob = glob_is_pattern(node->system) || glob_is_pattern(node->name);
	int r;

	if (glob && !is_marker(node))
		return 0;
	r = a->fs ? 0 : event_env_tracefs(a->env, &a->fs, &why);
	if (r < 0 && r != -EACCES)
		return 0;
	if (!glob && attach_has_event(a, node->system, node->name))
		return 0;

	_cleanup_(freep) char *pattern = xasprintf("%s:%s", node->system, node->name);

	if (probe_cache_find(a->buildid_dir, NULL, pattern, &places, &why) < 0)
		return not_known(a, ast, node, &why);
	return r == -EACCES ? attach_deny(a, ast, node) : attach_add_places(a, &places);
}

static int attach_text(struct attaching *a, const char *text)
{
	_cleanup_(diag_done) struct diag ignored = { 0 };
	struct event_ast ast;
	int r = 0;

	if (event_ast_parse(text, &ast, &ignored) < 0)
		return 0;
	for (size_t i = 0; i < ast.n && r >= 0; i++)
		for (size_t j = 0; j < ast.items[i].n && r >= 0; j++)
			if (ast.items[i].items[j].syntax == EVENT_SYNTAX_TRACEPOINT)
				r = attach_node(a, &ast, &ast.items[i].items[j]);
	event_ast_done(&ast);
	return r;
}

int probes_attach(const char *const *texts, size_t n, const char *buildid_dir,
		  struct event_env *env, struct attached_probes **ret, struct diag *diag)
{
	_cleanup_(attached_probes_freep) struct attached_probes *to = xcalloc(1, sizeof(*to));
	struct attaching a = { .to = to, .buildid_dir = buildid_dir, .env = env, .diag = diag };
	int r = 0;

	for (size_t i = 0; i < n && r >= 0; i++)
		r = attach_text(&a, texts[i]);
	if (r < 0)
		return r;
	*ret = to->added[0].n || to->added[1].n ? TAKE(to) : NULL;
	return 0;
}
