/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What is to be made of a hardware trace: the words of --itrace.
 *
 * A decoder takes what its hardware can tell and ignores the rest.
 */
#include <stdbool.h>
#include <stdint.h>

struct diag;

enum itrace_unit {
	ITRACE_NANOSECONDS,
	ITRACE_INSTRUCTIONS,
	ITRACE_TICKS,
};

/* Of 'e' and 'd': what a flag with '+' or '-' switches, by letter - 'a'. */
struct itrace_flags {
	uint32_t plus, minus;
};

struct itrace {
	bool off; /* --no-itrace: nothing is decoded */

	bool instructions, cycles;         /* i, y */
	bool branches, calls, returns;     /* b, c, r */
	bool transactions, ptwrites;       /* x, w */
	bool power, other, interrupts;     /* p, o, I */
	bool errors, log;                  /* e, d */
	bool first_level, last_level;      /* f, m: caches */
	bool tlb, remote, memory;          /* t, a, M */
	bool call_chain, add_call_chain;   /* g, G */
	bool last_branch, add_last_branch; /* l, L */
	bool approximate_ipc, timeless;    /* A, Z */
	bool trace_time;                   /* T: the trace's time is the kernel's */
	unsigned quick;                    /* q, as often as it is written */

	uint64_t period; /* of i and y; 0: every one that can be had */
	enum itrace_unit unit;
	bool default_period; /* none was written */
	bool for_profile;    /* nothing was written, and a profile is made of the samples */
	unsigned call_chain_size, last_branch_size;
	uint64_t skip; /* s: so many events at the beginning are left out */
	struct itrace_flags error_flags, log_flags;
};

/*
 * What is decoded without --itrace: all there is; @per_instruction: as `perf script` does, calls
 * and errors, and whatever counts instructions does it one by one.
 */
struct itrace itrace_default(bool per_instruction);

/* What was typed: --itrace, --itrace=words, --no-itrace, or nothing. */
struct itrace_request {
	bool asked;          /* --itrace, with words or without */
	bool typed;          /* it had words, */
	struct itrace words; /* which are these; `off` of --no-itrace counts in any case */
};

/* What @rq asks for; @per_instruction as of itrace_default(). */
struct itrace itrace_wanted(const struct itrace_request *rq, bool per_instruction);

/*
 * Reads @text, the words behind --itrace=. -EINVAL with @diag, which
 * marks the letter that means nothing.
 */
int itrace_parse(const char *text, struct itrace *ret, struct diag *diag);
