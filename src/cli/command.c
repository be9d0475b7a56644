/* SPDX-License-Identifier: MIT */
#include "cli/command.h"

#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/notes.h"
#include "cli/family.h"
#include "cli/manual.h"
#include "cli/message.h"
#include "cli/option-sift.h"
#include "cli/pager.h"
#include "cli/progress-bar.h"
#include "cli/redraw.h"
#include "cli/terminal.h"

/* The options of every command, followed in the same block by the command's own. */
struct common {
	enum colour_when colour;
};

static const struct option common_options[] = {
	OPT_HEADING("Every command:"),
	OPT_COLOUR(struct common, colour),
	OPT_END,
};

struct frame {
	struct common common;
	_Alignas(max_align_t) char opts[];
};

static const struct option *own_options(const struct command *c)
{
	static const struct option none[] = { OPT_END };

	return c->options ? c->options : none;
}

/* Makes one table for a frame: the command's rows first, so that its own options have priority. */
#define TABLE_ROWS 3
static void command_make_table(const struct command *c, struct option table[TABLE_ROWS])
{
	table[0] = (struct option)OPT_SET(struct frame, opts, own_options(c));
	table[1] = (struct option)OPT_SET(struct frame, common, common_options);
	table[2] = (struct option)OPT_END;
}

void command_print_help(const struct command *c, char *const *words, unsigned columns, FILE *out)
{
	struct option table[TABLE_ROWS];

	command_make_table(c, table);
	fputc('\n', out);
	message_print_synopsis(out, c, columns);
	fputc('\n', out);
	if (c->subcommands && !(words && *words)) {
		family_print_help(c, out);
		fputc('\n', out);
	}
	option_print_help(table, words, columns, out);
	fputc('\n', out);
}

static void dump_usage(const struct command *c, FILE *out)
{
	for (const char *const *usage = c->usage; usage && *usage; usage++)
		fprintf(out, "usage\tperf%s%s %s\n", *c->name ? " " : "", c->name, *usage);
	for (const struct command *const *s = c->subcommands; s && *s; s++)
		dump_usage(*s, out);
}

/* Prints the options of subcommands, and of theirs. */
static void dump_subcommands(const struct command *c, FILE *out)
{
	for (const struct command *const *s = c->subcommands; s && *s; s++) {
		fprintf(out, "subcommand\t%s\t%s\n", strchr((*s)->name, ' ') + 1, (*s)->summary);
		option_print_dump(own_options(*s), out);
		dump_subcommands(*s, out);
	}
}

void command_print_dump(const struct command *c, FILE *out)
{
	bool is_perf = !*c->name;

	fprintf(out, "command\tperf%s%s\t%s\n", is_perf ? "" : "-", c->name, c->summary);
	dump_usage(c, out);
	option_print_dump(own_options(c), out);
	if (!is_perf)
		option_print_dump(common_options, out);
	dump_subcommands(c, out);
}

void command_show_manual(const struct command *c, FILE *out)
{
	_cleanup_(freep) char *page = xasprintf("perf-%.*s", (int)strcspn(c->name, " "), c->name);

	fflush(out);
	if (manual_show(page) < 0)
		command_print_help(c, NULL, terminal_is(out) ? terminal_width(out) : 0, out);
}

const struct command *command_find(const struct command *const *commands, const char *name)
{
	for (; commands && *commands; commands++)
		if (!strcmp((*commands)->name, name))
			return *commands;
	return NULL;
}

const struct command *command_other(const struct invocation *inv, const char *name)
{
	const struct command *c = command_find(inv->settings->commands, name);

	assert(c);
	return c;
}

FILE *command_err(const struct invocation *inv)
{
	/* If it cannot be written, finish_output() reports it. */
	fflush(inv->out);
	return inv->err;
}

int command_fail(const struct invocation *inv, int error, const struct diag *d)
{
	_cleanup_(freep) char *prefix = xasprintf("perf %s: ", inv->command->name);

	redraw_interrupt(inv->redraw);
	message_print(command_err(inv), prefix, error, d);
	return EXIT_FAILED;
}

