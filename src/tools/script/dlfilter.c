/* SPDX-License-Identifier: MIT */
#include "tools/script/dlfilter.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/escape.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/exec-path.h"
#include "session/sample-hook.h"
#include "tools/script/opts.h"

#define NAME_WIDTH 36

static void script_dlfilter_print_line(const char *left, const char *right, size_t n, FILE *out)
{
	_cleanup_(text_done) struct text line = TEXT_EMPTY;

	escape_terminal(&line, left, strlen(left));
	text_pad(&line, 0, NAME_WIDTH, 0, ' ');
	text_add_char(&line, ' ');
	escape_terminal(&line, right, n);
	fprintf(out, "  %s\n", line.chars);
}

static void script_dlfilter_print_lines(const char *lines, FILE *out)
{
	while (*lines) {
		size_t n = strcspn(lines, "\n");

		script_dlfilter_print_line("", lines, n, out);
		lines += n + (lines[n] != '\0');
	}
}

int script_list_dlfilters_run(struct invocation *inv)
{
	const struct script_opts *o = inv->opts;
	_cleanup_(freep) char *exec_path = command_exec_path(inv);
	_cleanup_(dlfilter_list_done) struct dlfilter_list l = { 0 };

	dlfilter_list_read(exec_path, &l);
	fputs("List of available dlfilters:\n", inv->out);
	for (size_t i = 0; i < l.n; i++) {
		script_dlfilter_print_line(l.items[i].name, l.items[i].summary,
					   strlen(l.items[i].summary), inv->out);
		if (o->verbose)
			script_dlfilter_print_lines(l.items[i].details, inv->out);
	}
	return EXIT_OK;
}

/* Makes descriptor 1 that of @out, so that the output of filters goes there too. */
static FILE *script_dlfilter_redirect(struct script_filter *f, FILE *out)
{
	if (fileno(out) == STDOUT_FILENO)
		return out;
	fflush(out);
	f->kept = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
	if (f->kept < 0)
		return out;
	dup2(fileno(out), STDOUT_FILENO);
	return stdout;
}

static void script_dlfilter_restore(struct script_filter *f)
{
	if (f->kept < 0)
		return;
	fflush(stdout);
	dup2(f->kept, STDOUT_FILENO);
	close(f->kept);
	f->kept = -1;
}

int script_filter_open(struct script_filter *f, const struct invocation *inv, struct diag *diag)
{
	const struct script_opts *o = inv->opts;

	f->out = inv->out;
	if (!o->dlfilter)
		return 0;
	f->exec_path = command_exec_path(inv);
	f->request = (struct dlfilter_request){ .file = o->dlfilter,
						.exec_path = f->exec_path,
						.arguments = o->dlargs.items,
						.n_arguments = o->dlargs.n };
	return dlfilter_open(&f->request, &f->filter, diag);
}

int script_filter_start(struct script_filter *f, struct session *s,
			const struct sample_filter *filter, struct diag *diag)
{
	if (!f->filter)
		return 0;
	f->out = script_dlfilter_redirect(f, f->out);
	f->hook = dlfilter_hook(f->filter);
	return dlfilter_start(f->filter, s, filter, diag);
}

int script_filter_stop(struct script_filter *f, int r, struct diag *diag)
{
	int stopped = 0;

	if (!f->filter)
		return r;
	if (r >= 0)
		stopped = dlfilter_stop(f->filter, diag);
	script_dlfilter_restore(f);
	return r < 0 ? r : stopped < 0 ? stopped : r;
}

void script_filter_done(struct script_filter *f)
{
	script_dlfilter_restore(f);
	dlfilter_free(f->filter);
	free(f->exec_path);
}
