/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A perf.data file, pipe stream or directory, read record by record.
 *
 * Seekable files are mapped, streams and compressed data are read in chunks; either way a record
 * is lent, not copied, and stays valid until datafile_release() passes its position or the file is
 * closed. Damage is no error once the header is understood: what is whole is handed out, and
 * datafile_notes() says what is missing. Attrs, features and tracing data that come as records of a
 * stream are taken in by the reader, and the record is handed out too.
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
	uint64_t *ids; /* may be empty: then there is only this event */
	size_t n_ids, ids_room;
	char *name; /* of version 1, which had names in a section of their own; else NULL */
};

struct raw_record {
	const uint8_t *bytes; /* header.size of them */
	struct record_header header;
	uint64_t offset;   /* in its file; of compressed data, of the COMPRESSED record */
	uint64_t position; /* ascending in the order of reading; for datafile_release() */
	/* What follows AUXTRACE and HEADER_TRACING_DATA outside the record; NULL if not there. */
	const uint8_t *payload;
	uint64_t payload_size;
	unsigned part;     /* 0 the file itself, n + 1: data.n of a directory */
	bool decompressed; /* came out of a COMPRESSED record */
};

/*
 * Opens @path; "-" is standard input, a directory is one of `record --threads` or `--kcore`. Unless
 * @force, a file that belongs to neither the user nor root is refused (-EPERM). -ENOENT,
 * -EACCES, -ENODATA (empty), -EBADMSG (no perf.data), ... with @diag saying what to do.
 */
int datafile_open(const char *path, bool force, struct datafile **ret, struct diag *diag);

/*
 * As datafile_open(). If it fails with -EBADMSG, @rest, which was `{ .fd = -1 }`, may have become
 * the stream that was opened, from its first byte on: a pipe cannot be opened again. The caller
 * calls input_done() in any case.
 */
int datafile_open_any(const char *path, bool force, struct datafile **ret, struct input *rest,
		      struct diag *diag);

/*
 * Opens @fd, a file in memory that was made from @path, which is its name for messages and tells
 * its time. Takes @fd over in any case.
 */
int datafile_open_fd(int fd, const char *path, struct datafile **ret, struct diag *diag);

void datafile_free(struct datafile *df);
DEFINE_FREEP(datafile)

/*
 * Reads only about the first @bytes of the data, inflated, and whole records of it; of a directory,
 * the same share of each of its files. What is left out is no damage. 0: everything. To be called
 * before the first record is read.
 */
void datafile_limit(struct datafile *df, uint64_t bytes);

/* Whether that has left something out, after reading. */
bool datafile_is_limited(const struct datafile *df);

/*
 * Once *@stop is true, a signal that comes while a stream is waited for ends the waiting, and
 * datafile_next() fails with -ECANCELED. @stop is borrowed.
 */
void datafile_stop_when(struct datafile *df, const atomic_bool *stop);

/* How much there is to read without a limit, as datafile_done_bytes() counts it; 0: a stream. */
uint64_t datafile_total_bytes(const struct datafile *df);

/* What the header says. Those of a stream grow as it is read. */
bool datafile_swapped(const struct datafile *df);
bool datafile_is_pipe(const struct datafile *df);
const char *datafile_path(const struct datafile *df);
/* How many files the recording has: one, or those of a directory. */
size_t datafile_part_count(const struct datafile *df);

size_t datafile_event_count(const struct datafile *df);
const struct file_event *datafile_event(const struct datafile *df, size_t i);
const struct features *datafile_features(const struct datafile *df);

/* Whether the file ends before its data does, by what its header says. */
bool datafile_is_cut(const struct datafile *df);

/* For the "header" lines of views: time of the file, and the numbers of its header. */
struct datafile_facts {
	uint64_t mtime_s, mtime_ns; /* since 1970; of a stream the second is 0 */
	uint64_t size;              /* of the file; 0: a stream */
	uint64_t header_size;
	uint64_t header_version; /* as perf counts: 1 for PERFILE2 */
	uint64_t attrs_offset, data_offset, data_size, feature_offset;
	uint64_t feature_bits[4]; /* as in the file, decodable or not */
};
const struct datafile_facts *datafile_facts(const struct datafile *df);

/*
 * The next record in the order of the file (of a directory: data first, then data.0, data.1, ...).
 * 1: there is one; 0: the end; negative: the stream cannot be read.
 */
int datafile_next(struct datafile *df, struct raw_record *ret, struct diag *diag);

/* Samples of a mapped file that lie one behind the other. */
struct sample_run {
	const uint8_t *bytes;
	size_t size;
	size_t n;
	uint64_t offset, position; /* of the first, as of a raw_record */
	unsigned part;
};

/*
 * Passes over the samples that come next, whole and up to about @most bytes, looking at nothing but
 * their headers. false: none does, or the file is not mapped; datafile_next() goes on.
 */
bool datafile_next_samples(struct datafile *df, size_t most, struct sample_run *ret);

/* Records before @position are not needed any more. */
void datafile_release(struct datafile *df, uint64_t position);

/* Starts again at the first record. -ESPIPE: a stream. */
int datafile_rewind(struct datafile *df);

/*
 * The bytes at @offset of part @part, where records were read from a mapped file; NULL: this part
 * is not mapped, though others may be. Mapped bytes stay for good, and a caller that is done with a
 * stretch may give back its memory. From any thread.
 */
const uint8_t *datafile_mapped(const struct datafile *df, unsigned part, uint64_t offset);
void datafile_drop(const struct datafile *df, unsigned part, uint64_t offset, uint64_t size);

/*
 * Whether the bytes of @rec lie in a mapped file as they are, so that they can be read again after
 * datafile_release().
 */
bool datafile_record_stays(const struct datafile *df, const struct raw_record *rec);

/*
 * Whether @n more steps may be taken over what the file says about its events. False, with a note:
 * it makes the same lists be walked again and again, and they would take more than a file of its
 * size may.
 */
bool datafile_allow_steps(struct datafile *df, uint64_t n);

/* Notes if a mapped file lost bytes while it was read. */
void datafile_note_shrunk(struct datafile *df);

/* How far the reading has come, for progress; *@ret_total is 0 for streams. */
uint64_t datafile_done_bytes(const struct datafile *df, uint64_t *ret_total);

/* Sentences about damage met so far: "the file ends in the middle of a record at 0x1234: ...". */
size_t datafile_note_count(const struct datafile *df);
const char *datafile_note(const struct datafile *df, size_t i);

/* Adds one, of who made the file's bytes out of something else. */
void datafile_add_note(struct datafile *df, const char *sentence);
