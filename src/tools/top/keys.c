/* SPDX-License-Identifier: MIT */
#include "tools/top/keys.h"

#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "base/memory-gone.h"
#include "base/memory.h"

#define LINE_LENGTH_MAX 256

static void top_keys_restore(void *arg)
{
	const struct top_keys_input *k = arg;

	tcsetattr(STDIN_FILENO, TCSANOW, &k->before);
}

void top_keys_open(struct top_keys_input *k, bool wanted, int stop_fd)
{
	*k = (struct top_keys_input){ .stop_fd = stop_fd };
	if (!wanted || !isatty(STDIN_FILENO) || tcgetattr(STDIN_FILENO, &k->before) < 0 ||
	    tcgetpgrp(STDIN_FILENO) != getpgrp())
		return;
	k->now = k->before;
	k->now.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
	k->now.c_cc[VMIN] = 1;
	k->now.c_cc[VTIME] = 0;
	memory_gone_first(top_keys_restore, k);
	k->is_open = tcsetattr(STDIN_FILENO, TCSANOW, &k->now) == 0;
}

void top_keys_close(struct top_keys_input *k)
{
	if (k->is_open) {
		tcsetattr(STDIN_FILENO, TCSANOW, &k->before);
		memory_gone_first(NULL, NULL);
	}
	k->is_open = false;
}

int top_keys_fd(const struct top_keys_input *k)
{
	return k->is_open ? STDIN_FILENO : -1;
}

int top_keys_read(struct top_keys_input *k)
{
	unsigned char key;
	ssize_t n = read(STDIN_FILENO, &key, 1);

	if (n == 0)
		top_keys_close(k);
	return n == 1 ? key : -1;
}

/* Whether a key can be read, and nothing else has come. */
static bool wait_for_input(const struct top_keys_input *k)
{
	struct pollfd fds[] = { { .fd = STDIN_FILENO, .events = POLLIN },
				{ .fd = k->stop_fd, .events = POLLIN } };

	return poll(fds, 2, -1) > 0 && !fds[1].revents;
}

int top_keys_wait(struct top_keys_input *k)
{
	return wait_for_input(k) ? top_keys_read(k) : -1;
}

char *top_keys_line(struct top_keys_input *k)
{
	char line[LINE_LENGTH_MAX];
	ssize_t n = 0;

	tcsetattr(STDIN_FILENO, TCSANOW, &k->before);
	if (wait_for_input(k))
		n = read(STDIN_FILENO, line, sizeof(line) - 1);
	tcsetattr(STDIN_FILENO, TCSANOW, &k->now);
	if (n <= 0)
		return NULL;
	line[n] = '\0';
	return xstrndup(line, strcspn(line, "\n"));
}
