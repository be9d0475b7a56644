/* SPDX-License-Identifier: MIT */
/*
 * Compares the parser of probe definitions with the results of Linux's perf 6.1 and the kernel for
 * the same texts.
 *
 *   test-probes DEFINITIONS.tsv EXCEPTIONS
 *
 * Each line of the first file (see probes/README.md) is a definition, the verdict, and for those
 * that were accepted the event's name, the point and the arguments as perf prints them. Definitions
 * named in EXCEPTIONS are where we differ on purpose, with the reasons above them; one that does
 * not differ any more is a failure too.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/glob.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/name-list.h"
#include "probe/event-name.h"
#include "probe/probe-def.h"

enum column {
	DEFINITION,
	VERDICT,
	EVENT,
	POINT,
	ARGUMENTS,
	COLUMNS
};

/* Calls @each for every line of @path. */
static void each_line(const char *path, void (*each)(void *arg, char *line), void *arg)
{
	_cleanup_(fclosep) FILE *file = fopen(path, "re");
	_cleanup_(freep) char *line = NULL;
	size_t room = 0;

	if (!file) {
		perror(path);
		exit(1);
	}
	while (getline(&line, &room, file) >= 0) {
		line[strcspn(line, "\n")] = '\0';
		each(arg, line);
	}
}

static void add_exception(void *arg, char *line)
{
	if (*line && *line != '#')
		name_list_add(arg, line);
}

static char *arguments_text(const struct probe_def *d)
{
	struct text t = TEXT_EMPTY;

	for (size_t i = 0; i < d->n_args; i++) {
		_cleanup_(freep) char *text = probe_arg_text(&d->args[i]);

		text_addf(&t, "%s%s", i ? " " : "", text);
	}
	return text_take(&t);
}

static bool same(const char *what, const char *ours, const char *theirs, struct text *said)
{
	if (strcmp(ours, theirs) == 0)
		return true;
	text_addf(said, "%s: '%s', theirs '%s'", what, ours, theirs);
	return false;
}

/* True if the definition reads as perf printed it. */
static bool reads_the_same(const struct probe_def *d, char *const *columns, struct text *said)
{
	_cleanup_(freep) char *point = probe_point_text(&d->point);
	_cleanup_(freep) char *arguments = arguments_text(d);
	_cleanup_(freep) char *event = event_base_name(d, d->point.function);
	bool is_known = d->event || d->point.has_address ||
			(d->point.function && !glob_is_pattern(d->point.function));

	return same("point", point, columns[POINT], said) &&
	       same("arguments", arguments, columns[ARGUMENTS], said) &&
	       (!is_known || same("event", event, columns[EVENT], said));
}

static bool agrees(char *const *columns, struct text *said)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct probe_def d = { 0 };
	int r = probe_def_parse(columns[DEFINITION], &d, &diag);
	bool taken = strcmp(columns[VERDICT], "taken") == 0;
	bool good;

	if (r < 0) {
		text_addf(said, "we refuse: %s", diag.message);
		return !taken;
	}
	good = taken && reads_the_same(&d, columns, said);
	if (!taken)
		text_addf(said, "we take what was refused (%s)", columns[VERDICT]);
	probe_def_done(&d);
	return good;
}

struct run {
	struct name_list exceptions; /* sorted */
	size_t n, n_wrong;
};

static void compare(void *arg, char *line)
{
	struct run *run = arg;
	char *columns[COLUMNS] = { NULL };
	struct text said = TEXT_EMPTY;

	for (size_t i = 0; i < COLUMNS; i++)
		columns[i] = line ? strsep(&line, "\t") : "";

	bool excepted = name_list_contains(&run->exceptions, columns[DEFINITION]);
	bool good = agrees(columns, &said);

	run->n++;
	if (good == excepted) {
		run->n_wrong++;
		printf("%s: %s\n", columns[DEFINITION],
		       good ? "is named as an exception and is none" : said.chars);
	}
	text_done(&said);
}

int main(int argc, char **argv)
{
	struct run run = { 0 };

	if (argc != 3) {
		fprintf(stderr, "usage: test-probes DEFINITIONS.tsv EXCEPTIONS\n");
		return 2;
	}
	each_line(argv[2], add_exception, &run.exceptions);
	name_list_sort(&run.exceptions);
	each_line(argv[1], compare, &run);
	name_list_done(&run.exceptions);

	bool good = run.n && !run.n_wrong;

	printf("1..1\n%s 1 - %zu definitions, %zu wrong\n", good ? "ok" : "not ok", run.n,
	       run.n_wrong);
	return good ? 0 : 1;
}
