/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The times at which events count: after a delay or in ranges of time, and as another program
 * commands through a channel.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct control;
struct diag;

enum control_kind {
	CONTROL_NONE,
	CONTROL_FD,   /* open descriptors */
	CONTROL_FIFO, /* paths to open */
};

struct control_channel {
	enum control_kind kind;
	int fd, ack_fd;        /* -1: none */
	char *fifo, *ack_fifo; /* owned; NULL: none */
};

struct delay_range {
	uint64_t from_ms, to_ms; /* since the start; DELAY_OPEN: until the end */
};

#define DELAY_OPEN UINT64_MAX

struct delay {
	bool disabled;             /* -1: only --control starts the events */
	struct delay_range *items; /* ascending; none: from the start */
	size_t n, room;
};

struct control_request {
	struct control_channel channel;
	struct delay delay;
};

void control_channel_done(struct control_channel *c);
void delay_done(struct delay *d);
void control_request_done(struct control_request *c);

/*
 * Opens the channel, if one was named; otherwise *@ret is NULL. Errors as for control_open_fds().
 */
int control_request_open(const struct control_request *c, struct control **ret, struct diag *diag);
