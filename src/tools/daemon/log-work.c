/* SPDX-License-Identifier: MIT */
/* The log of a daemon. */
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/escape.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "tools/daemon/base-work.h"

static void daemon_log_add_time(struct text *t)
{
	struct timeval now;
	struct tm tm;
	char stamp[32];

	gettimeofday(&now, NULL);
	localtime_r(&now.tv_sec, &tm);
	strftime(stamp, sizeof(stamp), "%Y-%m-%d %H:%M:%S", &tm);
	text_addf(t, "[%s.%06ld] ", stamp, (long)now.tv_usec);
}

static void daemon_log_add_line(const struct daemon_log *log, const char *line)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	daemon_log_add_time(&t);
	escape_terminal(&t, line, strlen(line));
	text_add_char(&t, '\n');
	/* A full disk must not stop the daemon, and there is no other way to report it. */
	(void)!file_write(log->fd, t.chars, t.length);
}

void daemon_log_add(const struct daemon_log *log, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);

	_cleanup_(freep) char *line = xvasprintf(format, ap);

	va_end(ap);
	daemon_log_add_line(log, line);
}

void daemon_log_diag(const struct daemon_log *log, const char *prefix, const struct diag *d)
{
	if (d->message)
		daemon_log_add(log, "%s%s", prefix, d->message);
	if (d->excerpt) {
		daemon_log_add(log, "  %s", d->excerpt);
		daemon_log_add(log, "  %*s^", (int)d->offset, "");
	}
	if (d->hint)
		daemon_log_add(log, "%s", d->hint);
}

/* Keeps the second half. A process that has the file open for appending continues after it. */
static void keep_half(int fd, size_t size)
{
	size_t half = DAEMON_LOG_MAX / 2;
	_cleanup_(freep) char *text = xmalloc(half);
	ssize_t n = pread(fd, text, half, (off_t)(size - half));
	const char *line = n > 0 ? memchr(text, '\n', (size_t)n) : NULL;

	if (ftruncate(fd, 0) == 0 && line)
		(void)!file_write(fd, line + 1, (size_t)(text + n - line - 1));
}

void daemon_trim_output(int folder, const char *name)
{
	_cleanup_(closep) int fd = -1;
	struct stat st;

	if (fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) < 0 || st.st_size <= DAEMON_LOG_MAX)
		return;
	fd = daemon_open_output(folder, name);
	if (fd >= 0 && fstat(fd, &st) == 0 && st.st_size > DAEMON_LOG_MAX)
		keep_half(fd, (size_t)st.st_size);
}
