/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * --control: another program controls perf while it runs, by lines on a descriptor or a fifo.
 *
 * A command is a word with at most one argument, ended by a newline or a NUL; the last one received
 * may have no end (`printf enable`). Poll control_fd(), then call control_obey(), which reads the
 * input, executes each command and answers it. Nothing here blocks.
 */
#include <stdbool.h>

#include "base/cleanup.h"

struct control;
struct diag;
struct notes;

enum control_verb {
	CONTROL_ENABLE,   /* enables all events, or the named one */
	CONTROL_DISABLE,  /* disables all events, or the named one */
	CONTROL_EVLIST,   /* list the events; the argument is -v, -g or -F */
	CONTROL_SNAPSHOT, /* only for `record` */
	CONTROL_STOP,
	CONTROL_PING,
	CONTROL_UNKNOWN, /* the argument is the line, and no answer is sent */
};

struct control_command {
	enum control_verb verb;
	const char *argument; /* "" if none; valid until the next call of control_next() */
};

/* Uses open descriptors, which stay the caller's; @ack_fd may be -1. -EBADF with @diag set. */
int control_open_fds(int fd, int ack_fd, struct control **ret, struct diag *diag);

/*
 * Opens fifos; @ack may be NULL. Returns the error of open(), or -ENXIO (no fifo), with @diag set.
 */
int control_open_fifos(const char *path, const char *ack, struct control **ret, struct diag *diag);

void control_free(struct control *c);
DEFINE_FREEP(control)

/* Returns the descriptor to poll for input; -1 when the other side has closed it. */
int control_fd(const struct control *c);

/* Reads the available input, after poll() has reported it. */
void control_read(struct control *c);

/* Gives the next command of the input that was read. False: there is none (yet). */
bool control_next(struct control *c, struct control_command *ret);

/* Acknowledges a command to the other side, if it has asked for acknowledgements. */
void control_ack(struct control *c);

/* The actions of the commands. @arg is passed on. */
struct control_actions {
	void (*switch_all)(void *arg, bool on);
	int (*switch_one)(void *arg, const char *name, bool on); /* -ENOENT: there is none */
	void (*list)(void *arg, const char *options);
	void (*snapshot)(void *arg); /* NULL: no snapshots can be taken */
	void (*stop)(void *arg);
};

/*
 * Reads the available input, after poll() has reported it, and executes it. Remarks on the commands
 * go to @notes.
 */
void control_obey(struct control *c, const struct control_actions *actions, void *arg,
		  struct notes *notes);
