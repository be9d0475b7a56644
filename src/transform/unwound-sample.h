/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Converts samples with registers and a copy of the stack to samples with a plain call chain, which
 * are some twenty times smaller, and need neither the images nor the rules of the recorded machine
 * to be read. The layout of the chain is described in docs/format/perf.data.md under "Unwound
 * stacks".
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wire/attr.h"

struct bytes;
struct sample;

/* True if samples of @attr contain a copy of the user stack. */
bool attr_has_stacks(const struct attr *attr);

/*
 * Returns the attr of samples of @from after unwinding their stacks. It has exclude_callchain_user,
 * which shows readers that the user's part of the chain is not from the kernel. @keep_regs: the
 * registers were also requested separately, and are kept.
 */
struct attr unwound_attr(const struct attr *from, bool keep_regs);

/*
 * Appends @s as a record of @to, which is a result of unwound_attr(). Its user stack is @ips, @n
 * addresses, innermost first. The kernel's frames are kept; without @ips the chain is unchanged. A
 * chain that does not fit into a record loses its outermost frames. @room is a buffer for
 * assembling it, and may be reused for many samples. Returns -EMSGSIZE if the other data of the
 * sample is too long; nothing is added then.
 */
int unwound_sample_encode(const struct sample *s, const uint64_t *ips, size_t n,
			  const struct attr *to, struct bytes *room, struct bytes *out);
