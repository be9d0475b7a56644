/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The folder in which a daemon works, and its log.
 *
 *	lock        the daemon holds a lock of it, and its pid stands in it
 *	control     the socket on which it is asked
 *	output      its log
 *	session-X/  what belongs to one session (tools/daemon/session-work.h)
 *
 * Files are reached through the open folder. Neither the folder nor one of these files may belong
 * to another user, because their owner could make the daemon write to another file.
 */
#include <stdint.h>
#include <sys/types.h>

struct diag;

struct daemon_base {
	char *path; /* absolute, without links */
	int folder;
	int lock; /* -1: not held */
};

#define DAEMON_BASE_NONE ((struct daemon_base){ .folder = -1, .lock = -1 })

/* Opens the folder. -ENOENT, -ENOTDIR, -EACCES, ... with @diag. */
int daemon_base_open(const char *path, struct daemon_base *ret, struct diag *diag);

/* Checks that the daemon may work there: -EPERM, -EACCES with @diag. */
int daemon_base_check(const struct daemon_base *b, struct diag *diag);

/*
 * Takes the lock, which lasts until the process ends. -EBUSY with @diag: another daemon, whose pid
 * is reported, has it. The lock is the same as that of Linux's perf, so a daemon of either excludes
 * the other.
 */
int daemon_base_lock(struct daemon_base *b, struct diag *diag);

/* Returns how many bytes can still be written there. */
uint64_t daemon_base_room(const struct daemon_base *b);

void daemon_base_close(struct daemon_base *b);

/* Opens a file of ours below @folder to append to it. Errors: those of open(); -EPERM: not ours. */
int daemon_open_output(int folder, const char *name);

/* A log larger than this is cut: its second half stays. */
#define DAEMON_LOG_MAX (1 << 20)

/* Cuts the file @fd if it is too long. */
void daemon_trim_output(int folder, const char *name);

/* A log of lines with their time. A line that cannot be written is lost, and the work goes on. */
struct daemon_log {
	int fd; /* borrowed */
};

void daemon_log_add(const struct daemon_log *log, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Logs the message, the marked text and the hint of @d, each in a line. */
void daemon_log_diag(const struct daemon_log *log, const char *prefix, const struct diag *d);
