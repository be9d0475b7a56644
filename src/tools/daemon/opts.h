/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The options and functions that `perf daemon` and its subcommands share. Each includes
 * daemon_options by OPT_SET(struct opts, common, daemon_options).
 *
 * Failures are reported here as in Linux's perf, "failed: ...", because scripts look for that word.
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
	const char *separator; /* NULL: the output is for people */
	const char *base;      /* NULL: the base in the configuration */
	const char *config;    /* NULL: the usual perfconfig */
	const char *session;   /* for those with daemon_session_options; NULL: all sessions */
};

/* The subcommands, each in its own file. */
extern const struct command cmd_daemon_start, cmd_daemon_stop, cmd_daemon_signal, cmd_daemon_ping;

/* Options over a struct daemon_opts. */
extern const struct option daemon_options[];
extern const struct option daemon_session_options[]; /* with --session */

/* The configuration of a daemon: its files, and a base that replaces the one in them. */
struct daemon_config {
	char *paths[2]; /* absolute */
	size_t n;
};

/* Finds the files. -ENOENT with @diag: there is none. */
int daemon_config_find(const struct daemon_opts *o, struct daemon_config *ret, struct diag *diag);
void daemon_config_done(struct daemon_config *c);

/*
 * Reads the files. This is `read_plan` of tools/daemon/daemon-work.h, for which @config is a struct
 * daemon_config.
 */
int daemon_config_read(void *config, struct daemon_plan *ret, struct diag *diag);

/* Opens the base that --base or the configuration names. */
int daemon_open_base(const struct daemon_opts *o, struct daemon_base *ret, struct diag *diag);

/*
 * Sends a request with the options of @inv to the daemon. Returns an exit status after the error
 * was reported; -1: there is an answer.
 */
int daemon_ask_for(const struct invocation *inv, struct daemon_command *c,
		   struct daemon_reply *ret);

/* Prints "failed: " and the message of @d; returns EXIT_FAILED. */
int daemon_fail(const struct invocation *inv, int error, const struct diag *d);

/* Checks for words that no subcommand takes: a usage error. 0: there are none. */
int daemon_check_words(const struct invocation *inv);

/* Prints the status in @r. */
void daemon_show_list(const struct invocation *inv, const struct daemon_opts *o,
		      const struct daemon_reply *r);
