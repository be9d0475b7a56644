/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The control flow of an instruction: whether it jumps, calls or returns, and the address that it
 * names.
 *
 * It is decoded from the bytes of one instruction, whose length is known. An instruction that jumps
 * through a register or memory has no target.
 */
#include <stdbool.h>
#include <stdint.h>

enum code_flow_kind {
	FLOW_ON,     /* goes on to the next instruction */
	FLOW_JUMP,   /* to @target, perhaps on a condition, or to an unknown address */
	FLOW_CALL,   /* the same as FLOW_JUMP, but it returns */
	FLOW_RETURN, /* returns to the caller */
};

struct code_flow {
	enum code_flow_kind kind;
	bool is_conditional; /* the next instruction may follow, too */
	bool has_target;     /* with FLOW_ON: it names data, or an address to compute with */
	uint64_t target;     /* in the instruction's own address space */
};
