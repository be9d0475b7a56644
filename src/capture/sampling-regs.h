/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Which registers samples can carry on each machine, and the names people give them by.
 */
#include <stdint.h>

struct arch;
struct diag;
struct text;

/* All that can be asked for; 0 on an unknown machine (NULL). */
uint64_t sampling_regs_all(const struct arch *a);

/* The same for user mode, on a CPU that says @hwcap of itself (getauxval(AT_HWCAP)). */
uint64_t sampling_regs_user(const struct arch *a, unsigned long hwcap);

/* The instruction and stack pointers, without which nothing can be unwound. */
uint64_t sampling_regs_unwind(const struct arch *a);

/*
 * What frame pointers leave out: where a leaf's caller is in a link register, stacks by frame
 * pointers need it. 0 elsewhere.
 */
uint64_t sampling_regs_leaf(const struct arch *a);

/*
 * Parses "ax,sp,ip", in either case, into a mask of registers among @allowed (one of the masks
 * above); "" is all of them. -EINVAL with @diag marking the first name that is not one of them.
 * @option is the name of the option, for the message.
 */
int sampling_regs_parse(const struct arch *a, uint64_t allowed, const char *option,
			const char *names, uint64_t *ret, struct diag *diag);

/* Appends the names of the @allowed registers, a blank after each. */
void sampling_regs_list(const struct arch *a, uint64_t allowed, struct text *out);
