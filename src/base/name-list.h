/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A list of names, each owned by the list: usually the entries of a directory.
 */
#include <stdbool.h>
#include <stddef.h>

struct name_list {
	char **items;
	size_t n, room;
};

void name_list_done(struct name_list *l);

/* Appends a copy of @name. */
void name_list_add(struct name_list *l, const char *name);

/* Sorts the names bytewise. */
void name_list_sort(struct name_list *l);

/* True if @name is in the sorted list @l. O(log n). */
bool name_list_contains(const struct name_list *l, const char *name);

/*
 * Reads the entries of the directory @path (relative to @dirfd), in the directory's own order.
 * Hidden entries are left out; with @directories_only, so is everything that is not a directory.
 * Errors: those of open() or readdir().
 */
int name_list_read(int dirfd, const char *path, bool directories_only, struct name_list *ret);
