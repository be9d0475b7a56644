/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * From frame to frame up a stack, by rules that the caller looks up: registers, a copy of memory,
 * one step at a time.
 *
 * Only the program counter, the stack pointer and the frame pointer are followed. A frame whose
 * rule asks for another register finds it by going back over the frames passed so far, to the one
 * that saved it: that is rare, and so the usual step is two loads. Pure: knows no files.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "unwind/cfi-rules.h"

struct arch_convention;

/* Registers by their DWARF numbers, as many as rules can name. */
struct unwind_registers {
	uint64_t values[CFI_REGISTERS];
	uint64_t known; /* a bit for each */
	uint64_t pc;
};

/* Reads all @n bytes at @addr; negative: it cannot. */
typedef int unwind_read_fn(void *arg, uint64_t addr, void *to, size_t n);

/* The memory of the thread: a copy of its stack, and perhaps somebody to ask for what is above. */
struct unwind_memory {
	const uint8_t *stack;
	uint64_t start, size; /* the copy's first address */
	bool swap;            /* words are in the other byte order */
	unwind_read_fn *read; /* NULL: nobody */
	void *arg;
};

/* A frame that was passed: what its caller's registers are found with. */
struct unwind_passed {
	const struct unwind_detail *detail;
	uint64_t cfa;
};

/* Where it has come to. */
struct unwind_frame {
	uint64_t pc, sp, fp;
	bool has_sp; /* it is known; else callers lie above @sp all the same */
	bool has_fp;
	bool is_interrupted; /* nothing was called: the pc is about to run */
};

struct unwinder {
	const struct arch_convention *convention;
	const struct unwind_registers *first;
	struct unwind_memory memory;
	struct unwind_frame now;
	bool is_beyond;       /* what the last step failed at lies above the copy */
	bool is_elsewhere;    /* a signal interrupted another stack than the one that was copied */
	unsigned expressions; /* evaluated so far */
	struct unwind_passed *passed;
	size_t n, room;
};

enum unwind_step {
	UNWIND_STEPPED,
	UNWIND_OUTERMOST, /* this frame has no caller */
	UNWIND_NO_RULE,   /* the rule does not tell, or what it tells cannot be */
	UNWIND_NO_MEMORY, /* what it tells of lies outside of the memory */
};

void unwinder_done(struct unwinder *u);

/* Begins with the innermost frame. @first and what @memory refers to are borrowed. */
void unwinder_begin(struct unwinder *u, const struct arch_convention *convention,
		    const struct unwind_registers *first, const struct unwind_memory *memory);

/*
 * Goes on to the caller of the frame that @rule is for, whose detail is good as long as @u. Its pc
 * is the address that will be returned to, as it is in memory. Unless UNWIND_STEPPED nothing
 * changes.
 */
enum unwind_step unwinder_step(struct unwinder *u, const struct unwind_rule *rule);

/* Goes back to @frame, which it was at before the last step. */
void unwinder_step_back(struct unwinder *u, const struct unwind_frame *frame);

/* The register @reg of the frame that it has come to; false: nobody knows. */
bool unwinder_register(struct unwinder *u, uint64_t reg, uint64_t *ret);
