/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What BPF programs are to copy of each call, made out of what its arguments are.
 */
#include <stdbool.h>
#include <stdint.h>

#include "arch/syscall/syscall.h"
#include "tools/trace/bpf-types.h"

/*
 * The plan for @desc; NULL: a call that is not known, of which nothing is copied. @string_limit:
 * bytes of buffers and of each string of argv; names are copied whole, and structs.
 */
struct trace_plan trace_plan_of(const struct syscall_desc *desc, uint32_t string_limit);

/* Does the call make descriptors? */
bool trace_plan_makes_files(const struct trace_plan *plan);

/* What is copied for one command of a call. */
struct trace_variant {
	struct trace_variant_key key;
	struct trace_copy copy;
};

/* Hands everything that is copied for single commands to @put; as long as that returns no error. */
int trace_variants_each(enum syscall_abi abi, uint32_t string_limit,
			int (*put)(void *arg, const struct trace_variant *v), void *arg);

/* The plans for all calls of @abi. */
void trace_plans_fill(enum syscall_abi abi, uint32_t string_limit,
		      struct trace_plan ret[TRACE_CALLS_MAX]);
