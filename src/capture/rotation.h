/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * --switch-output: when to begin another file, the names of finished files, and the number of files
 * that are kept.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

struct rotation {
	uint64_t bytes;     /* switch at this size; 0: not by size */
	uint64_t each_ns;   /* switch after this time; 0: not by time */
	uint64_t max_files; /* keep only this many, the newest; 0: all */
	uint64_t due_ns;    /* clock time of the next switch by time */
	char **items;       /* names of the files that are kept, oldest first */
	size_t n, room;
};

void rotation_done(struct rotation *r);

/* Starts the time of a file at @now_ns. */
void rotation_begin(struct rotation *r, uint64_t now_ns);

/* Returns the time of the next switch by time; UINT64_MAX: never. */
uint64_t rotation_deadline(const struct rotation *r);

/* True if it is time for another file, with @bytes in this one. */
bool rotation_is_due(const struct rotation *r, uint64_t bytes, uint64_t now_ns);

/* Returns PATH.YYYYMMDDHHMMSScc, in local time. The caller frees it. */
char *rotation_name(const char *path, const struct timespec *time);

/*
 * Does the same for the current time, or for the next hundredth of a second whose name is not in
 * use.
 */
char *rotation_name_now(const char *path);

/* Notes that a file @name was finished, and removes the oldest if there are too many. */
void rotation_add(struct rotation *r, const char *name);
