/* SPDX-License-Identifier: MIT */
#include "tools/script/named.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/escape.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "capture/workload.h"
#include "cli/command.h"
#include "cli/exec-path.h"
#include "cli/program-first.h"
#include "cli/script-catalog.h"
#include "options/record-line.h"
#include "tools/script/children-work.h"
#include "tools/script/opts.h"
#include "tools/script/words.h"

#define SHELL "/bin/sh"

/* The minimum width of a name with its arguments. */
#define NAME_WIDTH 36

/*
 * Reads the list of scripts. Returns EXIT_OK, or the status after a message if it cannot be read or
 * is empty.
 */
static int read_catalog(const struct invocation *inv, struct named_scripts *ret)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(freep) char *folder = command_exec_path(inv);
	int r = named_scripts_read(folder, ret);

	if (r >= 0 && ret->n)
		return EXIT_OK;
	diag_set(&diag, r, "there are no scripts in '%s/scripts'%s%s", folder, r < 0 ? ": " : "",
		 r < 0 ? strerror(-r) : "");
	diag_hint(&diag,
		  "PERF_EXEC_PATH, or perf --exec-path=DIR, names the folder that has scripts/.");
	return command_fail(inv, r, &diag);
}

static void print_script(const struct named_script *s, FILE *out)
{
	_cleanup_(text_done) struct text line = TEXT_EMPTY;

	escape_terminal(&line, s->name, strlen(s->name));
	if (*s->arguments)
		text_add_char(&line, ' ');
	escape_terminal(&line, s->arguments, strlen(s->arguments));
	text_pad(&line, 0, NAME_WIDTH, 0, ' ');
	text_add_char(&line, ' ');
	escape_terminal(&line, s->description, strlen(s->description));
	fprintf(out, "  %s\n", line.chars);
}

int script_list_run(struct invocation *inv)
{
	_cleanup_(named_scripts_done) struct named_scripts c = { 0 };
	int r = read_catalog(inv, &c);

	if (r)
		return r;
	fputs("List of available trace scripts:\n", inv->out);
	for (size_t i = 0; i < c.n; i++)
		if (c.items[i].language == SCRIPT_PYTHON)
			print_script(&c.items[i], inv->out);
	return EXIT_OK;
}

static int script_named_refuse_unknown(const struct invocation *inv, const struct named_scripts *c,
				       const char *name)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(freep) char *near = named_scripts_similar(c, name);

	diag_set(&diag, -ENOENT, "there is no script called '%s'", name);
	if (near)
		diag_hint(&diag, "Did you mean %s?", near);
	else
		diag_hint(&diag, "`perf script --list' shows all; `-s FILE' runs one of your own.");
	return command_fail(inv, -ENOENT, &diag);
}

static int script_named_refuse_perl(const struct invocation *inv, const struct named_script *s)
{
	_cleanup_(diag_done) struct diag diag = { 0 };

	diag_set(&diag, -ENOTSUP, "'%s' is a Perl script, and perf runs Python scripts only",
		 s->report);
	diag_hint(&diag,
		  "Without PERF_EXEC_PATH, `perf script --list' shows what comes with perf.");
	return command_fail(inv, -ENOTSUP, &diag);
}

/* Returns the exit status that the shell shows for a program that ended this way. */
static int script_named_exit_status(int ended)
{
	return workload_status(ended);
}

static int run_children(const struct invocation *inv, const struct script_line *record,
			const struct script_line *report, struct script_ends *ret)
{
	const struct script_children children = { .record = record ? record->items : NULL,
						  .report = report ? report->items : NULL };
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(program_first_done) struct program_first first = { 0 };
	int r = program_first_in_path(&first, &diag);

	fflush(inv->out);
	if (r >= 0)
		r = script_children_run(&children, ret, &diag);
	return r < 0 ? command_fail(inv, r, &diag) : EXIT_OK;
}

static void script_named_line_done(struct script_line *l)
{
	free(l->items);
}

/* Begins a command line with "/bin/sh FILE". */
static void begin_line(struct script_line *l, const char *file)
{
	script_line_add(l, SHELL);
	script_line_add(l, file);
}

static bool adds_all_cpus(const struct invocation *inv, const struct script_words *w)
{
	const struct script_opts *o = inv->opts;

	return o->all_cpus || (!w->has_command && !w->has_target);
}

static int script_named_run_record(const struct invocation *inv, const struct named_script *s)
{
	_cleanup_(script_words_done) struct script_words words = {
		.recorder = command_other(inv, "record"),
	};
	_cleanup_(script_named_line_done) struct script_line line = { 0 };
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct script_ends ends;
	int r = script_words_record(s, inv->argv + 2, &words, &diag);

	if (r < 0)
		return command_fail(inv, r, &diag);
	begin_line(&line, s->record);
	if (adds_all_cpus(inv, &words))
		script_line_add(&line, "-a");
	script_line_add_all(&line, &words.record);
	script_line_add(&line, NULL);
	r = run_children(inv, &line, NULL, &ends);
	return r ? r : script_named_exit_status(ends.record);
}

/*
 * Adds the arguments of the script, and @options at the point where the report passes them to perf
 * script.
 */
static void add_report_words(struct script_line *l, const struct named_script *s,
			     const struct script_line *arguments, const struct script_line *options)
{
	if (s->options_behind)
		script_line_add_all(l, arguments);
	script_line_add_all(l, options);
	if (!s->options_behind)
		script_line_add_all(l, arguments);
	script_line_add(l, NULL);
}

