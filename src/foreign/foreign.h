/* SPDX-License-Identifier: MIT */
#pragma once
/* Files of other profilers and the data of a fleet's store, opened like recordings. */
#include <stdbool.h>
#include <stddef.h>

struct datafile;
struct diag;
struct given_names;
struct input;

/*
 * Opens @path, which is not perf.data, if its format is known. @stream has its bytes if it is a
 * stream: see datafile_open_any(). 1: *@ret and *@ret_names belong to the caller; 0: it has none of
 * these formats; negative, with @diag: it is damaged, or cannot be read.
 */
int foreign_open(const char *path, struct input *stream, struct datafile **ret,
		 struct given_names **ret_names, struct diag *diag);

/*
 * True if a file that begins with these bytes is compressed, is a profile that is not lines of
 * text, or has another format for which foreign_open() has a hint.
 */
bool foreign_is_profile(const char *begin, size_t n);

/* True if @path is the URL of a store (store/url.h). */
bool foreign_is_url(const char *path);

/* Reads the data that @url selects. Returns as foreign_open(), but never 0. */
int foreign_open_url(const char *url, struct datafile **ret, struct given_names **ret_names,
		     struct diag *diag);
