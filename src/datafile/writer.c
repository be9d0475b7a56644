/* SPDX-License-Identifier: MIT */
#include "datafile/writer.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/clock.h"
#include "base/diag.h"
#include "base/file-place.h"
#include "base/file.h"
#include "base/memory.h"
#include "datafile/deflater.h"
#include "datafile/header.h"
#include "datafile/output.h"
#include "datafile/writer-sections.h"

/* More pieces than a ring buffer gives: its end and its beginning. */
#define PIECES 16

/*
 * A checkpoint takes some hundred bytes, so none is written for less than this, unless the last one
 * was long ago.
 */
#define CHECKPOINT_BYTES (8u << 10)
#define CHECKPOINT_NS    100000000

struct writer_part {
	int fd;
	bool owns_fd;
	bool is_stream;
	uint64_t offset;            /* place of the next bytes */
	_Atomic(uint64_t) size;     /* size of the data; any thread may use it */
	_Atomic(uint64_t) plain;    /* input of the deflater */
	_Atomic(uint64_t) deflated; /* output of the deflater */
	struct deflater *deflater;
	struct bytes packed; /* buffer for the output of the deflater */
};

struct writer {
	char *path; /* NULL: a descriptor */
	struct file_place place;
	struct writer_options options;
	struct file_header header;
	struct early_features early;
	struct bytes checkpoint;
	uint64_t checkpoint_ns;    /* time of the last checkpoint */
	uint64_t checkpoint_bytes; /* data size at the last checkpoint */
	struct writer_part *parts; /* the file itself first */
	size_t n_parts;
};

bool writer_is_stream(const struct writer *w)
{
	return w->options.form == WRITER_PIPE;
}

bool writer_can_be_read(const struct writer *w)
{
	struct stat st;

	return fstat(w->parts[0].fd, &st) == 0 && S_ISREG(st.st_mode);
}

char *writer_path(const struct writer *w)
{
	char *path;

	if (!w->path || w->options.form == WRITER_DIRECTORY)
		return w->path ? xstrdup(w->path) : NULL;
	path = xasprintf("/proc/self/fd/%d", w->parts[0].fd);
	if (access(path, F_OK) == 0)
		return path;
	free(path);
	return xstrdup(w->path);
}

uint64_t writer_offset(const struct writer *w)
{
	return w->parts[0].offset;
}

bool writer_is_full(int error)
{
	return error == -ENOSPC || error == -EDQUOT || error == -EFBIG;
}

int writer_explain(const struct writer *w, int error, struct diag *diag)
{
	diag_set(diag, error, "cannot write '%s': %s", w->path ? w->path : "-", strerror(-error));
	if (error == -EPIPE)
		diag_hint(diag, "The reader of the pipe ended before everything was written.");
	else if (error == -EFBIG)
		diag_hint(diag, "Let files be larger: ulimit -f unlimited");
	else if (writer_is_full(error))
		diag_hint(diag, "Make room, or write elsewhere (-o).");
	return error;
}

void writer_free(struct writer *w)
{
	if (!w)
		return;
	for (size_t i = 0; i < w->n_parts; i++) {
		struct writer_part *p = &w->parts[i];

		if (p->owns_fd && p->fd >= 0)
			close(p->fd);
		deflater_free(p->deflater);
		bytes_done(&p->packed);
	}
	bytes_done(&w->checkpoint);
	free(w->parts);
	free(w->path);
	file_place_done(&w->place);
	free(w);
}

/* Sets the destination. A pipe is not seekable, so it gets a stream in any case. */
static void part_take(struct writer *w, struct writer_part *p, int fd, bool owns_fd)
{
	p->fd = fd;
	p->owns_fd = owns_fd;
	if (w->options.form == WRITER_FILE && lseek(fd, 0, SEEK_CUR) < 0)
		w->options.form = WRITER_PIPE;
	p->is_stream = w->options.form == WRITER_PIPE;
}

static int file_create(struct writer *w, struct diag *diag)
{
	int fd = output_create(w->path, w->options.keep_old, &w->place, diag);

	if (fd < 0)
		return fd;
	part_take(w, &w->parts[0], fd, true);
	return 0;
}