/* Adds the words before NAME, which are options of perf script. */
static void add_options(struct script_line *l, const struct invocation *inv)
{
	size_t n = command_typed_options(inv);

	for (size_t i = 0; i < n; i++)
		script_line_add(l, inv->typed[i]);
}

static int script_named_run_report(const struct invocation *inv, const struct named_script *s)
{
	const struct script_line typed = { .items = inv->argv + 2, .n = (size_t)inv->argc - 2 };
	_cleanup_(script_named_line_done) struct script_line line = { 0 }, options = { 0 };
	struct script_ends ends;
	int r;

	begin_line(&line, s->report);
	add_options(&options, inv);
	add_report_words(&line, s, &typed, &options);
	r = run_children(inv, NULL, &line, &ends);
	return r ? r : script_named_exit_status(ends.report);
}

/*
 * Returns the status. A failed recording is reported here, because the report shows its data
 * without noticing that it is incomplete.
 */
static int live_status(const struct invocation *inv, const struct script_words *w,
		       const struct script_ends *ends)
{
	int record = script_named_exit_status(ends->record);

	if (record && !w->has_command && !ends->was_stopped && !ends->report)
		return command_failf(inv, "the recording failed with status %d", record);
	return script_named_exit_status(ends->report);
}

static int script_named_run_live(const struct invocation *inv, const struct named_script *s)
{
	_cleanup_(script_words_done) struct script_words words = {
		.recorder = command_other(inv, "record"),
	};
	_cleanup_(script_named_line_done) struct script_line record = { 0 }, report = { 0 },
							     options = { 0 };
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct script_ends ends;
	int r = script_words_live(s, inv->argv + 1, &words, &diag);

	if (r < 0)
		return command_fail(inv, r, &diag);
	begin_line(&record, s->record);
	if (adds_all_cpus(inv, &words))
		script_line_add(&record, "-a");
	script_line_add(&record, "-q");
	script_line_add(&record, "-o");
	script_line_add(&record, "-");
	script_line_add_all(&record, &words.record);
	script_line_add(&record, NULL);
	begin_line(&report, s->report);
	add_options(&options, inv);
	script_line_add(&options, "-i");
	script_line_add(&options, "-");
	add_report_words(&report, s, &words.arguments, &options);
	r = run_children(inv, &record, &report, &ends);
	return r ? r : live_status(inv, &words, &ends);
}

/*
 * Runs `perf record`: that is the meaning of `perf script record` with options or a program in
 * place of a name.
 */
static int run_plain_record(struct invocation *inv)
{
	_cleanup_(record_line_done) struct record_line line = { 0 };
	struct invocation rest = *inv;

	rest.argv++, rest.argc--;
	return record_line_run(&line, &rest, "record");
}

static int refuse_without_name(struct invocation *inv, const char *word)
{
	_cleanup_(diag_done) struct diag diag = { 0 };

	diag_set(&diag, -EINVAL, "%s needs the name of a script", word);
	diag_hint(&diag, "`perf script --list' shows them.");
	return command_usage(inv, &diag);
}

static int refuse_without_record(const struct invocation *inv, const struct named_script *s)
{
	_cleanup_(diag_done) struct diag diag = { 0 };

	diag_set(&diag, -ENOENT, "'%s' does not say what to record: it has no %s-record", s->name,
		 s->name);
	diag_hint(&diag, "Record by yourself with perf record, then: perf script report %s",
		  s->name);
	return command_fail(inv, -ENOENT, &diag);
}

enum way {
	LIVE,
	RECORD,
	REPORT
};

/*
 * Checks the options in front of the name, which are for perf script, so that none is silently
 * ignored.
 */
static int check_options(const struct invocation *inv, enum way way, struct diag *diag)
{
	const struct script_opts *o = inv->opts;
	size_t n = command_typed_options(inv);

	if (way == RECORD && n > (size_t)o->all_cpus)
		return diag_set(diag, -EINVAL,
				"options of perf record come after the name of the script");
	if (way == LIVE && o->input.path)
		return diag_set(diag, -EINVAL,
				"-i names a recording: `perf script -i FILE report NAME' reads it");
	return 0;
}

static int script_named_run_script(const struct invocation *inv, const struct named_script *s,
				   enum way way)
{
	if (s->language == SCRIPT_PERL)
		return script_named_refuse_perl(inv, s);
	if (way != REPORT && !s->record)
		return refuse_without_record(inv, s);
	return way == RECORD   ? script_named_run_record(inv, s)
	       : way == REPORT ? script_named_run_report(inv, s)
			       : script_named_run_live(inv, s);
}

int script_named_run(struct invocation *inv)
{
	const char *word = inv->argv[0];
	enum way way = !strcmp(word, "record") ? RECORD : !strcmp(word, "report") ? REPORT : LIVE;
	const char *name = way == LIVE ? word : inv->argv[1];
	_cleanup_(named_scripts_done) struct named_scripts c = { 0 };
	_cleanup_(diag_done) struct diag diag = { 0 };
	const struct named_script *s;
	int r;

	if (!name)
		return refuse_without_name(inv, word);
	r = read_catalog(inv, &c);
	if (r)
		return r;
	s = named_scripts_find(&c, name);
	if (s && check_options(inv, way, &diag) < 0)
		return command_usage(inv, &diag);
	if (s)
		return script_named_run_script(inv, s, way);
	if (way == RECORD && (*name == '-' || file_is_program(name)))
		return run_plain_record(inv);
	return script_named_refuse_unknown(inv, &c, name);
}
