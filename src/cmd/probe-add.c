/* SPDX-License-Identifier: MIT */
/* perf probe --add and --definition: what was asked for becomes events of the kernel, all or none.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/glob.h"
#include "base/memory.h"
#include "base/text.h"
#include "cli/command.h"
#include "cmd/probe-job.h"
#include "cmd/tracing-dir.h"
#include "elf/build-id.h"
#include "kernel/kernel-notes.h"
#include "kernel/tracefs.h"
#include "probe/kernel-probes.h"
#include "probe/probe-boundary.h"
#include "probe/probe-cache.h"
#include "probe/probe-def.h"
#include "probe/probe-target.h"
#include "probe/resolve.h"
#include "probe/trace-probe.h"
#include "view/probe-list.h"

/* One definition and what became of it. */
struct addition {
	const struct probe_asked *asked;
	struct probe_def def;
	struct trace_probes probes;
};

struct adding {
	struct invocation *inv;
	const struct probe_opts *opts;
	struct addition *items;
	size_t n;
	struct probe_target *target; /* of the definition before, which often is that of the next */
	const struct probe_asked *target_of;
	struct tracefs *fs;
	struct kernel_probes *kernel;
};

static void adding_done(struct adding *a)
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

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

/* With -v. */
static void __attribute__((format(printf, 2, 3)))
tell(const struct adding *a, const char *format, ...)
{
	va_list ap;

	if (!a->opts->verbosity.verbose)
		return;
	va_start(ap, format);
	vfprintf(a->inv->err, format, ap);
	va_end(ap);
}

static int open_target(struct adding *a, const struct probe_asked *asked, struct diag *diag)
{
	struct probe_target_options to = probe_target_options_of(a->opts, asked->program,
								 asked->module);

	if (a->target && same_text(a->target_of->program, asked->program) &&
	    same_text(a->target_of->module, asked->module))
		return 0;
	probe_target_free(a->target);
	a->target = NULL;
	a->target_of = asked;
	return probe_target_open(&to, &a->target, diag);
}

/* With -v: that there is less to be had than there might be. */
static void tell_debug(struct adding *a)
{
	_cleanup_(diag_done) struct diag why = { 0 };
	const char *name = probe_target_name(a->target);
	struct debug_info *info;

	if (a->opts->verbosity.verbose && probe_target_debug(a->target, &info, &why) == -ENODATA)
		tell(a, "The %s file has no debug information: symbols are used.\n",
		     name ? name : "vmlinux");
}

static int resolve_place(struct adding *a, struct addition *item, struct diag *diag)
{
	const struct resolve_options ro = {
		.max_probes = a->opts->max_probes,
		.no_inlines = a->opts->no_inlines,
		.source = a->opts->source,
	};
	struct text notes = TEXT_EMPTY;
	int r = open_target(a, item->asked, diag);

	if (r >= 0)
		tell_debug(a);
	if (r >= 0)
		r = probe_resolve(&item->def, a->target, &ro, &item->probes, &notes, diag);
	for (size_t i = 0; i < item->probes.n && r >= 0; i++)
		r = probe_check_boundary(&item->def, a->target, &item->probes.items[i], diag);
	if (r >= 0 && !a->opts->verbosity.quiet)
		fputs(notes.chars, a->inv->err);
	text_done(&notes);
	return r;
}

static int find_marker(const struct adding *a, struct addition *item, struct diag *diag)
{
	const struct probe_def *d = &item->def;
	const char *at = strstr(d->text, d->marker);
	_cleanup_(diag_done) struct diag why = { 0 };
	int r = probe_cache_find(a->opts->buildid_dir, item->asked->program, d->marker,
				 &item->probes, &why);

	if (r >= 0)
		return r;
	diag_mark(diag, r, d->text, at ? (size_t)(at - d->text) : 0, strlen(at ? at : d->text),
		  "%s", why.message);
	if (why.hint)
		diag_hint(diag, "%s", why.hint);
	return r;
}

static int resolve(struct adding *a, struct addition *item, struct diag *diag)
{
	int r = probe_def_parse(item->asked->text, &item->def, diag);

	if (r < 0)
		return r;
	if (item->def.marker)
		return find_marker(a, item, diag);
	return resolve_place(a, item, diag);
}

static int resolve_all(struct adding *a, const struct probe_texts *texts, struct diag *diag)
{
	a->items = xcalloc(texts->n, sizeof(a->items[0]));
	for (size_t i = 0; i < texts->n; i++) {
		int r;

		a->items[a->n++].asked = &texts->items[i];
		tell(a, "probe-definition(%zu): %s\n", i, texts->items[i].text);
		r = resolve(a, &a->items[i], diag);
		if (r < 0)
			return r;
		tell(a, "Found %zu probe_trace_events.\n", a->items[i].probes.n);
	}
	return 0;
}

static int print_bootconfig(const struct adding *a)
{
	for (size_t i = 0; i < a->n; i++) {
		const struct trace_probes *l = &a->items[i].probes;

		if (l->n && l->items[0].is_user)
			return command_failf(a->inv,
					     "--bootconfig is for the kernel: at boot there are no "
					     "programs to probe");
		probe_list_print_bootconfig(l, a->inv->out);
	}
	return EXIT_OK;
}

