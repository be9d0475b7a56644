/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The lines of /proc/PID/maps:
 *
 *	START-END rwxp PGOFF MAJ:MIN INODE   NAME
 *
 * A parser over text that the caller holds; names point into it and are not NUL-terminated. The
 * kernel writes "\012" for a newline in a name, and escapes no other character.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct proc_map {
	uint64_t start, end, pgoff;
	uint32_t prot;  /* PROT_* */
	uint32_t flags; /* MAP_SHARED or MAP_PRIVATE */
	uint32_t maj, min;
	uint64_t ino;
	const char *name;
	size_t name_length; /* 0: anonymous */
};

/*
 * Takes the next line off the @length characters at *@text, and moves both on. False: nothing is
 * left. Lines in another form, and maps that end before they begin, are skipped.
 */
bool proc_maps_next(const char **text, size_t *length, struct proc_map *ret);
