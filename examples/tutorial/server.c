/* SPDX-License-Identifier: MIT */
/*
 * The fourth walk of the tutorial: a service. It answers on a socket of this machine; `server ask
 * N` is its client, which asks N times and tells how long answers take.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#define KEYS 200000

static int keys[KEYS];

static int find(int key)
{
	for (int i = 0; i < KEYS; i++)
		if (keys[i] == key)
			return i;
	return -1;
}

static int answer(int question)
{
	return question % 10 ? question : find(KEYS - 1 - question % 100);
}

static void serve(int listener)
{
	for (;;) {
		int client = accept(listener, NULL, NULL), question;

		while (client >= 0 &&
		       read(client, &question, sizeof(question)) == sizeof(question)) {
			int reply = answer(question);

			if (write(client, &reply, sizeof(reply)) < 0)
				break;
		}
		close(client);
	}
}

static void ask(int server, int n)
{
	double slowest = 0;

	for (int i = 0; i < n; i++) {
		struct timespec from, to;
		int reply;
		double us;

		clock_gettime(CLOCK_MONOTONIC, &from);
		if (write(server, &i, sizeof(i)) < 0 || read(server, &reply, sizeof(reply)) < 0)
			exit(1);
		clock_gettime(CLOCK_MONOTONIC, &to);
		us = 1e6 * (double)(to.tv_sec - from.tv_sec) +
		     1e-3 * (double)(to.tv_nsec - from.tv_nsec);
		slowest = us > slowest ? us : slowest;
	}
	printf("the slowest of %d answers took %.0f us\n", n, slowest);
}

int main(int argc, char **argv)
{
	struct sockaddr_un at = { .sun_family = AF_UNIX, .sun_path = "server.socket" };
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	for (int i = 0; i < KEYS; i++)
		keys[i] = i;
	if (argc == 3 && !strcmp(argv[1], "ask")) {
		if (connect(fd, (struct sockaddr *)&at, sizeof(at)) < 0) {
			perror("server.socket");
			return 1;
		}
		ask(fd, atoi(argv[2]));
		return 0;
	}
	unlink(at.sun_path);
	if (bind(fd, (struct sockaddr *)&at, sizeof(at)) < 0 || listen(fd, 8) < 0) {
		perror("server.socket");
		return 1;
	}
	serve(fd);
}
