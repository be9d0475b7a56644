/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Samples with registers and a copy of the stack, made into samples with a plain call chain, which
 * are some twenty times smaller and need neither the images nor the rules of the recorded machine
 * to be read. The chain is laid out as docs/format/perf.data.md says under "Unwound stacks".
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wire/attr.h"

struct bytes;
struct sample;

/* Whether samples of @attr carry a copy of the user stack. */
bool attr_has_stacks(const struct attr *attr);

/*
 * The attr that samples of @from have once their stacks are unwound. It has exclude_callchain_user,
 * by which readers see that the user's part of the chain is not the kernel's. @keep_regs: the
 * registers were asked for by themselves too, and stay.
 */
struct attr unwound_attr(const struct attr *from, bool keep_regs);

/*
 * Appends @s, whose user stack is @ips, @n of them and innermost first, as a record of @to, which
 * is what unwound_attr() gave. What the kernel said of its own frames stays; without @ips the chain
 * stays as it is. A chain for which a record has no room loses its outermost frames. @room is for
 * putting it together and may be used for many samples. -EMSGSIZE: what else the sample carries is
 * too long; nothing is added then.
 */
int unwound_sample_encode(const struct sample *s, const uint64_t *ips, size_t n,
			  const struct attr *to, struct bytes *room, struct bytes *out);
