/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A file with the code of an image, open; for disasm/code.c, which keeps them.
 */
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/u64-map.h"

struct diag;
struct elf_file;
struct image;
struct symbol;

/* How the addresses of an image's symbols and those of the file go together. */
enum code_layout {
	CODE_BY_OFFSET,  /* symbols go by offsets in the file */
	CODE_BY_ADDRESS, /* symbols lie @move behind their link addresses */
	CODE_OF_MODULE,  /* symbols lie @move behind their offset in .text */
	CODE_OF_DUMP,    /* a jitdump: addresses are those at run time */
};

struct code_section {
	char *name;
	uint64_t addr, size, offset;
};

/* A function in a jitdump. */
struct code_load {
	uint64_t start, size, offset;
	const char *name; /* in the file */
	size_t name_length;
	size_t before; /* number of the one that lay there before, plus one; 0: none */
};

struct code_file {
	pthread_mutex_t lock; /* libelf takes one thread at a time */
	enum code_layout layout;
	const struct arch *arch;
	uint64_t move;
	struct elf_file *elf; /* or, of a jitdump: */
	struct guarded_map *dump;
	struct {
		struct code_load *items;
		size_t n, room;
	} loads;
	struct u64_map by_start; /* number of the latest load there, plus one */
	struct {
		struct code_section *items;
		size_t n, room;
	} sections; /* that are loaded */
};

/* Opens the file with the code of @im. A negative errno with @diag. */
int code_file_open(struct image *im, struct code_file **ret, struct diag *diag);
void code_file_free(struct code_file *f);

/* The same for the kernel and its modules, and for jitdumps: each fills in its own of @f. */
int code_file_open_kernel(struct code_file *f, struct image *im, struct diag *diag);
int code_file_open_dump(struct code_file *f, struct image *im, struct diag *diag);

/* Where the bytes of @sym are in a jitdump; NULL: it has none of that name at that place. */
const struct code_load *code_file_load(const struct code_file *f, const struct symbol *sym);
