/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Code that programs made at run time, as files: writes an ELF file jitted-PID-N.so for each
 * function of a jit-PID.dump, beside it, and puts records among the others that map it where and
 * when its code came to lie. The map of the dump itself is left out.
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

/* @any_owner: also dumps of other users. @diag gets the reason when a file cannot be written. */
struct jit_images *jit_images_new(bool any_owner, struct diag *diag);
void jit_images_free(struct jit_images *j);
DEFINE_FREEP(jit_images)

struct transform *jit_images_transform(struct jit_images *j);

/* How many files were written. */
uint64_t jit_images_made(const struct jit_images *j);

/* How many dumps there were, and a sentence about dump @i if it was not as it should be; or NULL.
 */
size_t jit_images_dumps(const struct jit_images *j);
const char *jit_images_remark(const struct jit_images *j, size_t i);

/*
 * The functions of one jit-PID.dump, each written as an ELF file beside it. Private to
 * transform/jit-*.c.
 */

/* A function that came to lie at an address. */
struct jit_mapped {
	uint64_t time; /* 0: as soon as the dump is there */
	uint64_t addr, size;
	char *path; /* its file */
	uint32_t maj, min;
	uint64_t ino;
};

struct jit_dump_images {
	struct jit_mapped *items; /* in the order of the dump */
	size_t n, room;
	uint64_t made; /* files */
	char *remark;  /* what is to be said, or NULL */
};

void jit_dump_images_done(struct jit_dump_images *d);

struct jit_dump_request {
	const char *path; /* as in its map */
	int32_t pid;      /* of the process that has it mapped */
	bool any_owner;
	bool is_monotonic; /* the recording has the clock of dumps */
};

/*
 * Writes all of the dump that @r names. A dump that cannot be read gives nothing but a remark.
 * Negative: a file cannot be written, with @diag.
 */
int jit_dump_images_write(const struct jit_dump_request *r, struct jit_dump_images *ret,
			  struct diag *diag);
