/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The DWARF of an image: in its own file, in a debug file or, what dwz took out, in a further one;
 * and how addresses of the image become those in there.
 */
#include <stdbool.h>
#include <stdint.h>

struct dwarf_file;
struct elf_file;
struct image;

/* The files that it is in, before libdw looks at them. */
struct source_parts {
	struct elf_file *dwarf;
	struct elf_file *alt;     /* what dwz took out, or NULL */
	struct elf_file *package; /* with split units, or NULL */
	struct elf_file *code;    /* the file that ran, if it is another; or NULL */
	char *path;               /* of @dwarf */
};

/* -ENODATA or another error: there is none. From one thread for each image. */
int source_parts_find(struct image *im, struct source_parts *ret);
void source_parts_done(struct source_parts *p);

struct source_file {
	struct dwarf_file *dwarf;
	struct elf_file *code;   /* the file that ran, if it is another; or NULL */
	struct elf_file *layout; /* the one of both by which offsets become link addresses; NULL: */
	uint64_t start;          /* what has the link address 0 lay here */
};

/* -ENODATA or another error: there is none. @im is locked by the caller. */
int source_file_find(struct image *im, struct source_file *ret);
void source_file_done(struct source_file *f);

/* The link address of @addr; false: nothing is loaded from there. */
bool source_file_link_address(const struct source_file *f, uint64_t addr, uint64_t *ret);

/* The opposite; false: no address of the image is that. */
bool source_file_address(const struct source_file *f, uint64_t link, uint64_t *ret);
