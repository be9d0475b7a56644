/* SPDX-License-Identifier: MIT */
#include "view/missing-symbols.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/escape.h"
#include "base/text.h"
#include "buildid/debug-package.h"
#include "profile/missing-symbols.h"
#include "symbol/symbolizer.h"
#include "symbol/unnamed.h"

#define SHOWN_MAX 5

static void print_debug_package(FILE *err, const struct image *im, bool named)
{
	_cleanup_(freep) char *command = debug_package_command(image_name(im), named);
	_cleanup_(text_done) struct text shown = TEXT_EMPTY;
	const char *server = debug_package_server();

	if (!command) {
		fputs("link it without -s, and do not strip it\n", err);
		return;
	}
	escape_terminal(&shown, command, strlen(command));
	fprintf(err, "its debug symbols: %s", shown.chars);
	if (server)
		fprintf(err, "; or set DEBUGINFOD_URLS=%s to fetch them", server);
	fputc('\n', err);
}

/* All in one line, which begins as that of Linux's perf: users' tests let such lines pass. */
static void print_stripped(FILE *err, const struct missing_object *o, const char *name,
			   uint64_t total, bool by_name)
{
	fprintf(err,
		"no symbols found in %s, maybe install a debug package? %" PRIu64 " of %" PRIu64
		" samples: %s; ",
		name, o->samples, total, image_unnamed_words(o->image).why);
	print_debug_package(err, o->image, by_name);
}

static void print_object(FILE *err, const struct missing_object *o, uint64_t total, bool by_name)
{
	_cleanup_(text_done) struct text name = TEXT_EMPTY;
	struct unnamed_reason reason = image_unnamed_words(o->image);
	const char *wanted = image_wanted_path(o->image);

	escape_terminal(&name, wanted, strlen(wanted));
	if (image_is_stripped(o->image)) {
		print_stripped(err, o, name.chars, total, by_name);
		return;
	}
	fprintf(err, "no symbols found in %s for %" PRIu64 " of %" PRIu64 " samples: %s\n",
		name.chars, o->samples, total, reason.why);
	if (reason.help)
		fprintf(err, "  %s\n", reason.help);
}

void missing_symbols_print(FILE *err, struct missing_symbols *m, bool by_name)
{
	size_t n = missing_symbols_rank(m);

	for (size_t i = 0; i < n && i < SHOWN_MAX; i++)
		print_object(err, &m->items[i], m->total, by_name);
	if (n > SHOWN_MAX)
		fprintf(err, "and in %zu more\n", n - SHOWN_MAX);
}

static void print_remark(struct image *im, void *arg)
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
	symbolizer_for_each(s, print_remark, err);
}
