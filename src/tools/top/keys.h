/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Keys of a terminal, one by one, for text that is repeated: no Enter is needed, and nothing is
 * echoed but in answers to questions.
 */
#include <stdbool.h>
#include <termios.h>

struct top_keys_input {
	bool is_open;
	int stop_fd; /* while it is readable, nothing is waited for */
	struct termios before, now;
};

/* Only if @wanted, standard input is a terminal, and the process is in its foreground. */
void top_keys_open(struct top_keys_input *k, bool wanted, int stop_fd);
void top_keys_close(struct top_keys_input *k);

/* To be waited for; -1: there are no keys. */
int top_keys_fd(const struct top_keys_input *k);

/* The key that was pressed; negative: none. At the end of input there are no keys any more. */
int top_keys_read(struct top_keys_input *k);

/* The same, and waits for it. */
int top_keys_wait(struct top_keys_input *k);

/* A line that is typed with an echo, which the caller frees; NULL: none. */
char *top_keys_line(struct top_keys_input *k);
