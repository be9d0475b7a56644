/* SPDX-License-Identifier: MIT */
/*
 * perf: reads the configuration and the options before the command's name, finds the command and
 * runs it.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/similar.h"
#include "base/stack.h"
#include "cli/command-list.h"
#include "cli/command.h"
#include "cli/config-file.h"
#include "cli/config.h"
#include "cli/exec-path.h"
#include "cli/message.h"
#include "config.h"
#include "tools/commands.h"

/* The stack for running a command: more than the libraries that we call need. */
#define STACK_BYTES ((size_t)4 << 20)

struct opts {
	unsigned version, verbose;
	bool build_options, list_cmds, html_path;
	int paginate;
	enum colour_when colour;
	const char *buildid_dir, *debugfs_dir;
	const char *exec_path; /* "": print the path */
};

static int set_paginate(void *field, const struct option *o, const char *value, bool negated,
			struct diag *diag)
{
	(void)value, (void)diag;
	*(int *)field = !strcmp(o->name, "no-pager") == negated ? 1 : -1;
	return 0;
}

/*
 * Sets the level of "verbose" or "verbose=2". The other variables of Linux's perf are accepted, but
 * have no effect here.
 */
static int set_debug(void *field, const struct option *o, const char *value, bool negated,
		     struct diag *diag)
{
	static const char *const names[] = { "verbose", "ordered-events", "data-convert", "stderr",
					     "perf-event-open" };
	const char *equals = value ? strchr(value, '=') : NULL;
	size_t n = equals ? (size_t)(equals - value) : value ? strlen(value) : 0;
	struct similar near = { .typed = value ? value : "" };
	uint64_t level = 1;

	if (negated) {
		*(unsigned *)field = 0;
		return 0;
	}
	if (equals && (number_parse(equals + 1, &level) < 0 || level > 10))
		return diag_mark(diag, -EINVAL, value, n + 1, strlen(equals + 1),
				 "the level of --%s is a number from 0 to 10", o->name);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (strlen(names[i]) == n && !memcmp(names[i], value, n)) {
			if (i == 0)
				*(unsigned *)field = (unsigned)level;
			return 0;
		}
		similar_add(&near, names[i]);
	}

	_cleanup_(freep) char *phrase = similar_phrase(&near);
	int r = diag_mark(diag, -EINVAL, value, 0, n, "--%s knows no '%.*s'", o->name, (int)n,
			  value);

	if (phrase)
		diag_hint(diag, "Did you mean %s?", phrase);
	return r;
}

static const struct option options[] = {
	OPT_COUNT('v', "version", struct opts, version,
		  "show the version; -vv what is built in, too", .flags = OPTION_NO_NEGATION),
	OPT_FLAG(0, "build-options", struct opts, build_options, "with --version: what is built in",
		 .flags = OPTION_HIDDEN),
	OPT_CALL('p', "paginate", struct opts, paginate, NULL, "show output page by page",
		 .set = set_paginate, .flags = OPTION_NO_VALUE),
	OPT_CALL(0, "no-pager", struct opts, paginate, NULL, "do not show output page by page",
		 .set = set_paginate, .flags = OPTION_NO_VALUE),
	OPT_COLOUR(struct opts, colour),
	OPT_STRING(0, "buildid-dir", struct opts, buildid_dir, "dir",
		   "the cache of binaries by build-id"),
	OPT_STRING(0, "debugfs-dir", struct opts, debugfs_dir, "dir", "where debugfs is mounted"),
	OPT_STRING(0, "exec-path", struct opts, exec_path, "dir",
		   "print (or set) where helper programs are", .missing = "",
		   .flags = OPTION_OPTIONAL),
	OPT_FLAG(0, "html-path", struct opts, html_path, "print where the documentation is",
		 .flags = OPTION_NO_NEGATION),
	OPT_FLAG(0, "list-cmds", struct opts, list_cmds, "print the names of the commands",
		 .flags = OPTION_NO_NEGATION),
	OPT_CALL(0, "debug", struct opts, verbose, "name[=level]", "print more of what happens",
		 .set = set_debug),
	OPT_END,
};

static const char *const usage[] = { "[--version] [--help] [OPTIONS] COMMAND [ARGS]", NULL };

/* The program itself as a command, for messages and for its manual page. */
static const struct command perf = {
	.name = "",
	.summary = "measure where the time of programs and of the kernel goes",
	.usage = usage,
	.options = options,
	.opts_size = sizeof(struct opts),
};

/* Reads the configuration of @scope. A file that cannot be used causes a warning, not a failure. */
static void read_config(struct config *c, enum config_scope scope)
{
	_cleanup_(freep) char *path = config_path(scope);
	_cleanup_(diag_done) struct diag d = { 0 };

	if (path && config_read_file(c, path, &d) < 0)
		message_print(stderr, "perf: warning: ", 0, &d);
}

static void read_configs(struct config *c)
{
	if (getenv("PERF_CONFIG")) {
		read_config(c, CONFIG_NAMED);
		return;
	}
	read_config(c, CONFIG_SYSTEM);
	read_config(c, CONFIG_USER);
}

