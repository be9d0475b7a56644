/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The effect of one instruction on memory and registers, as far as it matters for following a
 * pointer through a function: its memory operand, the values of the registers that it writes, and
 * its control flow.
 *
 * Registers have DWARF's numbers. Only general registers count, below ACCESS_REGISTERS. The
 * functions are pure and look at one instruction at a time. Instructions that they do not recognize
 * still have their length and their memory operand.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ACCESS_REGISTERS 32
#define ACCESS_NONE      UINT8_MAX

enum access_action {
	ACCESS_OTHER,  /* nothing that can be followed; see @written */
	ACCESS_THREAD, /* @to = the thread pointer of user mode */
	ACCESS_COPY,   /* @to = @from */
	ACCESS_CHOOSE, /* @to = @from or @other, depending on a condition */
	/* If a memory operand is added, there is no @other. */
	ACCESS_ADD,      /* @to = @from + @other * @scale */
	ACCESS_SUBTRACT, /* @to = @from - @other * @scale */
	ACCESS_SCALE,    /* @to = @from * @scale; @from is a number */
	ACCESS_MULTIPLY, /* @to = @from * @other + @second */
	ACCESS_ADDRESS,  /* @to = the address of @memory, which is not accessed */
	ACCESS_INSERT,   /* 16 bits of @to, from bit @scale on, become those of @memory.offset */
	ACCESS_LOAD,     /* @to = the first @size bytes of @memory, @second = the next */
	ACCESS_STORE,    /* the opposite of ACCESS_LOAD, with @from and @second */
};

enum access_flow {
	ACCESS_ON,     /* goes on to the next instruction */
	ACCESS_BRANCH, /* to @target or to the next instruction */
	ACCESS_JUMP,   /* to @target, or to an unknown address */
	ACCESS_CALL,   /* the same as ACCESS_JUMP, but it returns */
	ACCESS_END,    /* returns, or traps */
};

enum access_segment {
	ACCESS_FLAT,
	ACCESS_FS, /* x86: relative to the thread pointer in user mode */
	ACCESS_GS, /* x86: relative to the CPU's own data in the kernel */
};

struct access_memory {
	uint8_t base, index; /* registers, or ACCESS_NONE */
	uint8_t scale;       /* multiplies @index */
	bool is_absolute;    /* @offset is the address, in the instruction's own address space */
	enum access_segment segment;
	int64_t offset;
};

struct code_access {
	uint8_t length;
	bool has_memory; /* the instruction reads or writes @memory */
	bool is_stack;   /* x86's push, pop, call or return */
	enum access_action action;
	enum access_flow flow;
	bool has_target;
	uint64_t target;
	struct access_memory memory;
	uint8_t size; /* size of the operand in bytes; 0: not known */
	uint8_t to, second, from, other;
	uint64_t scale;
	bool is_narrow; /* computes with 32 bits, so not with pointers */
	/*
	 * Added to memory.base before and after the access (aarch64's pre- and post-index, push and
	 * pop). memory.offset counts from the register's value between the two.
	 */
	int32_t before, after;
	/* Added to the stack pointer when it is not the base: x86's push and pop of memory. */
	int8_t stack_step;
	uint32_t written; /* mask of the other registers that it changes */
};

struct arch;

/*
 * Decodes the first instruction of the @n bytes at address @addr. False: it is no valid
 * instruction.
 */
bool code_access_read(const struct arch *a, const uint8_t *bytes, size_t n, uint64_t addr,
		      struct code_access *ret);

/* True if code_access_read() can decode code of @a, which may be NULL. */
bool code_access_knows(const struct arch *a);

/*
 * Returns the registers that a called function may change; the first of them holds its return
 * value.
 */
uint32_t code_access_clobbered(const struct arch *a);

/* The functions of one machine each, for arch/access.c. */
bool x86_access_read(const uint8_t *bytes, size_t n, uint64_t addr, struct code_access *ret);
bool aarch64_access_read(uint32_t instruction, uint64_t addr, struct code_access *ret);
