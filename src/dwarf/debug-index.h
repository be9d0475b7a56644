/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Which functions there are in debug information, by the hash of their names; and which units have
 * inlined copies of functions that other units describe.
 *
 * It is one run of bytes, made in memory (dwarf/debug-index-build.h) or mapped from the file in
 * which it was kept. The file is a cache of ours, in the byte order of the machine. It says what it
 * was made from; if that is something else now, or the file is damaged, it is of no use. Names are
 * not in it but in the debug information, where whoever finds a row has to look at them.
 */
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "dwarf/die-file.h"

struct debug_index;

/* The files of a program's debug information: its own, what dwz took out, those of split units. */
struct die_files {
	struct die_file **items;
	size_t n, room;
};

/* So many files, the first ones, an index that is kept can be of. */
#define DEBUG_INDEX_FILES_MAX 2

/* A name of a function. */
struct debug_index_row {
	uint32_t hash;  /* of the name */
	uint32_t entry; /* counted from the head of its unit */
	uint32_t unit;  /* its number over all files, and INDEX_* */
	uint32_t name;  /* where that is in .debug_str, if there */
};

#define INDEX_UNIT     UINT32_C(0x0fffffff)
#define INDEX_ABSTRACT UINT32_C(0x10000000) /* it has no code of its own */
#define INDEX_LINKAGE  UINT32_C(0x20000000) /* it is the linkage name */
#define INDEX_STR      UINT32_C(0x40000000) /* the name is in .debug_str of the first file */

/* A unit with inlined copies of a function of another one. */
struct debug_index_far {
	uint64_t file, origin; /* number of the file, offset of the function's entry */
	uint64_t unit;         /* number over all files */
};

/* What an index is made of; rows in the order of units and entries. */
struct debug_index_parts {
	const struct die_files *files; /* with their units */
	struct {
		struct debug_index_row *items;
		size_t n, room;
	} rows;
	struct {
		struct debug_index_far *items;
		size_t n, room;
	} far;
};

/* Sorts the far ones of @p. The result needs nothing of it. */
struct debug_index *debug_index_new(struct debug_index_parts *p);
void debug_index_free(struct debug_index *x);
DEFINE_FREEP(debug_index)

/* Sets the units of @files to those in the index; these are lent. False: it is not of them. */
bool debug_index_lend_units(const struct debug_index *x, const struct die_files *files);

/* A number for what @files are, from their sizes, samples of their bytes, and @seed. */
uint64_t debug_index_identity(const struct die_files *files, uint64_t seed);

/* The one at @path, if it was made from what has @identity. -ENOENT, -ESTALE, -EBADMSG, ... */
int debug_index_open(const char *path, uint64_t identity, struct debug_index **ret);

/* Writes it to @path, whole or not at all, and makes the directories that lead there. */
int debug_index_write(struct debug_index *x, uint64_t identity, const char *path);

/* Sets the checksum in the bytes of a file, of which there are as many as a header has. */
void debug_index_seal(void *bytes, size_t size);

uint32_t debug_index_hash(const char *name);

/* The rows among which those with @hash are. */
const struct debug_index_row *debug_index_find(const struct debug_index *x, uint32_t hash,
					       size_t *ret_n);

/* All of them. */
const struct debug_index_row *debug_index_rows(const struct debug_index *x, size_t *ret_n);

/* The units with far copies of the function, in order. */
const struct debug_index_far *debug_index_far(const struct debug_index *x, uint64_t file,
					      uint64_t origin, size_t *ret_n);
