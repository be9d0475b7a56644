/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What is known of a machine's frames without any CFI: which registers lead through them, where a
 * frame record has what, and the frame that the kernel builds for a signal handler.
 */
#include <stddef.h>
#include <stdint.h>

#include "arch/machine.h"

struct unwind_rule;

/* What a machine's functions agree upon; registers have DWARF's numbers. */
struct unwind_convention {
	enum machine_type machine;
	uint8_t sp, fp;
	uint8_t lr; /* UNWIND_NO_REGISTER: return addresses are on the stack */
};

/* NULL: the machine is not one of those that can be unwound. */
const struct unwind_convention *unwind_convention(enum machine_type machine);

/*
 * What to try for code that nobody knows rules of: the caller's frame pointer and the return
 * address lie where the frame pointer points to.
 */
const struct unwind_rule *unwind_rule_by_frame_pointer(const struct unwind_convention *c);

/* Or the return address is the @i-th word of the stack (from 0 to 2). */
const struct unwind_rule *unwind_rule_by_stack(const struct unwind_convention *c, size_t i);

/* Or all is in registers, as in a leaf on aarch64. */
const struct unwind_rule *unwind_rule_by_link_register(const struct unwind_convention *c);

/*
 * The kernel's frame of a signal, in the code that returns from its handler: @code, @n bytes of
 * what is about to run. NULL: it is something else.
 */
const struct unwind_rule *unwind_rule_of_signal(const struct unwind_convention *c,
						const uint8_t *code, size_t n);
