/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The control socket of a daemon: clients send one request and get one answer.
 *
 * No client can make the others wait: each is served as far as its bytes go, and one that takes too
 * long is dropped. Only the daemon's user and root are accepted. A request whose answer takes time
 * (a ping, the end) is answered later by daemon_client_answer().
 */
#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "tools/daemon/protocol-work.h"

struct daemon_base;
struct diag;

#define DAEMON_CLIENTS_MAX 64

/* The time that a client may take to send its request, and to read its answer. */
#define DAEMON_CLIENT_MS 5000

struct daemon_client {
	int fd; /* -1: a free slot */
	char request[DAEMON_COMMAND_MAX];
	size_t n_request;
	bool is_heard;      /* the request was passed on */
	bool is_answered;   /* the answer is complete */
	struct text answer; /* the answer to send */
	size_t n_sent;
	int64_t end_ms; /* when it is dropped; for a ping: the latest time of its answer */
	/* For a ping: its results up to now. An outcome whose error is NULL is still open. */
	struct daemon_reply pings;
	bool waits_for_end; /* waits for the end of the daemon */
};

/* Serves a request: answers immediately, or leaves the answer for later. */
typedef void daemon_serve_fn(void *arg, struct daemon_client *c, const struct daemon_command *cmd);

struct daemon_server {
	int fd;
	struct daemon_client clients[DAEMON_CLIENTS_MAX];
	daemon_serve_fn *serve;
	void *arg;
};

/* Makes the socket BASE/control, replacing one that an ended daemon left. */
int daemon_server_open(struct daemon_server *s, const struct daemon_base *base, struct diag *diag);

/*
 * Adds the descriptors to wait for to @fds, of at least DAEMON_CLIENTS_MAX + 1. Returns how many.
 */
size_t daemon_server_poll(const struct daemon_server *s, struct pollfd *fds);

/* Does the work for which the @n @fds, as made by daemon_server_poll(), are ready. */
void daemon_server_run(struct daemon_server *s, const struct pollfd *fds, size_t n, int64_t now_ms);

/* Returns when daemon_server_expire() has something to do; INT64_MAX: never. */
int64_t daemon_server_deadline(const struct daemon_server *s);

/* Drops clients that take too long, and lets pings without an answer fail. */
void daemon_server_expire(struct daemon_server *s, int64_t now_ms);

/* Sends an answer. The part that cannot be sent immediately is sent later. */
void daemon_client_answer(struct daemon_client *c, const struct daemon_reply *r, int64_t now_ms);

/* Sets the outcome of the ping of @session: @error is "" if it answered. */
void daemon_server_pinged(struct daemon_server *s, const char *session, const char *error,
			  int64_t now_ms);

/* Answers the clients that wait for the end, and closes everything. */
void daemon_server_close(struct daemon_server *s, const struct daemon_base *base);
