/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A server on the loopback that implements as much of HTTP, or of PostgreSQL's protocol, as a store
 * needs. It answers each statement by a script: the first row whose @asked is in the statement
 * counts.
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum scripted_end {
	SCRIPTED_WHOLE,
	SCRIPTED_CUT,  /* the connection ends within the answer, */
	SCRIPTED_ERROR /* or the server reports an error behind the rows */
};

struct scripted_answer {
	const char *asked, *rows;
	enum scripted_end end;
};

struct scripted_server {
	pid_t pid;
	int port;
};

static const struct scripted_answer *scripted_find(const struct scripted_answer *script,
						   const char *statement)
{
	while (script->asked && !strstr(statement, script->asked))
		script++;
	return script->asked ? script : NULL;
}

static void scripted_write(int fd, const void *bytes, size_t n)
{
	if (write(fd, bytes, n) != (ssize_t)n)
		_exit(1);
}

static void scripted_read(int fd, char *to, size_t n)
{
	while (n) {
		ssize_t got = read(fd, to, n);

		if (got <= 0)
			_exit(0);
		to += got;
		n -= (size_t)got;
	}
}

/*
 * Sends a message of PostgreSQL: a letter, its size, which includes the size itself, and the body.
 */
static void scripted_message(int fd, char letter, const void *body, size_t n)
{
	char head[5] = { letter };
	uint32_t size = htonl((uint32_t)n + 4);

	memcpy(head + 1, &size, 4);
	scripted_write(fd, head, sizeof(head));
	scripted_write(fd, body, n);
}

#define SCRIPTED_SAY(fd, letter, body) scripted_message(fd, letter, body, sizeof(body) - 1)

static void scripted_copy(int fd, const struct scripted_answer *a)
{
	SCRIPTED_SAY(fd, 'H', "\0\0\0");
	for (const char *at = a->rows; *at;) {
		size_t n = strcspn(at, "\n") + 1;

		n = n > strlen(at) ? strlen(at) : n;
		scripted_message(fd, 'd', at, n);
		at += n;
	}
	if (a->end == SCRIPTED_CUT)
		_exit(0);
	if (a->end == SCRIPTED_ERROR) {
		SCRIPTED_SAY(fd, 'E', "SERROR\0C57014\0Mcanceling statement\0\0");
	} else {
		SCRIPTED_SAY(fd, 'c', "");
		SCRIPTED_SAY(fd, 'C', "COPY\0");
	}
	SCRIPTED_SAY(fd, 'Z', "I");
}

static void scripted_postgresql(int fd, const struct scripted_answer *script)
{
	char bytes[65536], letter;
	uint32_t size;

	scripted_read(fd, (char *)&size, 4);
	scripted_read(fd, bytes, ntohl(size) - 4);
	SCRIPTED_SAY(fd, 'R', "\0\0\0\0");
	SCRIPTED_SAY(fd, 'S', "client_encoding\0UTF8\0");
	SCRIPTED_SAY(fd, 'Z', "I");
	for (;;) {
		const struct scripted_answer *a;

		scripted_read(fd, &letter, 1);
		scripted_read(fd, (char *)&size, 4);
		scripted_read(fd, bytes, ntohl(size) - 4);
		if (letter != 'Q')
			_exit(0);
		a = scripted_find(script, bytes);
		if (a) {
			scripted_copy(fd, a);
		} else if (!strncmp(bytes, "COPY", 4)) {
			scripted_copy(fd, &(struct scripted_answer){ .rows = "" });
		} else {
			SCRIPTED_SAY(fd, 'C', "SET\0");
			SCRIPTED_SAY(fd, 'Z', "I");
		}
	}
}

static void scripted_http(int fd, const struct scripted_answer *script)
{
	for (;;) {
		char request[65536] = "", head[128];
		const struct scripted_answer *a;
		size_t n = 0, body;
		char *end, *length;

		while (!(end = strstr(request, "\r\n\r\n")))
			scripted_read(fd, request + n++, 1);
		length = strcasestr(request, "Content-Length:");
		body = length ? strtoul(length + 15, NULL, 10) : 0;
		scripted_read(fd, request + n, body);
		a = scripted_find(script, end);
		n = a ? strlen(a->rows) : 0;
		snprintf(head, sizeof(head), "HTTP/1.1 200 OK\r\nContent-Length: %zu\r\n\r\n",
			 n + (a && a->end == SCRIPTED_CUT));
		scripted_write(fd, head, strlen(head));
		if (a)
			scripted_write(fd, a->rows, n);
		if (a && a->end == SCRIPTED_CUT)
			_exit(0);
	}
}

/*
 * Starts the server. Returns false if there is no loopback here. @script ends with a row of NULL.
 */
static bool scripted_server_start(struct scripted_server *s, bool is_http,
				  const struct scripted_answer *script)
{
	struct sockaddr_in a = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(0x7f000001) };
	socklen_t size = sizeof(a);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0 || bind(fd, (struct sockaddr *)&a, size) < 0 || listen(fd, 4) < 0 ||
	    getsockname(fd, (struct sockaddr *)&a, &size) < 0)
		return false;
	s->port = ntohs(a.sin_port);
	s->pid = fork();
	if (!s->pid) {
		int client;

		alarm(20);
		client = accept(fd, NULL, NULL);
		if (is_http)
			scripted_http(client, script);
		else
			scripted_postgresql(client, script);
	}
	close(fd);
	return s->pid > 0;
}

static void scripted_server_end(struct scripted_server *s)
{
	kill(s->pid, SIGKILL);
	waitpid(s->pid, NULL, 0);
}
