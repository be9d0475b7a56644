/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The file of a mapping, as MMAP2 records identify it: a path may lead to different files in
 * different containers, and to another file after a rebuild.
 */
#include <stdbool.h>
#include <stdint.h>

struct file_id {
	uint32_t maj, min; /* device of the file system */
	uint64_t ino;      /* 0: nothing is known about the file */
	/*
	 * generation of the inode, whose number is reused after a file is removed; 0: not known, as
	 * in /proc/PID/maps
	 */
	uint64_t generation;
};

/* True if something is known about both files and they differ. */
bool file_id_differs(const struct file_id *a, const struct file_id *b);
