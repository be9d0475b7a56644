/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Where an instruction leads: whether it jumps, calls or returns, and which address it names.
 *
 * Decoded from the bytes of one instruction, whose length is known. An instruction that jumps
 * through a register or memory has no target.
 */
#include <stdbool.h>
#include <stdint.h>

enum code_flow_kind {
	FLOW_ON,     /* to the next instruction */
	FLOW_JUMP,   /* to @target, perhaps on a condition, or to an unknown address */
	FLOW_CALL,   /* the same, and returns */
	FLOW_RETURN, /* to the caller */
};

struct code_flow {
	enum code_flow_kind kind;
	bool is_conditional; /* it may go on, too */
	bool has_target;     /* with FLOW_ON: it names data, or an address to be computed with */
	uint64_t target;     /* in the space of the instruction's own address */
};
