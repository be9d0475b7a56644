/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The data to make from a hardware trace: the words of --itrace.
 *
 * A decoder uses the words that apply to its hardware and ignores the rest.
 */
#include <stdbool.h>
#include <stdint.h>

struct diag;

enum itrace_unit {
	ITRACE_NANOSECONDS,
	ITRACE_INSTRUCTIONS,
	ITRACE_TICKS,
};

/* For 'e' and 'd': the flags that '+' or '-' set or clear, by letter - 'a'. */
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
	unsigned quick;                    /* q: the number of times it was given */

	uint64_t period; /* for i and y; 0: every possible one */
	enum itrace_unit unit;
	bool default_period; /* no period was given */
	bool for_profile;    /* no words were given, and a profile is made from the samples */
	unsigned call_chain_size, last_branch_size;
	uint64_t skip; /* s: leave out this number of events at the beginning */
	struct itrace_flags error_flags, log_flags;
};

/*
 * Returns the default without --itrace: everything; @per_instruction: as for `perf script`, calls
 * and errors, and events that count instructions do so one by one.
 */
struct itrace itrace_default(bool per_instruction);

/* The user's option: --itrace, --itrace=words, --no-itrace, or nothing. */
struct itrace_request {
	bool asked;          /* --itrace, with words or without */
	bool typed;          /* words were given */
	struct itrace words; /* the words; `off` of --no-itrace applies in any case */
};

/* Returns the result of @rq; @per_instruction as for itrace_default(). */
struct itrace itrace_wanted(const struct itrace_request *rq, bool per_instruction);

/* Parses @text, the words after --itrace=. -EINVAL with @diag, which marks the unknown letter. */
int itrace_parse(const char *text, struct itrace *ret, struct diag *diag);
