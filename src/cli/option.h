/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Option tables: one `static const struct option[]` per command, from which parsing, `-h`,
 * `--no-x`, abbreviations, completion and the manual's OPTIONS section are derived.
 *
 * Each row names a field of the command's private options struct; parsing fills the fields in. A
 * set of options that several commands share (options/) is a table of its own over a struct of its
 * own, included as one row with OPT_SET(). Strings are borrowed from argv.
 *
 * An option that does nothing in this perf has no field: OPT_NOTHING(). A user who gives it gets a
 * message.
 *
 * A row may name a variable of perfconfig files. Its value is stored as if it had been typed,
 * before the command line is: option_configure(). A row that has neither letter nor name is a
 * variable only.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/choice.h"

struct config;
struct diag;
struct option;

enum option_kind {
	OPTION_END,
	OPTION_HEADING, /* a title in the help, not an option */
	OPTION_SET,     /* another table, over a struct that is a field of this one */
	OPTION_FLAG,    /* bool; --no-x clears it */
	OPTION_CHOICE,  /* enum choice; --no-x is CHOICE_NO */
	OPTION_COUNT,   /* unsigned; each use adds one, --no-x clears it */
	OPTION_NOTHING, /* no field; takes a value if it has an .arg */
	OPTION_INT,     /* int64_t */
	OPTION_UINT,    /* uint64_t, decimal or 0x */
	OPTION_STRING,  /* const char * */
	OPTION_CALL,    /* the function .set processes it */
};

enum {
	OPTION_HIDDEN = 1 << 0,       /* accepted, but not in the help */
	OPTION_OPTIONAL = 1 << 1,     /* the value may be left out: .missing replaces it */
	OPTION_NO_VALUE = 1 << 2,     /* an OPTION_CALL that takes no value */
	OPTION_NO_NEGATION = 1 << 3,  /* --no-x is not accepted */
	OPTION_ONE_DASH = 1 << 4,     /* the old spelling -name is also accepted */
	OPTION_WHOLE = 1 << 5,        /* no abbreviation is accepted */
	OPTION_LATER = 1 << 6,        /* an optional value is required, but may come later */
	OPTION_EXCLUSIVE = 1 << 7,    /* not together with another option that has this flag */
	OPTION_QUIETS = 1 << 8,       /* no warnings about options without effect: -q */
	OPTION_READS = 1 << 9,        /* an OPTION_STRING that names a file to read */
	OPTION_READS_USUAL = 1 << 10, /* the same; perf.data if it is not given */
	OPTION_WRITES = 1 << 11,      /* an OPTION_STRING that names a file to write */
};

/*
 * Stores @value for an OPTION_CALL in @field. @value is NULL if none was given; @negated for
 * --no-x. Returns 0, or a negative errno with @diag describing the error in the value.
 */
typedef int option_set_fn(void *field, const struct option *o, const char *value, bool negated,
			  struct diag *diag);

struct option {
	enum option_kind kind;
	char letter;      /* 0: none */
	const char *name; /* NULL: there is only a letter */
	size_t offset;    /* offset of the field in the options struct */
	const char *arg;  /* name of the value in the help; words like "a,b" are permitted */
	const char *help; /* one line */
	const char *missing;
	option_set_fn *set;
	/*
	 * For OPTION_OPTIONAL: true if the following text belongs to this option (`-g dwarf`, but
	 * `-ga`).
	 */
	bool (*takes)(const char *word);
	const struct option *sub;
	/*
	 * For OPTION_NOTHING: a clause that gives the reason; NULL: the requested effect is always
	 * present.
	 */
	const char *without_effect;
	const char *config; /* its variable, as "section.name"; or NULL */
	unsigned flags;
};

/* offsetof() that rejects, at compile time, a field of another type than the option stores. */
#define OPTION_FIELD(T, f, type)                                                                   \
	(offsetof(T, f) +                                                                          \
	 0 * sizeof(char[__builtin_types_compatible_p(__typeof__(((T *)0)->f), type) ? 1 : -1]))

#define OPTION_ROW(k, l, n, T, f, type, a, h, ...)                                                 \
	{                                                                                          \
		.kind = (k), .letter = (l), .name = (n), .offset = OPTION_FIELD(T, f, type),       \
		.arg = (a), .help = (h), ##__VA_ARGS__                                             \
	}