int command_failf(const struct invocation *inv, const char *format, ...)
{
	_cleanup_(diag_done) struct diag d = { 0 };
	va_list ap;

	va_start(ap, format);
	d.message = xvasprintf(format, ap);
	va_end(ap);
	return command_fail(inv, 0, &d);
}

int command_usage(const struct invocation *inv, const struct diag *d)
{
	message_print_usage(command_err(inv), inv->command, NULL, d);
	return EXIT_USAGE;
}

void command_warn(const struct invocation *inv, const struct diag *d)
{
	_cleanup_(freep) char *prefix = xasprintf("perf %s: warning: ", inv->command->name);

	redraw_interrupt(inv->redraw);
	message_print(command_err(inv), prefix, 0, d);
}

void command_note(const struct invocation *inv, const struct note *note)
{
	if (note->kind == NOTE_FAILURE) {
		command_fail(inv, -EIO, &note->what);
	} else if (note->kind == NOTE_WARNING) {
		command_warn(inv, &note->what);
	} else {
		redraw_interrupt(inv->redraw);
		message_print_plain(command_err(inv), note->what.message,
				    note->kind == NOTE_HINT || note->kind == NOTE_REMARK);
	}
}

static void warn_ignored(const struct invocation *inv, const struct option *o)
{
	_cleanup_(diag_done) struct diag d = { 0 };
	char letter[] = { '-', o->letter, '\0' };

	diag_set(&d, 0, "%s%s has no effect: %s", o->name ? "--" : letter, o->name ? o->name : "",
		 o->without_effect);
	command_warn(inv, &d);
}

void command_warn_ignored(const struct invocation *inv, const struct option_line *l)
{
	for (size_t i = 0; i < l->n_ignored && !l->quiet; i++)
		warn_ignored(inv, l->ignored[i]);
}

void command_remark(const struct invocation *inv, const char *s)
{
	if (terminal_is(inv->settings->err))
		message_print_plain(command_err(inv), s, true);
}

static void command_print_note(void *arg, const struct note *note)
{
	command_note(arg, note);
}

struct notes command_notes(const struct invocation *inv)
{
	return (struct notes){ .listener = command_print_note, .arg = (void *)inv };
}

unsigned command_columns(const struct invocation *inv, FILE *f)
{
	FILE *shown = f == inv->out ? inv->settings->out : f == inv->err ? inv->settings->err : f;

	return terminal_is(shown) ? terminal_width(shown) : 0;
}

/*
 * Finishes the output. Output that could not be written is a failure, unless the reader has simply
 * closed the pipe.
 */
static int finish_output(struct invocation *inv, int status)
{
	errno = 0;
	if (fflush(inv->out) == 0 && !ferror(inv->out))
		return status;
	if (errno == EPIPE)
		return EXIT_FAILED;
	return command_failf(inv, "cannot write the output: %s",
			     errno ? strerror(errno) : "a part of it was lost (is the disk full?)");
}

static int run_plainly(struct invocation *inv, const struct option_line *line)
{
	command_warn_ignored(inv, line);
	return finish_output(inv, inv->command->run(inv));
}

/*
 * Runs the command with a pager. Errors go through the pager too, because it owns the terminal
 * while it runs.
 */
static int run_paged(struct invocation *inv, const struct option_line *line, const char *program)
{
	struct pager pager;

	if (pager_start(program, &pager) < 0)
		return run_plainly(inv, line);
	inv->out = pager.out;
	if (terminal_is(inv->err))
		inv->err = pager.out;
	command_warn_ignored(inv, line);

	int status = inv->command->run(inv);

	pager_finish(&pager);
	return status;
}

/* Returns the words after -h, which select options. Those before it are the command's arguments. */
static char *const *words_of_help(const struct invocation *inv)
{
	char *const *words = inv->argv, *const *help = inv->typed;

	while (*help && strcmp(*help, "-h"))
		help++;
	for (char *const *w = inv->typed; *help && *words && w < help; w++)
		words += *words == *w;
	return words;
}

