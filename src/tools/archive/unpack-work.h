/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Archives of somebody else, unpacked: what may come out of one, and where it goes.
 *
 * tar(1) unpacks into a fresh folder that only its owner may enter. There everything is removed
 * that is neither a regular file nor a folder nor a link of a build-id cache, and special bits are
 * taken away. What is left is moved to its place if it is a recording, or a part of the build-id
 * cache, and if nothing is there yet.
 */
#include <stdbool.h>

struct diag;
struct notes;

/* Where things go, and what was found. */
struct archive_unpacking {
	const char *buildid_dir; /* the build-id cache */
	bool replaces;           /* a recording that is there already */
	struct notes *notes;     /* what was left out; or NULL */
};

/* Unpacks an archive of images into the cache. Errors with @diag. */
int archive_unpack_images(const struct archive_unpacking *u, const char *archive,
			  struct diag *diag);

/*
 * Unpacks an archive of everything: recordings into the current folder, images into the cache.
 * Errors with @diag; -EEXIST: a file of that name is there.
 */
int archive_unpack_all(const struct archive_unpacking *u, const char *archive, struct diag *diag);