static int print_definitions(const struct adding *a)
{
	if (a->opts->bootconfig)
		return print_bootconfig(a);
	for (size_t i = 0; i < a->n; i++)
		for (size_t j = 0; j < a->items[i].probes.n; j++)
			probe_list_print_definition(&a->items[i].probes.items[j], a->inv->out);
	return EXIT_OK;
}

/* Without rights a dry run still says what would be, as far as it is known. */
static int open_kernel(struct adding *a, struct diag *diag)
{
	_cleanup_(freep) char *dir = command_tracing_dir(a->inv);
	int r = tracefs_open(dir, &a->fs, diag);

	if (r < 0)
		return a->opts->dry_run ? 0 : r;
	a->kernel = kernel_probes_new(a->fs);
	return 0;
}

static int name_all(struct adding *a, struct diag *diag)
{
	for (size_t i = 0; i < a->n && a->kernel; i++) {
		const char *marker = a->items[i].def.marker;
		/* A glob takes what is there; one that exists already is no reason to stop. */
		bool may_number = a->opts->force || (marker && glob_is_pattern(marker));
		int r = kernel_probes_name(a->kernel, &a->items[i].probes, may_number, diag);

		if (r < 0)
			return r;
	}
	return 0;
}

static int write_one(struct adding *a, struct addition *item, struct diag *diag)
{
	struct text notes = TEXT_EMPTY;
	int r = 0;

	for (size_t i = 0; i < item->probes.n; i++) {
		_cleanup_(freep) char *line = trace_probe_text(&item->probes.items[i]);

		tell(a, "Writing event: %s\n", line);
	}
	if (!a->opts->dry_run)
		r = kernel_probes_add(a->kernel, &item->probes, &notes, diag);
	if (!a->opts->verbosity.quiet)
		fputs(notes.chars, a->inv->err);
	text_done(&notes);
	return r;
}

static int write_all(struct adding *a, struct diag *diag)
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

static void print_added(const struct adding *a)
{
	FILE *out = a->inv->err;
	const struct trace_probe *last = NULL;
	size_t n = 0;

	for (size_t i = 0; i < a->n; i++)
		n += a->items[i].probes.n;
	fprintf(out, "Added new event%s\n", n > 1 ? "s:" : ":");
	for (size_t i = 0; i < a->n; i++)
		for (size_t j = 0; j < a->items[i].probes.n; j++) {
			last = &a->items[i].probes.items[j];
			probe_list_print_added(&a->items[i].def, last, out);
		}
	if (last)
		fprintf(out,
			"\nYou can now use it in all perf tools, such as:\n\n"
			"\tperf record -e %s:%s -aR sleep 1\n\n",
			last->group, last->event);
}

/* The image in whose entry of the build-id cache the probes of @t are kept. */
static int find_image(struct probe_target *t, const char **name, struct build_id *id)
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

/* "[GROUP:EVENT=]POINT ARGS" with all names that arguments have. The caller frees it. */
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

static int store(struct adding *a, struct addition *item, struct diag *diag)
{
	_cleanup_(freep) char *text = definition_text(&item->def, &item->probes.items[0]);
	struct build_id id;
	const char *name;
	int r = open_target(a, item->asked, diag);

	if (r < 0)
		return r;
	r = find_image(a->target, &name, &id);
	if (r < 0)
		return diag_set(diag, r, "%s has no build-id, so its probes cannot be kept", name);
	return probe_cache_store(a->opts->buildid_dir, name, &id, text, item->probes.items,
				 item->probes.n, diag);
}

/* What came out of the cache is there already. */
static int store_all(struct adding *a, struct diag *diag)
{
	int r = 0;

	for (size_t i = 0; i < a->n && r >= 0; i++)
		if (!a->items[i].def.marker)
			r = store(a, &a->items[i], diag);
	return r;
}

static int add(struct adding *a, struct diag *diag)
{
	int r = open_kernel(a, diag);

	if (r >= 0)
		r = name_all(a, diag);
	if (r >= 0)
		r = write_all(a, diag);
	if (r >= 0 && a->opts->cache && !a->opts->dry_run)
		r = store_all(a, diag);
	if (r >= 0 && !a->opts->verbosity.quiet)
		print_added(a);
	return r;
}

int probe_add(struct invocation *inv, const struct probe_opts *o)
{
	_cleanup_(adding_done) struct adding a = { .inv = inv, .opts = o };
	_cleanup_(diag_done) struct diag d = { 0 };
	bool only_print = o->definition.n > 0;
	int r = resolve_all(&a, only_print ? &o->definition : &o->add, &d);

	if (r >= 0 && only_print)
		return print_definitions(&a);
	if (r >= 0)
		r = add(&a, &d);
	if (r >= 0)
		return EXIT_OK;
	command_fail(inv, r, &d);
	if (!only_print)
		fputs("  Error: Failed to add events.\n", inv->err);
	return EXIT_FAILED;
}
