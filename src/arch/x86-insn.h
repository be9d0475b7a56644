/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The encoding of an x86 instruction: prefixes, an opcode from one of several maps, and, depending
 * on the opcode, a ModRM byte with an address, and an immediate. arch/x86-access.c interprets it.
 *
 * 64-bit code only.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arch/access.h"

enum x86_map {
	X86_MAP_ONE,  /* opcodes of one byte */
	X86_MAP_0F,   /* 0f */
	X86_MAP_0F38, /* 0f 38 */
	X86_MAP_0F3A, /* 0f 3a */
	X86_MAP_MORE, /* further maps, which only EVEX has */
};

enum x86_branch {
	X86_NO_BRANCH,
	X86_JUMP,
	X86_CONDITIONAL, /* jcc, loop, jrcxz */
	X86_CALL,
	X86_RETURN,
	X86_INTERRUPT,        /* int, int3 */
	X86_INTERRUPT_RETURN, /* iret */
	X86_SYSCALL,          /* syscall, sysenter */
	X86_SYSCALL_RETURN,   /* sysret, sysexit */
	X86_TRANSACTION,      /* xbegin, which jumps if the transaction is aborted */
};

struct x86_insn {
	const uint8_t *bytes;
	size_t n, at; /* @at: length of the instruction, once it has been read */
	bool failed;
	/* prefixes */
	bool wide, small, rep, repne, is_vex, is_evex;
	uint8_t rex; /* R, X, B in bits 2, 1, 0 */
	uint8_t vvvv;
	uint8_t vector_size;
	enum access_segment segment;
	enum x86_map map;
	uint8_t opcode;
	/* ModRM */
	bool has_modrm, is_memory;
	uint8_t mod, reg, rm; /* @reg and @rm are DWARF's numbers */
	uint8_t digit;        /* @reg as a part of the opcode */
	struct access_memory memory;
	bool is_rip; /* memory.offset counts from the next instruction */
	int64_t imm;
};

/* Reads the instruction at the start of @bytes. False: it is cut off, or is not valid. */
bool x86_insn_read(const uint8_t *bytes, size_t n, struct x86_insn *ret);

/*
 * Returns the kind of branch that @r is. *@ret_is_relative: its immediate is the distance from its
 * end to the target; else the target is in a register or in memory.
 */
enum x86_branch x86_insn_branch(const struct x86_insn *r, bool *ret_is_relative);

/* Returns DWARF's number of register @number, 0 to 15, as instructions number them. */
uint8_t x86_register(unsigned number);
