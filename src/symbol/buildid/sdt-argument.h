/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Translates an argument of a static probe from the assembler's notation to that of the kernel's
 * uprobe_events (Documentation/trace/uprobetracer.rst).
 */
#include <stdbool.h>
#include <stdint.h>

struct arch;
struct text;

/* The program that the probe is in. */
struct sdt_place {
	const struct arch *arch; /* NULL: no operand is understood */
	/*
	 * The variable @name as an offset in the program's file, as the kernel counts it from the
	 * probe (translate_user_vaddr() in trace_uprobe.c). False: there is none, or several.
	 * NULL: no variable is known.
	 */
	bool (*variable)(void *arg, const char *name, uint64_t *ret);
	void *arg;
};

/*
 * Takes the next argument of *@at ("-4@[sp, 12]" on aarch64, "8@-8(%rbp)" on x86), moves behind it,
 * and appends " arg@number=+12(%sp):s32" to @out. An argument that the kernel cannot fetch is
 * skipped and appends nothing. False at the end.
 */
bool sdt_argument_next(const char **at, const struct sdt_place *place, unsigned number,
		       struct text *out);
