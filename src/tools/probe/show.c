/* SPDX-License-Identifier: MIT */
#include "tools/probe/show.h"

#include <string.h>

#include "base/build-id.h"
#include "base/cleanup.h"
#include "base/diag.h"
#include "base/escape.h"
#include "base/notes.h"
#include "base/text.h"
#include "cli/command.h"
#include "probe/probe-add.h"
#include "probe/probe-cache.h"
#include "tools/probe/delete-work.h"
#include "tools/probe/functions-work.h"
#include "tools/probe/lines-view.h"
#include "tools/probe/list-view.h"
#include "tools/probe/list-work.h"
#include "tools/probe/source-work.h"
#include "tools/probe/variables-view.h"
#include "tools/probe/variables-work.h"

static void print_added(const struct probe_additions *a, FILE *out)
{
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

int probe_show_added(struct invocation *inv, const struct probe_opts *o)
{
	_cleanup_(probe_additions_done) struct probe_additions a = { 0 };
	_cleanup_(diag_done) struct diag d = { 0 };
	struct notes notes = command_notes(inv);
	int r = probe_additions_resolve(&a, &o->rq, &o->add, &notes, &d);

	if (r >= 0)
		r = probe_additions_write(&a, &d);
	if (r >= 0) {
		print_added(&a, command_err(inv));
		return EXIT_OK;
	}
	command_fail(inv, r, &d);
	fputs("  Error: Failed to add events.\n", command_err(inv));
	return EXIT_FAILED;
}

static int print_bootconfig(const struct probe_additions *a, struct invocation *inv)
{
	for (size_t i = 0; i < a->n; i++) {
		const struct trace_probes *l = &a->items[i].probes;

		if (l->n && l->items[0].is_user)
			return command_failf(inv,
					     "--bootconfig is for the kernel: at boot there are no "
					     "programs to probe");
		probe_list_print_bootconfig(l, inv->out);
	}
	return EXIT_OK;
}

int probe_show_definitions(struct invocation *inv, const struct probe_opts *o)
{
	_cleanup_(probe_additions_done) struct probe_additions a = { 0 };
	_cleanup_(diag_done) struct diag d = { 0 };
	struct notes notes = command_notes(inv);
	int r = probe_additions_resolve(&a, &o->rq, &o->definition, &notes, &d);

	if (r < 0)
		return command_fail(inv, r, &d);
	if (o->bootconfig)
		return print_bootconfig(&a, inv);
	for (size_t i = 0; i < a.n; i++)
		for (size_t j = 0; j < a.items[i].probes.n; j++)
			probe_list_print_definition(&a.items[i].probes.items[j], inv->out);
	return EXIT_OK;
}

int probe_show_deleted(struct invocation *inv, const struct probe_opts *o)
{
	_cleanup_(diag_done) struct diag d = { 0 };
	struct notes notes = command_notes(inv);
	int r = probe_delete(&o->rq, &o->del, &notes, &d);

	/* Failures to remove single probes were reported already. */
	if (r < 0 && d.message)
		command_fail(inv, r, &d);
	return r < 0 ? EXIT_FAILED : EXIT_OK;
}

static void print_probe(void *arg, const struct trace_probe *p, const struct probe_place *place)
{
	probe_list_print(p, place, arg);
}

static void print_cached_image(void *arg, const char *name, const struct build_id *id)
{
	char text[BUILD_ID_TEXT_MAX];

	fprintf(arg, "%s (%s):\n", name, build_id_format(id, text));
}

static void print_cached(void *arg, const struct cached_probe *p)
{
	fprintf(arg, "%s\n", p->text);
}

int probe_show_list(struct invocation *inv, const struct probe_opts *o)
{
	const struct probe_list_sink sink = { print_probe, print_cached_image, print_cached,
					      inv->out };
	_cleanup_(diag_done) struct diag d = { 0 };
	int r = probe_list_find(&o->rq, o->list, &sink, &d);

	return r < 0 ? command_fail(inv, r, &d) : EXIT_OK;
}

int probe_show_lines(struct invocation *inv, const struct probe_opts *o)
{
	_cleanup_(probe_source_done) struct probe_source s = { 0 };
	_cleanup_(diag_done) struct diag d = { 0 };
	int r = probe_source_find(&o->rq, o->line, &s, &d);

	if (r < 0)
		return command_fail(inv, r, &d);
	probe_lines_print(&s.lines, s.path, s.text, inv->colour, inv->out);
	return EXIT_OK;
}

int probe_show_vars(struct invocation *inv, const struct probe_opts *o)
{
	_cleanup_(probe_variables_done) struct probe_variables v = { 0 };
	_cleanup_(text_done) struct text out = TEXT_EMPTY;
	_cleanup_(diag_done) struct diag d = { 0 };
	struct notes notes = command_notes(inv);
	int r = probe_variables_find(&o->rq, o->vars, &v, &notes, &d);

	if (r < 0)
		return command_fail(inv, r, &d);
	probe_variables_head(&out, v.point);
	for (size_t i = 0; i < v.n; i++)
		probe_variables_text(&out, v.items[i].function, v.items[i].offset,
				     &v.items[i].variables, o->rq.range);
	fputs(out.chars, inv->out);
	return EXIT_OK;
}

/* The amount of text that is formatted at a time. */
#define OUT_SIZE (32u << 10)

int probe_show_funcs(struct invocation *inv, const struct probe_opts *o)
{
	_cleanup_(probe_functions_done) struct probe_functions f = { 0 };
	_cleanup_(text_done) struct text out = TEXT_EMPTY;
	_cleanup_(diag_done) struct diag d = { 0 };
	int r = probe_functions_find(&o->rq, o->funcs, &f, &d);

	if (r < 0)
		return command_fail(inv, r, &d);
	for (size_t i = 0; i < f.n; i++) {
		escape_terminal(&out, f.items[i].name, strlen(f.items[i].name));
		text_add_char(&out, '\n');
		if (out.length >= OUT_SIZE || i + 1 == f.n) {
			fwrite(out.chars, 1, out.length, inv->out);
			text_clear(&out);
		}
	}
	return EXIT_OK;
}
