/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Asking a daemon: one request, one answer.
 */

struct daemon_base;
struct daemon_command;
struct daemon_reply;
struct diag;

/*
 * Asks the daemon that owns @base, and waits for its answer; that to a stop comes when all sessions
 * have ended. -ECONNREFUSED: there is none; -EACCES: it is another user's; -ETIMEDOUT: it does not
 * answer; with @diag.
 */
int daemon_ask(const struct daemon_base *base, const struct daemon_command *c,
	       struct daemon_reply *ret, struct diag *diag);
