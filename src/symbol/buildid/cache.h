/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The build-id cache: images to which profiles refer, which can be found by build-id when the
 * original is gone or replaced.
 *
 *	DIR/usr/bin/x/abcdef.../elf       the image (or vdso, kallsyms), its debug file, its probes
 *	DIR/.build-id/ab/cdef...          -> ../../usr/bin/x/abcdef...
 *	DIR/.kept/ab/cdef...symbols       what was read of it, for the next run
 *
 * @dir is the cache's root, as returned by buildid_cache_dir(); NULL is an empty cache. Several
 * processes may use one cache: files appear complete or not at all. Errors are negative errnos.
 */
#include <stdbool.h>

#include "elf/build-id.h"

/*
 * Returns the root of the cache: @configured (--buildid-dir, buildid.dir), or ~/.debug if that is
 * NULL. NULL if there is none: "/dev/null" turns it off. The caller frees it.
 */
char *buildid_cache_dir(const char *configured);

enum buildid_cache_kind {
	BUILDID_CACHE_ELF,    /* a program or library; its debug file comes with it */
	BUILDID_CACHE_KERNEL, /* the symbol list of the running kernel */
	BUILDID_CACHE_VDSO,   /* the vdso, copied from our own memory */
};

/*
 * True if an image with the name @name can be in a cache. Names are untrusted: a program chooses
 * the name of its memfd, and a container's owner the names of its files. They must not lead out of
 * the cache, nor to the folders in which it keeps its links and the results of reading.
 */
bool buildid_cache_accepts(const char *name);

/*
 * Adds the image @name (a path, or "[vdso]"; the kernel has only one name) with the build-id @id.
 * Returns 1 if it was added, 0 if it was there already. -ESTALE: it has another build-id now;
 * -EPERM: the kernel hides its addresses; -EINVAL: buildid_cache_accepts() is false.
 */
int buildid_cache_add(const char *dir, const char *name, const struct build_id *id,
		      enum buildid_cache_kind kind);

/*
 * Does the same as buildid_cache_add() for a program with the name @name that is at @path (in a
 * container).
 */
int buildid_cache_add_from(const char *dir, const char *name, const char *path,
			   const struct build_id *id);

/*
 * Makes the @size bytes of an ELF file the program @name with build-id @id. An entry that is there
 * already gets these bytes: the image of a recording grows.
 */
int buildid_cache_put(const char *dir, const char *name, const struct build_id *id,
		      const void *bytes, size_t size);

/*
 * Adds the entry of @id in the cache @from, which is untrusted: files that have another build-id
 * are left out. @from has no links except those in .build-id. Returns 1 if it was added, 0 if there
 * was an entry. -EBADMSG: it has no proper name; -ENOENT: none of its files can be used.
 */
int buildid_cache_adopt(const char *dir, const char *from, const struct build_id *id);

/* Removes the entry of @id, under whatever name. -ENOENT: there is none. */
int buildid_cache_remove(const char *dir, const struct build_id *id);

enum buildid_kept {
	BUILDID_KEPT_SYMBOLS, /* the sorted symbol table */
	BUILDID_KEPT_FRAMES,  /* results of DWARF lookups of addresses */
	BUILDID_KEPT_CODE,    /* results of CFI and instruction lookups of offsets */
	BUILDID_KEPT_TYPES,   /* the types that its instructions access */
};

/*
 * Returns the path at which data read from the file with build-id @id is kept for the next run
 * (base/sealed-file.h); the caller frees it. NULL: there is no cache, or no build-id.
 */
char *buildid_cache_kept_path(const char *dir, const struct build_id *id, enum buildid_kept what);

/*
 * Returns the path of @file ("elf", "debug", "vdso", "kallsyms", "probes") of @id, or NULL if it
 * does not exist. The caller frees it.
 */
char *buildid_cache_find(const char *dir, const struct build_id *id, const char *file);

/* True if there is an image of @id. */
bool buildid_cache_contains(const char *dir, const struct build_id *id);

/*
 * Returns the name under which @id is cached ("/usr/bin/x", "[vdso]"), or NULL. The caller frees
 * it.
 */
char *buildid_cache_origin(const char *dir, const struct build_id *id);

/*
 * Calls @fn for every id that has an image, in order, until it returns non-zero. That value is
 * returned.
 */
int buildid_cache_for_each(const char *dir, int (*fn)(const struct build_id *id, void *arg),
			   void *arg);

/* Calls @fn for every id that is cached under the path @name. */
int buildid_cache_for_each_of(const char *dir, const char *name,
			      int (*fn)(const struct build_id *id, void *arg), void *arg);

/* Returns the directory of the entry of @id for the image @name. The caller frees it. */
char *buildid_cache_entry(const char *dir, const char *name, const struct build_id *id);
