/* SPDX-License-Identifier: MIT */
#include "measure/bpf-events.h"

#include <errno.h>
#include <linux/bpf.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/memory.h"
#include "bpf/module.h"
#include "capture/opened-events.h"
#include "event/ast.h"
#include "event/env.h"
#include "event/event.h"
#include "kernel/perf-event.h"
#include "measure/bpf-object.h"

/* The kernel's internal ENOTSUPP, which differs from that of user space. */
#define KERNEL_ENOTSUPP 524

struct bpf_events {
	struct bpf_events_options options;
	struct {
		struct bpf_object_event **items;
		size_t n, room;
	} objects;
	size_t n_programs; /* number of programs of all objects */
};

struct bpf_events *bpf_events_new(const struct bpf_events_options *o)
{
	struct bpf_events *b = xcalloc(1, sizeof(*b));

	b->options = *o;
	return b;
}

void bpf_events_free(struct bpf_events *b)
{
	if (!b)
		return;
	for (size_t i = 0; i < b->objects.n; i++) {
		bpf_object_event_done(b->objects.items[i]);
		free(b->objects.items[i]);
	}
	free(b->objects.items);
	free(b);
}

/* Adds the events called @text, which run program @number. */
static int bpf_events_add(struct event_list *l, const char *text, size_t number,
			  struct event_env *env, struct diag *diag)
{
	size_t first = l->n;
	int r = event_list_parse(l, text, env, EVENT_USE_SAMPLING, diag);

	for (size_t i = first; i < l->n && r >= 0; i++)
		l->items[i]->program = number + 1;
	return r;
}

/* Adds probes as events. A definition may have several places; those of one name are one event. */
static int add_probe_events(struct bpf_object_event *o, const struct bpf_run *run, size_t number,
			    struct event_env *env, struct event_list *l, struct diag *diag)
{
	const struct trace_probes *probes = &o->probes.items[run->addition].probes;
	int r = 0;

	for (size_t i = 0; i < probes->n && r >= 0; i++) {
		const struct trace_probe *p = &probes->items[i];
		_cleanup_(freep) char *text = xasprintf("%s:%s", p->group, p->event);

		if (i == 0 || strcmp(p->event, probes->items[i - 1].event) != 0)
			r = bpf_events_add(l, text, number, env, diag);
	}
	return r;
}

static int add_object_events(struct bpf_object_event *o, struct event_env *env,
			     struct event_list *l, struct diag *diag)
{
	int r = 0;

	for (size_t i = 0; i < o->runs.n && r >= 0; i++) {
		const struct bpf_run *run = &o->runs.items[i];
		size_t number = o->first_program + i;

		if (run->section.place == BPF_PLACE_TRACEPOINT)
			r = bpf_events_add(l, run->section.event, number, env, diag);
		else if (run->section.place == BPF_PLACE_PROBE)
			r = add_probe_events(o, run, number, env, l, diag);
	}
	return r;
}

/* Returns the path and terms of @node, which identify an object. */
static char *node_text(const struct event_node *node)
{
	char *text = xstrdup(node->name);

	for (size_t i = 0; i < node->n_terms; i++) {
		const struct event_term *t = &node->terms[i];
		char *longer = xasprintf("%s%c%s%s%s", text, i ? ',' : '/', t->name,
					 t->value ? "=" : "", t->value ? t->value : "");

		free(text);
		text = longer;
	}
	return text;
}

/* Finds an object that was named before, as happens for each cgroup. */
static struct bpf_object_event *find_object(struct bpf_events *b, const char *text)
{
	for (size_t i = 0; i < b->objects.n; i++)
		if (!strcmp(b->objects.items[i]->text, text))
			return b->objects.items[i];
	return NULL;
}

static int open_object(struct bpf_events *b, const struct event_node *node, const char *source,
		       struct bpf_object_event **ret, struct diag *diag)
{
	struct bpf_object_event *o = xcalloc(1, sizeof(*o));
	int r;

	*ARRAY_ADD(&b->objects) = o;
	o->options = &b->options;
	o->text = node_text(node);
	o->first_program = b->n_programs;
	r = bpf_object_event_open(o, node, source, diag);
	b->n_programs += o->runs.n;
	if (r >= 0 && !b->options.dry_run)
		r = bpf_object_event_find_probes(o, diag);
	if (r >= 0 && !b->options.dry_run)
		r = bpf_object_event_load(o, diag);
	if (r >= 0 && !b->options.dry_run)
		r = bpf_object_event_probe(o, diag);
	*ret = o;
	return r;
}

