/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The bytes of a file or stream, in reading order and (files only) at any place. For datafile/, and
 * for code that continues reading a stream that is not perf.data (datafile_open_any()).
 *
 * A file is mapped; a stream, or a file that cannot be mapped, is read into chunks. Lent bytes stay
 * valid until input_release() passes them.
 */
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "datafile/chunks.h"

struct bytes;
struct guarded_map;

struct input {
	int fd; /* -1: closed, because the bytes are mapped or there are none */
	bool owns_fd;
	bool is_stream;   /* cannot seek */
	uint64_t size;    /* size of a file */
	uint64_t at, end; /* the next byte; the end of reading, UINT64_MAX for a stream */
	struct guarded_map *map;
	const uint8_t *mapped; /* its bytes; NULL if not mapped */
	struct chunks chunks;  /* used without a map */
	int error;             /* negative errno of read(), once it has failed */
	/* Once it is true, a signal stops the wait for more data, with -ECANCELED; or NULL. */
	const atomic_bool *stop;
};

/*
 * Prepares @in, and takes ownership of @fd if @owns_fd. The descriptor may be anything that can be
 * read.
 */
void input_init(struct input *in, int fd, bool owns_fd);
void input_done(struct input *in);

/*
 * Returns @size bytes at @offset of a file, or NULL if it does not have them all. Mapped bytes live
 * as long as @in, others are read into @room.
 */
const uint8_t *input_at(struct input *in, uint64_t offset, uint64_t size, struct bytes *room);

/* Continues at @offset, until @end. All lent bytes become invalid. Files only. */
void input_seek(struct input *in, uint64_t offset, uint64_t end);

/*
 * Waits until @n bytes are available, unless the end comes first or reading fails. Returns the
 * number of available bytes, at *@ret, which the next call may move.
 */
size_t input_peek(struct input *in, size_t n, const uint8_t **ret);

/* Takes @n bytes, which were peeked at: they are lent until input_release() is given @position. */
const uint8_t *input_take(struct input *in, size_t n, uint64_t position);

/* Skips @n bytes, seen or not; fewer if the end comes first. */
void input_skip(struct input *in, uint64_t n);

/* Releases everything that was lent until @position or before @offset of the file. */
void input_release(struct input *in, uint64_t position, uint64_t offset);

/* True if the file lost bytes while it was read. */
bool input_shrank(const struct input *in);
