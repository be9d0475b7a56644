/* SPDX-License-Identifier: MIT */
#include "tools/probe/delete-work.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/name-list.h"
#include "base/notes.h"
#include "base/similar.h"
#include "kernel/tracefs.h"
#include "probe/kernel-probes.h"
#include "probe/probe-cache.h"
#include "probe/probe-request.h"
#include "probe/trace-probe.h"

struct deleting {
	const struct probe_request *rq;
	struct notes *notes;
	struct tracefs *fs;
	struct kernel_probes *kernel;
	struct trace_probes probes; /* all existing probes */
	bool *hit;                  /* the probes to remove */
};

static void deleting_done(struct deleting *d)
{
	free(d->hit);
	trace_probes_done(&d->probes);
	kernel_probes_free(d->kernel);
	tracefs_free(d->fs);
}

/* Orders probes of the kernel first, then by name. */
static int probe_delete_compare(const void *a, const void *b)
{
	const struct trace_probe *p = a, *q = b;
	int r = (int)p->is_user - (int)q->is_user;

	if (!r)
		r = strcmp(p->group, q->group);
	return r ? r : strcmp(p->event, q->event);
}

static int probe_delete_open_kernel(struct deleting *d, struct diag *diag)
{
	int r = tracefs_open(d->rq->tracing_dir, &d->fs, diag);

	if (r < 0)
		return r;
	d->kernel = kernel_probes_new(d->fs);
	r = kernel_probes_read(d->kernel, &d->probes, diag);
	if (r < 0)
		return r;
	if (d->probes.n)
		qsort(d->probes.items, d->probes.n, sizeof(d->probes.items[0]),
		      probe_delete_compare);
	d->hit = xcalloc(d->probes.n + 1, sizeof(d->hit[0]));
	return 0;
}

static int probe_delete_explain_missing(const struct deleting *d, const char *pattern,
					struct diag *diag)
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

static int probe_delete_choose(struct deleting *d, const char *pattern, struct diag *diag)
{
	bool any = false;

	for (size_t i = 0; i < d->probes.n; i++) {
		if (!probe_is_called(&d->probes.items[i], pattern))
			continue;
		d->hit[i] = true;
		any = true;
	}
	return any ? 0 : probe_delete_explain_missing(d, pattern, diag);
}

/* True if the probe is another place of the previous event. Places of an event are adjacent. */
static bool probe_delete_is_repeated(const struct deleting *d, size_t i)
{
	return i && !probe_delete_compare(&d->probes.items[i], &d->probes.items[i - 1]);
}

static int probe_delete_remove_one(struct deleting *d, const struct trace_probe *p,
				   struct diag *diag)
{
	int r = 0;

	if (d->rq->verbose)
		notes_add(d->notes, NOTE_DETAIL, "Writing event: -:%s/%s", p->group, p->event);
	if (!d->rq->dry_run)
		r = kernel_probes_remove(d->kernel, p, diag);
	if (r == -EBUSY) {
		diag_set(diag, r, "%s:%s is in use, so it cannot be removed", p->group, p->event);
		diag_hint(diag, "end what records it (perf record, ftrace, a BPF program), and try "
				"again");
	}
	if (r >= 0)
		notes_add(d->notes, NOTE_STATUS, "Removed event: %s:%s", p->group, p->event);
	return r;
}

static int remove_chosen(struct deleting *d)
{
	int result = 0;

	for (size_t i = 0; i < d->probes.n; i++) {
		_cleanup_(diag_done) struct diag diag = { 0 };
		int r = d->hit[i] && !probe_delete_is_repeated(d, i)
				? probe_delete_remove_one(d, &d->probes.items[i], &diag)
				: 0;

		if (r >= 0)
			continue;
		notes_take(d->notes, NOTE_FAILURE, &diag);
		result = r;
	}
	return result;
}

static int delete_from_kernel(const struct probe_request *rq, const struct probe_texts *texts,
			      struct notes *notes, struct diag *diag)
{
	_cleanup_(deleting_done) struct deleting d = { .rq = rq, .notes = notes };
	int r = probe_delete_open_kernel(&d, diag);

	for (size_t i = 0; i < texts->n && r >= 0; i++)
		r = probe_delete_choose(&d, texts->items[i].text, diag);
	return r < 0 ? r : remove_chosen(&d);
}

static void tell_removed(void *arg, const struct cached_probe *p)
{
	notes_add(arg, NOTE_STATUS, "Removed cached event: %s", p->text);
}

static int delete_from_cache(const struct probe_request *rq, const struct probe_texts *texts,
			     struct notes *notes, struct diag *diag)
{
	for (size_t i = 0; i < texts->n; i++) {
		const char *pattern = texts->items[i].text;

		if (probe_cache_remove(rq->buildid_dir, rq->program, pattern, tell_removed,
				       notes) <= 0)
			return diag_set(diag, -ENOENT, "\"%s\" does not hit any cached event",
					pattern);
	}
	return 0;
}

int probe_delete(const struct probe_request *rq, const struct probe_texts *texts,
		 struct notes *notes, struct diag *diag)
{
	return rq->cache ? delete_from_cache(rq, texts, notes, diag)
			 : delete_from_kernel(rq, texts, notes, diag);
}
