/* SPDX-License-Identifier: MIT */
#include "probe/probe-add.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/glob.h"
#include "base/memory.h"
#include "base/notes.h"
#include "base/text.h"
#include "elf/file.h"
#include "kernel/kernel-notes.h"
#include "kernel/tracefs.h"
#include "probe/kernel-probes.h"
#include "probe/probe-boundary.h"
#include "probe/probe-cache.h"
#include "probe/probe-target.h"
#include "probe/resolve.h"

void probe_additions_done(struct probe_additions *a)
{
	for (size_t i = 0; i < a->n; i++) {
		probe_def_done(&a->items[i].def);
		trace_probes_done(&a->items[i].probes);
	}
	free(a->items);
	probe_target_free(a->target);
	kernel_probes_free(a->kernel);
	tracefs_free(a->fs);
}

static bool probe_add_same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

/* Adds lines as a note. There may be more lines than one. */
static void probe_add_lines(struct notes *notes, const struct text *lines)
{
	if (lines->length)
		notes_add(notes, NOTE_STATUS, "%.*s", (int)lines->length - 1, lines->chars);
}

static int open_target(struct probe_additions *a, const struct probe_asked *asked,
		       struct diag *diag)
{
	struct probe_target_options to = probe_request_target(a->rq, asked->program, asked->module);

	if (a->target && probe_add_same_text(a->target_of->program, asked->program) &&
	    probe_add_same_text(a->target_of->module, asked->module))
		return 0;
	probe_target_free(a->target);
	a->target = NULL;
	a->target_of = asked;
	return probe_target_open(&to, &a->target, diag);
}

/* Notes as a detail why debug information is missing, since more would be possible with it. */
static void tell_debug(struct probe_additions *a)
{
	_cleanup_(diag_done) struct diag why = { 0 };
	const char *name = probe_target_name(a->target);
	struct debug_info *info;

	if (a->rq->verbose && probe_target_debug(a->target, &info, &why) == -ENODATA)
		notes_add(a->notes, NOTE_DETAIL,
			  "The %s file has no debug information: symbols are used.",
			  name ? name : "vmlinux");
}

static int resolve_place(struct probe_additions *a, struct probe_addition *item, struct diag *diag)
{
	const struct resolve_options ro = {
		.max_probes = a->rq->max_probes,
		.no_inlines = a->rq->no_inlines,
		.source = a->rq->source,
	};
	struct text notes = TEXT_EMPTY;
	int r = open_target(a, item->asked, diag);

	if (r >= 0)
		tell_debug(a);
	if (r >= 0)
		r = probe_resolve(&item->def, a->target, &ro, &item->probes, &notes, diag);
	for (size_t i = 0; i < item->probes.n && r >= 0; i++)
		r = probe_check_boundary(&item->def, a->target, &item->probes.items[i], diag);
	if (r >= 0)
		probe_add_lines(a->notes, &notes);
	text_done(&notes);
	return r;
}

static int find_marker(const struct probe_additions *a, struct probe_addition *item,
		       struct diag *diag)
{
	const struct probe_def *d = &item->def;
	const char *at = strstr(d->text, d->marker);
	_cleanup_(diag_done) struct diag why = { 0 };
	int r = probe_cache_find(a->rq->buildid_dir, item->asked->program, d->marker, &item->probes,
				 &why);

	if (r >= 0)
		return r;
	diag_mark(diag, r, d->text, at ? (size_t)(at - d->text) : 0, strlen(at ? at : d->text),
		  "%s", why.message);
	if (why.hint)
		diag_hint(diag, "%s", why.hint);
	return r;
}

static int probe_add_resolve(struct probe_additions *a, struct probe_addition *item,
			     struct diag *diag)
{
	int r = probe_def_parse(item->asked->text, &item->def, diag);

	if (r < 0)
		return r;
	if (item->def.marker)
		return find_marker(a, item, diag);
	return resolve_place(a, item, diag);
}

int probe_additions_resolve(struct probe_additions *a, const struct probe_request *rq,
			    const struct probe_texts *texts, struct notes *notes, struct diag *diag)
{
	*a = (struct probe_additions){ .rq = rq, .notes = notes };
	a->items = xcalloc(texts->n, sizeof(a->items[0]));
	for (size_t i = 0; i < texts->n; i++) {
		int r;

		a->items[a->n++].asked = &texts->items[i];
		if (rq->verbose)
			notes_add(notes, NOTE_DETAIL, "probe-definition(%zu): %s", i,
				  texts->items[i].text);
		r = probe_add_resolve(a, &a->items[i], diag);
		if (r < 0)
			return r;
		if (rq->verbose)
			notes_add(notes, NOTE_DETAIL, "Found %zu probe_trace_events.",
				  a->items[i].probes.n);
	}
	return 0;
}

