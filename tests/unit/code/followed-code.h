/* SPDX-License-Identifier: MIT */
#pragma once
/* A function at AT, given as bytes, that is followed with variables of example-types.h. */
#include <string.h>

#include "arch/arch.h"
#include "dwarf/debug-function.h"
#include "code/types/follow.h"
#include "example-types.h"

#define AT           0x401000
#define STATIC       0x404000
#define GOT          0x405000
#define THREAD_START -64

struct code_bytes {
	const uint8_t *bytes;
	size_t n;
};

static size_t example_code(void *arg, uint64_t addr, void *bytes, size_t n)
{
	const struct code_bytes *c = arg;
	size_t left = addr - AT < c->n ? c->n - (addr - AT) : 0;

	n = n < left ? n : left;
	if (n)
		memcpy(bytes, c->bytes + (addr - AT), n);
	return n;
}

/* The one global variable is an array of structures. */
static const struct c_type *example_static(void *arg, uint64_t pc, uint64_t addr,
					   uint64_t *ret_start)
{
	(void)arg, (void)pc;
	*ret_start = STATIC;
	return addr - STATIC < 320 ? &types[T_NODES] : NULL;
}

/* The first thread-local variable is a node. */
static const struct c_type *example_thread(void *arg, uint64_t pc, uint64_t offset,
					   uint64_t *ret_start)
{
	(void)arg, (void)pc;
	*ret_start = 0;
	return offset < 40 ? &types[T_NODE] : NULL;
}

/*
 * The GOT behind the variable holds the address of the variable, and the offset of the thread-local
 * one.
 */
static bool example_constant(void *arg, uint64_t pc, uint64_t addr, struct held *ret)
{
	(void)arg, (void)pc;
	if (addr != GOT && addr != GOT + 8)
		return false;
	*ret = (struct held){ .kind = HELD_ADDRESS, .offset = addr == GOT ? STATIC : THREAD_START };
	return true;
}

/* Each function that is called returns a node. */
static const struct c_type *example_returned(void *arg, uint64_t addr)
{
	(void)arg, (void)addr;
	return &types[T_NODE_POINTER];
}

/* Only the function at STATIC does not return. */
static bool example_never_returns(void *arg, uint64_t addr)
{
	(void)arg;
	return addr == STATIC;
}

/* Follows a function that returns @returned, or nothing if that is NULL. */
static struct followed follow_returning(const struct c_type *returned, const struct arch *arch,
					const void *bytes, size_t n,
					struct typed_variable *variables, size_t n_variables)
{
	struct code_bytes code = { bytes, n };
	struct code_range range = { AT, AT + n };
	struct debug_function_types f = {
		.entry = AT,
		.returned = returned,
		.ranges = { .items = &range, .n = 1 },
		.variables = { .items = variables, .n = n_variables },
	};
	struct follow_source s = {
		.arch = arch,
		.code = example_code,
		.static_type = example_static,
		.thread_start = THREAD_START,
		.thread_type = example_thread,
		.constant = example_constant,
		.returned = example_returned,
		.never_returns = example_never_returns,
		.arg = &code,
	};
	struct followed ret;

	follow_function(&s, &f, &ret);
	return ret;
}

static struct followed follow_bytes(const struct arch *arch, const void *bytes, size_t n,
				    struct typed_variable *variables, size_t n_variables)
{
	return follow_returning(NULL, arch, bytes, n, variables, n_variables);
}

/*
 * Checks that the instruction at AT + @at accesses offset @offset of @type. A @type of -1: nothing
 * is known.
 */
static void check_access(const struct followed *f, uint64_t at, int type, int64_t offset)
{
	const struct followed_access *a = followed_find(f, AT + at);

	assert_non_null(a);
	if (type < 0) {
		assert_int_not_equal(a->status, FOLLOW_FOUND);
		return;
	}
	assert_int_equal(a->status, FOLLOW_FOUND);
	assert_ptr_equal(a->place.type, &types[type]);
	assert_int_equal(a->place.offset, offset);
}
