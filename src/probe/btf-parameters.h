/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Finds the parameters of a kernel function at its entry, from BTF and the calling convention: for
 * kernels without debug information.
 */
#include <stddef.h>

#include "base/cleanup.h"
#include "dwarf/debug-variables.h"

struct arch;
struct btf_parameters;

/*
 * Reads the parameters of @function in the running kernel, or in its module @module (NULL: none).
 * -ENOENT: there is no such function; other errors: the kernel has no BTF.
 */
int btf_parameters_read(const char *function, const char *module, const struct arch *arch,
			struct btf_parameters **ret);
void btf_parameters_free(struct btf_parameters *p);
DEFINE_FREEP(btf_parameters)

/* Returns parameter number @i, owned by @p; NULL: there are fewer. */
const struct debug_variable *btf_parameter_get(const struct btf_parameters *p, size_t i);