/*
 * Opens the kernel's probes. A dry run without the necessary rights still reports what would be
 * added, as far as it is known.
 */
static int probe_add_open_kernel(struct probe_additions *a, struct diag *diag)
{
	int r = tracefs_open(a->rq->tracing_dir, &a->fs, diag);

	if (r < 0)
		return a->rq->dry_run ? 0 : r;
	a->kernel = kernel_probes_new(a->fs);
	return 0;
}

static int probe_add_name_all(struct probe_additions *a, struct diag *diag)
{
	for (size_t i = 0; i < a->n && a->kernel; i++) {
		const char *marker = a->items[i].def.marker;
		/* A glob takes all matching names; one that exists already is no reason to stop. */
		bool may_number = a->rq->force || (marker && glob_is_pattern(marker));
		int r = kernel_probes_name(a->kernel, &a->items[i].probes, may_number, diag);

		if (r < 0)
			return r;
	}
	return 0;
}

static int write_one(struct probe_additions *a, struct probe_addition *item, struct diag *diag)
{
	struct text notes = TEXT_EMPTY;
	int r = 0;

	for (size_t i = 0; i < item->probes.n && a->rq->verbose; i++) {
		_cleanup_(freep) char *line = trace_probe_text(&item->probes.items[i]);

		notes_add(a->notes, NOTE_DETAIL, "Writing event: %s", line);
	}
	if (!a->rq->dry_run)
		r = kernel_probes_add(a->kernel, &item->probes, &notes, diag);
	probe_add_lines(a->notes, &notes);
	text_done(&notes);
	return r;
}

static int probe_add_write_all(struct probe_additions *a, struct diag *diag)
{
	for (size_t i = 0; i < a->n; i++) {
		int r = write_one(a, &a->items[i], diag);

		if (r >= 0)
			continue;
		while (i--)
			kernel_probes_undo(a->kernel, &a->items[i].probes);
		return r;
	}
	return 0;
}

/* Finds the image whose entry in the build-id cache keeps the probes of @t. */
static int probe_add_find_image(struct probe_target *t, const char **name, struct build_id *id)
{
	*name = probe_target_name(t);
	switch (probe_target_kind(t)) {
	case PROBE_KERNEL:
		*name = "[kernel.kallsyms]";
		return build_id_of_kernel(id);
	case PROBE_MODULE:
		return build_id_of_module(*name, id);
	case PROBE_PROGRAM:
		break;
	}
	return elf_build_id_read(*name, id);
}

/* Returns "[GROUP:EVENT=]POINT ARGS" with the names of all arguments. The caller frees it. */
static char *definition_text(const struct probe_def *d, const struct trace_probe *p)
{
	_cleanup_(freep) char *point = probe_point_text(&d->point);
	struct text t = TEXT_EMPTY;

	if (d->event)
		text_addf(&t, "%s:%s=", d->group ? d->group : p->group, d->event);
	text_add(&t, point);
	for (size_t i = 0; i < d->n_args; i++) {
		_cleanup_(freep) char *arg = probe_arg_text(&d->args[i]);

		text_addf(&t, " %s", arg);
	}
	return text_take(&t);
}

static int probe_add_store(struct probe_additions *a, struct probe_addition *item,
			   struct diag *diag)
{
	_cleanup_(freep) char *text = definition_text(&item->def, &item->probes.items[0]);
	struct build_id id;
	const char *name;
	int r = open_target(a, item->asked, diag);

	if (r < 0)
		return r;
	r = probe_add_find_image(a->target, &name, &id);
	if (r < 0)
		return diag_set(diag, r, "%s has no build-id, so its probes cannot be kept", name);
	return probe_cache_store(a->rq->buildid_dir, name, &id, text, item->probes.items,
				 item->probes.n, diag);
}

/* Stores the definitions in the cache, except those that came out of it. */
static int store_all(struct probe_additions *a, struct diag *diag)
{
	int r = 0;

	for (size_t i = 0; i < a->n && r >= 0; i++)
		if (!a->items[i].def.marker)
			r = probe_add_store(a, &a->items[i], diag);
	return r;
}

int probe_additions_write(struct probe_additions *a, struct diag *diag)
{
	int r = probe_add_open_kernel(a, diag);

	if (r >= 0)
		r = probe_add_name_all(a, diag);
	if (r >= 0)
		r = probe_add_write_all(a, diag);
	if (r >= 0 && a->rq->cache && !a->rq->dry_run)
		r = store_all(a, diag);
	return r;
}
