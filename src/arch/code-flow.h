/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Where an instruction leads: whether it jumps, calls or returns, and which address it names.
 *
 * Decoded from its bytes, for the few forms that have their target in them; what goes through a
 * register or memory has none. The length of the instruction is known to whoever disassembled it.
 */
#include <stdbool.h>
#include <stdint.h>

enum code_flow_kind {
	FLOW_ON,     /* to the next instruction */
	FLOW_JUMP,   /* to @target, perhaps; also to where nobody can tell */
	FLOW_CALL,   /* the same, and back */
	FLOW_RETURN, /* to the caller */
};

struct code_flow {
	enum code_flow_kind kind;
	bool has_target; /* with FLOW_ON: it names data, or an address to be computed with */
	uint64_t target; /* in the space of the instruction's own address */
};
