/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What `perf daemon` and its subcommands have in common. Each includes daemon_options by
 * OPT_SET(struct opts, common, daemon_options).
 *
 * Failures are said as Linux's perf says them here, "failed: ...", since scripts look for that
 * word.
 */
#include <stddef.h>

#include "cli/option.h"

struct command;
struct daemon_base;
struct daemon_command;
struct daemon_plan;
struct daemon_reply;
struct diag;
struct invocation;

struct daemon_opts {
	unsigned verbose;
	const char *separator; /* NULL: for people */
	const char *base;      /* NULL: as the configuration says */
	const char *config;    /* NULL: perfconfig */
};

/* The subcommands, each in its file. */
extern const struct command cmd_daemon_start, cmd_daemon_stop, cmd_daemon_signal, cmd_daemon_ping;

/* Rows over a struct daemon_opts. */
extern const struct option daemon_options[];

/* The configuration of a daemon: which files, and a base that takes the place of theirs. */
struct daemon_config {
	char *paths[2]; /* absolute */
	size_t n;
};

/* Finds the files. -ENOENT with @diag: there is none. */
int daemon_config_find(const struct daemon_opts *o, struct daemon_config *ret, struct diag *diag);
void daemon_config_done(struct daemon_config *c);

/* Reads them: `read_plan` of tools/daemon/daemon-work.h, for which @config is a struct
 * daemon_config. */
int daemon_config_read(void *config, struct daemon_plan *ret, struct diag *diag);

/* Opens the base that --base or the configuration names. */
int daemon_open_base(const struct daemon_opts *o, struct daemon_base *ret, struct diag *diag);

/*
 * Asks the daemon about @session, which may be NULL. Returns an exit status, and what went wrong
 * was said; -1: there is an answer.
 */
int daemon_ask_for(const struct invocation *inv, const struct daemon_opts *o,
		   struct daemon_command *c, const char *session, struct daemon_reply *ret);

/* Prints "failed: " and what @d says; returns EXIT_FAILED. */
int daemon_fail(const struct invocation *inv, int error, const struct diag *d);

/* Words that no subcommand has use for: a usage error. 0: there are none. */
int daemon_check_words(const struct invocation *inv);

/* Prints the status in @r. */
void daemon_show_list(const struct invocation *inv, const struct daemon_opts *o,
		      const struct daemon_reply *r);
