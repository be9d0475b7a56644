/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Writes a perf.data file, pipe stream or directory so that it can be read at any time.
 *
 * A file has the header, ids, attrs, then the early features (those needed for names: tracing data,
 * event names, the machine), then the data. A flush first writes a checkpoint after the data: a
 * table of the early features, which is also a record that readers skip once data follows it. Only
 * then it writes the header. A killed recorder thus leaves everything that was flushed, names
 * included, readable for any tool. At the end the table of all features is written after the data;
 * its slots point to the early ones, too.
 *
 * Nothing here queries the system: features come in decoded.
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
	size_t parts;          /* number of parts of a directory: data.0 to data.(parts - 1) */
	int compression_level; /* 0: none; zstd */
	bool compress_aligned; /* COMPRESSED2 records, in place of COMPRESSED */
	bool keep_old;         /* an existing file becomes NAME.old; else it is replaced */
};

/*
 * Creates @path (as datafile/output.h describes), or writes to the descriptor @fd if that is not -1
 * (which stays the caller's). A destination that is not seekable, such as a FIFO, gets a stream
 * even if a file was requested. -EACCES, -ENOSPC, ... with @diag.
 */
int writer_open(const char *path, int fd, const struct writer_options *o, struct writer **ret,
		struct diag *diag);

/* Closes the writer; an unfinished file stays readable. */
void writer_free(struct writer *w);
DEFINE_FREEP(writer)

/*
 * Removes the regular file that it writes, because nothing was recorded. A device, for example, is
 * kept.
 */
void writer_discard(struct writer *w);

/* Writes header, attrs with ids, and the marked features of @early; in a pipe, as records. */
int writer_begin(struct writer *w, const struct file_event *events, size_t n,
		 const struct features *early, struct diag *diag);

/*
 * Append whole records: unchanged, or (writer_compress) through the compressor of @part. @part is 0
 * for the file itself and n + 1 for data.n; several threads may write different parts at once. One
 * call of writer_compress() may pass at most features.compressed.mmap_len bytes. -ENOSPC, -EPIPE,
 * ...
 */
int writer_write(struct writer *w, unsigned part, const void *records, size_t size);
int writer_writev(struct writer *w, unsigned part, const struct iovec *pieces, int n);
int writer_compress(struct writer *w, unsigned part, const void *records, size_t size);

/* True if it writes a stream, which has no table of features at its end. */
bool writer_is_stream(const struct writer *w);

/* True if the written data can be read again: it is a regular file, not a FIFO or device. */
bool writer_can_be_read(const struct writer *w);

/*
 * Returns a path to the file that it writes, even if another user puts something else in its place:
 * it goes through the open descriptor. For a directory, and without /proc, it is the path as it was
 * given. The caller frees it; NULL: the writer was given a descriptor.
 */
char *writer_path(const struct writer *w);

/* Returns the offset of the next record in the file itself. */
uint64_t writer_offset(const struct writer *w);

/* True if the error is that of a disk, or a quota, without free space, or of `ulimit -f`. */
bool writer_is_full(int error);

/* Explains why nothing more could be written, and what the user can do. Returns @error. */
int writer_explain(const struct writer *w, int error, struct diag *diag);

/*
 * Makes the written data readable even if the recorder is killed: it writes a checkpoint, unless
 * the last one is less than 0.1 s and 8 KiB ago. Cheap: call it after every round.
 */
int writer_flush(struct writer *w);

/* Return the bytes of data so far, over all parts; and the bytes before and after compression. */
uint64_t writer_data_size(const struct writer *w);
uint64_t writer_uncompressed_size(const struct writer *w);
uint64_t writer_compressed_size(const struct writer *w);

/*
 * Writes all marked features of @f and those of writer_begin(), and finishes the header. Not needed
 * in a pipe.
 */
int writer_finish(struct writer *w, const struct features *f, struct diag *diag);
