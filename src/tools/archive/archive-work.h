/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Puts the images of a profile into one file, so that the profile can be read on another machine;
 * and unpacks that file.
 */
#include <stdbool.h>

struct diag;
struct notes;
struct progress;

struct archive_request {
	const char *buildid_dir;   /* the cache's; NULL: there is no cache, which is an error */
	bool force;                /* read a profile of another owner too; replace one */
	struct progress *progress; /* the progress of packing; or NULL */
};

/*
 * Packs the images to which @profile refers into "PROFILE.tar.bz2" (or another suffix). *@ret_path
 * is its name, to be freed. Images that are not available are warnings among the notes. Errors with
 * @diag; -ENOENT: there are no images.
 */
int archive_make(const struct archive_request *rq, const char *profile, struct notes *notes,
		 char **ret_path, struct diag *diag);

/* Does the same with the profile itself, in an archive whose name has the host and the time. */
int archive_make_all(const struct archive_request *rq, const char *profile, struct notes *notes,
		     char **ret_path, struct diag *diag);

/*
 * Unpacks @archive: images into the cache, a profile into the current directory. NULL: the newest
 * archive in this directory. Notes say which of its contents are left out. Errors with @diag.
 */
int archive_open(const struct archive_request *rq, const char *archive, struct notes *notes,
		 struct diag *diag);
