/* SPDX-License-Identifier: MIT */
#include "profile/folded-input.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "foreign/foreign.h"
#include "profile/folded.h"

#define FIRST_BYTES (64 << 10)
#define CHUNK       (64 * 1024)

/* Copies the first bytes from the pipe @fd and leaves them in the pipe. */
static ssize_t peek_pipe(int fd, char *to, size_t n)
{
	int copy[2];
	ssize_t got;

	if (pipe2(copy, O_CLOEXEC) < 0)
		return -errno;
	do
		got = tee(fd, copy[1], n, 0);
	while (got < 0 && errno == EINTR);
	if (got > 0)
		got = read(copy[0], to, n);
	close(copy[0]);
	close(copy[1]);
	return got;
}

static ssize_t folded_input_peek(int fd, char *to, size_t n)
{
	struct stat st;

	if (fstat(fd, &st) == 0 && S_ISFIFO(st.st_mode))
		return peek_pipe(fd, to, n);
	return pread(fd, to, n, 0);
}

static bool folded_input_is_recording(const char *bytes, size_t n)
{
	static const char *const magics[] = { "PERFILE2", "2ELIFREP", "PERFFILE", "ELIFFREP" };

	for (size_t i = 0; i < sizeof(magics) / sizeof(*magics); i++)
		if (n >= 8 && !memcmp(bytes, magics[i], 8))
			return true;
	return false;
}

/*
 * True if the bytes are text. Names may hold any control character but NUL; recordings, even
 * damaged ones, are full of NULs.
 */
static bool folded_input_is_text(const char *bytes, size_t n)
{
	return !memchr(bytes, '\0', n);
}

static bool is_stdin(const char *path)
{
	return !strcmp(path, "-");
}

/* Opens @path. The descriptor must not be closed if it is standard input. */
static int folded_input_open(const char *path)
{
	int fd = is_stdin(path) ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

static void close_input(const char *path, int fd)
{
	if (!is_stdin(path))
		close(fd);
}

/*
 * True if a pipe can be opened by @path and closed again without ending its writer: `<(...)` of a
 * shell, which stays open under its number.
 */
static bool is_open_pipe(const char *path, const struct stat *st)
{
	return S_ISFIFO(st->st_mode) &&
	       (!strncmp(path, "/dev/fd/", 8) || !strncmp(path, "/proc/self/fd/", 14));
}

bool folded_input_is(const char *path)
{
	char first[FIRST_BYTES];
	struct stat st;
	ssize_t n;
	int fd;

	if (!is_stdin(path) &&
	    (stat(path, &st) < 0 || !(S_ISREG(st.st_mode) || is_open_pipe(path, &st))))
		return false;
	fd = folded_input_open(path);
	if (fd < 0)
		return false;
	n = folded_input_peek(fd, first, sizeof(first));
	close_input(path, fd);
	/* A terminal or a socket cannot be checked in advance, but recordings are not typed in. */
	if (n < 0)
		return is_stdin(path);
	return (n || is_stdin(path)) && !folded_input_is_recording(first, (size_t)n) &&
	       folded_input_is_text(first, (size_t)n) && !foreign_is_profile(first, (size_t)n);
}

int folded_input_read(const char *path, struct folded_reader *r, struct diag *diag)
{
	char chunk[CHUNK];
	int fd = folded_input_open(path);
	ssize_t n = fd;

	while (n >= 0) {
		n = read(fd, chunk, sizeof(chunk));
		if (!n)
			break;
		if (n > 0)
			folded_reader_take(r, chunk, (size_t)n);
		else
			n = errno == EINTR ? 0 : -errno;
	}
	if (fd >= 0)
		close_input(path, fd);
	if (n < 0)
		return diag_set(diag, (int)n, "cannot read '%s': %s", path, strerror((int)-n));
	return 0;
}
