/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The functions of one jit-PID.dump, each written as an ELF file beside it. Private to
 * transform/jit-*.c.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct diag;

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
