/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Steps from frame to frame up a stack. It is given the registers, a copy of the stack, and for
 * each step a rule that the caller looks up.
 *
 * Only the program counter, the stack pointer and the frame pointer are computed in each step, so a
 * usual step is two loads. If a rule needs another register, which is rare, the frames passed so
 * far are searched for the one that saved it. Pure: uses no files.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dwarf/unwind/cfi-rules.h"

struct arch_convention;

/* Registers by their DWARF numbers, as many as rules can refer to. */
struct unwind_registers {
	uint64_t values[CFI_REGISTERS];
	uint64_t known; /* a bit for each */
	uint64_t pc;
};

/* Reads all @n bytes at @addr; negative: it failed. */
typedef int unwind_read_fn(void *arg, uint64_t addr, void *to, size_t n);

/* The memory of the thread: a copy of its stack, and perhaps a function that reads more of it. */
struct unwind_memory {
	const uint8_t *stack;
	uint64_t start, size; /* addresses of the copy */
	bool swap;            /* words are in the other byte order */
	unwind_read_fn *read; /* reads above the copy; NULL: impossible */
	void *arg;
};

/* A frame that was passed, with the places of its caller's registers. */
struct unwind_passed {
	const struct unwind_detail *detail;
	uint64_t cfa;
};

/* The current frame. */
struct unwind_frame {
	uint64_t pc, sp, fp;
	bool has_sp; /* @sp is exact; else it is a lower bound of the callers' frames */
	bool has_fp;
	bool is_interrupted; /* @pc is the next instruction; else it is a return address */
};

struct unwinder {
	const struct arch_convention *convention;
	const struct unwind_registers *first;
	struct unwind_memory memory;
	struct unwind_frame now;
	bool is_beyond;       /* the last step failed because memory above the copy is needed */
	bool is_elsewhere;    /* a signal interrupted another stack than the copied one */
	unsigned expressions; /* number of expressions evaluated so far */
	struct unwind_passed *passed;
	size_t n, room;
};

enum unwind_step {
	UNWIND_STEPPED,
	UNWIND_OUTERMOST, /* this frame has no caller */
	UNWIND_NO_RULE,   /* the rule is unknown, or its result is impossible */
	UNWIND_NO_MEMORY, /* the rule needs memory that cannot be read */
};

void unwinder_done(struct unwinder *u);

/* Begins with the innermost frame. @first and the memory behind @memory are borrowed. */
void unwinder_begin(struct unwinder *u, const struct arch_convention *convention,
		    const struct unwind_registers *first, const struct unwind_memory *memory);

/*
 * Steps to the caller of the current frame, whose rule is @rule; the rule's detail must live as
 * long as @u. The new pc is the return address as it is in memory. Unless the result is
 * UNWIND_STEPPED, nothing changes.
 */
enum unwind_step unwinder_step(struct unwinder *u, const struct unwind_rule *rule);

/* Undoes the last step; @frame was the current frame before it. */
void unwinder_step_back(struct unwinder *u, const struct unwind_frame *frame);

/* Gives the value of register @reg in the current frame; false: unknown. */
bool unwinder_register(struct unwinder *u, uint64_t reg, uint64_t *ret);
