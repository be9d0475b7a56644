/* SPDX-License-Identifier: MIT */
#include "tools/list/pick.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/escape.h"
#include "base/memory.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/terminal.h"
#include "tools/list/event-panel-view.h"

/* "perf" in the line is this program, wherever it was called from. */
static int list_pick_run_line(const struct invocation *inv, const char *line)
{
	char self[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	_cleanup_(freep) char *script = NULL;

	fprintf(command_err(inv), "$ %s\n", line);
	if (n > 0) {
		self[n] = '\0';
		setenv("PERF_SELF", self, 1);
		script = xasprintf("perf() { \"$PERF_SELF\" \"$@\"; }\n%s", line);
	} else {
		script = xstrdup(line);
	}
	execl("/bin/sh", "sh", "-c", script, (char *)NULL);
	return command_failf(inv, "cannot run a shell: %s", strerror(errno));
}

static void list_pick_print_line(const struct invocation *inv, const char *line)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	if (terminal_is(inv->out))
		escape_terminal(&t, line, strlen(line));
	else
		text_add(&t, line);
	fprintf(inv->out, "%s\n", t.chars);
}

static int list_pick_refuse(const struct invocation *inv, int error, struct diag *d)
{
	free(TAKE(d->hint));
	diag_hint(d, "Without -i the events are printed.");
	return command_fail(inv, error, d);
}

int list_pick(struct invocation *inv, const struct list_pick *what)
{
	const struct event_browser b = {
		.catalogs = what->catalogs,
		.n = what->n,
		.config = inv->config,
		.buildid_dir = what->buildid_dir,
		.missing = what->missing,
		.prints = !terminal_is(inv->out),
		.without_colour = inv->colour_when == COLOUR_NEVER,
	};
	_cleanup_(diag_done) struct diag d = { 0 };
	struct event_pick pick = { 0 };
	int r = event_browser_run(&b, &pick, &d);
	_cleanup_(freep) char *line = pick.line;

	if (r < 0)
		return list_pick_refuse(inv, r, &d);
	/* The terminal is given back, and the signal means what it meant before. */
	if (r > 0)
		raise(r);
	if (!line)
		return EXIT_FAILED;
	if (pick.runs)
		return list_pick_run_line(inv, line);
	list_pick_print_line(inv, line);
	return EXIT_OK;
}
