/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Structs and enums of the running kernel, from its BTF, in the form of arch/syscall/values.h: for
 * values that our own tables do not describe.
 *
 * Each is made when it is first asked for, and stays until kernel_types_free().
 */
#include "arch/syscall/values.h"
#include "base/cleanup.h"

struct kernel_types;

/* -ENOENT: this kernel has no BTF; other errors: it cannot be read, or is damaged. */
int kernel_types_open(struct kernel_types **ret);

/* The same for BTF that the caller has: @bytes are borrowed. */
int kernel_types_over(const void *bytes, size_t size, struct kernel_types **ret);

void kernel_types_free(struct kernel_types *t);
DEFINE_FREEP(kernel_types)

/*
 * The struct or union @name ("timespec64"); NULL: there is none. @types is a struct kernel_types:
 * this is a callback of struct trace_value_style.
 */
const struct struct_layout *kernel_types_struct(void *types, const char *name);

/* The enum @name ("hrtimer_mode"), with whole names; NULL: there is none. */
const struct value_table *kernel_types_enum(void *types, const char *name);
