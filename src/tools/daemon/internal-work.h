/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The parts of a running daemon, for tools/daemon/daemon-work*.c.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/daemon/base-work.h"
#include "tools/daemon/daemon-work.h"
#include "tools/daemon/server-work.h"
#include "tools/daemon/watch-work.h"

struct daemon_session;

struct daemon {
	struct daemon_request rq;
	struct daemon_log log;
	int log_file; /* -1: the log's file belongs to another object */
	int signals;
	struct daemon_server server;
	struct daemon_watch watch;
	struct daemon_watch folders; /* sessions' folders: reports completed recordings */
	struct {
		struct daemon_session **items;
		size_t n, room;
	} sessions;
	uint64_t max_bytes; /* for all sessions; 0: no limit */
	int64_t started_ms, rotate_ms;
	bool wants_end; /* a client has requested the end */
	bool is_ending; /* sessions were told to end */
};

/* True if the disk lacks space for a recording. */
bool daemon_is_full(const struct daemon *d);

/*
 * Reads the configuration and follows it: sessions are started, restarted and ended. If it has a
 * mistake, which is logged, everything stays as it is.
 */
void daemon_reconfigure(struct daemon *d, int64_t now_ms);

/* Starts @s, and logs the result. */
void daemon_start_session(struct daemon *d, struct daemon_session *s, int64_t now_ms);

/*
 * daemon_has_limits() is true if files have to be removed from time to time; daemon_rotate() does
 * it.
 */
bool daemon_has_limits(const struct daemon *d);
void daemon_rotate(struct daemon *d);

/* Answers a client's request; @arg is the daemon. */
daemon_serve_fn daemon_serve;
