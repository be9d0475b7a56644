/* SPDX-License-Identifier: MIT */
#include "tools/daemon/server-work.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "tools/daemon/base-work.h"

/*
 * Binds the socket. The daemon works in its base, so the socket's path is short however long the
 * base's is.
 */
static int bind_here(int fd)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX, .sun_path = "control" };
	mode_t old = umask(0177);
	int r = bind(fd, (struct sockaddr *)&a, sizeof(a)) < 0 ? -errno : 0;

	umask(old);
	return r;
}

int daemon_server_open(struct daemon_server *s, const struct daemon_base *base, struct diag *diag)
{
	int r;

	s->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	for (size_t i = 0; i < DAEMON_CLIENTS_MAX; i++)
		s->clients[i] = (struct daemon_client){ .fd = -1, .answer = TEXT_EMPTY };
	r = s->fd < 0 || fchdir(base->folder) < 0 ? -errno : 0;
	/* We hold the lock, so the process that made this socket is gone. */
	if (r >= 0 && unlinkat(base->folder, "control", 0) < 0 && errno != ENOENT)
		r = -errno;
	if (r >= 0)
		r = bind_here(s->fd);
	if (r >= 0 && listen(s->fd, DAEMON_CLIENTS_MAX) < 0)
		r = -errno;
	return r < 0 ? diag_set(diag, r, "cannot make the socket '%s/control': %s", base->path,
				strerror(-r))
		     : 0;
}

static void daemon_server_drop(struct daemon_client *c)
{
	closep(&c->fd);
	text_done(&c->answer);
	daemon_reply_done(&c->pings);
	*c = (struct daemon_client){ .fd = -1, .answer = TEXT_EMPTY };
}

static struct daemon_client *free_place(struct daemon_server *s)
{
	for (size_t i = 0; i < DAEMON_CLIENTS_MAX; i++)
		if (s->clients[i].fd < 0)
			return &s->clients[i];
	return NULL;
}

size_t daemon_server_poll(const struct daemon_server *s, struct pollfd *fds)
{
	size_t n = 0;
	bool is_full = true;

	for (size_t i = 0; i < DAEMON_CLIENTS_MAX; i++) {
		const struct daemon_client *c = &s->clients[i];

		is_full &= c->fd >= 0;
		/*
		 * A client that waits only needs to be noticed when it goes away: POLLHUP is
		 * reported without being requested.
		 */
		if (c->fd >= 0)
			fds[n++] = (struct pollfd){ .fd = c->fd,
						    .events = c->is_answered ? POLLOUT
							      : c->is_heard  ? 0
									     : POLLIN };
	}
	/* If no slot is free, new clients wait in the kernel. */
	if (!is_full)
		fds[n++] = (struct pollfd){ .fd = s->fd, .events = POLLIN };
	return n;
}

/*
 * True if the peer may send requests. The permissions of the socket ensure the same, but not on
 * every file system.
 */
static bool may_ask(int fd)
{
	struct ucred peer;
	socklen_t length = sizeof(peer);

	return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &length) == 0 &&
	       (peer.uid == geteuid() || peer.uid == 0);
}

static void take_clients(struct daemon_server *s, int64_t now_ms)
{
	struct daemon_client *c;

	while ((c = free_place(s))) {
		int fd = accept4(s->fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

		if (fd < 0)
			return;
		c->fd = fd;
		c->end_ms = now_ms + DAEMON_CLIENT_MS;
		if (!may_ask(fd))
			daemon_server_drop(c);
	}
}

static void send_answer(struct daemon_client *c)
{
	while (c->n_sent < c->answer.length) {
		ssize_t n = send(c->fd, c->answer.chars + c->n_sent, c->answer.length - c->n_sent,
				 MSG_NOSIGNAL);

		if (n < 0 && (errno == EAGAIN || errno == EINTR))
			return;
		if (n <= 0)
			break;
		c->n_sent += (size_t)n;
	}
	daemon_server_drop(c);
}

void daemon_client_answer(struct daemon_client *c, const struct daemon_reply *r, int64_t now_ms)
{
	daemon_reply_encode(r, &c->answer);
	c->is_answered = true;
	c->end_ms = now_ms + DAEMON_CLIENT_MS;
	send_answer(c);
}

static void daemon_server_refuse(struct daemon_client *c, const struct diag *diag, int64_t now_ms)
{
	daemon_client_answer(c, &(struct daemon_reply){ .error = diag->message }, now_ms);
}

static void daemon_server_hear(struct daemon_server *s, struct daemon_client *c, int64_t now_ms)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct daemon_command cmd;
	ssize_t n = recv(c->fd, c->request + c->n_request, sizeof(c->request) - c->n_request, 0);
	int r;

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n <= 0) {
		daemon_server_drop(c);
		return;
	}
	c->n_request += (size_t)n;
	r = daemon_command_decode(c->request, c->n_request, &cmd, &diag);
	if (r == -EAGAIN)
		return;
	c->is_heard = true;
	if (r < 0)
		daemon_server_refuse(c, &diag, now_ms);
	else
		s->serve(s->arg, c, &cmd);
}

