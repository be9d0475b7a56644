/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The images of a profile in one file, to read the profile on another machine; and back.
 */
#include <stdbool.h>

struct diag;
struct notes;
struct progress;

struct archive_request {
	const char *buildid_dir;   /* of the cache; NULL: there is none, which is an error */
	bool force;                /* read a profile of another owner too; replace one */
	struct progress *progress; /* of packing; or NULL */
};

/*
 * Packs the images that @profile refers to into "PROFILE.tar.bz2" (or another suffix), whose name
 * is
 * *@ret_path, to be freed. Images that are not to be had are warnings among the notes. Errors with
 * @diag; -ENOENT: there are no images.
 */
int archive_make(const struct archive_request *rq, const char *profile, struct notes *notes,
		 char **ret_path, struct diag *diag);

/* The same with the profile itself, in an archive whose name has the host and the time. */
int archive_make_all(const struct archive_request *rq, const char *profile, struct notes *notes,
		     char **ret_path, struct diag *diag);

/*
 * Unpacks @archive: images into the cache, a profile to here. NULL: the newest archive that lies
 * here. What is left out of it is told by @notes. Errors with @diag.
 */
int archive_open(const struct archive_request *rq, const char *archive, struct notes *notes,
		 struct diag *diag);
