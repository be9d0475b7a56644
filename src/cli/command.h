/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A subcommand as data, and the code that runs one.
 *
 * tools/NAME/NAME.c defines `const struct command cmd_NAME`. main.c finds it by name and passes it
 * to command_run(), which parses the command line, answers -h, --help and --list-opts, starts the
 * pager and calls run(). A command never exits and never reads argv itself. Its output goes to
 * inv->out; errors go through command_fail() and command_usage(), each called once.
 *
 * A family (`perf sched`) has subcommands (`perf sched latency`), which are commands too, with
 * "sched latency" as their name. The options of a family may stand before or after the subcommand's
 * word: the subcommand's table has them as well, and gets all words except that one.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "cli/colour.h"
#include "cli/option.h"

struct config;
struct diag;
struct invocation;
struct note;
struct notes;
struct progress;
struct redraw;

/* The exit statuses for which users' scripts test. */
enum {
	EXIT_OK = 0,
	EXIT_FAILED = 1,
	EXIT_USAGE = 129,
};

enum {
	COMMAND_WORKLOAD = 1 << 0, /* the first positional argument begins another program's line */
	COMMAND_PAGED = 1 << 1,    /* output goes through the pager when stdout is a terminal */
	/*
	 * For a subcommand: its words are for another command and not parsed. It has no options;
	 * its opts are those of the family, from before its word.
	 */
	COMMAND_FORWARDS = 1 << 2,
};

struct command {
	const char *name;         /* "" is perf itself; "sched latency" for a subcommand */
	const char *summary;      /* one line for `perf help` */
	const char *const *usage; /* NULL-terminated; the text after "perf NAME " */
	const struct option *options;
	size_t opts_size;
	const void *defaults; /* initial options, or NULL for all zero */
	unsigned flags;
	const struct command *const *subcommands; /* NULL-terminated; NULL: it is not a family */
	/*
	 * The name of another command that gets the words which are not options of this one: they
	 * are its positional arguments (cli/option-sift.h). NULL: they are errors.
	 */
	const char *passes_to;
	/*
	 * Runs the command and returns the exit status. In a family, it is called if the first word
	 * is not a subcommand; NULL if that is an error.
	 */
	int (*run)(struct invocation *inv);
	/* True if this run draws on the terminal itself; then there is no pager. Or NULL. */
	bool (*browses)(const struct invocation *inv);
	void (*done)(void *opts); /* releases what the options own, or NULL */
};

/* The settings that `perf kvm` passes to the command after it. */
struct guest_settings {
	bool host, guest; /* measure or show the host, the guests */
	const char *mount, *kallsyms, *modules, *vmlinux;
	bool code;
};

/* The program's commands, and the options before the command's name: `perf --no-pager list`. */
struct settings {
	const struct command *const *commands; /* NULL-terminated, in the order of `perf help` */
	const struct config *config;
	FILE *out, *err;
	int paginate; /* -1: never, 0: depending on the command and the terminal, 1: always */
	enum colour_when colour;
	const char *buildid_dir; /* NULL: the usual place */
	const char *debugfs_dir; /* NULL: the place where it is mounted */
	const char *exec_path;   /* NULL: cli/exec-path.h finds it */
	unsigned verbose;
	const struct guest_settings *guests; /* from `perf kvm`; NULL: without it */
};

/* One run of a command. Everything here is borrowed and lives until run() returns. */
struct invocation {
	const struct command *command;
	const struct settings *settings;
	void *opts; /* the command's own struct, filled in */
	int argc;
	char **argv;        /* positional arguments, NULL-terminated */
	char *const *typed; /* all words as they were typed, before parsing */
	const struct config *config;
	FILE *out;
	FILE *err;
	enum colour_when colour_when; /* --color */
	bool colour;                  /* @out may contain colours */
	struct progress *progress;    /* see command_progress() */
	struct redraw *redraw;        /* the current in-place output (cli/live-table.h), or NULL */
};

/*
 * Returns how many of inv->typed are options before the first positional argument, for a command
 * whose options end there (COMMAND_WORKLOAD, or one with subcommands).
 */
size_t command_typed_options(const struct invocation *inv);

/* Parses @argv (NULL-terminated, after the command's name) and runs @c. Returns the exit status. */
int command_run(const struct command *c, char **argv, const struct settings *s);

/*
 * Returns the stream for messages, inv->err, after everything that was printed to inv->out has been
 * written. Otherwise a message could appear in the middle of a row if both go to the same file.
 */
FILE *command_err(const struct invocation *inv);

/*
 * Prints "perf NAME: message", the marked excerpt and the hint; returns EXIT_FAILED. Without a
 * message in @d it describes -@error.
 */
int command_fail(const struct invocation *inv, int error, const struct diag *d);

/* Does the same for one formatted sentence. */
int command_failf(const struct invocation *inv, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * Does the same as command_fail() for an invalid command line: adds the usage; returns EXIT_USAGE.
 */
int command_usage(const struct invocation *inv, const struct diag *d);

/* Prints "perf NAME: warning: message" and the rest of @d; the work goes on. */
void command_warn(const struct invocation *inv, const struct diag *d);

/*
 * Prints a note (base/notes.h): a failure as command_fail() does, a warning as command_warn(),
 * others as they are, hints and remarks on a terminal in lines that fit.
 */
void command_note(const struct invocation *inv, const struct note *note);

/* Prints a sentence for users, on a terminal only, in lines that fit. */
void command_remark(const struct invocation *inv, const char *s);

/* Returns notes that are printed as they are added, by command_note(). */
struct notes command_notes(const struct invocation *inv);

/*
 * Returns the columns of the terminal on which users read @f, which is inv->out or inv->err, also
 * through the pager; 0: it is a file or a pipe.
 */
unsigned command_columns(const struct invocation *inv, FILE *f);

/*
 * Returns a receiver for the progress of long work, to be passed to the layer that does it: a bar
 * on the user's terminal. NULL if there is none: @quiet (--quiet), the errors go elsewhere, or the
 * output goes into a pipe, whose reader may draw on the same terminal. @prints: output appears
 * during the work, so there is no bar unless the output goes into a file.
 */
struct progress *command_progress(const struct invocation *inv, bool quiet, bool prints);

/* Warns about the options in @l that have no effect, unless -q was given. */
void command_warn_ignored(const struct invocation *inv, const struct option_line *l);

/* Prints the usage lines and the options, as -h does. @words as for option_print_help(). */
void command_print_help(const struct command *c, char *const *words, unsigned columns, FILE *out);

/* Shows the manual page of @c; without page or man(1) it prints the help instead. */
void command_show_manual(const struct command *c, FILE *out);

/* Prints the data about @c that docs/man/mkman needs. */
void command_print_dump(const struct command *c, FILE *out);

/* Finds @name in @commands (NULL-terminated; NULL: there are none), or NULL. */
const struct command *command_find(const struct command *const *commands, const char *name);

/* Returns another command of this program, which must exist. */
const struct command *command_other(const struct invocation *inv, const char *name);
