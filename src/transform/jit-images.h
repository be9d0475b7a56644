/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Writes code that programs made at run time to files: an ELF file jitted-PID-N.so for each
 * function of a jit-PID.dump, in the same folder. Inserts records that map each file at the place
 * and time of its code. The map of the dump itself is left out.
 *
 * Records must come in the order of time.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"

struct diag;
struct jit_images;
struct transform;

/* @any_owner: also use dumps of other users. @diag gets the reason if a file cannot be written. */
struct jit_images *jit_images_new(bool any_owner, struct diag *diag);
void jit_images_free(struct jit_images *j);
DEFINE_FREEP(jit_images)

struct transform *jit_images_transform(struct jit_images *j);

/* Returns the number of files that were written. */
uint64_t jit_images_made(const struct jit_images *j);

/* Return the number of dumps, and a sentence about a problem of dump @i, or NULL. */
size_t jit_images_dumps(const struct jit_images *j);
const char *jit_images_remark(const struct jit_images *j, size_t i);

/*
 * The functions of one jit-PID.dump, each written as an ELF file in the same folder. Private to
 * transform/jit-*.c.
 */

/* A function that was placed at an address. */
struct jit_mapped {
	uint64_t time; /* 0: as soon as the dump exists */
	uint64_t addr, size;
	char *path; /* its file */
	uint32_t maj, min;
	uint64_t ino;
};

struct jit_dump_images {
	struct jit_mapped *items; /* in the order of the dump */
	size_t n, room;
	uint64_t made; /* the number of files */
	char *remark;  /* a message about a problem, or NULL */
};

void jit_dump_images_done(struct jit_dump_images *d);

struct jit_dump_request {
	const char *path; /* the path in its map */
	int32_t pid;      /* the process that has mapped it */
	bool any_owner;
	bool is_monotonic; /* the recording uses the clock of dumps */
};

/*
 * Writes all functions of the dump that @r names. A dump that cannot be read only gives a remark.
 * Negative: a file cannot be written, with @diag.
 */
int jit_dump_images_write(const struct jit_dump_request *r, struct jit_dump_images *ret,
			  struct diag *diag);
