/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The scripts that can be run by name.
 *
 * A script called NAME is two small shell scripts, scripts/LANGUAGE/bin/NAME-record and
 *NAME-report, below the folder that PERF_EXEC_PATH names. The first records what the script needs,
 *the second runs it; the first lines of the second say what it does and which arguments it takes:
 *
 *	# description: system-wide syscall counts
 *	# args: [comm]
 *
 * The files are anybody's: what is too long or not text is left out. Nothing is run here.
 */
#include <stdbool.h>
#include <stddef.h>

#include "base/cleanup.h"
#include "base/name-list.h"

enum script_language {
	SCRIPT_PYTHON,
	SCRIPT_PERL, /* known by name only: perf does not run them */
};

struct named_script {
	char *name;
	enum script_language language;
	char *description;   /* "" if it does not say */
	char *arguments;     /* as "[comm] [interval]", "" if there are none */
	char *record;        /* the path of NAME-record; NULL: there is none */
	char *report;        /* the path of NAME-report */
	bool options_behind; /* the report hands options on only behind the script's arguments */
};

struct named_scripts {
	struct named_script *items; /* sorted by name; Python before Perl */
	size_t n, room;
};

/*
 * Reads the scripts below @exec_path. Folders that are not there have no scripts; other errors are
 * those of reading a folder.
 */
int named_scripts_read(const char *exec_path, struct named_scripts *ret);
void named_scripts_done(struct named_scripts *c);

/* The script called @name, or NULL. */
const struct named_script *named_scripts_find(const struct named_scripts *c, const char *name);

/* "'a' or 'b'", the names of Python scripts that are like @typed; or NULL. The caller frees it. */
char *named_scripts_similar(const struct named_scripts *c, const char *typed);

/*
 * Takes description, arguments and options_behind out of the @size bytes of a NAME-report. For
 * named_scripts_read(), and its tests.
 */
void named_script_read_header(const char *bytes, size_t size, struct named_script *ret);

/*
 * Adds the events that its NAME-record asks for by -e to @ret. Whoever has them all has what the
 * script needs. -ENOENT: it does not say, or cannot be read.
 */
int named_script_events(const struct named_script *s, struct name_list *ret);

/* The same, of the @size bytes of a NAME-record. */
void named_script_read_events(const char *bytes, size_t size, struct name_list *ret);

/* How many arguments it must have: as many as its text has in <>. */
size_t named_script_required(const struct named_script *s);

/* Whether @word is one of its arguments as its text has them in []: tx is [tx], dev=lo is [dev=].
 */
bool named_script_takes_word(const struct named_script *s, const char *word);

/* Whether it is a display that goes on: then all words are its arguments. */
bool named_script_is_top(const struct named_script *s);
