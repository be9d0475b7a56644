/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Rules that follow from a machine's conventions alone (struct arch_convention): guesses for code
 * that has no CFI, and the frame that the kernel builds for a signal handler.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dwarf/unwind/cfi-rules.h"

struct arch_convention;

/* Returns a rule by which the frame pointer points to a frame record. */
struct unwind_rule unwind_rule_by_record(const struct arch_convention *c);

/* Returns a rule by which the return address is the @i-th word of the stack, from 0. */
struct unwind_rule unwind_rule_by_stack(const struct arch_convention *c, size_t i);

/*
 * Returns a rule by which the return address is in the link register, which the machine must have;
 * nothing is saved.
 */
struct unwind_rule unwind_rule_by_link_register(const struct arch_convention *c);

/* True if @code, the @n bytes that are about to run, returns from a signal handler. */
bool unwind_is_sigreturn(const struct arch_convention *c, const uint8_t *code, size_t n);

/* Returns the places of the interrupted code's registers in a signal frame. The caller frees it. */
struct unwind_detail *unwind_signal_detail_new(const struct arch_convention *c);

/* Returns the rule of code that returns from a signal handler; @d is unwind_signal_detail_new(). */
struct unwind_rule unwind_rule_of_signal(const struct arch_convention *c,
					 const struct unwind_detail *d);
