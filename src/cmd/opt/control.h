/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * When events count: -D, and --control, by which another program switches them while we run.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/option.h"

enum control_kind {
	CONTROL_NONE,
	CONTROL_FD,   /* open descriptors */
	CONTROL_FIFO, /* paths to be opened */
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
	bool disabled;             /* -1: only --control will start the events */
	struct delay_range *items; /* ascending; none: from the start */
	size_t n, room;
};

struct control_opts {
	struct control_channel channel;
	struct delay delay;
};

/* Rows over a struct control_opts, with a heading; -D takes ranges with record only. */
extern const struct option control_options[];
extern const struct option control_options_with_ranges[];

void control_opts_done(struct control_opts *c);
