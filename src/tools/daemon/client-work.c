/* SPDX-License-Identifier: MIT */
#include "tools/daemon/client-work.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/text.h"
#include "tools/daemon/base-work.h"
#include "tools/daemon/protocol-work.h"

/* A daemon ends its sessions within 10 s, and is never busy for longer. */
#define SILENCE_MS 30000

/*
 * Connects to the daemon. A socket's path may have 107 characters, and a base may be longer, so the
 * socket is named through the open folder.
 */
static int connect_to(int fd, const struct daemon_base *base)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };

	snprintf(a.sun_path, sizeof(a.sun_path), "/proc/self/fd/%d/control", base->folder);
	if (connect(fd, (struct sockaddr *)&a, sizeof(a)) == 0)
		return 0;
	/* Without /proc, the path itself is used. */
	if (errno != ENOENT || access("/proc/self/fd", F_OK) == 0)
		return -errno;
	if ((size_t)snprintf(a.sun_path, sizeof(a.sun_path), "%s/control", base->path) >=
	    sizeof(a.sun_path))
		return -ENAMETOOLONG;
	return connect(fd, (struct sockaddr *)&a, sizeof(a)) < 0 ? -errno : 0;
}

static int cannot_connect(const struct daemon_base *base, int error, struct diag *diag)
{
	if (error == -ENOENT || error == -ECONNREFUSED) {
		diag_set(diag, error, "no perf daemon runs on %s", base->path);
		diag_hint(diag, "Start it: perf daemon start");
		return -ECONNREFUSED;
	}
	diag_set(diag, error, "cannot ask the perf daemon on %s: %s", base->path, strerror(-error));
	if (error == -EACCES)
		diag_hint(diag, "It answers only to the user who started it, and to root.");
	return error;
}

static int daemon_client_send_all(int fd, const struct text *t)
{
	for (size_t at = 0; at < t->length;) {
		ssize_t n = send(fd, t->chars + at, t->length - at, MSG_NOSIGNAL);

		if (n < 0 && errno != EINTR)
			return -errno;
		at += n > 0 ? (size_t)n : 0;
	}
	return 0;
}

/* Receives the whole answer, until the daemon closes the connection. */
static int daemon_client_receive_all(int fd, struct text *t)
{
	while (t->length < DAEMON_REPLY_MAX) {
		struct pollfd p = { .fd = fd, .events = POLLIN };
		char bytes[4096];
		int ready = poll(&p, 1, SILENCE_MS);
		ssize_t n;

		if (ready == 0)
			return -ETIMEDOUT;
		n = ready < 0 ? -1 : recv(fd, bytes, sizeof(bytes), 0);
		if (n == 0)
			return 0;
		if (n < 0 && errno != EINTR)
			return -errno;
		text_add_bytes(t, bytes, n > 0 ? (size_t)n : 0);
	}
	return -EMSGSIZE;
}

int daemon_ask(const struct daemon_base *base, const struct daemon_command *c,
	       struct daemon_reply *ret, struct diag *diag)
{
	_cleanup_(closep) int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	_cleanup_(text_done) struct text request = TEXT_EMPTY, answer = TEXT_EMPTY;
	int r = fd < 0 ? -errno : connect_to(fd, base);

	if (r < 0)
		return cannot_connect(base, r, diag);
	daemon_command_encode(c, &request);
	r = daemon_client_send_all(fd, &request);
	/* The daemon may have answered before it had read everything, and closed the connection. */
	if (r >= 0 || r == -EPIPE || r == -ECONNRESET)
		r = daemon_client_receive_all(fd, &answer);
	if (r < 0)
		return diag_set(diag, r, "the perf daemon on %s does not answer: %s", base->path,
				strerror(-r));
	return daemon_reply_decode(answer.chars, answer.length, ret, diag);
}
