/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A server on the loopback that reads one request and answers with given bytes, whatever the
 * request is.
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

struct canned_server {
	pid_t pid;
	char url[64];
};

/* Sends the answer to a client whose request, a text or a message, ends with "END". */
static void canned_serve(int listener, const char *answer)
{
	char request[65536];
	size_t n = 0;
	int fd = accept(listener, NULL, NULL);

	for (;;) {
		ssize_t more = read(fd, request + n, sizeof(request) - 1 - n);

		if (more <= 0)
			break;
		n += (size_t)more;
		if (memmem(request, n, "END", 3))
			break;
	}
	if (write(fd, answer, strlen(answer)) < 0)
		_exit(1);
	shutdown(fd, SHUT_RDWR);
	_exit(0);
}

/* Starts the server. Returns false if there is no loopback here. */
static bool canned_server_start(struct canned_server *s, const char *answer)
{
	struct sockaddr_in a = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(0x7f000001) };
	socklen_t size = sizeof(a);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0 || bind(fd, (struct sockaddr *)&a, size) < 0 || listen(fd, 4) < 0 ||
	    getsockname(fd, (struct sockaddr *)&a, &size) < 0)
		return false;
	snprintf(s->url, sizeof(s->url), "http://127.0.0.1:%d", ntohs(a.sin_port));
	s->pid = fork();
	if (!s->pid) {
		alarm(20);
		canned_serve(fd, answer);
	}
	close(fd);
	return s->pid > 0;
}

static void canned_server_end(struct canned_server *s)
{
	kill(s->pid, SIGKILL);
	waitpid(s->pid, NULL, 0);
}
