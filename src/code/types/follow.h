/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Follows pointers through the instructions of one function, and says for each memory operand what
 * type of object lies there.
 *
 * The variables of the function, where DWARF says in which register each one is, are the beginning.
 * From there on what is loaded through a typed pointer has the type of the member that it was
 * loaded from, in whatever registers and stack slots it is moved. Code is followed block by block,
 * until what registers hold where blocks meet does not change any more. Answers are kept for the
 * next run: who changes them raises the version in code/types/type-answers.h. Pure: code and global
 * variables are asked for.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "code/types/object.h"

struct arch;
struct c_type;
struct debug_function_types;

/* What is asked for while a function is followed. Addresses are link addresses. */
struct follow_source {
	const struct arch *arch;
	int64_t thread_start; /* of the image's thread-local storage, from the thread pointer */
	/* Reads code; returns how many bytes there are. */
	size_t (*code)(void *arg, uint64_t addr, void *bytes, size_t n);
	/* The global variable at @addr that code at @pc names, and where it begins; or NULL. */
	const struct c_type *(*static_type)(void *arg, uint64_t pc, uint64_t addr,
					    uint64_t *ret_start);
	/* The same by the offset in thread-local storage. */
	const struct c_type *(*thread_type)(void *arg, uint64_t pc, uint64_t offset,
					    uint64_t *ret_start);
	/* What code at @pc loads from the word at @addr, which never changes; false: it may. */
	bool (*constant)(void *arg, uint64_t pc, uint64_t addr, struct held *ret);
	/* What the function at @addr returns; or NULL. */
	const struct c_type *(*returned)(void *arg, uint64_t addr);
	/* Whether it is known never to return. */
	bool (*never_returns)(void *arg, uint64_t addr);
	void *arg;
};

enum follow_status {
	FOLLOW_FOUND,
	FOLLOW_STACK,      /* the instruction pushes, pops, calls or returns */
	FOLLOW_NO_MEMORY,  /* it has no memory operand */
	FOLLOW_NO_TYPE,    /* what the register points to is not known */
	FOLLOW_NO_VOID,    /* it is a void pointer, or points to a type that is only declared */
	FOLLOW_BAD_OFFSET, /* the type is smaller than the offset */
};

struct followed_access {
	uint64_t addr;
	enum follow_status status;
	bool is_followed; /* by the instructions, and not from a variable alone */
	/*
	 * How many bytes back the instruction begins that always runs before this one; 0: there is
	 * none, as where a jump leads to, or a call returns to.
	 */
	uint8_t preceding;
	uint8_t size; /* of the operand, in bytes; 0: not known */
	struct object_place place;
};

/* All instructions of a function, by address. */
struct followed {
	struct followed_access *items;
	size_t n, room;
};

void follow_function(const struct follow_source *s, const struct debug_function_types *f,
		     struct followed *ret);
void followed_done(struct followed *f);

/* The instruction that begins at @addr, or NULL. */
const struct followed_access *followed_find(const struct followed *f, uint64_t addr);
