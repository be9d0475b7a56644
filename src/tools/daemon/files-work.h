/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The recordings that a session has completed, and the choice of those that are removed.
 *
 * `perf record --switch-output` writes to perf.data, and gives each complete file the time as the
 * end of its name: perf.data.2026111621321387. Only files and folders with such a name are ever
 * removed, so the one that is being written never is.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct daemon_file {
	char *name;
	char stamp[17]; /* the end of its name */
	int64_t time_s; /* the time at which it was completed */
	uint64_t bytes; /* the size on the disk */
	bool is_folder; /* made by `perf record --threads` */
};

/* The files, oldest first. */
struct daemon_files {
	struct daemon_file *items;
	size_t n, room;
	uint64_t bytes;       /* the size of these files */
	uint64_t other_bytes; /* other files in the folder: being written, the output */
};

/* The limits of a session; 0: none. */
struct daemon_limits {
	uint64_t keep_s, max_bytes;
};

/* True if @name ends with a dot and 16 digits. */
bool daemon_file_is_complete(const char *name);

/* Scans @folder. A folder that cannot be read has no files. */
void daemon_files_scan(int folder, struct daemon_files *ret);

/* Returns how many of the oldest must be removed at @now_s. */
size_t daemon_files_surplus(const struct daemon_files *f, const struct daemon_limits *l,
			    int64_t now_s);

/*
 * Removes the oldest @n below @folder. Returns how many were removed; files that cannot be removed
 * stay.
 */
size_t daemon_files_remove(struct daemon_files *f, int folder, size_t n);

/* Gives a perf.data that was left by an ended session the name of a complete file. */
void daemon_files_keep_left(int folder);

void daemon_files_done(struct daemon_files *f);
