/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The bytes of a file or stream, in the order of reading and (files only) anywhere. For datafile/,
 * and for those who read on in a stream that is no perf.data (datafile_open_any()).
 *
 * A file is mapped; a stream, or a file that cannot be mapped, is read into chunks. What is lent
 * stays valid until input_release() passes it.
 */
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "datafile/chunks.h"

struct bytes;
struct guarded_map;

struct input {
	int fd; /* -1: closed, as the bytes are mapped or there are none */
	bool owns_fd;
	bool is_stream;   /* cannot seek */
	uint64_t size;    /* of a file */
	uint64_t at, end; /* the next byte; where reading ends, UINT64_MAX for a stream */
	struct guarded_map *map;
	const uint8_t *mapped; /* its bytes; NULL without */
	struct chunks chunks;  /* without a map */
	int error;             /* of read(), once */
	/* Once it is true, a signal ends the waiting for more, with -ECANCELED; or NULL. */
	const atomic_bool *stop;
};

/* Takes over @fd if @owns_fd. Anything that can be read will do. */
void input_init(struct input *in, int fd, bool owns_fd);
void input_done(struct input *in);

/*
 * @size bytes at @offset of a file, or NULL if it does not have them all. Mapped bytes live as long
 * as @in, others are read into @room.
 */
const uint8_t *input_at(struct input *in, uint64_t offset, uint64_t size, struct bytes *room);

/* Goes on at @offset, until @end. Nothing that was lent is valid afterwards. Files only. */
void input_seek(struct input *in, uint64_t offset, uint64_t end);

/*
 * Waits until @n bytes are there, unless the end comes first or reading fails, and returns how many
 * are: at *@ret, which the next call may move.
 */
size_t input_peek(struct input *in, size_t n, const uint8_t **ret);

/* Takes @n bytes, which were peeked at: lent until input_release() is given @position. */
const uint8_t *input_take(struct input *in, size_t n, uint64_t position);

/* Leaves out @n bytes, seen or not; fewer if the end comes first. */
void input_skip(struct input *in, uint64_t n);

/* Nothing lent until @position or before @offset of the file is needed any more. */
void input_release(struct input *in, uint64_t position, uint64_t offset);

/* Whether the file lost bytes while it was read. */
bool input_shrank(const struct input *in);