static void run_client(struct daemon_server *s, struct daemon_client *c, short events,
		       int64_t now_ms)
{
	if (c->is_answered && (events & POLLOUT))
		send_answer(c);
	else if (!c->is_heard && (events & POLLIN))
		daemon_server_hear(s, c, now_ms);
	else if (events & (POLLHUP | POLLERR | POLLNVAL))
		daemon_server_drop(c);
}

void daemon_server_run(struct daemon_server *s, const struct pollfd *fds, size_t n, int64_t now_ms)
{
	size_t at = 0;

	for (size_t i = 0; i < DAEMON_CLIENTS_MAX && at < n; i++)
		if (s->clients[i].fd == fds[at].fd) {
			if (fds[at].revents)
				run_client(s, &s->clients[i], fds[at].revents, now_ms);
			at++;
		}
	if (at < n && fds[at].fd == s->fd && fds[at].revents)
		take_clients(s, now_ms);
}

int64_t daemon_server_deadline(const struct daemon_server *s)
{
	int64_t first = INT64_MAX;

	for (size_t i = 0; i < DAEMON_CLIENTS_MAX; i++)
		if (s->clients[i].fd >= 0 && !s->clients[i].waits_for_end &&
		    s->clients[i].end_ms < first)
			first = s->clients[i].end_ms;
	return first;
}

static bool is_open(const struct daemon_outcome *o)
{
	return !o->error;
}

static void answer_pings(struct daemon_client *c, int64_t now_ms)
{
	for (size_t i = 0; i < c->pings.pings.n; i++)
		if (is_open(&c->pings.pings.items[i]))
			return;
	daemon_client_answer(c, &c->pings, now_ms);
}

void daemon_server_expire(struct daemon_server *s, int64_t now_ms)
{
	for (size_t i = 0; i < DAEMON_CLIENTS_MAX; i++) {
		struct daemon_client *c = &s->clients[i];

		if (c->fd < 0 || c->waits_for_end || c->end_ms > now_ms)
			continue;
		if (c->is_answered || !c->is_heard) {
			daemon_server_drop(c);
			continue;
		}
		for (size_t k = 0; k < c->pings.pings.n; k++)
			if (is_open(&c->pings.pings.items[k]))
				c->pings.pings.items[k].error = xstrdup("does not answer");
		answer_pings(c, now_ms);
	}
}

void daemon_server_pinged(struct daemon_server *s, const char *session, const char *error,
			  int64_t now_ms)
{
	for (size_t i = 0; i < DAEMON_CLIENTS_MAX; i++) {
		struct daemon_client *c = &s->clients[i];
		bool changed = false;

		for (size_t k = 0; c->fd >= 0 && !c->is_answered && k < c->pings.pings.n; k++) {
			struct daemon_outcome *o = &c->pings.pings.items[k];

			if (is_open(o) && !strcmp(o->name, session)) {
				o->error = xstrdup(error);
				changed = true;
			}
		}
		if (changed)
			answer_pings(c, now_ms);
	}
}

void daemon_server_close(struct daemon_server *s, const struct daemon_base *base)
{
	for (size_t i = 0; i < DAEMON_CLIENTS_MAX; i++) {
		struct daemon_client *c = &s->clients[i];

		if (c->fd >= 0 && c->waits_for_end)
			daemon_client_answer(c, &(struct daemon_reply){ 0 }, 0);
		if (c->fd >= 0)
			daemon_server_drop(c);
	}
	closep(&s->fd);
	s->fd = -1;
	(void)!unlinkat(base->folder, "control", 0);
}
