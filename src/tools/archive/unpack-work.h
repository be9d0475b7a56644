/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Unpacks untrusted archives: decides what may be taken out of one, and where it goes.
 *
 * tar(1) unpacks into a new folder that only its owner may enter. There everything is removed that
 * is not a regular file, a folder, or a link of a build-id cache, and special bits are cleared. The
 * rest is moved to its place if it is a recording, or a part of the build-id cache, and if nothing
 * exists there yet.
 */
#include <stdbool.h>

struct diag;
struct notes;

/* The destinations, and what was found. */
struct archive_unpacking {
	const char *buildid_dir; /* the build-id cache */
	bool replaces;           /* replace an existing recording */
	struct notes *notes;     /* notes on what was left out; or NULL */
};

/* Unpacks an archive of images into the cache. Errors with @diag. */
int archive_unpack_images(const struct archive_unpacking *u, const char *archive,
			  struct diag *diag);

/*
 * Unpacks an archive of everything: recordings into the current folder, images into the cache.
 * Errors with @diag; -EEXIST: a file of that name exists.
 */
int archive_unpack_all(const struct archive_unpacking *u, const char *archive, struct diag *diag);
