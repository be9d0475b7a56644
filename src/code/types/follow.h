/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Follows pointers through the instructions of one function, and finds the type of the object at
 * each memory operand.
 *
 * It starts with the variables of the function for which DWARF gives a register. A value loaded
 * through a typed pointer then has the type of the member from which it was loaded, through all
 * registers and stack slots to which it is moved. Code is followed block by block, until the
 * contents of registers where blocks meet no longer change. Answers are kept for the next run, so a
 * change to them requires a new version in code/types/type-answers.h. Pure: code and global
 * variables come from callbacks.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "code/types/object.h"

struct arch;
struct c_type;
struct debug_function_types;

/* The data that following a function needs. Addresses are link addresses. */
struct follow_source {
	const struct arch *arch;
	/* start of the image's thread-local storage, relative to the thread pointer */
	int64_t thread_start;
	/* Reads code; returns the number of bytes read. */
	size_t (*code)(void *arg, uint64_t addr, void *bytes, size_t n);
	/*
	 * Returns the type of the global variable at @addr that code at @pc names, and its
	 * beginning; or NULL.
	 */
	const struct c_type *(*static_type)(void *arg, uint64_t pc, uint64_t addr,
					    uint64_t *ret_start);
	/* Does the same for an offset in thread-local storage. */
	const struct c_type *(*thread_type)(void *arg, uint64_t pc, uint64_t offset,
					    uint64_t *ret_start);
	/*
	 * Gives the value that code at @pc loads from the word at @addr, which never changes;
	 * false: it may change.
	 */
	bool (*constant)(void *arg, uint64_t pc, uint64_t addr, struct held *ret);
	/* Returns the result type of the function at @addr; or NULL. */
	const struct c_type *(*returned)(void *arg, uint64_t addr);
	/* True if the function is known never to return. */
	bool (*never_returns)(void *arg, uint64_t addr);
	void *arg;
};

enum follow_status {
	FOLLOW_FOUND,
	FOLLOW_STACK,      /* the instruction pushes, pops, calls or returns */
	FOLLOW_NO_MEMORY,  /* it has no memory operand */
	FOLLOW_NO_TYPE,    /* the target of the register is not known */
	FOLLOW_NO_VOID,    /* it is a void pointer, or points to an incomplete type */
	FOLLOW_BAD_OFFSET, /* the type is smaller than the offset */
};

struct followed_access {
	uint64_t addr;
	enum follow_status status;
	bool is_followed; /* found from the instructions, not only from a variable */
	/*
	 * The size of the instruction that always runs before this one; 0: there is none, as at the
	 * target of a jump, or after a call.
	 */
	uint8_t preceding;
	uint8_t size; /* size of the operand, in bytes; 0: not known */
	struct object_place place;
};

/* The instructions of a function, by address. */
struct followed {
	struct followed_access *items;
	size_t n, room;
};

void follow_function(const struct follow_source *s, const struct debug_function_types *f,
		     struct followed *ret);
void followed_done(struct followed *f);

/* Returns the instruction that begins at @addr, or NULL. */
const struct followed_access *followed_find(const struct followed *f, uint64_t addr);
