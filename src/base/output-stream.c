/* SPDX-License-Identifier: MIT */
#include "base/output-stream.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"

static int output_stream_refuse(const struct output_stream *s, int error, struct diag *diag)
{
	return diag_set(diag, error, "cannot write '%s': %s", s->path, strerror(-error));
}

int output_stream_begin(struct output_stream *s, const char *path, struct diag *diag)
{
	int fd, r;

	*s = (struct output_stream){ .file = OUTPUT_FILE_NONE, .path = path };
	r = output_file_begin(&s->file, path, FILE_PLACE_FOLLOW, 0666, diag);
	if (r < 0)
		return r;
	/* The file keeps its own descriptor. */
	fd = fcntl(s->file.fd, F_DUPFD_CLOEXEC, 0);
	s->out = fd < 0 ? NULL : fdopen(fd, "w");
	if (s->out)
		return 0;
	r = output_stream_refuse(s, -errno, diag);
	if (fd >= 0)
		close(fd);
	return r;
}

int output_stream_commit(struct output_stream *s, uint64_t *ret_size, struct diag *diag)
{
	FILE *out = s->out;
	const long size = ftell(out);
	const bool failed = ferror(out);
	int r;

	s->out = NULL;
	errno = 0;
	if (fclose(out) || failed)
		return output_stream_refuse(s, errno ? -errno : -EIO, diag);
	r = output_file_commit(&s->file, false);
	if (r < 0)
		return output_stream_refuse(s, r, diag);
	if (ret_size)
		*ret_size = size > 0 ? (uint64_t)size : 0;
	return 0;
}

void output_stream_done(struct output_stream *s)
{
	if (s->out)
		fclose(s->out);
	s->out = NULL;
	output_file_done(&s->file);
}
