/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The daemon: keeps the sessions of a configuration running until it is told to stop.
 *
 * It has one thread and one poll(), for signals, the control socket, the configuration files, the
 * answers of sessions, and the clock.
 */
#include <stddef.h>

struct daemon_base;
struct daemon_plan;
struct diag;

struct daemon_request {
	struct daemon_base *base; /* open; daemon_prepare() locks it */
	const char *program;      /* path of this program, for sessions */
	int log_fd;               /* -1: BASE/output */
	char *const *config_paths;
	size_t n_config_paths;
	/* Reads the configuration again. Errors come with @diag, and then nothing changes. */
	int (*read_plan)(void *arg, struct daemon_plan *ret, struct diag *diag);
	void *arg;
};

struct daemon;

/*
 * Takes the base's lock, makes the socket and opens the log: all steps whose failure must be
 * reported to the user who starts the daemon. The process works in the base from then on.
 */
int daemon_prepare(const struct daemon_request *rq, struct daemon **ret, struct diag *diag);

/* Runs until SIGTERM, SIGINT or the request to stop; then ends all sessions. */
void daemon_run(struct daemon *d);

/* Returns the descriptor of the log. */
int daemon_log_fd(const struct daemon *d);

struct daemon *daemon_free(struct daemon *d);
