/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * From what the library writes to what objdump writes, for those differences that would be seen in
 * most lines: how numbers, targets and conditions look, and suffixes that say nothing.
 *
 * @in has its flow and, as text, "name\toperands" with distances where targets belong; afterwards
 * text, lead and comment are as disasm/disassembler.h says. Texts may be anything, and stay within
 * their arrays.
 */
#include <stdint.h>

struct instruction;

void assembly_style_aarch64(struct instruction *in);
void assembly_style_att(struct instruction *in, const uint8_t *bytes, uint64_t addr);
void assembly_style_intel(struct instruction *in, uint64_t addr);
