/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Structs and enums of the running kernel, from its BTF, in the form of arch/syscall/values.h: for
 * values that our own tables do not describe.
 *
 * Each is made when it is first requested, and stays until kernel_types_free().
 */
#include "arch/syscall/values.h"
#include "base/cleanup.h"

struct kernel_types;

/*
 * Reads the kernel's types. Returns -ENOENT if this kernel has no BTF, or another error if it
 * cannot be read or is damaged.
 */
int kernel_types_open(struct kernel_types **ret);

/* Does the same for given BTF. @bytes are borrowed. */
int kernel_types_over(const void *bytes, size_t size, struct kernel_types **ret);

void kernel_types_free(struct kernel_types *t);
DEFINE_FREEP(kernel_types)

/*
 * Returns the struct or union @name ("timespec64"); NULL: there is none. @types is a struct
 * kernel_types, because this is a callback of struct trace_value_style.
 */
const struct struct_layout *kernel_types_struct(void *types, const char *name);

/* Returns the enum @name ("hrtimer_mode"), with whole names; NULL: there is none. */
const struct value_table *kernel_types_enum(void *types, const char *name);
