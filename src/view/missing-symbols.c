/* SPDX-License-Identifier: MIT */
#include "view/missing-symbols.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/escape.h"
#include "base/text.h"
#include "base/wrap.h"
#include "profile/missing-symbols.h"
#include "symbol/buildid/debug-package.h"
#include "symbol/symbolizer.h"
#include "symbol/unnamed.h"

#define SHOWN_MAX    5
#define NOT_STRIPPED "link it without -s, and do not strip it"

static void print_debug_package(FILE *err, const struct image *im)
{
	_cleanup_(freep) char *command = debug_package_command(image_name(im));
	_cleanup_(text_done) struct text shown = TEXT_EMPTY;
	const char *server = debug_package_server();

	if (!command) {
		fputs(NOT_STRIPPED "\n", err);
		return;
	}
	escape_terminal(&shown, command, strlen(command));
	fprintf(err, "its debug symbols: %s", shown.chars);
	if (server)
		fprintf(err, "; or set DEBUGINFOD_URLS=%s to fetch them", server);
	fputc('\n', err);
}

/*
 * Prints everything in one line, which begins like that of Linux's perf, because users' tests
 * accept such lines.
 */
static void print_stripped(FILE *err, const struct missing_object *o, const char *name,
			   uint64_t total)
{
	fprintf(err,
		"no symbols found in %s, maybe install a debug package? %" PRIu64 " of %" PRIu64
		" samples: %s; ",
		name, o->samples, total, image_unnamed_words(o->image).why);
	print_debug_package(err, o->image);
}

static void print_object(FILE *err, const struct missing_object *o, const char *name,
			 uint64_t total)
{
	struct unnamed_reason reason = image_unnamed_words(o->image);

	if (image_is_stripped(o->image)) {
		print_stripped(err, o, name, total);
		return;
	}
	fprintf(err, "no symbols found in %s for %" PRIu64 " of %" PRIu64 " samples: %s\n", name,
		o->samples, total, reason.why);
	if (reason.help)
		fprintf(err, "  %s\n", reason.help);
}

/* Adds the debug package. Commands are not broken into lines, so that they can be copied. */
static void add_debug_package(struct text *t, const struct image *im, unsigned columns)
{
	_cleanup_(freep) char *command = debug_package_command(image_name(im));
	const char *server = debug_package_server();

	text_add(t, "  ");
	if (!command) {
		text_add_wrapped(t, NOT_STRIPPED, 2, columns);
		return;
	}
	escape_terminal(t, command, strlen(command));
	text_add_char(t, '\n');
	if (server)
		text_addf(t, "  or: export DEBUGINFOD_URLS=%s\n", server);
}

static void add_why(struct text *t, const char *why, unsigned columns)
{
	_cleanup_(text_done) struct text clause = TEXT_EMPTY;

	text_addf(&clause, "(%s)", why);
	text_add(t, "  ");
	text_add_wrapped(t, clause.chars, 2, columns);
}

static void print_for_people(FILE *err, const struct missing_object *o, const char *name,
			     uint64_t total, unsigned columns)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY, first = TEXT_EMPTY;
	struct unnamed_reason reason = image_unnamed_words(o->image);
	bool stripped = image_is_stripped(o->image), helps = stripped || reason.help;

	text_addf(&first, "%s %s (%" PRIu64 " of %" PRIu64 " samples)%s",
		  helps ? "To see function names of" : "No function names of", name, o->samples,
		  total, helps ? ":" : "");
	text_add_wrapped(&t, first.chars, 2, columns);
	if (stripped) {
		add_debug_package(&t, o->image, columns);
	} else if (helps) {
		text_add(&t, "  ");
		text_add_wrapped(&t, reason.help, 2, columns);
	}
	add_why(&t, reason.why, columns);
	fputs(t.chars, err);
}

void missing_symbols_print(FILE *err, struct missing_symbols *m, unsigned columns)
{
	size_t n = missing_symbols_rank(m);

	for (size_t i = 0; i < n && i < SHOWN_MAX; i++) {
		_cleanup_(text_done) struct text name = TEXT_EMPTY;
		const char *wanted = image_wanted_path(m->items[i].image);

		escape_terminal(&name, wanted, strlen(wanted));
		if (columns)
			print_for_people(err, &m->items[i], name.chars, m->total, columns);
		else
			print_object(err, &m->items[i], name.chars, m->total);
	}
	if (n > SHOWN_MAX)
		fprintf(err,
			columns ? "and in %zu more\n"
				: "no symbols found in %zu more, maybe install a debug package?\n",
			n - SHOWN_MAX);
}

static void missing_symbols_view_print_remark(struct image *im, void *arg)
{
	_cleanup_(text_done) struct text name = TEXT_EMPTY;
	const char *remark = image_remark(im), *path = image_long_name(im);

	if (!remark)
		return;
	escape_terminal(&name, path, strlen(path));
	fprintf(arg, "%s: %s\n", name.chars, remark);
}

void symbol_remarks_print(FILE *err, struct symbolizer *s)
{
	symbolizer_for_each(s, missing_symbols_view_print_remark, err);
}
