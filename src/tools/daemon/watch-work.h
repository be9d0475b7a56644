/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Notices that configuration files change.
 *
 * The folders are watched and not the files, since editors put a new file in the place of the old
 * one. A file that is a link is watched at its other end too. That a file is removed is no change:
 * its successor is one.
 */
#include <stdbool.h>
#include <stddef.h>

struct daemon_watch {
	int fd; /* -1: nothing is watched */
	struct daemon_watched {
		int id;     /* of the folder */
		char *name; /* in it */
	} * items;
	size_t n, room;
	bool any_name; /* whatever is moved into a folder */
};

/* Watches @n @paths. A folder that is not there, or cannot be watched, is left out. */
void daemon_watch_open(struct daemon_watch *w, char *const *paths, size_t n);

/* Reads what has happened: whether one of the files is a new one. */
bool daemon_watch_changed(struct daemon_watch *w);

/* Opens @w for folders, which are added later: whatever is moved into one counts. */
void daemon_watch_open_folders(struct daemon_watch *w);
void daemon_watch_add_folder(struct daemon_watch *w, const char *folder);

void daemon_watch_close(struct daemon_watch *w);
