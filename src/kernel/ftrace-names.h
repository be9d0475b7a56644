/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Names of the running kernel's functions by address, as the kernel prints them: "loop_probe
 * [loop]". If several names share an address, the first one is used, unlike in symbol/kallsyms.h.
 */
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"

struct diag;
struct function_names;

/* Reads /proc/kallsyms. Returns a negative errno with @diag if it hides the addresses. */
int function_names_read(struct function_names **ret, struct diag *diag);

/* Does the same for @size bytes of such a text. */
struct function_names *function_names_parse(const char *text, size_t size);

void function_names_free(struct function_names *n);
DEFINE_FREEP(function_names)

/*
 * Returns the name of the function that contains @addr; its address in hexadecimal if there is
 * none. O(log n).
 */
const char *function_names_find(struct function_names *n, uint64_t addr);
