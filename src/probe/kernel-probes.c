/* SPDX-License-Identifier: MIT */
#include "probe/kernel-probes.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/name-list.h"
#include "kernel/probe-events.h"
#include "kernel/tracefs.h"
#include "probe/event-name.h"
#include "probe/trace-probe.h"

#define README_SIZE_MAX (1 << 20)

/*
 * At most this many refusals are explained. Finding out why the kernel refuses a place takes a
 * moment, and the reason is the same for most places.
 */
#define EXPLAINED_MAX 5

struct kernel_probes {
	struct tracefs *fs;
	struct probe_events *files[2]; /* by kind, for writing; NULL: not yet open */
	struct name_list groups;       /* the groups whose events are in @taken */
	struct name_list taken;        /* "GROUP:EVENT" */
	bool knows_append, appends;
};

struct kernel_probes *kernel_probes_new(struct tracefs *fs)
{
	struct kernel_probes *k = xcalloc(1, sizeof(*k));

	k->fs = fs;
	return k;
}

void kernel_probes_free(struct kernel_probes *k)
{
	if (!k)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(k->files); i++)
		probe_events_free(k->files[i]);
	name_list_done(&k->groups);
	name_list_done(&k->taken);
	free(k);
}

static enum probe_events_kind kernel_probes_kind_of(const struct trace_probe *p)
{
	return p->is_user ? PROBE_EVENTS_USER : PROBE_EVENTS_KERNEL;
}

static int read_kind(struct kernel_probes *k, enum probe_events_kind kind, struct trace_probes *ret,
		     struct diag *diag)
{
	_cleanup_(probe_events_freep) struct probe_events *e = NULL;
	_cleanup_(name_list_done) struct name_list lines = { 0 };
	int r = probe_events_open(k->fs, kind, false, &e, diag);

	if (r >= 0)
		r = probe_events_read(e, &lines);
	if (r < 0)
		return r;
	name_list_sort(&lines);
	for (size_t i = 0; i < lines.n; i++) {
		struct trace_probe p;

		/* Lines that a newer kernel writes in another form are not listed. */
		if (trace_probe_parse(lines.items[i], kind == PROBE_EVENTS_USER, &p) >= 0)
			*trace_probes_add(ret) = p;
	}
	return 0;
}

int kernel_probes_read(struct kernel_probes *k, struct trace_probes *ret, struct diag *diag)
{
	int kernel = read_kind(k, PROBE_EVENTS_KERNEL, ret, diag);
	int user;

	if (kernel < 0 && kernel != -ENOENT)
		return kernel;
	user = read_kind(k, PROBE_EVENTS_USER, ret, diag);
	if (user < 0 && (user != -ENOENT || kernel < 0))
		return user;
	return 0;
}

/*
 * Adds all events of @group to the taken names, not only probes: `sched:sched_switch=...` must not
 * hide the existing event.
 */
static void learn_group(struct kernel_probes *k, const char *group)
{
	_cleanup_(name_list_done) struct name_list events = { 0 };

	if (name_list_contains(&k->groups, group))
		return;
	name_list_add(&k->groups, group);
	name_list_sort(&k->groups);
	if (tracefs_events(k->fs, group, &events) < 0)
		return;
	for (size_t i = 0; i < events.n; i++) {
		_cleanup_(freep) char *name = xasprintf("%s:%s", group, events.items[i]);

		name_list_add(&k->taken, name);
	}
	name_list_sort(&k->taken);
}

static void kernel_probes_take_name(struct kernel_probes *k, const struct trace_probe *p)
{
	_cleanup_(freep) char *name = xasprintf("%s:%s", p->group, p->event);

	name_list_add(&k->taken, name);
	name_list_sort(&k->taken);
}

/* True if an event can have several places. Linux can since 5.4, and its tracefs README says so. */
static bool can_append(struct kernel_probes *k)
{
	_cleanup_(freep) char *path = xasprintf("%s/README", tracefs_path(k->fs));
	_cleanup_(freep) char *text = NULL;

	if (k->knows_append)
		return k->appends;
	k->knows_append = true;
	k->appends = file_read(AT_FDCWD, path, README_SIZE_MAX, &text, NULL) >= 0 &&
		     strstr(text, "Create/append/");
	return k->appends;
}

/* True if there is a tracepoint with the name of @p. */
static bool is_event_of(const struct kernel_probes *k, const struct trace_probe *p)
{
	uint64_t id;

	return tracefs_event_id(k->fs, p->group, p->event, &id) >= 0;
}

static bool kernel_probes_same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

/*
 * True if @a and @b can share an event. As in trace_probe_compare_arg_type(), places of one event
 * have arguments of the same names and types.
 */
