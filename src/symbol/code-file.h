/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * An open file with the code of an image. For symbol/code.c, which keeps them open.
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

/* The relation between the addresses of an image's symbols and those of the file. */
enum code_layout {
	CODE_BY_OFFSET,  /* symbols are offsets in the file */
	CODE_BY_ADDRESS, /* symbols are link addresses plus @move */
	CODE_OF_MODULE,  /* symbols are offsets in .text plus @move */
	CODE_OF_DUMP,    /* a jitdump: addresses are run-time addresses */
	CODE_OF_BPF,     /* from the recording: addresses are run-time addresses */
};

struct code_section {
	char *name;
	uint64_t addr, size, offset;
};

/* A function in a jitdump. */
struct code_load {
	uint64_t start, size, offset;
	const char *name; /* stored in the file */
	size_t name_length;
	size_t before; /* number of the earlier load at this address, plus one; 0: none */
};

struct code_file {
	pthread_mutex_t lock; /* libelf takes one thread at a time */
	enum code_layout layout;
	const struct arch *arch;
	uint64_t move;
	const struct bpf_code *bpf; /* for a BPF program, which has no file */
	struct elf_file *elf;       /* NULL for a jitdump, which uses the following members: */
	struct guarded_map *dump;
	struct {
		struct code_load *items;
		size_t n, room;
	} loads;
	struct u64_map by_start; /* number of the latest load at an address, plus one */
	struct {
		struct code_section *items;
		size_t n, room;
	} sections; /* only loaded sections */
};

/* Opens the file with the code of @im. Returns a negative errno with @diag. */
int code_file_open(struct image *im, struct code_file **ret, struct diag *diag);
void code_file_free(struct code_file *f);

/* Fill in @f for the kernel and its modules, and for a jitdump. For code_file_open(). */
int code_file_open_kernel(struct code_file *f, struct image *im, struct diag *diag);
int code_file_open_dump(struct code_file *f, struct image *im, struct diag *diag);

/* Returns the load of @sym in a jitdump; NULL: there is none of that name at that address. */
const struct code_load *code_file_load(const struct code_file *f, const struct symbol *sym);
