/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The control socket of a daemon: clients that send one request and get one answer.
 *
 * No client can make the others wait: all are served as far as their bytes go, and one that takes
 * too long is dropped. Only the daemon's user and root are heard. A request whose answer takes time
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

/* How long a client may take to send its request, and to read its answer. */
#define DAEMON_CLIENT_MS 5000

struct daemon_client {
	int fd; /* -1: a free place */
	char request[DAEMON_COMMAND_MAX];
	size_t n_request;
	bool is_heard;      /* the request was handed on */
	bool is_answered;   /* the answer is complete */
	struct text answer; /* to be sent */
	size_t n_sent;
	int64_t end_ms; /* when it is dropped, or for a ping: when it is answered at the latest */
	/* A ping: what came of it so far. An outcome whose error is NULL is still open. */
	struct daemon_reply pings;
	bool waits_for_end; /* of the daemon */
};

/* A request has come: answered at once, or left for later. */
typedef void daemon_serve_fn(void *arg, struct daemon_client *c, const struct daemon_command *cmd);

struct daemon_server {
	int fd;
	struct daemon_client clients[DAEMON_CLIENTS_MAX];
	daemon_serve_fn *serve;
	void *arg;
};

/* Makes the socket BASE/control, in the place of one that an ended daemon left. */
int daemon_server_open(struct daemon_server *s, const struct daemon_base *base, struct diag *diag);

/* Adds what is to be waited for to @fds, of at least DAEMON_CLIENTS_MAX + 1. Returns how many. */
size_t daemon_server_poll(const struct daemon_server *s, struct pollfd *fds);

/* Does what the @n @fds, as daemon_server_poll() made them, are ready for. */
void daemon_server_run(struct daemon_server *s, const struct pollfd *fds, size_t n, int64_t now_ms);

/* When daemon_server_expire() has something to do; INT64_MAX: never. */
int64_t daemon_server_deadline(const struct daemon_server *s);

/* Drops clients that take too long, and those pings that were not answered fail. */
void daemon_server_expire(struct daemon_server *s, int64_t now_ms);

/* Answers; what does not go out at once goes later. */
void daemon_client_answer(struct daemon_client *c, const struct daemon_reply *r, int64_t now_ms);

/* The ping of @session has an outcome: @error is "" if it answered. */
void daemon_server_pinged(struct daemon_server *s, const char *session, const char *error,
			  int64_t now_ms);

/* Answers those who wait for the end, and closes all. */
void daemon_server_close(struct daemon_server *s, const struct daemon_base *base);
