/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The jit-PID.dump files of a profile, each read once. For the symbolizer, which owns them, and
 * jit-code.c, which makes their code searchable.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/u64-map.h"

struct jit_code;
struct jit_request;
struct symbolizer;

/* A function of a dump that is being read. */
struct jit_draft {
	uint64_t start, end, since;
	const char *name; /* in the mapped file */
	size_t name_length;
	uint32_t number; /* in the order of the file */
	uint32_t layer;
	const uint8_t *unwind; /* in the mapped file; see struct jit_unwind */
	size_t unwind_size;
};

struct jit_drafts {
	struct jit_draft *items;
	size_t n, room;
	bool swapped; /* the file is in the other byte order */
};

/*
 * Makes images of @d, which is sorted, with @remark about their names. The caller keeps its
 * parameters.
 */
struct jit_code *jit_code_new(struct symbolizer *s, const struct jit_request *r,
			      struct jit_drafts *d, const char *remark);
void jit_code_free(struct jit_code *c);

struct jit_dump {
	struct jit_dump *next; /* the next one of the same process */
	char *path;
	int error;     /* the error for which it could not be read */
	char *refusal; /* jit_file.refusal; or NULL */
	struct jit_code *code;
};

/* The dumps. The symbolizer serialises access. */
struct jit_dumps {
	struct u64_map by_pid; /* the newest jit_dump of each process */
};

void jit_dumps_done(struct jit_dumps *d);

/* Releases the dumps whose code @keeps rejects, and those that could not be read. */
void jit_dumps_forget(struct jit_dumps *d, bool (*keeps)(void *arg, const struct jit_code *c),
		      void *arg);

/* Returns the dump that @r describes; NULL: it could not be read. */
const struct jit_code *jit_dumps_get(struct jit_dumps *d, struct symbolizer *s,
				     const struct jit_request *r);

/* Returns a dump of @pid that could not be read, or NULL. */
const struct jit_dump *jit_dumps_failed(const struct jit_dumps *d, int32_t pid);
