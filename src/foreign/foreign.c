/* SPDX-License-Identifier: MIT */
#include "foreign/foreign.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/cleanup.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/memory.h"
#include "datafile/input.h"
#include "datafile/reader.h"
#include "elf/compressed.h"
#include "foreign/fleet.h"
#include "foreign/format.h"
#include "foreign/other-files.h"
#include "foreign/recording.h"
#include "foreign/stack-profile.h"
#include "store/url.h"
#include "symbol/given-names.h"

#define BEGIN_BYTES (64 << 10) /* the first line of folded stacks may be long */
#define FILE_MAX    (UINT64_C(2) << 30)
#define STREAM_MAX  ((size_t)256 << 20) /* limit for data from a pipe, which is kept in memory */

static const struct foreign_format *const formats[] = { &format_pprof, &format_firefox,
							&format_folded };

static const struct foreign_format *foreign_find_format(const char *bytes, size_t n)
{
	for (size_t i = 0; i < ARRAY_SIZE(formats); i++)
		if (formats[i]->is_it(bytes, n < BEGIN_BYTES ? n : BEGIN_BYTES))
			return formats[i];
	return NULL;
}

bool foreign_is_profile(const char *begin, size_t n)
{
	const struct foreign_format *f = foreign_find_format(begin, n);

	return compressed_is_gzip(begin, n) || (f ? f != &format_folded : other_file_is(begin, n));
}

/* The source of a profile: @fd, or @stream if that is open. */
struct foreign_source {
	const char *path;
	int fd;
	struct input *stream;
};

/* True if bytes come through a pipe. */
static bool source_is_stream(const struct foreign_source *s)
{
	return s->stream->is_stream;
}

/*
 * Returns the number of the first bytes, at most BEGIN_BYTES, which are in *@ret. @room is for
 * those of a file.
 */
static size_t source_begin(const struct foreign_source *s, char *room, const char **ret)
{
	const uint8_t *bytes;
	ssize_t n;

	if (source_is_stream(s)) {
		size_t have = input_peek(s->stream, BEGIN_BYTES, &bytes);

		*ret = (const char *)bytes;
		return have < BEGIN_BYTES ? have : BEGIN_BYTES;
	}
	n = pread(s->fd, room, BEGIN_BYTES, 0);
	*ret = room;
	return n > 0 ? (size_t)n : 0;
}

/* Reads everything that comes through the pipe. */
static int read_stream(const struct foreign_source *s, char **ret, size_t *ret_n)
{
	_cleanup_(bytes_done) struct bytes all = { 0 };
	const uint8_t *bytes;
	size_t n;

	while ((n = input_peek(s->stream, 1, &bytes)) > 0) {
		if (n > STREAM_MAX - all.n)
			return -EFBIG;
		bytes_add(&all, bytes, n);
		input_take(s->stream, n, 0);
		input_release(s->stream, 0, 0);
	}
	if (s->stream->error)
		return s->stream->error;
	*ret_n = all.n;
	bytes_u8(&all, 0);
	*ret = (char *)all.data;
	all = (struct bytes){ 0 };
	return 0;
}

static int source_read(const struct foreign_source *s, char **ret, size_t *ret_n, struct diag *diag)
{
	bool streams = source_is_stream(s);
	int r = streams ? read_stream(s, ret, ret_n) : file_read_fd(s->fd, FILE_MAX, ret, ret_n);

	if (r >= 0)
		return r;
	diag_set(diag, r, "cannot read '%s': %s", s->path, strerror(-r));
	if (r == -EFBIG && streams) {
		diag_set(diag, r, "more than %u MB of another tool's profile came through the pipe",
			 (unsigned)(STREAM_MAX >> 20));
		diag_hint(diag, "Store it in a file, and name that with -i.");
	}
	return r;
}

/*
 * Profiles are compressed to a tenth; this limit is far higher, and far lower than what zlib could
 * make from a few bytes.
 */
#define LIMIT_FLOOR ((size_t)4 << 20)
#define LIMIT_RATIO 50

