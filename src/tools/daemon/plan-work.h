/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The plan of a daemon: the variables of its configuration file, checked.
 *
 * [daemon] has base and max-size, [session-NAME] has run, keep and max-size. Variables are added
 * one by one, then daemon_plan_check() checks them together and makes the words for `perf record`.
 * All functions here are pure.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct diag;

#define DAEMON_SESSIONS_MAX 64
#define DAEMON_NAME_MAX     64
#define DAEMON_WORDS_MAX    1024

/* A variable in a file. */
struct daemon_setting {
	const char *section, *name, *value;
	const char *origin; /* the file's name */
	unsigned line, column;
};

/* The words of a command line, NULL-terminated; owned. */
struct daemon_words {
	char **items;
	size_t n, room;
};

struct daemon_session_plan {
	char *name;
	char *run;                 /* as written in the file; NULL: not yet set */
	uint64_t keep_s;           /* remove files older than this; 0: never */
	uint64_t max_bytes;        /* the maximum for all its files; 0: no limit */
	struct daemon_words words; /* arguments for `perf record` */
	char *origin;              /* the place of its first variable */
	unsigned line;
};

struct daemon_plan {
	char *base;         /* NULL: none was named */
	uint64_t max_bytes; /* for all files of all sessions; 0: no limit */
	struct daemon_session_plan *items;
	size_t n, room;
};

void daemon_plan_done(struct daemon_plan *p);

/*
 * Adds one variable; those of other sections are ignored, and a later value replaces an earlier
 * one. -EINVAL or -E2BIG with @diag, which marks the value: an unknown name, a session's name that
 * cannot name a folder, a malformed number, quotes without an end.
 */
int daemon_plan_add(struct daemon_plan *p, const struct daemon_setting *s, struct diag *diag);

/*
 * Checks the plan as a whole: each session has its line, and none has options that are reserved for
 * the daemon. A session whose files are limited and that has no --switch-output gets one, so that
 * there are old files that can be removed.
 */
int daemon_plan_check(struct daemon_plan *p, struct diag *diag);

const struct daemon_session_plan *daemon_plan_find(const struct daemon_plan *p, const char *name);

/*
 * True if @name consists of letters, digits, - and _, is not empty, and is not longer than
 * DAEMON_NAME_MAX.
 */
bool daemon_name_is_valid(const char *name);

/* Parses "90s", "30m", "2h", "7d". -EINVAL: something else; -ERANGE. */
int daemon_parse_time(const char *text, uint64_t *ret_s);

/*
 * Splits a line at blanks, like a shell: '...', "..." and backslashes keep them. -EINVAL with the
 * offset of a quote without an end in *@ret_at; -E2BIG: more than DAEMON_WORDS_MAX words.
 */
int daemon_words_split(struct daemon_words *w, const char *line, size_t *ret_at);

void daemon_words_done(struct daemon_words *w);
bool daemon_words_are_equal(const struct daemon_words *a, const struct daemon_words *b);