static int directory_create(struct writer *w, struct diag *diag)
{
	_cleanup_(closep) int folder = output_create_directory(w->path, w->options.keep_old,
							       &w->place, diag);

	for (size_t i = 0; folder >= 0 && i < w->n_parts; i++) {
		_cleanup_(freep) char *name = i ? xasprintf("data.%zu", i - 1) : xstrdup("data");
		int fd = openat(folder, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
				0600);

		if (fd < 0)
			return diag_set(diag, -errno, "cannot create '%s/%s': %s", w->path, name,
					strerror(errno));
		part_take(w, &w->parts[i], fd, true);
	}
	return folder < 0 ? folder : 0;
}

static int compression_start(struct writer *w, struct diag *diag)
{
	if (!w->options.compression_level)
		return 0;
	if (!deflater_is_there())
		return diag_set(diag, -EOPNOTSUPP,
				"cannot compress: this perf was built without zstd");
	for (size_t i = 0; i < w->n_parts; i++) {
		w->parts[i].deflater = deflater_new(w->options.compression_level,
						    w->options.compress_aligned);
		if (!w->parts[i].deflater)
			return diag_set(diag, -EINVAL, "cannot compress at level %d",
					w->options.compression_level);
	}
	return 0;
}

int writer_open(const char *path, int fd, const struct writer_options *o, struct writer **ret,
		struct diag *diag)
{
	_cleanup_(writer_freep) struct writer *w = xcalloc(1, sizeof(*w));
	int r;

	w->options = *o;
	w->place = FILE_PLACE_NONE;
	w->path = fd < 0 ? xstrdup(path) : NULL;
	w->n_parts = o->form == WRITER_DIRECTORY ? o->parts + 1 : 1;
	w->parts = xcalloc(w->n_parts, sizeof(*w->parts));
	for (size_t i = 0; i < w->n_parts; i++)
		w->parts[i].fd = -1;

	r = compression_start(w, diag);
	if (r < 0)
		return r;
	if (fd >= 0)
		part_take(w, &w->parts[0], fd, false);
	else
		r = o->form == WRITER_DIRECTORY ? directory_create(w, diag) : file_create(w, diag);
	if (r < 0)
		return r;
	*ret = TAKE(w);
	return 0;
}

void writer_discard(struct writer *w)
{
	struct stat own, there;

	if (w && w->place.name && w->options.form == WRITER_FILE &&
	    fstat(w->parts[0].fd, &own) == 0 && S_ISREG(own.st_mode) &&
	    fstatat(w->place.folder, w->place.name, &there, AT_SYMLINK_NOFOLLOW) == 0 &&
	    own.st_dev == there.st_dev && own.st_ino == there.st_ino)
		unlinkat(w->place.folder, w->place.name, 0);
}

/*
 * Writes up to PIECES pieces after the existing data; on failure p->offset shows how much was
 * written.
 */
static int writer_write_all(struct writer_part *p, const struct iovec *pieces, int n)
{
	struct iovec rest[PIECES];
	size_t done;
	int r;

	memcpy(rest, pieces, (size_t)n * sizeof(*pieces));
	r = file_writev(p->fd, rest, n, p->is_stream ? -1 : (off_t)p->offset, &done);
	p->offset += done;
	return r;
}

static int writer_write_bytes(struct writer_part *p, const void *data, size_t size)
{
	struct iovec v = { .iov_base = (void *)data, .iov_len = size };

	return writer_write_all(p, &v, 1);
}

static int header_write(struct writer *w)
{
	_cleanup_(bytes_done) struct bytes b = { 0 };

	file_header_encode(&w->header, &b);
	return file_write_at(w->parts[0].fd, b.data, b.n, 0);
}

static int checkpoint_write(struct writer *w)
{
	int r = writer_write_bytes(&w->parts[0], w->checkpoint.data, w->checkpoint.n);

	if (r >= 0)
		w->parts[0].size += w->checkpoint.n;
	return r;
}

static int file_begin(struct writer *w, const struct file_event *events, size_t n,
		      const struct features *early)
{
	_cleanup_(bytes_done) struct bytes b = { 0 };
	int r;

	file_prologue_put(&b, &w->header, events, n, early, &w->early);
	checkpoint_put(&w->checkpoint, &w->early);
	r = writer_write_bytes(&w->parts[0], b.data, b.n);
	return r < 0 ? r : checkpoint_write(w);
}

static int stream_begin(struct writer *w, const struct file_event *events, size_t n,
			const struct features *early)
{
	_cleanup_(bytes_done) struct bytes b = { 0 };
	int r = stream_prologue_put(&b, events, n, early);

	return r < 0 ? r : writer_write_bytes(&w->parts[0], b.data, b.n);
}

