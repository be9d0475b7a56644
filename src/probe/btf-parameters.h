/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The parameters of a kernel function where it begins, by the kernel's own description of its types
 * and the calling convention: for kernels without debug information.
 */
#include <stddef.h>

#include "arch/machine.h"
#include "base/cleanup.h"
#include "dwarf/debug-variables.h"

struct btf_parameters;

/*
 * Those of @function of the running kernel, or of its module @module (NULL: none). -ENOENT: there
 * is no such function; others: the kernel describes nothing.
 */
int btf_parameters_read(const char *function, const char *module, enum machine_type machine,
			struct btf_parameters **ret);
void btf_parameters_free(struct btf_parameters *p);
DEFINE_FREEP(btf_parameters)

/* Number @i of them; NULL: there are not so many. It belongs to @p. */
const struct debug_variable *btf_parameter_get(const struct btf_parameters *p, size_t i);
