/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * An image with its debug information, open for queries about variables, and its code. One thread
 * at a time.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/u64-map.h"
#include "symbol/source-find.h"

struct arch;
struct code_store;
struct debug_info;
struct elf_file;
struct elf_got;
struct follow_source;
struct image;

/* A symbol of data. */
struct data_symbol {
	uint64_t start, end; /* link addresses; for a thread-local variable, offsets */
	char *name;          /* owned */
};

/* Symbols of data by @start, once they were read. */
struct data_symbols {
	bool is_read;
	struct data_symbol *items;
	size_t n, room;
};

struct typed_image {
	struct image *image;
	struct code_store *code;   /* borrowed */
	struct source_parts parts; /* the files, until @info is opened */
	struct debug_info *info;   /* NULL: it is not open */
	const struct arch *arch;   /* architecture of its code; NULL: not known */
	struct source_file layout; /* for translating addresses; has no DWARF */
	struct elf_file *program;  /* the file that ran, if it is a different one; owned */
	/* Global variables that the followed function was found to use, by address. */
	struct {
		struct u64_map by_addr;
		struct arena arena;
	} used;
	struct elf_got *got; /* NULL until it is needed; owned */
	struct data_symbols symbols, thread_symbols;
};

/* Finds the files of @im. -ENODATA or another error: there is no debug information. */
int typed_image_find(struct typed_image *t, struct code_store *code, struct image *im);

/*
 * Returns a number that differs if one of the files has changed; 0: they are not files, or answers
 * depend on more than these files. To be called before typed_image_open().
 */
uint64_t typed_image_identity(const struct typed_image *t);

/* Opens the debug information that was found. -EBADMSG, ...: it cannot be read. */
int typed_image_open(struct typed_image *t);
void typed_image_done(struct typed_image *t);

/* True if entries are in separate files, which no identity covers. @t is open. */
bool typed_image_is_split(const struct typed_image *t);

/*
 * Converts @addr, an address of the image's symbols, to a link address. That of a module is known
 * once its debug information is open.
 */
bool typed_image_link(const struct typed_image *t, uint64_t addr, uint64_t *ret);

/*
 * Returns the source that code/types/follow.h needs to follow one function; it is valid as long as
 * @t.
 */
struct follow_source typed_image_source(struct typed_image *t);