/* Shows the help, on a terminal page by page: the options of some commands fill several. */
static int command_show_help(struct invocation *inv)
{
	const char *program = pager_choose(inv->config, inv->command->name, true,
					   inv->settings->paginate);
	unsigned columns = command_columns(inv, inv->out);
	struct pager pager;

	if (!columns || !program || pager_start(program, &pager) < 0) {
		command_print_help(inv->command, words_of_help(inv), columns, inv->out);
		return finish_output(inv, EXIT_USAGE);
	}
	command_print_help(inv->command, words_of_help(inv), columns, pager.out);
	pager_finish(&pager);
	return EXIT_USAGE;
}

static const char *choose_pager(const struct invocation *inv)
{
	const struct command *c = inv->command;

	if (c->browses && c->browses(inv))
		return NULL;
	return pager_choose(inv->config, c->name, c->flags & COMMAND_PAGED,
			    inv->settings->paginate);
}

static int check_files(const struct invocation *inv, struct diag *diag)
{
	const struct command *c = inv->command;

	return option_check_files(own_options(c), inv->opts,
				  c->flags & COMMAND_WORKLOAD ? NULL : inv->argv, diag);
}

static int cli_command_run(struct invocation *inv, const struct option_line *line)
{
	const char *program = choose_pager(inv);
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct progress_bar bar;
	int status = check_files(inv, &diag);

	if (status < 0)
		return command_fail(inv, status, &diag);
	progress_bar_init(&bar, inv->settings->err);
	inv->progress = &bar.progress;
	status = program && terminal_is(inv->out) ? run_paged(inv, line, program)
						  : run_plainly(inv, line);
	progress_bar_done(&bar);
	return status;
}

struct progress *command_progress(const struct invocation *inv, bool quiet, bool prints)
{
	const struct settings *s = inv->settings;
	struct stat st;

	if (quiet || !terminal_is(s->err) || (prints && terminal_is(s->out)) ||
	    fstat(fileno(s->out), &st) < 0 || S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode))
		return NULL;
	return inv->progress;
}

size_t command_typed_options(const struct invocation *inv)
{
	size_t n = 0;

	while (inv->typed[n])
		n++;
	n -= (size_t)inv->argc;
	return n && !strcmp(inv->typed[n - 1], "--") ? n - 1 : n;
}

/*
 * Runs @sub with the words that are options of the family, and with those that follow the
 * subcommand's own.
 */
static int run_subcommand(const struct invocation *inv, const struct command *sub)
{
	size_t n_options = command_typed_options(inv);
	char **words = xcalloc(n_options + (size_t)inv->argc, sizeof(*words));
	int status;

	memcpy(words, inv->typed, n_options * sizeof(*words));
	memcpy(words + n_options, inv->argv + 1, ((size_t)inv->argc - 1) * sizeof(*words));
	status = command_run(sub, words, inv->settings);
	free(words);
	return status;
}

static int run_family(struct invocation *inv, const struct option_line *line)
{
	const struct command *family = inv->command;
	const char *word = inv->argc ? inv->argv[0] : NULL;
	const struct command *sub = word ? family_find(family, word) : NULL;
	_cleanup_(diag_done) struct diag d = { 0 };

	if (sub && !(sub->flags & COMMAND_FORWARDS))
		return run_subcommand(inv, sub);
	if (sub) {
		inv->command = sub;
		inv->argv++;
		inv->argc--;
		return cli_command_run(inv, line);
	}
	if (family->run)
		return cli_command_run(inv, line);
	family_refuse(family, word, &d);
	return command_usage(inv, &d);
}

