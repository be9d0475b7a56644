/* SPDX-License-Identifier: MIT */
#pragma once
/* Sends requests to a daemon: one request, one answer. */

struct daemon_base;
struct daemon_command;
struct daemon_reply;
struct diag;

/*
 * Sends a request to the daemon that owns @base, and waits for its answer; the answer to a stop
 * comes when all sessions have ended. -ECONNREFUSED: there is none; -EACCES: it belongs to another
 * user; -ETIMEDOUT: it does not answer; with @diag.
 */
int daemon_ask(const struct daemon_base *base, const struct daemon_command *c,
	       struct daemon_reply *ret, struct diag *diag);
