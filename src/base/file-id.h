/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Which file a mapping is of, as MMAP2 records tell it: a path may lead to different files in
 * different containers, and to another file after a rebuild.
 */
#include <stdbool.h>
#include <stdint.h>

struct file_id {
	uint32_t maj, min;   /* of the file system's device */
	uint64_t ino;        /* 0: nothing is known of the file */
	uint64_t generation; /* of the inode, whose number is used again when a file is gone; 0: not
				known, as in /proc/PID/maps */
};

/* Whether something is known of both and they differ. */
bool file_id_differs(const struct file_id *a, const struct file_id *b);