/* Does what the parsed command line asks for. */
static int command_answer(struct invocation *inv, const struct option *table,
			  enum option_result result, const struct option_line *line)
{
	switch (result) {
	case OPTION_RESULT_HELP:
		return command_show_help(inv);
	case OPTION_RESULT_MANUAL:
		command_show_manual(inv->command, inv->out);
		return finish_output(inv, EXIT_OK);
	case OPTION_RESULT_LIST_OPTS:
		option_print_names(table, inv->out);
		fputc('\n', inv->out);
		return finish_output(inv, EXIT_OK);
	case OPTION_RESULT_DUMP_OPTS:
		command_print_dump(inv->command, inv->out);
		return finish_output(inv, EXIT_OK);
	case OPTION_RESULT_LIST_CMDS:
		family_print_words(inv->command, inv->out);
		return finish_output(inv, EXIT_OK);
	case OPTION_RESULT_OK:
		break;
	}
	return inv->command->subcommands ? run_family(inv, line) : cli_command_run(inv, line);
}

/* Reports an invalid variable; the status is one that no workload may have ended with. */
static int refuse_config(const struct invocation *inv, const struct diag *d)
{
	int status = command_fail(inv, -EINVAL, d);

	return inv->command->flags & COMMAND_WORKLOAD ? EXIT_USAGE : status;
}

/* Copies @words, because parsing moves words. The texts are still those of @words. */
static char **words_copy(char *const *words)
{
	size_t n = 0;
	char **copy;

	while (words[n])
		n++;
	copy = xcalloc(n + 1, sizeof(*copy));
	memcpy(copy, words, n * sizeof(*copy));
	return copy;
}

static enum option_stop stop_of(const struct command *c)
{
	return c->flags & COMMAND_WORKLOAD || c->subcommands ? OPTION_STOP_POSITIONAL
							     : OPTION_STOP_NEVER;
}

static int count_words(char *const *words)
{
	int n = 0;

	while (words[n])
		n++;
	return n;
}

/*
 * Does the same as option_parse(), but words for another command become the positional arguments of
 * @inv.
 */
static int parse_sifted(struct invocation *inv, const struct option *table, void *frame,
			struct sifted_words *w, struct option_line *line, struct diag *diag)
{
	const struct command *c = inv->command;
	int r;

	option_sift(table, own_options(command_other(inv, c->passes_to)), inv->argv,
		    c->flags & COMMAND_WORKLOAD, w);
	r = option_parse(table, frame, w->own, OPTION_STOP_NEVER, line, diag);
	/* After -h the words select options of the help. */
	inv->argv = r == OPTION_RESULT_OK ? w->rest : w->own;
	line->argc = count_words(inv->argv);
	return r;
}

int command_run(const struct command *c, char **argv, const struct settings *s)
{
	_cleanup_(freep) struct frame *frame = xcalloc(1, sizeof(*frame) + c->opts_size);
	_cleanup_(diag_done) struct diag diag = { 0 }, config_diag = { 0 };
	struct invocation inv = { .command = c,
				  .settings = s,
				  .opts = frame->opts,
				  .argv = argv,
				  .config = s->config,
				  .out = s->out,
				  .err = s->err };
	_cleanup_(sifted_words_done) struct sifted_words sifted = { 0 };
	_cleanup_(freep) char **typed = words_copy(argv);
	struct option table[TABLE_ROWS];
	struct option_line line;
	int status = EXIT_USAGE;

	command_make_table(c, table);
	frame->common.colour = s->colour;
	if (c->defaults)
		memcpy(frame->opts, c->defaults, c->opts_size);

	/* -h and errors in the command line take precedence over an error in the configuration. */
	int configured = option_configure(table, frame, s->config, &config_diag);
	int r = c->passes_to ? parse_sifted(&inv, table, frame, &sifted, &line, &diag)
			     : option_parse(table, frame, argv, stop_of(c), &line, &diag);

	inv.argc = line.argc;
	inv.typed = typed;
	inv.colour_when = frame->common.colour;
	inv.colour = colour_wanted(inv.colour_when, inv.out);
	if (r < 0)
		message_print_usage(inv.err, c, line.about, &diag);
	else if (r == OPTION_RESULT_OK && configured < 0)
		status = refuse_config(&inv, &config_diag);
	else
		status = command_answer(&inv, table, (enum option_result)r, &line);
	if (c->done)
		c->done(frame->opts);
	return status;
}
