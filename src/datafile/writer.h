/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Writes a perf.data file, pipe stream or directory so that it can be read at every moment.
 *
 * A file: header, ids, attrs, then the early features (what naming needs: tracing data, event
 * names, the machine), then data. A flush writes a checkpoint behind the data, which is a table of
 * the early features now, and a record that readers skip once data follows it; and only then the
 * header; so a killed recorder leaves all that was flushed, names included, for any tool. At the
 * end the table of all features is written behind the data; its slots point to the early ones too.
 *
 * Nothing here asks the system about anything: features come in decoded.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

#include "base/cleanup.h"
#include "datafile/reader.h"

struct diag;
struct features;
struct writer;

enum writer_form {
	WRITER_FILE,
	WRITER_PIPE,
	WRITER_DIRECTORY, /* with parts: record --threads; without: --kcore */
};

struct writer_options {
	enum writer_form form;
	size_t parts;          /* of a directory: data.0 to data.(parts - 1) */
	int compression_level; /* 0: none; zstd */
	bool compress_aligned; /* COMPRESSED2 records, in place of COMPRESSED */
	bool keep_old;         /* an existing file becomes NAME.old; else it is replaced */
};

/*
 * Creates @path (datafile/output.h says how), or writes to the descriptor @fd if that is not -1
 * (which stays the caller's). What cannot be sought, a FIFO, gets a stream even if a file was asked
 * for. -EACCES, -ENOSPC, ... with @diag.
 */
int writer_open(const char *path, int fd, const struct writer_options *o, struct writer **ret,
		struct diag *diag);

/* Closes; what was not finished stays readable. */
void writer_free(struct writer *w);
DEFINE_FREEP(writer)

/* Removes the regular file that it writes, as nothing was recorded. A device, say, stays. */
void writer_discard(struct writer *w);

/* Header, attrs with ids, and the features of @early that are marked; in a pipe: as records. */
int writer_begin(struct writer *w, const struct file_event *events, size_t n,
		 const struct features *early, struct diag *diag);

/*
 * Appends whole records: as they are, or (writer_compress) through the compressor of @part. @part
 * is 0 for the file itself and n + 1 for data.n; different parts may be written by different
 * threads at once. What is given to writer_compress() at once must not be larger than
 * features.compressed.mmap_len. -ENOSPC, -EPIPE, ...
 */
int writer_write(struct writer *w, unsigned part, const void *records, size_t size);
int writer_writev(struct writer *w, unsigned part, const struct iovec *pieces, int n);
int writer_compress(struct writer *w, unsigned part, const void *records, size_t size);

/* Whether it writes a stream, which has no table of features at its end. */
bool writer_is_stream(const struct writer *w);

/* Whether what was written can be read again: it is a regular file, no FIFO or device. */
bool writer_can_be_read(const struct writer *w);

/*
 * A path that leads to what it writes, even if another user puts something else in its place:
 * through the open descriptor. Of a directory, and without /proc, it is the path as it was given.
 * The caller frees it; NULL: it was given a descriptor.
 */
char *writer_path(const struct writer *w);

/* Where in the file itself the next record goes. */
uint64_t writer_offset(const struct writer *w);

/* Is this error one of a disk, or a quota, that has no room left, or of `ulimit -f`? */
bool writer_is_full(int error);

/* Says why nothing more could be written, and what the user can do. Returns @error. */
int writer_explain(const struct writer *w, int error, struct diag *diag);

/*
 * Makes what was written count, should the recorder be killed: a checkpoint, unless the last one is
 * less than 0.1 s and 8 KiB ago. Cheap: call it after every round.
 */
int writer_flush(struct writer *w);

/* Bytes of data so far, over all parts; and how much went into the compressor, and came out. */
uint64_t writer_data_size(const struct writer *w);
uint64_t writer_uncompressed_size(const struct writer *w);
uint64_t writer_compressed_size(const struct writer *w);

/*
 * Writes all features that @f has marked and those of writer_begin(), and finishes the header. Not
 * needed in a pipe.
 */
int writer_finish(struct writer *w, const struct features *f, struct diag *diag);