static int take_node(void *arg, const struct event_node *node, const char *source,
		     struct event_env *env, struct event_list *list, struct diag *diag)
{
	struct bpf_events *b = arg;
	_cleanup_(freep) char *text = node_text(node);
	struct bpf_object_event *o = find_object(b, text);
	int r = o ? 0 : open_object(b, node, source, &o, diag);

	return r < 0 || b->options.dry_run ? r : add_object_events(o, env, list, diag);
}

int bpf_events_pass(void *arg, const struct event_node *node, const char *source,
		    struct event_env *env, struct event_list *list, struct diag *diag)
{
	bool *any = arg;

	(void)node, (void)source, (void)env, (void)list, (void)diag;
	if (any)
		*any = true;
	return 0;
}

void bpf_events_listen(struct bpf_events *b, struct event_env *env)
{
	event_env_set_programs(env, take_node, b);
}

/*
 * Uses an event as output. The kernel permits in such a map only an event of one task on one CPU,
 * without inheritance.
 */
static int use_as_output(struct event_list *l, const char *name, const char *map, struct diag *diag)
{
	const unsigned given = 1U << EVENT_SETTING_INHERIT;
	bool found = false;

	for (size_t i = 0; i < l->n; i++) {
		struct event_settings *s = &l->items[i]->settings;

		if (strcmp(l->items[i]->name, name) != 0)
			continue;
		if (s->given & given && s->inherit)
			return diag_set(diag, -EINVAL,
					"the map '%s' takes no event that children inherit: "
					"bpf-output/no-inherit,name=%s/",
					map, name);
		s->given |= given;
		s->inherit = false;
		found = true;
	}
	if (found)
		return 0;
	diag_set(diag, -ENOENT, "there is no event '%s' for the map '%s'", name, map);
	diag_hint(diag, "Name one: -e bpf-output/no-inherit,name=%s/", name);
	return -ENOENT;
}

static bool has_event_term(const struct bpf_object_event *o, const char *map)
{
	for (size_t i = 0; i < o->terms.n; i++)
		if (o->terms.items[i].kind == BPF_MAP_EVENT && !strcmp(o->terms.items[i].map, map))
			return true;
	return false;
}

static bool wants_output(const struct bpf_object_event *o, const struct bpf_map_shape *map)
{
	return map->type == BPF_MAP_TYPE_PERF_EVENT_ARRAY && !has_event_term(o, map->name);
}

/* Adds outputs: a perf event array that no term mentions sends to an event with its name. */
static int add_outputs(struct bpf_object_event *o, struct event_list *l, struct event_env *env,
		       struct diag *diag)
{
	struct bpf_map_shape map;
	int r = 0;

	for (size_t i = 0; r >= 0 && bpf_module_map(o->module, i, &map); i++) {
		_cleanup_(freep) char *text = xasprintf("bpf-output/no-inherit,name=%s/", map.name);

		if (!wants_output(o, &map))
			continue;
		r = event_list_parse(l, text, env, EVENT_USE_SAMPLING, diag);
		if (r < 0)
			return r;
		*ARRAY_ADD(&o->terms) = (struct bpf_map_term){ .kind = BPF_MAP_EVENT,
							       .map = xstrdup(map.name),
							       .event = xstrdup(map.name) };
	}
	return r;
}

static int complete_object(struct bpf_object_event *o, struct event_list *l, struct event_env *env,
			   struct diag *diag)
{
	int r = o->options->counts ? 0 : add_outputs(o, l, env, diag);

	for (size_t i = 0; i < o->terms.n && r >= 0; i++)
		if (o->terms.items[i].kind == BPF_MAP_EVENT)
			r = use_as_output(l, o->terms.items[i].event, o->terms.items[i].map, diag);
	return r;
}

int bpf_events_complete(struct bpf_events *b, struct event_list *l, struct event_env *env,
			struct diag *diag)
{
	int r = 0;

	if (!b || !b->objects.n || b->options.dry_run)
		return 0;
	for (size_t i = 0; i < b->objects.n && r >= 0; i++)
		r = complete_object(b->objects.items[i], l, env, diag);
	if (r < 0 || l->n)
		return r;
	diag_set(diag, -EINVAL, "%s: its programs make no event, and it has no perf event array",
		 b->objects.items[0]->path);
	diag_hint(diag, "Programs at tracepoints (tp/...) and functions (func=...) are events; "
			"others send by bpf_perf_event_output() to a map of the type "
			"BPF_MAP_TYPE_PERF_EVENT_ARRAY.");
	return -EINVAL;
}

