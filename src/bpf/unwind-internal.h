/* SPDX-License-Identifier: MIT */
#pragma once
/* Shared by bpf/unwind-tables.c and bpf/unwind-host.c. */
#include "bpf/unwind-types.h"

struct arch;
struct diag;

/* Finds the facts about the kernel on @a. -EOPNOTSUPP with @diag set: they are not known. */
int unwind_host_find(const struct arch *a, struct unwind_host *ret, struct diag *diag);
