/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * An argument of a static probe, from the assembler's notation into that of the kernel's
 * uprobe_events (Documentation/trace/uprobetracer.rst).
 */
#include <stdbool.h>
#include <stdint.h>

struct text;

/*
 * Takes the next argument of *@at ("-4@[sp, 12]" on aarch64, "8@-8(%rbp)" on x86; @machine is
 * e_machine), moves behind it, and appends " arg@number=+12(%sp):s32" to @out. An argument that the
 * kernel cannot fetch is skipped and appends nothing. False at the end.
 */
bool sdt_argument_next(const char **at, uint16_t machine, unsigned number, struct text *out);
