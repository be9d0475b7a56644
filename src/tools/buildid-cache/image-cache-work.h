/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Adds images to the build-id cache, removes them, and searches for them.
 *
 * Each list names files, separated by commas. A file is processed once, and one that fails does not
 * stop the others: a note reports it, and @failed is set.
 */
#include <stdbool.h>
#include <stdint.h>

struct build_id;
struct diag;
struct notes;

struct image_cache {
	const char *dir;    /* the directory of the cache */
	uint64_t target_ns; /* a process that sees the files; 0: this one */
	bool verbose;       /* notes give more details about every file */
	struct notes *notes;
	bool failed;
	const char *file; /* the file being worked on */
};

/* Adds files, and their static probes. */
void image_cache_add(struct image_cache *c, const char *list);

/* Adds files, replacing entries that have the same build-id. */
void image_cache_update(struct image_cache *c, const char *list);

/* Removes the entries with the build-ids of these files. */
void image_cache_remove(struct image_cache *c, const char *list);

/*
 * Remove everything that was cached under these paths, including older builds; and everything in
 * the cache.
 */
void image_cache_purge(struct image_cache *c, const char *list);
void image_cache_purge_all(struct image_cache *c);

/* Adds the kernel's code from the kcore @path; kallsyms and modules are beside it. */
void image_cache_add_kcore(struct image_cache *c, const char *path);

typedef void image_cache_fn(void *arg, const struct build_id *id, const char *name);

/* Calls @fn for cached images that are still the same on this machine. Returns a negative errno. */
int image_cache_for_each_current(const struct image_cache *c, image_cache_fn *fn, void *arg);

/*
 * Calls @fn for images to which @profile refers and that the cache lacks. Returns errors of reading
 * @profile.
 */
int image_cache_for_each_missing(const struct image_cache *c, const char *profile, bool force,
				 image_cache_fn *fn, void *arg, struct diag *diag);
