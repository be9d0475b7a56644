/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Finds the DWARF of an image, in its own file or a debug file, with the file that dwz made and the
 * package of split units; and translates addresses of the image to link addresses.
 */
#include <stdbool.h>
#include <stdint.h>

struct dwarf_file;
struct elf_file;
struct image;

/* The files with the DWARF of an image, before libdw opens them. */
struct source_parts {
	struct elf_file *dwarf;
	struct elf_file *alt;     /* the file that dwz made, or NULL */
	struct elf_file *package; /* the package of split units, or NULL */
	struct elf_file *code;    /* the file that ran, if it is a different one; or NULL */
	char *path;               /* the path of @dwarf */
	bool by_offset;           /* as in struct dwarf_place (symbol/image.h) */
	bool is_module;
	uint64_t start;
};

/*
 * Finds the files. -ENODATA or another error: there are none. One thread at a time for each image.
 */
int source_parts_find(struct image *im, struct source_parts *ret);
void source_parts_done(struct source_parts *p);

/* The DWARF of an image, which is opened when it is needed. */
struct source_file {
	struct source_parts parts; /* valid until it is opened */
	struct dwarf_file *dwarf;  /* valid once it is opened; or NULL */
	struct elf_file *code;     /* the file that ran, if it is a different one; or NULL */
	struct elf_file *layout;   /* maps offsets to link addresses; NULL: see @start */
	uint64_t start;            /* runtime address of link address 0 */
	bool is_module;            /* until it is opened: @start is the address of .text */
};

/* Finds the files. -ENODATA or another error: there are none. The caller holds the lock of @im. */
int source_file_find(struct image *im, struct source_file *ret);

/* Opens the DWARF. -EBADMSG, ...: it cannot be read; no other function may be called then. */
int source_file_open(struct source_file *f);
void source_file_done(struct source_file *f);

/* Returns a number that changes if one of the files changes; 0: they are not files. */
uint64_t source_file_identity(const struct source_file *f);

/* Finds the link address of @addr; false: it is not loaded. The file of a module must be open. */
bool source_file_link_address(const struct source_file *f, uint64_t addr, uint64_t *ret);

/* Does the opposite; false: the image has no such address. */
bool source_file_address(const struct source_file *f, uint64_t link, uint64_t *ret);
