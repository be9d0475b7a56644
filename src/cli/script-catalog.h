/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The scripts that can be run by name.
 *
 * A script called NAME is two small shell scripts, scripts/LANGUAGE/bin/NAME-record and
 * NAME-report, below the folder that PERF_EXEC_PATH names. The first records the data that the
 * script needs, the second runs it; the first lines of the second describe it and its arguments:
 *
 *	# description: system-wide syscall counts
 *	# args: [comm]
 *
 * The files may come from anywhere: text that is too long or is not text is left out. Nothing is
 * run here.
 */
#include <stdbool.h>
#include <stddef.h>

#include "base/cleanup.h"
#include "base/name-list.h"

enum script_language {
	SCRIPT_PYTHON,
	SCRIPT_PERL, /* known by name only: perf does not run such scripts */
};

struct named_script {
	char *name;
	enum script_language language;
	char *description;   /* "" if the script gives none */
	char *arguments;     /* "[comm] [interval]", "" if there are none */
	char *record;        /* the path of NAME-record; NULL: there is none */
	char *report;        /* the path of NAME-report */
	bool options_behind; /* the report passes options only after the script's arguments */
};

struct named_scripts {
	struct named_script *items; /* sorted by name; Python before Perl */
	size_t n, room;
};

/*
 * Reads the scripts below @exec_path. Folders that do not exist have no scripts; other errors are
 * those of reading a folder.
 */
int named_scripts_read(const char *exec_path, struct named_scripts *ret);
void named_scripts_done(struct named_scripts *c);

/* Returns the script called @name, or NULL. */
const struct named_script *named_scripts_find(const struct named_scripts *c, const char *name);

/*
 * Returns "'a' or 'b'", the names of Python scripts that are similar to @typed; or NULL. The caller
 * frees it.
 */
char *named_scripts_similar(const struct named_scripts *c, const char *typed);

/*
 * Reads description, arguments and options_behind from the @size bytes of a NAME-report. For
 * named_scripts_read(), and its tests.
 */
void named_script_read_header(const char *bytes, size_t size, struct named_script *ret);

/*
 * Adds the events that its NAME-record requests with -e to @ret. A recording with all of them has
 * the data that the script needs. -ENOENT: there are none, or it cannot be read.
 */
int named_script_events(const struct named_script *s, struct name_list *ret);

/* Does the same for the @size bytes of a NAME-record. */
void named_script_read_events(const char *bytes, size_t size, struct name_list *ret);

/* Returns the number of required arguments: those that its text has in <>. */
size_t named_script_required(const struct named_script *s);

/* True if @word is one of its arguments that its text has in []: tx is [tx], dev=lo is [dev=]. */
bool named_script_takes_word(const struct named_script *s, const char *word);

/* True if it is a display that keeps running: then all words are its arguments. */
bool named_script_is_top(const struct named_script *s);
