/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * An index of the functions in debug information by the hash of their names, and of the units that
 * have inlined copies of functions of other units (cross-unit copies).
 *
 * It is one block of bytes, made in memory (dwarf/debug-index-build.h) or mapped from a cache file
 * in this machine's byte order. The file contains an identity of the files that it was made from;
 * with another identity, or damaged, it is not used. Names are not in the index: a row found by
 * hash has to be compared with the name in the debug information.
 */
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "dwarf/die-file.h"

struct debug_index;

/*
 * The files of a program's debug information: its own, the one made by dwz, those of split units.
 */
struct die_files {
	struct die_file **items;
	size_t n, room;
};

/* A cached index covers at most this many files, counted from the first. */
#define DEBUG_INDEX_FILES_MAX 2

/* A name of a function. */
struct debug_index_row {
	uint32_t hash;  /* hash of the name */
	uint32_t entry; /* offset from the start of its unit */
	uint32_t unit;  /* its number over all files, and INDEX_* */
	uint32_t name;  /* offset of the name in .debug_str, with INDEX_STR */
};

#define INDEX_UNIT     UINT32_C(0x0fffffff)
#define INDEX_ABSTRACT UINT32_C(0x10000000) /* the function has no code of its own */
#define INDEX_LINKAGE  UINT32_C(0x20000000) /* the name is the linkage name */
#define INDEX_STR      UINT32_C(0x40000000) /* the name is in .debug_str of the first file */

/* A unit with inlined copies of a function of another unit. */
struct debug_index_cross {
	uint64_t file, origin; /* number of the file, offset of the function's entry */
	uint64_t unit;         /* number over all files */
};

/* The parts of an index; rows are in the order of units and entries. */
struct debug_index_parts {
	const struct die_files *files; /* the files and their units */
	struct {
		struct debug_index_row *items;
		size_t n, room;
	} rows;
	struct {
		struct debug_index_cross *items;
		size_t n, room;
	} cross;
};

/* Makes an index of @p, whose cross-unit copies are sorted. The result does not need @p. */
struct debug_index *debug_index_new(struct debug_index_parts *p);
void debug_index_free(struct debug_index *x);
DEFINE_FREEP(debug_index)

/*
 * Sets the units of @files to those in the index, which still owns them. False: the index does not
 * belong to these files.
 */
bool debug_index_lend_units(const struct debug_index *x, const struct die_files *files);

/* Returns an identity of @files: a hash of their sizes, of samples of their bytes, and of @seed. */
uint64_t debug_index_identity(const struct die_files *files, uint64_t seed);

/* Opens the index at @path, if it has the identity @identity. -ENOENT, -ESTALE, -EBADMSG, ... */
int debug_index_open(const char *path, uint64_t identity, struct debug_index **ret);

/* Writes the index to @path, whole or not at all, and makes missing directories. */
int debug_index_write(struct debug_index *x, uint64_t identity, const char *path);

/* Sets the checksum in the bytes of an index file, which are at least a header. */
void debug_index_seal(void *bytes, size_t size);

uint32_t debug_index_hash(const char *name);

/* Returns the rows of the bucket of @hash, which may include rows with other hashes. */
const struct debug_index_row *debug_index_find(const struct debug_index *x, uint32_t hash,
					       size_t *ret_n);

/* Returns all rows. */
const struct debug_index_row *debug_index_rows(const struct debug_index *x, size_t *ret_n);

/* Returns the other units with copies of the function, in order. */
const struct debug_index_cross *debug_index_cross(const struct debug_index *x, uint64_t file,
						  uint64_t origin, size_t *ret_n);
