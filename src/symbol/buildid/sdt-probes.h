/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The static probes of a program, as definitions for the kernel's uprobe_events. They are in the
 * file `probes` of a cache entry, where `perf list` and `perf probe` find them. Each has two lines:
 *
 *	%sdt_PROVIDER:NAME=NAME
 *	p:sdt_PROVIDER/NAME PATH:0xOFFSET[(0xSEMAPHORE)] arg1=%x0:u64
 */
#include <stdbool.h>
#include <stdint.h>

struct text;

/* The largest such file that is read. */
#define SDT_PROBES_SIZE_MAX (4 << 20)

/*
 * Appends the text of such a file to @out: the probes in @known (may be ""), and those of the
 * program with the name @name, whose file is @path (NULL: it has none). Programs with the same
 * build-id, under several paths, share a file.
 */
void sdt_probes_add(const char *known, const char *name, const char *path, struct text *out);

/*
 * Adds the probes of that program to the file `probes` in the directory @entry. The file is made,
 * even if it stays empty. Callers may ignore errors.
 */
int sdt_probes_store(const char *entry, const char *name, const char *path);

/*
 * Translates an argument of a static probe from the assembler's notation to that of the kernel's
 * uprobe_events (Documentation/trace/uprobetracer.rst).
 */

struct arch;

/* The program that contains the probe. */
struct sdt_place {
	const struct arch *arch; /* NULL: no operand can be parsed */
	/*
	 * Finds the offset of the variable @name in the program's file, as the kernel computes it
	 * from the probe (translate_user_vaddr() in trace_uprobe.c). Returns false if there is
	 * none, or several. NULL: no variable is known.
	 */
	bool (*variable)(void *arg, const char *name, uint64_t *ret);
	void *arg;
};

/*
 * Takes the next argument of *@at ("-4@[sp, 12]" on aarch64, "8@-8(%rbp)" on x86), moves past it,
 * and appends " arg@number=+12(%sp):s32" to @out. An argument that the kernel cannot fetch is
 * skipped and appends nothing. Returns false at the end.
 */
bool sdt_argument_next(const char **at, const struct sdt_place *place, unsigned number,
		       struct text *out);
