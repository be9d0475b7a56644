/* SPDX-License-Identifier: MIT */
#include "cli/option.h"

#include <string.h>

#include "base/text.h"
#include "base/wrap.h"

/* The column in which the help text of a row begins; longer spellings push it to the next line. */
#define HELP_COLUMN 26

/* Appends "--freq <n>", "--call-graph[=<mode>]", "-I[<ms>]". */
static void option_help_add_value(struct text *t, const struct option *o)
{
	if (!o->arg)
		return;
	if ((o->flags & (OPTION_OPTIONAL | OPTION_LATER)) == OPTION_OPTIONAL)
		text_addf(t, o->name ? "[=<%s>]" : "[<%s>]", o->arg);
	else
		text_addf(t, " <%s>", o->arg);
}

static void option_help_add_names(struct text *t, const struct option *o)
{
	if (o->letter)
		text_addf(t, "-%c%s", o->letter, o->name ? ", " : "");
	if (o->name)
		text_addf(t, "--%s", o->name);
}

static void add_spelling(struct text *t, const struct option *o)
{
	text_add(t, o->letter ? "    " : "        ");
	option_help_add_names(t, o);
	option_help_add_value(t, o);
}

static void add_help(struct text *t, const struct option *o)
{
	text_add(t, o->help);
	if (o->kind == OPTION_NOTHING && !o->without_effect)
		text_add(t, " (always so)");
}

void option_print_row(const struct option *o, unsigned columns, FILE *out)
{
	struct text t = TEXT_EMPTY, help = TEXT_EMPTY;

	add_spelling(&t, o);
	if (t.length > HELP_COLUMN - 2)
		text_addf(&t, "\n%*s", HELP_COLUMN, "");
	else
		text_pad(&t, 0, HELP_COLUMN, 0, ' ');
	add_help(&help, o);
	text_add_wrapped(&t, help.chars, HELP_COLUMN, columns);
	if (o->without_effect) {
		text_clear(&help);
		text_addf(&help, "(no effect: %s)", o->without_effect);
		text_addf(&t, "%*s", HELP_COLUMN, "");
		text_add_wrapped(&t, help.chars, HELP_COLUMN, columns);
	}
	fputs(t.chars, out);
	text_done(&help);
	text_done(&t);
}

/*
 * True if the row matches: a word with dashes is an option's name; other words may be anywhere in
 * its row.
 */
static bool option_help_mentions(const struct option *o, char *const *words)
{
	for (; *words; words++) {
		const char *w = *words + strspn(*words, "-");
		bool is_name = w > *words;

		if (o->letter && w[0] == o->letter && !w[1])
			return true;
		if (is_name ? o->name && !strcmp(o->name, w)
			    : (o->name && strcasestr(o->name, w)) || strcasestr(o->help, w))
			return true;
	}
	return false;
}

struct help {
	char *const *words;
	unsigned columns;
	FILE *out;
};

static void print_one(const struct option *o, void *arg)
{
	const struct help *h = arg;
	bool all = !h->words || !h->words[0];

	if (o->kind == OPTION_HEADING) {
		if (all)
			fprintf(h->out, "\n %s\n", o->help);
		return;
	}
	if (!(o->flags & OPTION_HIDDEN) && !option_is_variable(o) &&
	    (all || option_help_mentions(o, h->words)))
		option_print_row(o, h->columns, h->out);
}

void option_print_help(const struct option *table, char *const *words, unsigned columns, FILE *out)
{
	option_for_each(table, print_one, &(struct help){ words, columns, out });
}

static void option_help_print_name(const struct option *o, void *arg)
{
	if (o->kind != OPTION_HEADING && o->name && !(o->flags & OPTION_HIDDEN))
		fprintf(arg, "--%s ", o->name);
}

void option_print_names(const struct option *table, FILE *out)
{
	option_for_each(table, option_help_print_name, out);
}

static const char *or_empty(const char *text)
{
	return text ? text : "";
}

static void dump_option(const struct option *o, FILE *out)
{
	struct text t = TEXT_EMPTY;

	text_add(&t, "option\t");
	if (o->name)
		text_addf(&t, "--%s\t", o->name);
	else
		text_addf(&t, "-%c\t", o->letter);
	option_help_add_names(&t, o);
	option_help_add_value(&t, o);
	text_add(&t, "\t");
	add_help(&t, o);
	fprintf(out, "%s\t%s\t%s\n", t.chars, or_empty(o->without_effect), or_empty(o->config));
	text_done(&t);
}

static void dump_one(const struct option *o, void *arg)
{
	if (o->kind == OPTION_HEADING)
		fprintf(arg, "heading\t%s\n", o->help);
	else if (option_is_variable(o))
		fprintf(arg, "variable\t%s\t%s\n", o->config, o->help);
	else if (!(o->flags & OPTION_HIDDEN))
		dump_option(o, arg);
}

void option_print_dump(const struct option *table, FILE *out)
{
	option_for_each(table, dump_one, out);
}
