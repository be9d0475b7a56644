/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The flow of a program from Intel PT packets, step by step: each instruction in the order of
 * execution, and the events that the trace reports. libipt does the work; pt-flow.c is the only
 * file that uses it.
 *
 * The code comes from a callback. Nothing here uses tasks, samples or perf's times: times are the
 * CPU's time stamp counter.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"

struct diag;
struct pt_flow;

enum pt_step_kind {
	PT_STEP_INSN,
	PT_STEP_BEGIN,    /* tracing begins at `to` */
	PT_STEP_END,      /* tracing ends after the last instruction; `to` if known */
	PT_STEP_ASYNC,    /* from `ip` to `to`: an interrupt, for example */
	PT_STEP_CUT,      /* tracing ends at `ip`, before that instruction; `to` if known */
	PT_STEP_OVERFLOW, /* packets were lost; continues at `to` */
	PT_STEP_PSB,      /* payload: offset in the bytes */
	PT_STEP_CBR,      /* payload: ratio */
	PT_STEP_PTWRITE,
	PT_STEP_MWAIT, /* payloads as in the packets */
	PT_STEP_PWRE,
	PT_STEP_EXSTOP,
	PT_STEP_PWRX,
	PT_STEP_TSX,   /* payload: bit 0 in a transaction, bit 1 it was aborted */
	PT_STEP_ERROR, /* error; continues after the next PSB */
};

enum pt_class {
	PT_CLASS_OTHER,
	PT_CLASS_CALL,
	PT_CLASS_RETURN,
	PT_CLASS_JUMP,
	PT_CLASS_CONDITIONAL,
	PT_CLASS_FAR_CALL,
	PT_CLASS_FAR_RETURN,
	PT_CLASS_FAR_JUMP,
};

enum pt_error {
	PT_ERROR_PACKET,   /* an invalid packet, or one in a wrong place */
	PT_ERROR_CODE,     /* the code is not known */
	PT_ERROR_MISMATCH, /* the packets do not match the code */
	PT_ERROR_LOOP,     /* the code jumps in an endless loop */
	PT_ERROR_INTERNAL,
};

struct pt_step {
	enum pt_step_kind kind;
	uint64_t time; /* 0: not known */
	uint64_t ip;   /* address of the instruction or the event; has_ip */
	uint64_t to;
	bool has_ip, has_to;
	bool is_last;        /* tracing ends with this instruction */
	bool speculative;    /* inside of a transaction */
	enum pt_class class; /* class of an instruction */
	uint8_t length;
	uint8_t bytes[16];
	uint64_t payload;
	enum pt_error error;
};

struct pt_flow_setup {
	const uint8_t *bytes; /* the whole trace; borrowed */
	size_t size;
	uint32_t tsc_ctc_n, tsc_ctc_d; /* CPUID 0x15, ebx and eax; 0: not known */
	uint8_t mtc_frequency;
	uint8_t nominal_ratio;
	uint16_t family; /* family of the CPU, for its errata; 0: not known */
	uint8_t model, stepping;
	/* Copies up to @size bytes of code at @addr and returns their number; 0: there is none. */
	size_t (*code)(void *arg, uint64_t addr, uint8_t *bytes, size_t size);
	void *arg;
};

/*
 * Returns 0 if traces can be decoded. -EOPNOTSUPP with @diag: libipt is not installed, or this
 * program was built without it.
 */
int pt_flow_check(struct diag *diag);

/* Makes a flow. NULL: libipt is missing, or rejects the setup. */
struct pt_flow *pt_flow_new(const struct pt_flow_setup *setup);
void pt_flow_free(struct pt_flow *f);
DEFINE_FREEP(pt_flow)

/* Gives the next step. False: the trace is at its end. */
bool pt_flow_next(struct pt_flow *f, struct pt_step *ret);
