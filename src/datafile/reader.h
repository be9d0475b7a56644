/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A perf.data file, pipe stream or directory, read record by record.
 *
 * Seekable files are mapped, streams and compressed data are read in chunks. In both cases a record
 * is lent, not copied, and stays valid until datafile_release() passes its position or the file is
 * closed. Damage is not an error once the header is understood: whole records are returned, and
 * datafile_notes() lists what is missing. The reader processes attrs, features and tracing data
 * that come as records of a stream, and returns the record, too.
 *
 * The reader knows no events, times or tasks: that is session/.
 */
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "datafile/features.h"
#include "wire/record.h"

struct datafile;
struct diag;
struct input;

struct file_event {
	struct attr attr;
	uint64_t *ids; /* may be empty if this is the only event */
	size_t n_ids, ids_room;
	char *name; /* in version 1, which has a section for names; else NULL */
};

struct raw_record {
	const uint8_t *bytes; /* header.size bytes */
	struct record_header header;
	uint64_t offset;   /* in its file; if compressed, that of the COMPRESSED record */
	uint64_t position; /* ascending in the order of reading; for datafile_release() */
	/*
	 * The data after AUXTRACE and HEADER_TRACING_DATA that is not part of the record; NULL if
	 * there is none.
	 */
	const uint8_t *payload;
	uint64_t payload_size;
	unsigned part;     /* 0: the file itself, n + 1: data.n of a directory */
	bool decompressed; /* came out of a COMPRESSED record */
};

/*
 * Opens @path; "-" is standard input, a directory is one of `record --threads` or `--kcore`. Unless
 * @force, a file that belongs to neither the user nor root is rejected (-EPERM). -ENOENT, -EACCES,
 * -ENODATA (empty), -EBADMSG (not perf.data), ... with @diag explaining what to do.
 */
int datafile_open(const char *path, bool force, struct datafile **ret, struct diag *diag);

/*
 * Does the same as datafile_open(). If it fails with -EBADMSG, @rest, which was `{ .fd = -1 }`, may
 * have become the stream that was opened, from its first byte on, because a pipe cannot be opened
 * again. The caller calls input_done() in any case.
 */
int datafile_open_any(const char *path, bool force, struct datafile **ret, struct input *rest,
		      struct diag *diag);

/*
 * Opens @fd, a file in memory that was made from @path, which provides its name for messages and
 * its time. Takes ownership of @fd in any case.
 */
int datafile_open_fd(int fd, const char *path, struct datafile **ret, struct diag *diag);

void datafile_free(struct datafile *df);
DEFINE_FREEP(datafile)

/*
 * Limits reading to about the first @bytes of the data, decompressed, in whole records; for a
 * directory, to the same share of each of its files. The omitted part is not damage. 0: everything.
 * To be called before the first record is read.
 */
void datafile_limit(struct datafile *df, uint64_t bytes);

/* Returns, after reading, true if the limit has omitted something. */
bool datafile_is_limited(const struct datafile *df);

/*
 * Makes reading stop when *@stop is true: a signal that arrives during the wait for a stream ends
 * the wait, and datafile_next() fails with -ECANCELED. @stop is borrowed.
 */
void datafile_stop_when(struct datafile *df, const atomic_bool *stop);

/*
 * Returns the number of bytes to read without a limit, as datafile_done_bytes() counts them; 0: a
 * stream.
 */
uint64_t datafile_total_bytes(const struct datafile *df);

/* Return the data of the header. In a stream it grows during reading. */
bool datafile_swapped(const struct datafile *df);
bool datafile_is_pipe(const struct datafile *df);
const char *datafile_path(const struct datafile *df);
/* Returns the number of files of the recording: one, or those of a directory. */
size_t datafile_part_count(const struct datafile *df);

size_t datafile_event_count(const struct datafile *df);
const struct file_event *datafile_event(const struct datafile *df, size_t i);
const struct features *datafile_features(const struct datafile *df);

/* True if the file ends before its data does, according to its header. */
bool datafile_is_cut(const struct datafile *df);

/* The data for the "header" lines of views: time of the file, and the numbers of its header. */
struct datafile_facts {
	uint64_t mtime_s, mtime_ns; /* since 1970; for a stream the second member is 0 */
	uint64_t size;              /* size of the file; 0: a stream */
	uint64_t header_size;
	uint64_t header_version; /* in perf's numbering: 1 for PERFILE2 */
	uint64_t attrs_offset, data_offset, data_size, feature_offset;
	uint64_t feature_bits[4]; /* the bits in the file, decodable or not */
};
const struct datafile_facts *datafile_facts(const struct datafile *df);

/*
 * Reads the next record in the order of the file (of a directory: data first, then data.0, data.1,
 * ...). 1: there is one; 0: the end; negative: the stream cannot be read.
 */
int datafile_next(struct datafile *df, struct raw_record *ret, struct diag *diag);

/* Adjacent samples of a mapped file. */
struct sample_run {
	const uint8_t *bytes;
	size_t size;
	size_t n;
	uint64_t offset, position; /* those of the first sample, as in a raw_record */
	unsigned part;
};

/*
 * Skips the samples that come next, whole and up to about @most bytes, reading only their headers.
 * False: there are none, or the file is not mapped; datafile_next() continues.
 */
bool datafile_next_samples(struct datafile *df, size_t most, struct sample_run *ret);

/* The bytes of a mapped file that are not read yet. */
struct file_rest {
	const uint8_t *bytes;
	size_t size;
	uint64_t offset, position; /* those of the next record, as in a raw_record */
	unsigned part;
};

/* Gets the rest of the file. False: it is not mapped, or files follow, or a limit ends reading. */
bool datafile_rest(struct datafile *df, struct file_rest *ret);

/* Releases records before @position. */
void datafile_release(struct datafile *df, uint64_t position);

/* Starts again at the first record. -ESPIPE: a stream. */
int datafile_rewind(struct datafile *df);

/*
 * Returns the bytes at @offset of part @part, if records were read from a mapped file; NULL: this
 * part is not mapped, though others may be. Mapped bytes stay valid until the end, and a caller
 * that has finished with a range may release its memory. May be called from any thread.
 */
const uint8_t *datafile_mapped(const struct datafile *df, unsigned part, uint64_t offset);
void datafile_drop(const struct datafile *df, unsigned part, uint64_t offset, uint64_t size);

/*
 * True if the bytes of @rec are unchanged in a mapped file, so that they can be read again after
 * datafile_release().
 */
bool datafile_record_stays(const struct datafile *df, const struct raw_record *rec);

/*
 * True if @n more steps may be spent on the file's lists about its events. False, with a note: the
 * file makes the same lists be walked again and again, which would take more steps than a file of
 * its size may.
 */
bool datafile_allow_steps(struct datafile *df, uint64_t n);

/* Adds a note if a mapped file lost bytes while it was read. */
void datafile_note_shrunk(struct datafile *df);

/* Returns the number of bytes read, for progress; *@ret_total is 0 for streams. */
uint64_t datafile_done_bytes(const struct datafile *df, uint64_t *ret_total);

/*
 * Return the messages about damage found so far: "the file ends in the middle of a record at
 * 0x1234: ...".
 */
size_t datafile_note_count(const struct datafile *df);
const char *datafile_note(const struct datafile *df, size_t i);

/* Adds a note of the code that made the file's bytes from something else. */
void datafile_add_note(struct datafile *df, const char *sentence);
