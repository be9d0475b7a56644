/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Notices changes of configuration files.
 *
 * The folders are watched and not the files, because editors replace the old file by a new one. A
 * file that is a link is watched at its target too. The removal of a file is no change, but a new
 * file in its place is.
 */
#include <stdbool.h>
#include <stddef.h>

struct daemon_watch {
	int fd; /* -1: nothing is watched */
	struct daemon_watched {
		int id;     /* the id of the folder */
		char *name; /* the name in the folder */
	} * items;
	size_t n, room;
	bool any_name; /* report anything that is moved into a folder */
};

/* Watches @n @paths. A folder that does not exist, or cannot be watched, is left out. */
void daemon_watch_open(struct daemon_watch *w, char *const *paths, size_t n);

/* Reads the events. Returns true if one of the files is new. */
bool daemon_watch_changed(struct daemon_watch *w);

/* Open @w for folders, and add a folder: anything that is moved into one is reported. */
void daemon_watch_open_folders(struct daemon_watch *w);
void daemon_watch_add_folder(struct daemon_watch *w, const char *folder);

void daemon_watch_close(struct daemon_watch *w);