int writer_begin(struct writer *w, const struct file_event *events, size_t n,
		 const struct features *early, struct diag *diag)
{
	int r;

	w->header = (struct file_header){ .is_stream = w->options.form == WRITER_PIPE };
	r = w->header.is_stream ? stream_begin(w, events, n, early)
				: file_begin(w, events, n, early);
	if (r == -EMSGSIZE)
		return diag_set(diag, r, "an event has more ids than fit into a stream");
	return r < 0 ? writer_explain(w, r, diag) : 0;
}

int writer_writev(struct writer *w, unsigned part, const struct iovec *pieces, int n)
{
	struct writer_part *p = &w->parts[part];
	uint64_t start = p->offset;
	int r = 0;

	for (int i = 0; i < n && r >= 0; i += PIECES)
		r = writer_write_all(p, pieces + i, n - i < PIECES ? n - i : PIECES);

	/*
	 * A record that a full disk has cut off is overwritten by the next one, if any can be
	 * written.
	 */
	if (r < 0)
		p->offset = start;
	else
		p->size += p->offset - start;
	return r;
}

int writer_write(struct writer *w, unsigned part, const void *records, size_t size)
{
	struct iovec v = { .iov_base = (void *)records, .iov_len = size };

	return writer_writev(w, part, &v, 1);
}

/*
 * Writes those compressed records that fit on the full disk; each is up to 64 KiB. The compressor
 * has already consumed all of them, so nothing can be compressed after them. The last one that
 * fitted is dropped too, to make space for the end of the file.
 */
static void write_what_fits(struct writer *w, unsigned part, const struct bytes *packed)
{
	struct writer_part *p = &w->parts[part];
	uint64_t start = p->offset, last = start;

	for (size_t at = 0, size; at < packed->n; at += size) {
		size = record_header_at(packed->data + at, false).size;
		last = p->offset;
		if (writer_write(w, part, packed->data + at, size) < 0)
			break;
		start = last;
	}
	p->size -= p->offset - start;
	p->offset = start;
}

int writer_compress(struct writer *w, unsigned part, const void *records, size_t size)
{
	struct writer_part *p = &w->parts[part];
	int r;

	if (!p->deflater)
		return writer_write(w, part, records, size);
	p->packed.n = 0;
	r = deflater_add(p->deflater, records, size, &p->packed);
	if (r >= 0)
		r = writer_write(w, part, p->packed.data, p->packed.n);
	if (writer_is_full(r))
		write_what_fits(w, part, &p->packed);
	if (r >= 0) {
		p->plain += size;
		p->deflated += p->packed.n;
	}
	return r;
}

int writer_flush(struct writer *w)
{
	uint64_t size = w->parts[0].size, now = clock_ns(CLOCK_MONOTONIC_COARSE);
	int r;

	if (w->header.is_stream || size == w->checkpoint_bytes ||
	    (size - w->checkpoint_bytes < CHECKPOINT_BYTES &&
	     now - w->checkpoint_ns < CHECKPOINT_NS))
		return 0;
	r = checkpoint_write(w);
	if (r < 0)
		return r;
	w->header.data.size = size;
	w->checkpoint_bytes = w->parts[0].size;
	w->checkpoint_ns = now;
	return header_write(w);
}

uint64_t writer_data_size(const struct writer *w)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < w->n_parts; i++)
		sum += w->parts[i].size;
	return sum;
}

uint64_t writer_compressed_size(const struct writer *w)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < w->n_parts; i++)
		sum += w->parts[i].deflated;
	return sum;
}

uint64_t writer_uncompressed_size(const struct writer *w)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < w->n_parts; i++)
		sum += w->parts[i].plain;
	return sum;
}

int writer_finish(struct writer *w, const struct features *f, struct diag *diag)
{
	_cleanup_(bytes_done) struct bytes b = { 0 };
	int r;

	if (w->header.is_stream)
		return 0;
	feature_table_put(&b, w->parts[0].offset, f, &w->early, w->header.features);
	r = writer_write_bytes(&w->parts[0], b.data, b.n);
	if (r >= 0) {
		w->header.data.size = w->parts[0].size;
		r = header_write(w);
	}
	return r < 0 ? writer_explain(w, r, diag) : 0;
}