#define OPT_FLAG(l, n, T, f, h, ...)                                                               \
	OPTION_ROW(OPTION_FLAG, l, n, T, f, bool, NULL, h, ##__VA_ARGS__)
#define OPT_CHOICE(l, n, T, f, h, ...)                                                             \
	OPTION_ROW(OPTION_CHOICE, l, n, T, f, enum choice, NULL, h, ##__VA_ARGS__)
#define OPT_COUNT(l, n, T, f, h, ...)                                                              \
	OPTION_ROW(OPTION_COUNT, l, n, T, f, unsigned, NULL, h, ##__VA_ARGS__)
#define OPT_INT(l, n, T, f, a, h, ...)                                                             \
	OPTION_ROW(OPTION_INT, l, n, T, f, int64_t, a, h, ##__VA_ARGS__)
#define OPT_UINT(l, n, T, f, a, h, ...)                                                            \
	OPTION_ROW(OPTION_UINT, l, n, T, f, uint64_t, a, h, ##__VA_ARGS__)
#define OPT_STRING(l, n, T, f, a, h, ...)                                                          \
	OPTION_ROW(OPTION_STRING, l, n, T, f, const char *, a, h, ##__VA_ARGS__)
/* Add `.set = fn`, and flags if the value is optional or absent. */
#define OPT_CALL(l, n, T, f, a, h, ...)                                                            \
	{                                                                                          \
		.kind = OPTION_CALL, .letter = (l), .name = (n), .offset = offsetof(T, f),         \
		.arg = (a), .help = (h), ##__VA_ARGS__                                             \
	}
/*
 * An option that is accepted because users' scripts have it. @why completes "--x has no effect: ",
 * which a user of the option sees, and which is in the help and the manual; NULL if the requested
 * effect is always present.
 */
#define OPT_NOTHING(l, n, a, h, why, ...)                                                          \
	{                                                                                          \
		.kind = OPTION_NOTHING, .letter = (l), .name = (n), .arg = (a), .help = (h),       \
		.without_effect = (why), ##__VA_ARGS__                                             \
	}
#define OPT_SET(T, f, table)                                                                       \
	{                                                                                          \
		.kind = OPTION_SET, .offset = offsetof(T, f), .sub = (table)                       \
	}
/* Includes another table over the same struct. */
#define OPT_INCLUDE(table)                                                                         \
	{                                                                                          \
		.kind = OPTION_SET, .sub = (table)                                                 \
	}
#define OPT_HEADING(h)                                                                             \
	{                                                                                          \
		.kind = OPTION_HEADING, .help = (h)                                                \
	}
#define OPT_END                                                                                    \
	{                                                                                          \
		.kind = OPTION_END                                                                 \
	}

enum option_stop {
	OPTION_STOP_NEVER,      /* options may follow positional arguments */
	OPTION_STOP_POSITIONAL, /* the first positional argument begins the workload's own line */
};

enum option_result {
	OPTION_RESULT_OK,
	OPTION_RESULT_HELP,      /* -h */
	OPTION_RESULT_MANUAL,    /* --help */
	OPTION_RESULT_LIST_OPTS, /* --list-opts, for completion */
	OPTION_RESULT_DUMP_OPTS, /* --dump-opts, for the manual */
	OPTION_RESULT_LIST_CMDS, /* --list-cmds: the subcommands, for completion */
};

/*
 * Stores the values of the variables of @c in the fields of @opts, to be called before
 * option_parse(). A row without a value (flags, choices, OPTION_NO_VALUE) has a variable that is
 * true or false. Strings are borrowed from @c. -EINVAL with @diag naming the file and the line.
 */
int option_configure(const struct option *table, void *opts, const struct config *c,
		     struct diag *diag);

/* More options without effect than any command has. */
#define OPTION_IGNORED_MAX 32

/* The result of parsing a command line besides the values of fields. */
struct option_line {
	int argc;                   /* number of positional arguments */
	const struct option *about; /* the option to which an error applies, or NULL */
	const struct option *ignored[OPTION_IGNORED_MAX]; /* options without effect, each once */
	size_t n_ignored;
	bool quiet; /* an option with OPTION_QUIETS was given */
};

/*
 * Parses @argv (NULL-terminated, without the command's name) into @opts. Positional arguments are
 * moved to the front of @argv in order; after -h everything is a word that selects options. Returns
 * an option_result, or -EINVAL with @diag set; *@ret_line is filled in either way. Messages name
 * an option as it was typed: switch `F', or option `freq'. Everything is checked before anything
 * else runs.
 */
int option_parse(const struct option *table, void *opts, char **argv, enum option_stop stop,
		 struct option_line *ret_line, struct diag *diag);

/* True if the row is only for a variable of the configuration. */
bool option_is_variable(const struct option *o);

/*
 * Calls @fn for every row of @table, including those of included sets; headings have kind
 * OPTION_HEADING.
 */
void option_for_each(const struct option *table, void (*fn)(const struct option *o, void *arg),
		     void *arg);

/* Returns the option of @table called @name (without dashes, exactly), or NULL. */
const struct option *option_find(const struct option *table, const char *name);

/*
 * Checks that no file to be written by an option is also read: by an option, or as one of @words
 * (NULL-terminated, may be NULL). Files are compared by device and inode. -EEXIST with @diag.
 */
int option_check_files(const struct option *table, const void *opts, char *const *words,
		       struct diag *diag);

/*
 * Prints the rows of -h. With @words (NULL-terminated), only options with such a name, or that
 * mention a word. @columns: of the terminal, in which lines are broken; 0: they are not broken.
 */
void option_print_help(const struct option *table, char *const *words, unsigned columns, FILE *out);

/* Prints the row of one option as -h does. */
void option_print_row(const struct option *o, unsigned columns, FILE *out);

/* Prints "--name " of every option, for completion. */
void option_print_names(const struct option *table, FILE *out);

/*
 * Prints every option for docs/man/mkman, each as a line with tabs: `option`, the key that the
 * manual's notes use (--name, or -x), the spelling, the help, the reason why it has no effect, its
 * variable, where the last two may be empty; for a heading `heading` and its text; for a variable
 * alone `variable`, its name, and its effect.
 */
void option_print_dump(const struct option *table, FILE *out);
