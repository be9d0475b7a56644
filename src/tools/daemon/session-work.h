/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A `perf record` that a daemon keeps running, in its folder session-NAME:
 *
 *	control, ack   named pipes of `record --control`
 *	output         what it prints
 *	perf.data*     its recordings
 *
 * It ends with the daemon, however that ends (PR_SET_PDEATHSIG). One that fails begins again after
 *a pause, which doubles with each failure until one run was long enough. One that ends successfully
 * has done its work.
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

/* Pauses after a failure, in seconds; after a run as long as the last one they begin anew. */
#define DAEMON_PAUSE_FIRST_S 1
#define DAEMON_PAUSE_LAST_S  300

/* How long a session may take to end, until it is killed. */
#define DAEMON_STOP_S 10

/* With less room than this on the disk, a session that failed is not started. */
#define DAEMON_ROOM_MIN    (256 << 10)
#define DAEMON_ROOM_WAIT_S 2

struct daemon_session {
	struct daemon_session_plan plan;
	enum daemon_state state;
	pid_t pid;             /* 0: does not run */
	int folder;            /* -1: not yet */
	int control, ack;      /* -1: does not run */
	int64_t started_ms;    /* when it last began */
	int64_t next_ms;       /* waiting: when it begins again; stopping: when it is killed */
	unsigned failures;     /* in a row */
	int wait_status;       /* of the last run */
	bool is_going;         /* once it has ended, it goes */
	bool is_pinged;        /* a ping is not answered yet */
	uint64_t files, bytes; /* complete recordings, as last seen */
};

/* Takes over what @plan owns. */
struct daemon_session *daemon_session_new(struct daemon_session_plan *plan, int64_t now_ms);
struct daemon_session *daemon_session_free(struct daemon_session *s);

/*
 * Starts it with @program, our own. Errors come with @diag; then, too, it is tried again after a
 * pause.
 */
int daemon_session_start(struct daemon_session *s, const struct daemon_base *base,
			 const char *program, int64_t now_ms, struct diag *diag);

/* Tells it to end. It @is_going: not to begin again. */
void daemon_session_stop(struct daemon_session *s, bool is_going, int64_t now_ms);

/* It has ended, with @wait_status as of waitpid(): what is to be done next. */
void daemon_session_ended(struct daemon_session *s, int wait_status, bool is_full, int64_t now_ms);

/* The pause after the @failures-th failure in a row, in seconds. */
unsigned daemon_session_pause_s(unsigned failures);

/* Asks whether it lives; the answer is to be read from @s->ack. -EPIPE: it does not run. */
int daemon_session_ping(struct daemon_session *s);

/* Reads what came from @s->ack: true if it was an answer to a ping. */
bool daemon_session_take_ack(struct daemon_session *s);

/* What there is to say about it. */
void daemon_session_status(const struct daemon_session *s, int64_t now_ms,
			   struct daemon_session_status *ret);
