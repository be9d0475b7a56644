/* SPDX-License-Identifier: MIT */
#include "cli/message.h"

#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/escape.h"
#include "base/text.h"
#include "base/wrap.h"
#include "cli/colour.h"
#include "cli/command.h"
#include "cli/terminal.h"

#define INDENT 2

/*
 * Prints @s with unsafe characters escaped, with its own line breaks and @before in front of each
 * line. Lines longer than @width are broken at blanks; 0: none is.
 */
static void print_wrapped(FILE *err, const char *before, const char *s, size_t width)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;
	_cleanup_(text_done) struct text line = TEXT_EMPTY;

	for (;;) {
		size_t n = strcspn(s, "\n");

		text_add(&t, before);
		text_clear(&line);
		escape_terminal(&line, s, n);
		text_add_wrapped(&t, line.chars, INDENT, width);
		if (!s[n])
			break;
		s += n + 1;
	}
	fputs(t.chars, err);
}

static void message_print_lines(FILE *err, const char *before, const char *s)
{
	print_wrapped(err, before, s, terminal_is(err) ? terminal_width(err) : 0);
}

void message_print_plain(FILE *err, const char *s, bool wraps)
{
	print_wrapped(err, "", s, wraps && terminal_is(err) ? terminal_width(err) : 0);
}

/* Prints the text that was read, and ^~~~ under the part that is wrong. */
static void print_excerpt(FILE *err, const struct diag *d)
{
	struct text t = TEXT_EMPTY;
	size_t size = strlen(d->excerpt);
	size_t at = d->offset < size ? d->offset : size;
	size_t length = d->length < size - at ? d->length : size - at;
	bool colour = colour_wanted(COLOUR_AUTO, err);

	escape_terminal(&t, d->excerpt, at);

	size_t column = escape_columns(t.chars, t.length), start = t.length;

	escape_terminal(&t, d->excerpt + at, length);

	size_t width = escape_columns(t.chars + start, t.length - start);

	escape_terminal(&t, d->excerpt + at + length, size - at - length);
	fprintf(err, "%*s%s\n%*s%s^", INDENT, "", t.chars, (int)(INDENT + column), "",
		colour_code(colour, COLOUR_RED));
	for (size_t i = 1; i < width; i++)
		fputc('~', err);
	fprintf(err, "%s\n", colour_code(colour, COLOUR_OFF));
	text_done(&t);
}

static void message_print_rest(FILE *err, const char *before_hint, const struct diag *d)
{
	if (d->excerpt)
		print_excerpt(err, d);
	if (d->hint)
		message_print_lines(err, before_hint, d->hint);
}

void message_print(FILE *err, const char *prefix, int error, const struct diag *d)
{
	message_print_lines(err, prefix, d->message ? d->message : strerror(-error));
	message_print_rest(err, "", d);
}

void message_print_synopsis(FILE *out, const struct command *c, unsigned columns)
{
	static const char *const plain[] = { "", NULL };
	const char *const *usage = c->usage && *c->usage ? c->usage : plain;

	for (const char *before = " Usage:"; *usage; usage++, before = "    or:") {
		_cleanup_(text_done) struct text t = TEXT_EMPTY, words = TEXT_EMPTY;

		text_addf(&words, "perf%s%s%s%s", *c->name ? " " : "", c->name, **usage ? " " : "",
			  *usage);
		text_addf(&t, "%s ", before);
		text_add_wrapped(&t, words.chars, strlen(before) + 1, columns);
		fputs(t.chars, out);
	}
}

void message_print_usage(FILE *err, const struct command *c, const struct option *about,
			 const struct diag *d)
{
	unsigned columns = terminal_is(err) ? terminal_width(err) : 0;

	message_print_lines(err, " Error: ", d->message ? d->message : "this makes no sense");
	message_print_rest(err, " ", d);
	fputc('\n', err);
	message_print_synopsis(err, c, columns);
	if (about) {
		fputc('\n', err);
		option_print_row(about, columns, err);
	}
	if (*c->name)
		fprintf(err, "\n Run 'perf %s -h' for all options.\n", c->name);
	else
		fputs("\n Run 'perf --help perf' for all options.\n", err);
}
