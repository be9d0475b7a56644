/* SPDX-License-Identifier: MIT */
#include "cli/command-list.h"

#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/similar.h"
#include "base/text.h"
#include "base/wrap.h"
#include "cli/command.h"
#include "cli/message.h"

static void command_list_print_row(FILE *out, unsigned columns, const char *name,
				   const char *summary)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	text_addf(&t, "   %-15s ", name);
	text_add_wrapped(&t, summary, t.length, columns);
	fputs(t.chars, out);
}

#define USAGE "\n usage: perf [--version] [--help] [OPTIONS] COMMAND [ARGS]\n\n"

/* The commands that most users need, in the order in which they need them. */
static const char *const common[] = { "stat", "record", "report", "annotate", "flamegraph",
				      "top",  "trace",  "list",   NULL };

/* The other commands; a command that is in none of these groups is in the last one. */
static const struct {
	const char *title;
	const char *names[12];
} classes[] = {
	{ "Recordings:", { "script", "query", "diff", "evlist", "data", "inject", "archive" } },
	{ "The kernel:", { "sched", "lock", "kmem", "kwork", "kvm", "ftrace", "probe" } },
	{ "Memory, I/O:", { "mem", "c2c", "iostat" } },
	{ "Over time:", { "heatmap", "hist", "timechart", "daemon", "push" } },
	{ "Build-ids:", { "buildid-cache", "buildid-list", "kallsyms" } },
	{ "perf itself:", { "bench", "check", "config", "help", "test", "version" } },
};

static bool command_list_is_among(const char *name, const char *const *names)
{
	for (; *names; names++)
		if (!strcmp(*names, name))
			return true;
	return false;
}

static bool is_classified(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(classes); i++)
		if (command_list_is_among(name, classes[i].names))
			return true;
	return command_list_is_among(name, common);
}

static void print_class(const struct command *const *commands, size_t i, FILE *out)
{
	bool is_last = i + 1 == ARRAY_SIZE(classes);

	fprintf(out, " %-13s", classes[i].title);
	for (const char *const *name = classes[i].names; *name; name++)
		if (command_find(commands, *name))
			fprintf(out, " %s", *name);
	for (const struct command *const *c = commands; is_last && *c; c++)
		if (!is_classified((*c)->name))
			fprintf(out, " %s", (*c)->name);
	fputc('\n', out);
}

void command_list_print_short(const struct command *const *commands, FILE *out)
{
	fputs(USAGE, out);
	for (const char *const *name = common; *name; name++)
		fprintf(out, "   %-11s %s\n", *name, command_find(commands, *name)->summary);
	fputc('\n', out);
	for (size_t i = 0; i < ARRAY_SIZE(classes); i++)
		print_class(commands, i, out);
	fputs("\n 'perf help COMMAND' shows its manual, 'perf help -a' lists all commands.\n"
	      " Start with 'perf record -g ./program', 'perf report', or 'perf help tutorial'.\n\n",
	      out);
}

void command_list_print(const struct command *const *commands, unsigned columns, FILE *out)
{
	fputs(USAGE " The commands are:\n", out);
	for (const struct command *const *c = commands; *c; c++)
		command_list_print_row(out, columns, (*c)->name, (*c)->summary);
	fputs("\n See 'perf help COMMAND' for more information on a specific command.\n\n", out);
}

int command_list_miss(const struct command *const *commands, const char *name, FILE *err)
{
	_cleanup_(diag_done) struct diag d = { 0 };
	struct similar near = { .typed = name };

	for (const struct command *const *c = commands; *c; c++)
		similar_add(&near, (*c)->name);

	_cleanup_(freep) char *phrase = similar_phrase(&near);

	diag_set(&d, 0, "perf: '%s' is not a perf-command. See 'perf --help'.", name);
	if (phrase)
		diag_hint(&d, "Did you mean %s?", phrase);
	message_print(err, "", 0, &d);
	return EXIT_FAILED;
}
