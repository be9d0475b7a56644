/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What the instructions ahead tell about the return address, where CFI does not: compilers say
 * nothing of the moment when the frame pointer is set, and late or never that it has been restored;
 * and the linker's call stubs have no CFI at all.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define AARCH64_INSTRUCTION_SIZE 4

/* Code that is longer than this before or behind the body of a function has not been seen. */
#define AARCH64_FRAME_CODE_MAX 64

/*
 * Tells for each of the @size / 4 instructions at @code whether the link register holds the return
 * address when it is about to run, and the frame pointer is still (or again) the caller's: before a
 * frame record is put to use, behind its restoring, or in a stub (@may_be_stub: no CFI says
 * otherwise). False: not so, or not seen before the next call or the end.
 */
void aarch64_mark_leaf(const uint8_t *code, size_t size, bool may_be_stub, bool *ret);
