/* SPDX-License-Identifier: MIT */
/* perf help: shows the table of commands, or the manual of one. */
#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "cli/command-list.h"
#include "cli/command.h"
#include "cli/manual.h"

struct opts {
	bool all;
};

static const struct option options[] = {
	OPT_FLAG('a', "all", struct opts, all, "what each of all commands does"),
	OPT_NOTHING('m', "man", NULL, "show the manual page", NULL),
	OPT_NOTHING('i', "info", NULL, "show the manual page: there is no other", NULL),
	OPT_NOTHING('w', "web", NULL, "show the manual page: there is no other", NULL),
	OPT_END,
};

static const char *const usage[] = { "[-a] [<command>]", NULL };

/* True if @name is a page that is not about a command. */
static bool is_topic(const char *name)
{
	static const char *const topics[] = { "dlfilter", "python", "script-python", "tutorial" };

	for (size_t i = 0; i < ARRAY_SIZE(topics); i++)
		if (!strcmp(name, topics[i]))
			return true;
	return false;
}

static int show_topic(const struct invocation *inv, const char *name)
{
	_cleanup_(freep) char *page = xasprintf("perf-%s", name);

	int r = manual_show(page);

	if (r >= 0)
		return EXIT_OK;
	if (r == -EIO)
		return EXIT_FAILED; /* man has reported the reason */
	if (r != -ENOPKG)
		return command_failf(inv, "the manual page %s is not installed", page);

	_cleanup_(diag_done) struct diag d = { 0 };

	diag_set(&d, r, "the manual page %s cannot be shown: man is not installed", page);
	diag_hint(&d,
		  "Install it: sudo apt install man-db (Debian, Ubuntu), sudo dnf install man-db "
		  "(Fedora).");
	return command_fail(inv, r, &d);
}

static int help_run(struct invocation *inv)
{
	const struct command *const *commands = inv->settings->commands;
	const struct opts *o = inv->opts;
	const char *name = inv->argv[0];

	if (o->all)
		command_list_print(commands, command_columns(inv, inv->out), inv->out);
	else if (!name)
		command_list_print_short(commands, inv->out);
	if (!name || o->all)
		return EXIT_OK;
	/* "perf help perf-list" is accepted because the manual's page has that name. */
	if (!strncmp(name, "perf-", 5))
		name += 5;
	if (!strcmp(name, "perf")) {
		fflush(inv->out);
		if (manual_show("perf") < 0)
			command_list_print_short(commands, inv->out);
		return EXIT_OK;
	}

	const struct command *c = command_find(commands, name);

	if (!c && is_topic(name)) {
		fflush(inv->out);
		return show_topic(inv, name);
	}
	if (!c)
		return command_list_miss(commands, name, command_err(inv));
	command_show_manual(c, inv->out);
	return EXIT_OK;
}

const struct command cmd_help = {
	.name = "help",
	.summary = "show what the commands are, or the manual of one",
	.usage = usage,
	.options = options,
	.opts_size = sizeof(struct opts),
	.run = help_run,
};
