/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The references of a stripped ELF file to its debug information: in a separate debug file
 * (.gnu_debuglink), in a file that several debug files share (.gnu_debugaltlink, made by dwz), or
 * compressed in a section of its own (.gnu_debugdata, "mini-debuginfo": symbols only).
 */
#include <stdbool.h>
#include <stdint.h>

#include "elf/build-id.h"

struct elf_file;

struct debug_link {
	const char *name; /* name of a file, without a directory; belongs to the ELF file */
	uint32_t crc;     /* CRC of all bytes of the debug file */
};

/* Finds the debug file's name. -ENODATA: there is none, or it is damaged. */
int elf_debug_link(struct elf_file *f, struct debug_link *ret);

/*
 * True if the file @path has the checksum @crc. It reads the whole file, so it is to be called only
 * if there are no build-ids.
 */
bool debug_link_is_of(const char *path, uint32_t crc);

/*
 * Finds the path and build-id of the file that @f shares with other debug files. -ENODATA: there is
 * none.
 */
int elf_debug_alt_link(struct elf_file *f, const char **ret_path, struct build_id *ret_id);

/*
 * Opens the ELF file in .gnu_debugdata. -ENODATA: there is none; other errors are those of
 * elf_file_open(). The result does not need @f.
 */
int elf_debug_data(struct elf_file *f, struct elf_file **ret);
