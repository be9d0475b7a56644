/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The protocol of a daemon's control socket.
 *
 * A client sends one line, "perf-daemon 1<TAB>WORD<TAB>SESSION\n", whose session may be empty, and
 * reads an answer until its end. An answer is lines of fields with a tab between them; tabs,
 * newlines and backslashes within a field are written \t, \n and \\. The first field tells the kind
 * of the line, and "end" ends the answer: without it, the daemon went away in the middle.
 *
 * Both directions are bytes from another process, so both parsers accept any bytes. Pure functions.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/daemon/plan-work.h"

struct diag;
struct text;

enum daemon_verb {
	DAEMON_LIST,
	DAEMON_STOP,
	DAEMON_SIGNAL,
	DAEMON_PING,
};

#define DAEMON_COMMAND_MAX 256
#define DAEMON_REPLY_MAX   (1 << 20)

struct daemon_command {
	enum daemon_verb verb;
	char session[DAEMON_NAME_MAX + 1]; /* "": all sessions */
};

/* Appends the line of @c. */
void daemon_command_encode(const struct daemon_command *c, struct text *t);

/*
 * Parses @length bytes. Returns 0 with *@ret; -EAGAIN: the line has no end yet; -EINVAL: it is not
 * of this protocol, -EPROTONOSUPPORT: it is of another version, -EMSGSIZE: too long, with @diag.
 */
int daemon_command_decode(const char *bytes, size_t length, struct daemon_command *ret,
			  struct diag *diag);

/* The state of a session. */
enum daemon_state {
	DAEMON_RUNNING,
	DAEMON_STOPPING, /* it was told to end */
	DAEMON_WAITING,  /* ended, and begins again in next_s */
	DAEMON_NO_ROOM,  /* the same, because the disk is full */
	DAEMON_ENDED,    /* ended by itself, successfully: is not restarted */
};

struct daemon_session_status {
	char *name, *run;
	enum daemon_state state;
	uint64_t pid; /* 0: it does not run */
	uint64_t up_s, next_s;
	uint64_t failures; /* consecutive failures */
	uint64_t exit_status, exit_signal;
	uint64_t files, bytes;      /* existing complete recordings */
	uint64_t keep_s, max_bytes; /* 0: no limit */
};

/* The result of a signal or a ping. */
struct daemon_outcome {
	char *name;
	uint64_t pid, signal;
	char *error; /* "": success */
};

struct daemon_reply {
	char *error; /* the reason if nothing was done; or NULL */
	uint64_t pid, up_s;
	char *base;   /* NULL: this reply is no list */
	bool is_full; /* its disk is full */
	struct {
		struct daemon_session_status *items;
		size_t n, room;
	} sessions;
	struct {
		struct daemon_outcome *items;
		size_t n, room;
	} signals, pings;
};

void daemon_reply_done(struct daemon_reply *r);

/* Appends the lines of @r, with their end. */
void daemon_reply_encode(const struct daemon_reply *r, struct text *t);

/*
 * Parses a whole answer. -EPIPE: it has no end; -EINVAL: it is not an answer, with @diag. Unknown
 * kinds of lines, and fields after the known ones, are skipped: another version may send more.
 */
int daemon_reply_decode(const char *bytes, size_t length, struct daemon_reply *ret,
			struct diag *diag);
