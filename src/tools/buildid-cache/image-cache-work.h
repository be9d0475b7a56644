/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Images put into the build-id cache, taken out, and looked for.
 *
 * Each list names files with commas between them; a file is worked on once, and one that fails does
 * not keep the others: it is told in a note, and @failed is set.
 */
#include <stdbool.h>
#include <stdint.h>

struct build_id;
struct diag;
struct notes;

struct image_cache {
	const char *dir;    /* of the cache */
	uint64_t target_ns; /* a process that sees the files; 0: this one */
	bool verbose;       /* notes say more about every file */
	struct notes *notes;
	bool failed;
	const char *file; /* being worked on */
};

/* Adds files, and what static probes they have. */
void image_cache_add(struct image_cache *c, const char *list);

/* Adds files in the place of what has the same build-id. */
void image_cache_update(struct image_cache *c, const char *list);

/* Removes what has the build-ids of these files. */
void image_cache_remove(struct image_cache *c, const char *list);

/* Removes all that was cached under these paths, older builds too; and everything. */
void image_cache_purge(struct image_cache *c, const char *list);
void image_cache_purge_all(struct image_cache *c);

/* Adds the kernel's code from the kcore @path; kallsyms and modules lie beside it. */
void image_cache_add_kcore(struct image_cache *c, const char *path);

typedef void image_cache_fn(void *arg, const struct build_id *id, const char *name);

/* Calls @fn for what is cached and still the same on this machine. A negative errno. */
int image_cache_for_each_current(const struct image_cache *c, image_cache_fn *fn, void *arg);

/* Calls @fn for what @profile refers to and the cache lacks. Errors of reading @profile. */
int image_cache_for_each_missing(const struct image_cache *c, const char *profile, bool force,
				 image_cache_fn *fn, void *arg, struct diag *diag);