static bool can_share(const struct trace_probe *a, const struct trace_probe *b)
{
	if (a->n_args != b->n_args || a->is_return != b->is_return || a->is_user != b->is_user)
		return false;
	for (size_t i = 0; i < a->n_args; i++)
		if (!kernel_probes_same_text(a->args[i].name, b->args[i].name) ||
		    !kernel_probes_same_text(a->args[i].type, b->args[i].type))
			return false;
	return true;
}

static bool same_place(const struct trace_probe *a, const struct trace_probe *b)
{
	return a->offset == b->offset && kernel_probes_same_text(a->path, b->path) &&
	       kernel_probes_same_text(a->module, b->module) &&
	       kernel_probes_same_text(a->symbol, b->symbol);
}

/* The state of naming: the names before numbering, one for each probe. */
struct kernel_probes_naming {
	struct kernel_probes *kernel;
	struct trace_probes *probes;
	char **bases;
	size_t n; /* the number of probes that have their name */
};

static bool kernel_probes_has_base(const struct kernel_probes_naming *m, size_t i,
				   const struct trace_probe *p)
{
	return kernel_probes_same_text(m->bases[i], p->event) &&
	       kernel_probes_same_text(m->probes->items[i].group, p->group);
}

/* Returns the probe before @p whose event @p may join, or NULL. */
static const struct trace_probe *find_partner(const struct kernel_probes_naming *m,
					      const struct trace_probe *p)
{
	for (size_t i = 0; i < m->n; i++)
		if (kernel_probes_has_base(m, i, p) && can_share(&m->probes->items[i], p))
			return &m->probes->items[i];
	return NULL;
}

static bool kernel_probes_is_repeated(const struct kernel_probes_naming *m,
				      const struct trace_probe *p)
{
	for (size_t i = 0; i < m->n; i++)
		if (kernel_probes_has_base(m, i, p) && can_share(&m->probes->items[i], p) &&
		    same_place(&m->probes->items[i], p))
			return true;
	return false;
}

static bool is_known_base(const struct kernel_probes_naming *m, const struct trace_probe *p)
{
	for (size_t i = 0; i < m->n; i++)
		if (kernel_probes_has_base(m, i, p))
			return true;
	return false;
}

/*
 * Explains a taken name. An event that is not a probe cannot be removed, so another name is the
 * only way.
 */
static int explain_taken(struct kernel_probes *k, const struct trace_probe *p, struct diag *diag)
{
	_cleanup_(trace_probes_done) struct trace_probes all = { 0 };
	_cleanup_(diag_done) struct diag ignored = { 0 };
	_cleanup_(freep) char *name = xasprintf("%s:%s", p->group, p->event);

	/* A probe that the kernel does not have yet was named by this command or by a dry run. */
	if (kernel_probes_read(k, &all, &ignored) < 0 || !is_event_of(k, p))
		return -EEXIST;
	for (size_t i = 0; i < all.n; i++)
		if (kernel_probes_same_text(all.items[i].group, p->group) &&
		    kernel_probes_same_text(all.items[i].event, p->event))
			return -EEXIST;
	diag_set(diag, -EEXIST, "event \"%s\" already exists, and is not a probe", name);
	diag_hint(diag,
		  "give yours another name: EVENT=..., or GROUP:EVENT=... with a group of your "
		  "own");
	return -EEXIST;
}

static int name_one(struct kernel_probes_naming *m, struct trace_probe *p, bool may_number,
		    struct diag *diag)
{
	const struct trace_probe *partner = can_append(m->kernel) ? find_partner(m, p) : NULL;
	char *name = NULL;
	int r = 0;

	learn_group(m->kernel, p->group);
	if (partner)
		name = xstrdup(partner->event);
	else
		r = event_free_name(p->group, p->event, &m->kernel->taken,
				    may_number || is_known_base(m, p), &name, diag);
	if (r == -EEXIST)
		return explain_taken(m->kernel, p, diag);
	if (r < 0)
		return r;
	m->bases[m->n] = p->event;
	p->event = name;
	if (!partner)
		kernel_probes_take_name(m->kernel, p);
	return 0;
}

int kernel_probes_name(struct kernel_probes *k, struct trace_probes *l, bool may_number,
		       struct diag *diag)
{
	struct kernel_probes_naming m = { .kernel = k, .probes = l };
	int r = 0;

	m.bases = xcalloc(l->n ? l->n : 1, sizeof(m.bases[0]));
	for (size_t i = 0; i < l->n && r >= 0; i++) {
		struct trace_probe p = l->items[i];

		if (kernel_probes_is_repeated(&m, &p)) {
			trace_probe_done(&p);
			l->items[i] = (struct trace_probe){ 0 };
			continue;
		}
		r = name_one(&m, &p, may_number, diag);
		l->items[i] = (struct trace_probe){ 0 };
		l->items[m.n++] = p;
	}
	if (r >= 0)
		l->n = m.n;
	for (size_t i = 0; i < m.n; i++)
		free(m.bases[i]);
	free(m.bases);
	return r;
}

