/* SPDX-License-Identifier: MIT */
/*
 * Files that options name. The output of a command must not be its input: a picture would replace
 * the recording that it shows.
 */
#include <errno.h>
#include <libgen.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "cli/option.h"

#define USUAL_INPUT "perf.data"

/* A file that is to be written, and the option that names it. */
struct written {
	const struct option *option;
	const char *path;
	struct stat st;
	struct diag *diag;
};

/*
 * Gets the status of a file. A device, for example /dev/tty, may be read and written. A folder is
 * not replaced.
 */
static bool option_file_look(const char *path, struct stat *ret)
{
	return path && stat(path, ret) == 0 && S_ISREG(ret->st_mode);
}

/*
 * Gets the status of the file that @input means: a path, "-", or the file of a store
 * (sqlite:PATH?WORDS).
 */
static bool option_file_look_at_input(const char *input, struct stat *ret)
{
	static const char store[] = "sqlite:";
	_cleanup_(freep) char *path = NULL;

	if (!strcmp(input, "-"))
		return fstat(STDIN_FILENO, ret) == 0;
	if (!strncmp(input, store, strlen(store))) {
		input += strlen(store);
		path = xstrndup(input, strcspn(input, "?"));
	}
	return stat(path ? path : input, ret) == 0;
}

static bool option_file_is_same(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/*
 * True if the file that is written is @input, or a part of a recording that is the folder @input.
 */
static bool option_file_is_input(const struct written *w, const char *input)
{
	_cleanup_(freep) char *copy = xstrdup(w->path);
	struct stat st, folder;

	if (!input || !option_file_look_at_input(input, &st))
		return false;
	if (S_ISDIR(st.st_mode))
		return stat(dirname(copy), &folder) == 0 && option_file_is_same(&folder, &st);
	return S_ISREG(st.st_mode) && option_file_is_same(&st, &w->st);
}

static int option_file_compare(const struct written *w, const char *input)
{
	if (!option_file_is_input(w, input))
		return 0;
	diag_set(w->diag, -EEXIST, "--%s: '%s' is the file that is read, and would be lost",
		 w->option->name, w->path);
	diag_hint(w->diag, "Name another file to write.");
	return -EEXIST;
}

static const char *option_file_value(const struct option *o, const void *opts)
{
	return *(const char *const *)((const char *)opts + o->offset);
}

/* Compares with the files that the options of @table read. */
static int option_files_read(const struct written *w, const struct option *table, const void *opts)
{
	int r = 0;

	for (const struct option *o = table; r >= 0 && o->kind != OPTION_END; o++) {
		if (o->kind == OPTION_SET)
			r = option_files_read(w, o->sub, (const char *)opts + o->offset);
		else if (o->flags & (OPTION_READS | OPTION_READS_USUAL))
			r = option_file_compare(w, option_file_value(o, opts)
							   ? option_file_value(o, opts)
						   : o->flags & OPTION_READS_USUAL ? USUAL_INPUT
										   : NULL);
	}
	return r;
}

/* A whole command line. */
struct option_files_line {
	const struct option *table;
	const void *opts;
	char *const *words;
};

static int option_file_check(const struct option_files_line *l, struct written *w)
{
	int r;

	if (!option_file_look(w->path, &w->st))
		return 0;
	r = option_files_read(w, l->table, l->opts);
	for (char *const *word = l->words; r >= 0 && word && *word; word++)
		r = option_file_compare(w, *word);
	return r;
}

static int option_files_written(const struct option_files_line *l, const struct option *table,
				const void *opts, struct diag *diag)
{
	int r = 0;

	for (const struct option *o = table; r >= 0 && o->kind != OPTION_END; o++) {
		if (o->kind == OPTION_SET)
			r = option_files_written(l, o->sub, (const char *)opts + o->offset, diag);
		else if (o->flags & OPTION_WRITES)
			r = option_file_check(l,
					      &(struct written){ .option = o,
								 .path = option_file_value(o, opts),
								 .diag = diag });
	}
	return r;
}

int option_check_files(const struct option *table, const void *opts, char *const *words,
		       struct diag *diag)
{
	return option_files_written(&(struct option_files_line){ table, opts, words }, table, opts,
				    diag);
}
