/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The daemon: keeps the sessions of a configuration running until it is told to stop.
 *
 * One thread and one poll(): signals, the control socket, the configuration files, the answers of
 * sessions, and the clock.
 */
#include <stddef.h>

struct daemon_base;
struct daemon_plan;
struct diag;

struct daemon_request {
	struct daemon_base *base; /* open; locked by daemon_prepare() */
	const char *program;      /* our own path, for sessions */
	int log_fd;               /* -1: BASE/output */
	char *const *config_paths;
	size_t n_config_paths;
	/* Reads the configuration again. Errors come with @diag, and nothing changes then. */
	int (*read_plan)(void *arg, struct daemon_plan *ret, struct diag *diag);
	void *arg;
};

struct daemon;

/*
 * Takes the base's lock, makes the socket and opens the log: all that can fail for reasons that
 * whoever starts a daemon has to be told. The process works in the base from then on.
 */
int daemon_prepare(const struct daemon_request *rq, struct daemon **ret, struct diag *diag);

/* Runs until SIGTERM, SIGINT or the request to stop; then ends all sessions. */
void daemon_run(struct daemon *d);

/* The descriptor of the log. */
int daemon_log_fd(const struct daemon *d);

struct daemon *daemon_free(struct daemon *d);