static int put_event(struct bpf_object_event *o, const struct bpf_map_term *t,
		     const struct opened_event *e, struct diag *diag)
{
	size_t places = opened_event_places(e);
	int r = 0;

	for (size_t i = 0; i < places && r >= 0; i++) {
		int cpu = opened_event_cpu(e, i);
		int fd = e->fds[i];
		uint32_t key = (uint32_t)cpu;

		if (fd < 0 || (cpu >= 0 && !bpf_map_term_covers(t, key)))
			continue;
		if (cpu < 0 || opened_event_task(e, i) > 0) {
			diag_set(diag, -EINVAL,
				 "the map '%s' has one event for each CPU, not for each of several "
				 "threads",
				 t->map);
			diag_hint(diag, "Record the whole system (-a), and let the program look at "
					"bpf_get_current_pid_tgid().");
			return -EINVAL;
		}
		r = bpf_module_put(o->module, t->map, &key, &fd, diag);
	}
	return r;
}

static int fill_arrays(struct bpf_object_event *o, const struct opened_events *opened,
		       struct diag *diag)
{
	int r = 0;

	for (size_t i = 0; i < o->terms.n && r >= 0; i++)
		for (size_t j = 0; j < opened->n && r >= 0; j++)
			if (o->terms.items[i].kind == BPF_MAP_EVENT &&
			    !strcmp(opened->items[j].event->name, o->terms.items[i].event))
				r = put_event(o, &o->terms.items[i], &opened->items[j], diag);
	return r;
}

/*
 * Attaches a program. It is attached to the tracepoint and not to the descriptor
 * (perf_event_attach_bpf_prog()), so once is enough.
 */
static int attach_to(struct bpf_object_event *o, const struct bpf_run *run,
		     const struct opened_event *e, struct diag *diag)
{
	int program = bpf_module_program_fd(o->module, run->name);

	for (size_t i = 0; i < opened_event_places(e); i++) {
		int r = e->fds[i] < 0 ? -EBADF : perf_event_set_bpf(e->fds[i], program);

		if (r >= 0 || r == -EEXIST)
			return 0;
		if (r == -EBADF)
			continue;
		diag_set(diag, r, "%s: the program '%s' cannot be attached to %s: %s", o->path,
			 run->name, e->event->name, strerror(-r));
		if (r == -EACCES || r == -EINVAL)
			diag_hint(diag, "It may read more of the event than there is, or be of a "
					"type that does not run there.");
		if (r == -EPERM)
			diag_hint(diag, "Run as root, or with CAP_BPF and CAP_PERFMON.");
		return r;
	}
	return 0;
}

static int attach_own(struct bpf_object_event *o, const struct bpf_run *run, struct diag *diag)
{
	int r = bpf_module_attach_raw(o->module, run->name, diag);

	if (r == -KERNEL_ENOTSUPP)
		diag_set(diag, r,
			 "%s: this kernel cannot attach '%s' to a function without a probe",
			 o->path, run->name);
	if (r == -KERNEL_ENOTSUPP)
		diag_hint(diag, "fentry and fexit need Linux 5.5 on x86_64, 6.4 on aarch64; "
				"SEC(\"kprobe/FUNCTION\") works before.");
	if (r == -EOPNOTSUPP)
		diag_hint(diag, "Programs as events run at tracepoints (tp, raw_tp, tp_btf), "
				"functions (func=, kprobe, fentry) and programs (exec=, uprobe).");
	return r;
}

static int attach_programs(struct bpf_object_event *o, const struct opened_events *opened,
			   struct diag *diag)
{
	int r = 0;

	for (size_t i = 0; i < o->runs.n && r >= 0; i++) {
		const struct bpf_run *run = &o->runs.items[i];

		if (run->section.place == BPF_PLACE_OWN)
			r = attach_own(o, run, diag);
		for (size_t j = 0; j < opened->n && r >= 0; j++)
			if (opened->items[j].event->program == o->first_program + i + 1)
				r = attach_to(o, run, &opened->items[j], diag);
	}
	return r;
}

int bpf_events_attach(struct bpf_events *b, const struct opened_events *opened, struct diag *diag)
{
	int r = 0;

	for (size_t i = 0; b && i < b->objects.n && r >= 0; i++) {
		r = fill_arrays(b->objects.items[i], opened, diag);
		if (r >= 0)
			r = attach_programs(b->objects.items[i], opened, diag);
	}
	return r;
}