static void print_exec_path(void)
{
	_cleanup_(freep) char *path = exec_path_find(NULL);

	puts(path);
}

static void print_html_path(void)
{
	_cleanup_(freep) char *path = installed_path(PERF_DATADIR "/html");

	puts(path);
}

static void main_print_commands(void)
{
	for (const struct command *const *c = commands; *c; c++)
		printf("%s ", (*c)->name);
	putchar('\n');
}

static int main_run_command(char **argv, const struct settings *s)
{
	const struct command *c = command_find(commands, argv[0]);

	return c ? command_run(c, argv + 1, s) : command_list_miss(commands, argv[0], s->err);
}

static int show_version(const struct opts *o, const struct settings *s)
{
	char *argv[] = { "version", "--build-options", NULL };

	if (o->version < 2 && !o->build_options)
		argv[1] = NULL;
	return main_run_command(argv, s);
}

/* Shows the help of a command: `perf --help list` means `perf help list`. */
static int main_show_help(char **argv, const struct settings *s)
{
	char *words[] = { "help", argv[0], NULL };

	return main_run_command(words, s);
}

/*
 * Does what the options before the command's name ask for. Runs the command if they ask for nothing
 * else.
 */
static int main_dispatch(const struct opts *o, enum option_result result, char **argv,
			 const struct settings *s)
{
	if (result == OPTION_RESULT_HELP || result == OPTION_RESULT_MANUAL)
		return main_show_help(argv, s);
	if (result == OPTION_RESULT_DUMP_OPTS)
		command_print_dump(&perf, stdout);
	else if (result == OPTION_RESULT_LIST_OPTS)
		option_print_names(options, stdout), putchar('\n');
	else if (o->version)
		return show_version(o, s);
	else if (o->exec_path && !*o->exec_path)
		print_exec_path();
	else if (o->html_path)
		print_html_path();
	else if (o->list_cmds)
		main_print_commands();
	else if (argv[0])
		return main_run_command(argv, s);
	else {
		command_list_print_short(commands, stdout);
		return EXIT_FAILED;
	}
	return EXIT_OK;
}

/*
 * Runs the words after the options of perf itself, or those that `perf-stat` as argv[0] stands for.
 */
static int run_perf(char **argv, const struct config *config)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct option_line line;
	struct opts o = { 0 };
	int r = option_parse(options, &o, argv, OPTION_STOP_POSITIONAL, &line, &diag);

	if (r < 0) {
		message_print_usage(stderr, &perf, line.about, &diag);
		return EXIT_USAGE;
	}
	return main_dispatch(&o, (enum option_result)r, argv,
			     &(struct settings){
				     .commands = commands,
				     .config = config,
				     .out = stdout,
				     .err = stderr,
				     .paginate = o.paginate,
				     .colour = o.colour,
				     .buildid_dir = o.buildid_dir,
				     .debugfs_dir = o.debugfs_dir,
				     .exec_path = o.exec_path,
				     .verbose = o.verbose,
			     });
}

/*
 * Opens descriptors 0, 1 and 2 if they are closed. Otherwise a file opened as descriptor 1 or 2
 * would get our messages.
 */
static void open_standard_files(void)
{
	for (int fd = 0; fd <= 2; fd++)
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDWR) < 0)
			_exit(EXIT_FAILED);
}

static void ignore_file_limit(int number)
{
	(void)number;
}

/*
 * Keeps the limit of `ulimit -f` from killing the process: beyond it, write() fails with EFBIG,
 * which is reported like a full disk. The signal gets a handler and not SIG_IGN because exec()
 * resets handlers, so the programs that we run get the original action.
 */
static void survive_file_limit(void)
{
	const struct sigaction told = { .sa_handler = ignore_file_limit, .sa_flags = SA_RESTART };
	struct sigaction before;

	if (sigaction(SIGXFSZ, NULL, &before) == 0 && before.sa_handler == SIG_DFL)
		sigaction(SIGXFSZ, &told, NULL);
}

struct words {
	int argc;
	char **argv;
};

static int run_words(void *arg)
{
	const struct words *words = arg;
	_cleanup_(config_done) struct config config = { 0 };
	const int argc = words->argc;
	char **argv = words->argv;
	const char *self = argc ? strrchr(argv[0], '/') : NULL;

	read_configs(&config);
	self = self ? self + 1 : argc ? argv[0] : "perf";
	if (!strncmp(self, "perf-", 5) && command_find(commands, self + 5)) {
		argv[0] = (char *)self + 5;
		return main_run_command(argv, &(struct settings){ .commands = commands,
								  .config = &config,
								  .out = stdout,
								  .err = stderr });
	}
	return run_perf(argv + (argc > 0), &config);
}

int main(int argc, char **argv)
{
	struct words words = { argc, argv };

	open_standard_files();
	survive_file_limit();
	return stack_call(STACK_BYTES, run_words, &words);
}
