/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A `perf record` that a daemon keeps running, in its folder session-NAME:
 *
 *	control, ack   named pipes of `record --control`
 *	output         what it prints
 *	perf.data*     its recordings
 *
 * It ends with the daemon, however that ends (PR_SET_PDEATHSIG). A session that fails begins again
 * after a pause, which doubles with each failure until one run was long enough. A session that ends
 * successfully is finished.
 *
 * Times are milliseconds of CLOCK_MONOTONIC.
 */
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "tools/daemon/plan-work.h"
#include "tools/daemon/protocol-work.h"

struct daemon_base;
struct daemon_log;
struct diag;

/* Pauses after a failure, in seconds; after a run as long as the last one they start over. */
#define DAEMON_PAUSE_FIRST_S 1
#define DAEMON_PAUSE_LAST_S  300

/* The time that a session may take to end, until it is killed. */
#define DAEMON_STOP_S 10

/* With less space than this on the disk, a session that failed is not started. */
#define DAEMON_ROOM_MIN    (256 << 10)
#define DAEMON_ROOM_WAIT_S 2

struct daemon_session {
	struct daemon_session_plan plan;
	enum daemon_state state;
	pid_t pid;             /* 0: it does not run */
	int folder;            /* -1: not yet */
	int control, ack;      /* -1: it does not run */
	int64_t started_ms;    /* when it was last started */
	int64_t next_ms;       /* waiting: when it begins again; stopping: when it is killed */
	unsigned failures;     /* consecutive failures */
	int wait_status;       /* the status of the last run */
	bool is_going;         /* to be removed once it has ended */
	bool is_pinged;        /* a ping is not answered yet */
	uint64_t files, bytes; /* complete recordings at the last check */
};

/* Makes a session, which takes over the contents of @plan. */
struct daemon_session *daemon_session_new(struct daemon_session_plan *plan, int64_t now_ms);
struct daemon_session *daemon_session_free(struct daemon_session *s);

/*
 * Starts the session with @program, the path of this program. Errors come with @diag; then too it
 * is tried again after a pause.
 */
int daemon_session_start(struct daemon_session *s, const struct daemon_base *base,
			 const char *program, int64_t now_ms, struct diag *diag);

/* Tells the session to end. @is_going: it does not begin again. */
void daemon_session_stop(struct daemon_session *s, bool is_going, int64_t now_ms);

/*
 * Notes that the session has ended, with @wait_status from waitpid(), and decides what is done
 * next.
 */
void daemon_session_ended(struct daemon_session *s, int wait_status, bool is_full, int64_t now_ms);

/* Returns the pause after the @failures-th failure in a row, in seconds. */
unsigned daemon_session_pause_s(unsigned failures);

/* Pings the session; the answer must be read from @s->ack. -EPIPE: it does not run. */
int daemon_session_ping(struct daemon_session *s);

/* Reads from @s->ack. Returns true if it was an answer to a ping. */
bool daemon_session_take_ack(struct daemon_session *s);

/* Gets the status of the session. */
void daemon_session_status(const struct daemon_session *s, int64_t now_ms,
			   struct daemon_session_status *ret);
