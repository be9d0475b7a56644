/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Static probes (SystemTap's <sys/sdt.h>, DTrace's USDT): named places in a program, with the
 * places of their arguments. They are notes in the section .note.stapsdt.
 */
#include <stdint.h>

struct elf_file;

struct sdt_note {
	uint64_t offset;    /* offset of the place in the file */
	uint64_t semaphore; /* file offset of the counter that enables the probe; 0: none */
	const char *provider, *name;
	const char *arguments; /* "8@x0 -4@[sp, 12]": sizes and operands */
};

/*
 * Calls @fn for every probe, in the order of the file; strings are valid until it returns. A
 * damaged note ends the list. -ENODATA: there are none.
 */
int elf_sdt_for_each(struct elf_file *f, void (*fn)(const struct sdt_note *n, void *arg),
		     void *arg);
