/* SPDX-License-Identifier: MIT */
/* perf probe --del: removes probes by name, of the kernel or of the cache. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/similar.h"
#include "cli/command.h"
#include "cmd/probe-job.h"
#include "cmd/tracing-dir.h"
#include "base/name-list.h"
#include "kernel/tracefs.h"
#include "probe/kernel-probes.h"
#include "probe/probe-cache.h"
#include "probe/trace-probe.h"

struct deleting {
	struct invocation *inv;
	const struct probe_opts *opts;
	struct tracefs *fs;
	struct kernel_probes *kernel;
	struct trace_probes probes; /* all there are */
	bool *hit;                  /* which of them go */
};

static void deleting_done(struct deleting *d)
{
	free(d->hit);
	trace_probes_done(&d->probes);
	kernel_probes_free(d->kernel);
	tracefs_free(d->fs);
}

/* Those of the kernel first, then by name. */
static int compare(const void *a, const void *b)
{
	const struct trace_probe *p = a, *q = b;
	int r = (int)p->is_user - (int)q->is_user;

	if (!r)
		r = strcmp(p->group, q->group);
	return r ? r : strcmp(p->event, q->event);
}

static int open_kernel(struct deleting *d, struct diag *diag)
{
	_cleanup_(freep) char *dir = command_tracing_dir(d->inv);
	int r = tracefs_open(dir, &d->fs, diag);

	if (r < 0)
		return r;
	d->kernel = kernel_probes_new(d->fs);
	r = kernel_probes_read(d->kernel, &d->probes, diag);
	if (r < 0)
		return r;
	if (d->probes.n)
		qsort(d->probes.items, d->probes.n, sizeof(d->probes.items[0]), compare);
	d->hit = xcalloc(d->probes.n + 1, sizeof(d->hit[0]));
	return 0;
}

static int explain_missing(const struct deleting *d, const char *pattern, struct diag *diag)
{
	_cleanup_(name_list_done) struct name_list names = { 0 };
	struct similar near = { .typed = pattern };

	for (size_t i = 0; i < d->probes.n; i++) {
		const struct trace_probe *p = &d->probes.items[i];
		_cleanup_(freep) char *whole = xasprintf("%s:%s", p->group, p->event);

		name_list_add(&names, strchr(pattern, ':') ? whole : p->event);
	}
	for (size_t i = 0; i < names.n; i++)
		similar_add(&near, names.items[i]);

	_cleanup_(freep) char *phrase = similar_phrase(&near);

	diag_set(diag, -ENOENT, "\"%s\" does not hit any event", pattern);
	if (phrase)
		diag_hint(diag, "Did you mean %s?", phrase);
	else
		diag_hint(diag, d->probes.n ? "perf probe -l lists the probes there are"
					    : "there are no probes");
	return -ENOENT;
}

static int choose(struct deleting *d, const char *pattern, struct diag *diag)
{
	bool any = false;

	for (size_t i = 0; i < d->probes.n; i++) {
		if (!probe_is_called(&d->probes.items[i], pattern))
			continue;
		d->hit[i] = true;
		any = true;
	}
	return any ? 0 : explain_missing(d, pattern, diag);
}

/* Another place of the same event is its neighbour. */
static bool is_repeated(const struct deleting *d, size_t i)
{
	return i && !compare(&d->probes.items[i], &d->probes.items[i - 1]);
}

static int remove_one(struct deleting *d, const struct trace_probe *p, struct diag *diag)
{
	int r = 0;

	if (d->opts->verbosity.verbose)
		fprintf(d->inv->err, "Writing event: -:%s/%s\n", p->group, p->event);
	if (!d->opts->dry_run)
		r = kernel_probes_remove(d->kernel, p, diag);
	if (r == -EBUSY) {
		diag_set(diag, r, "%s:%s is in use, so it cannot be removed", p->group, p->event);
		diag_hint(diag, "end what records it (perf record, ftrace, a BPF program), and try "
				"again");
	}
	if (r >= 0 && !d->opts->verbosity.quiet)
		fprintf(d->inv->err, "Removed event: %s:%s\n", p->group, p->event);
	return r;
}

/* One that cannot be removed does not keep the others; the last reason is the status. */
static int remove_chosen(struct deleting *d)
{
	int status = EXIT_OK;

	for (size_t i = 0; i < d->probes.n; i++) {
		_cleanup_(diag_done) struct diag diag = { 0 };
		int r = d->hit[i] && !is_repeated(d, i) ? remove_one(d, &d->probes.items[i], &diag)
							: 0;

		if (r < 0)
			status = command_fail(d->inv, r, &diag);
	}
	return status;
}

static int delete_from_kernel(struct invocation *inv, const struct probe_opts *o)
{
	_cleanup_(deleting_done) struct deleting d = { .inv = inv, .opts = o };
	_cleanup_(diag_done) struct diag diag = { 0 };
	int r = open_kernel(&d, &diag);

	for (size_t i = 0; i < o->del.n && r >= 0; i++)
		r = choose(&d, o->del.items[i].text, &diag);
	return r < 0 ? command_fail(inv, r, &diag) : remove_chosen(&d);
}

static void say_removed(void *arg, const struct cached_probe *p)
{
	fprintf(arg, "Removed cached event: %s\n", p->text);
}

static void say_nothing(void *arg, const struct cached_probe *p)
{
	(void)arg, (void)p;
}

static int delete_from_cache(struct invocation *inv, const struct probe_opts *o)
{
	for (size_t i = 0; i < o->del.n; i++) {
		const char *pattern = o->del.items[i].text;
		int n = probe_cache_remove(o->buildid_dir, o->program, pattern,
					   o->verbosity.quiet ? say_nothing : say_removed,
					   inv->err);

		if (n <= 0)
			return command_failf(inv, "\"%s\" does not hit any cached event", pattern);
	}
	return EXIT_OK;
}

int probe_del(struct invocation *inv, const struct probe_opts *o)
{
	return o->cache ? delete_from_cache(inv, o) : delete_from_kernel(inv, o);
}
