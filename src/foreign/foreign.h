/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Files of other profilers and what a fleet's store has, opened as if they were recordings.
 */
#include <stdbool.h>
#include <stddef.h>

struct datafile;
struct diag;
struct given_names;
struct input;

/*
 * Opens @path, which is no perf.data, if its format is known. @stream has its bytes if it is a
 * stream: see datafile_open_any(). 1: *@ret and *@ret_names are the caller's; 0: it is none of
 * these formats; negative, with @diag: it is damaged, or cannot be read.
 */
int foreign_open(const char *path, struct input *stream, struct datafile **ret,
		 struct given_names **ret_names, struct diag *diag);

/*
 * Whether a file that begins with these bytes is packed, a profile that is no text of lines, or of
 * another format that foreign_open() has an advice for.
 */
bool foreign_is_profile(const char *begin, size_t n);

/* Whether @path is the URL of a store (store/url.h). */
bool foreign_is_url(const char *path);

/* Reads what @url chooses. Returns as foreign_open(), but never 0. */
int foreign_open_url(const char *url, struct datafile **ret, struct given_names **ret_names,
		     struct diag *diag);

/* Whether a file that begins with these bytes is packed. */
bool gunzip_is_packed(const char *begin, size_t n);

/*
 * Unpacks; the caller frees *@ret. -EBADMSG: damaged, cut short, or larger than any packed profile
 * may be.
 */
int gunzip(const char *packed, size_t n, char **ret, size_t *ret_n);
