/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The registers that samples can contain on each machine, and the names by which users select them.
 */
#include <stdint.h>

struct arch;
struct diag;
struct text;

/* Returns all registers that can be requested; 0 on an unknown machine (NULL). */
uint64_t sampling_regs_all(const struct arch *a);

/* Returns the same for user mode, on a CPU with @hwcap (getauxval(AT_HWCAP)). */
uint64_t sampling_regs_user(const struct arch *a, unsigned long hwcap);

/* Returns the instruction and stack pointers, without which nothing can be unwound. */
uint64_t sampling_regs_unwind(const struct arch *a);

/*
 * Returns the registers that stacks by frame pointers need in addition if a leaf's caller is in a
 * link register. 0 elsewhere.
 */
uint64_t sampling_regs_leaf(const struct arch *a);

/*
 * Parses "ax,sp,ip", in either case, into a mask of registers in @allowed (one of the masks above);
 * "" is all of them. -EINVAL with @diag marking the first name that is not one of them. @option is
 * the name of the option, for the message.
 */
int sampling_regs_parse(const struct arch *a, uint64_t allowed, const char *option,
			const char *names, uint64_t *ret, struct diag *diag);

/* Appends the names of the @allowed registers, each followed by a blank. */
void sampling_regs_list(const struct arch *a, uint64_t allowed, struct text *out);