static int open_kind(struct kernel_probes *k, enum probe_events_kind kind, struct diag *diag)
{
	if (k->files[kind])
		return 0;
	return probe_events_open(k->fs, kind, true, &k->files[kind], diag);
}

/* Returns the line that removes the event of @p. The caller frees it. */
static char *kernel_probes_removal(const struct trace_probe *p)
{
	return xasprintf("-:%s/%s", p->group, p->event);
}

int kernel_probes_remove(struct kernel_probes *k, const struct trace_probe *p, struct diag *diag)
{
	_cleanup_(freep) char *line = kernel_probes_removal(p);
	int r = open_kind(k, kernel_probes_kind_of(p), diag);

	return r < 0 ? r : probe_events_write(k->files[kernel_probes_kind_of(p)], line, diag);
}

void kernel_probes_undo(struct kernel_probes *k, const struct trace_probes *l)
{
	for (size_t i = l->n; i > 0; i--) {
		const struct trace_probe *p = &l->items[i - 1];
		_cleanup_(freep) char *line = kernel_probes_removal(p);

		/* Once an event has been removed, its other places are gone as well. */
		if (k->files[kernel_probes_kind_of(p)])
			probe_events_try(k->files[kernel_probes_kind_of(p)], line);
	}
}

/* The places that have been refused up to now. */
struct refusals {
	struct diag first;
	int error; /* the first one's error; 0: none */
	size_t n;
	struct text notes;
};

static void refusals_done(struct refusals *f)
{
	diag_done(&f->first);
	text_done(&f->notes);
}

/* True if the kernel refuses the place itself. Then another place may work. */
static bool is_about_place(int error)
{
	return error == -EINVAL || error == -EILSEQ;
}

static int write_place(struct kernel_probes *k, const struct trace_probe *p, bool explain,
		       struct diag *diag)
{
	_cleanup_(freep) char *line = trace_probe_text(p);
	int r = open_kind(k, kernel_probes_kind_of(p), diag);

	if (r < 0)
		return r;
	return explain ? probe_events_write(k->files[kernel_probes_kind_of(p)], line, diag)
		       : probe_events_try(k->files[kernel_probes_kind_of(p)], line);
}

static void kernel_probes_remember(struct refusals *f, int error, struct diag *d)
{
	if (f->n++ < EXPLAINED_MAX)
		text_addf(&f->notes, "A place is left out: %s\n", d->message);
	if (f->error)
		return;
	f->error = error;
	f->first = *d;
	*d = (struct diag){ 0 };
}

/* Adds the place @p. Returns 1 if it was added, 0 if its place was refused. */
static int kernel_probes_add_place(struct kernel_probes *k, const struct trace_probe *p,
				   struct refusals *f, struct diag *diag)
{
	_cleanup_(diag_done) struct diag d = { 0 };
	int r = write_place(k, p, f->n < EXPLAINED_MAX, &d);

	if (r >= 0)
		return 1;
	if (is_about_place(r)) {
		kernel_probes_remember(f, r, &d);
		return 0;
	}
	diag_done(diag);
	*diag = d;
	d = (struct diag){ 0 };
	return r;
}

/* Adds the places, and moves the refused ones after the @n accepted ones. */
static int kernel_probes_add_places(struct kernel_probes *k, struct trace_probes *l,
				    struct refusals *f, size_t *n, struct diag *diag)
{
	for (size_t i = 0; i < l->n; i++) {
		struct trace_probe p = l->items[i];
		int r = kernel_probes_add_place(k, &p, f, diag);

		if (r < 0)
			return r;
		if (!r)
			continue;
		l->items[i] = l->items[*n];
		l->items[(*n)++] = p;
	}
	return 0;
}

int kernel_probes_add(struct kernel_probes *k, struct trace_probes *l, struct text *notes,
		      struct diag *diag)
{
	_cleanup_(refusals_done) struct refusals f = { .notes = TEXT_EMPTY };
	struct trace_probes added = { .items = l->items };
	int r = kernel_probes_add_places(k, l, &f, &added.n, diag);

	if (r < 0) {
		kernel_probes_undo(k, &added);
		return r;
	}
	if (l->n && !added.n) {
		diag_done(diag);
		*diag = f.first;
		f.first = (struct diag){ 0 };
		return f.error;
	}
	text_add(notes, f.notes.chars);
	if (f.n > EXPLAINED_MAX)
		text_addf(notes, "%zu more places are left out\n", f.n - EXPLAINED_MAX);
	while (l->n > added.n)
		trace_probe_done(&l->items[--l->n]);
	return 0;
}
