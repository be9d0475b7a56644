/* SPDX-License-Identifier: MIT */
#include "cmd/commands.h"

#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/similar.h"
#include "cli/message.h"

#define COMMAND(name) extern const struct command cmd_##name;
#include "cmd/commands.def"
#undef COMMAND

#define COMMAND(name) &cmd_##name,
const struct command *const commands[] = {
#include "cmd/commands.def"
	NULL,
};

#define PLANNED(name, summary) { name, summary },
const struct planned_command planned_commands[] = {
#include "cmd/planned.def"
	{ NULL, NULL },
};

static void print_row(FILE *out, const char *name, const char *summary)
{
	fprintf(out, "   %-15s %s\n", name, summary);
}

void commands_print(FILE *out)
{
	fputs("\n usage: perf [--version] [--help] [OPTIONS] COMMAND [ARGS]\n\n"
	      " The commands are:\n",
	      out);
	for (const struct command *const *c = commands; *c; c++)
		print_row(out, (*c)->name, (*c)->summary);
	if (planned_commands[0].name)
		fputs("\n Not in this version yet:\n", out);
	for (const struct planned_command *p = planned_commands; p->name; p++)
		print_row(out, p->name, p->summary);
	fputs("\n See 'perf help COMMAND' for more information on a specific command.\n\n", out);
}

static bool is_planned(const char *name)
{
	for (const struct planned_command *p = planned_commands; p->name; p++)
		if (!strcmp(p->name, name))
			return true;
	return false;
}

int commands_unknown(const char *name, FILE *err)
{
	_cleanup_(diag_done) struct diag d = { 0 };
	struct similar near = { .typed = name };

	if (is_planned(name)) {
		diag_set(&d, 0, "perf: '%s' is not a perf-command of this version yet", name);
		message_print(err, "", 0, &d);
		return EXIT_FAILED;
	}
	for (const struct command *const *c = commands; *c; c++)
		similar_add(&near, (*c)->name);
	for (const struct planned_command *p = planned_commands; p->name; p++)
		similar_add(&near, p->name);

	_cleanup_(freep) char *phrase = similar_phrase(&near);

	diag_set(&d, 0, "perf: '%s' is not a perf-command. See 'perf --help'.", name);
	if (phrase)
		diag_hint(&d, "Did you mean %s?", phrase);
	message_print(err, "", 0, &d);
	return EXIT_FAILED;
}