/* Reads the bytes of a file, decompressed; their size is added to the budget of @p. */
static int foreign_read_bytes(const struct foreign_source *s, struct stack_profile *p, char **ret,
			      size_t *ret_n, struct diag *diag)
{
	_cleanup_(freep) char *packed = NULL;
	size_t n;
	int r = source_read(s, &packed, &n, diag);

	if (r < 0)
		return r;
	if (!compressed_is_gzip(packed, n)) {
		*ret = TAKE(packed);
		*ret_n = n;
		stack_profile_allow(p, n);
		return 0;
	}
	r = compressed_unpack(packed, n, LIMIT_FLOOR + LIMIT_RATIO * n, ret, ret_n);
	if (r < 0)
		diag_set(diag, r, "'%s' cannot be unpacked: it is damaged, or cut short", s->path);
	else
		stack_profile_allow_packed(p, n, *ret_n);
	return r;
}

static int refuse_packed(const struct foreign_source *s, const char *bytes, size_t n,
			 struct diag *diag)
{
	bool is_recording = n >= 8 &&
			    (!memcmp(bytes, "PERFILE2", 8) || !memcmp(bytes, "2ELIFREP", 8));

	diag_set(diag, -EBADMSG,
		 "'%s' is packed, but what is in it is not a profile that perf knows", s->path);
	if (is_recording && !strcmp(s->path, "-"))
		diag_hint(diag, "It is a recording of perf: unpack it first (gunzip).");
	else if (is_recording)
		diag_hint(diag, "It is a recording of perf: unpack it first (gunzip %s).", s->path);
	else
		other_file_hint(s->path, bytes, n, diag);
	return -EBADMSG;
}

static int read_profile(const struct foreign_source *s, struct stack_profile *p, struct diag *diag)
{
	_cleanup_(freep) char *bytes = NULL;
	const struct foreign_format *f;
	_cleanup_(diag_done) struct diag why = { 0 };
	size_t n;
	int r = foreign_read_bytes(s, p, &bytes, &n, diag);

	if (r < 0)
		return r;
	f = foreign_find_format(bytes, n);
	if (!f)
		return refuse_packed(s, bytes, n, diag);
	r = f->read(bytes, n, p, &why);
	if (r >= 0)
		r = stack_profile_check(p, &why);
	if (r < 0)
		diag_set(diag, r, "'%s' (%s): %s", s->path, f->name, why.message);
	return r;
}

static int open_profile(const struct stack_profile *p, const char *path, struct datafile **ret,
			struct given_names **ret_names, struct diag *diag)
{
	_cleanup_(given_names_freep) struct given_names *names = NULL;
	int memory, r = stack_profile_record(p, &memory, &names, diag);

	if (r >= 0)
		r = datafile_open_fd(memory, path, ret, diag);
	if (r < 0)
		return r;
	if (p->remark)
		datafile_add_note(*ret, p->remark);
	*ret_names = TAKE(names);
	return 1;
}

/* Opens a file, or the one that standard input is, at its beginning. */
static int open_regular(const char *path)
{
	if (strcmp(path, "-") != 0)
		return open(path, O_RDONLY | O_CLOEXEC);
	return lseek(STDIN_FILENO, 0, SEEK_SET) == 0 ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3) : -1;
}

static bool foreign_is_regular(int fd)
{
	struct stat st;

	return fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
}

int foreign_open(const char *path, struct input *stream, struct datafile **ret,
		 struct given_names **ret_names, struct diag *diag)
{
	_cleanup_(closep) int fd = stream->is_stream ? -1 : open_regular(path);
	const struct foreign_source s = { .path = path, .fd = fd, .stream = stream };
	_cleanup_(stack_profile_freep) struct stack_profile *p = NULL;
	char room[BEGIN_BYTES];
	const char *begin;
	size_t n;
	int r;

	if (!stream->is_stream && !foreign_is_regular(fd))
		return 0;
	n = source_begin(&s, room, &begin);
	if (!compressed_is_gzip(begin, n) && !foreign_find_format(begin, n)) {
		other_file_hint(path, begin, n, diag);
		return 0;
	}
	p = stack_profile_new();
	r = read_profile(&s, p, diag);
	return r < 0 ? r : open_profile(p, path, ret, ret_names, diag);
}

bool foreign_is_url(const char *path)
{
	return fleet_is_url(path);
}

int foreign_open_url(const char *url, struct datafile **ret, struct given_names **ret_names,
		     struct diag *diag)
{
	_cleanup_(stack_profile_freep) struct stack_profile *p = stack_profile_new();
	int r = fleet_read_stacks(url, p, diag);

	return r < 0 ? r : open_profile(p, url, ret, ret_names, diag);
}
