/* SPDX-License-Identifier: MIT */
#include "hwtrace/itrace.h"

#include <ctype.h>
#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "base/diag.h"
#include "base/cleanup.h"

#define PERIOD_DEFAULT_NS        100000
#define CALL_CHAIN_SIZE_DEFAULT  16
#define LAST_BRANCH_SIZE_DEFAULT 64
#define SIZE_MAX_OF_STACK        1024

struct itrace itrace_default(bool per_instruction)
{
	return (struct itrace){
		.instructions = !per_instruction,
		.cycles = !per_instruction,
		.branches = true,
		.calls = per_instruction,
		.transactions = true,
		.ptwrites = true,
		.power = true,
		.other = true,
		.interrupts = true,
		.errors = true,
		.first_level = true,
		.last_level = true,
		.tlb = true,
		.remote = true,
		.memory = true,
		.period = per_instruction ? 1 : PERIOD_DEFAULT_NS,
		.unit = per_instruction ? ITRACE_INSTRUCTIONS : ITRACE_NANOSECONDS,
		.default_period = true,
		.call_chain_size = CALL_CHAIN_SIZE_DEFAULT,
		.last_branch_size = LAST_BRANCH_SIZE_DEFAULT,
	};
}

struct itrace itrace_wanted(const struct itrace_request *rq, bool per_instruction)
{
	return rq->typed || rq->words.off ? rq->words : itrace_default(per_instruction);
}

/* The text that is being parsed. */
struct words_at {
	const char *text, *at;
	struct itrace *it;
	struct diag *diag;
};

static int itrace_refuse(const struct words_at *w, const char *at, size_t length, const char *why)
{
	int r = diag_mark(w->diag, -EINVAL, w->text, (size_t)(at - w->text), length, "--itrace: %s",
			  why);

	diag_hint(w->diag, "'perf help script' lists the letters under --itrace.");
	return r;
}

/* Takes the number that follows, if there is one. */
static int itrace_take_number(struct words_at *w, uint64_t *ret, bool *ret_found)
{
	const char *from = w->at;
	uint64_t v = 0;

	while (isdigit((unsigned char)*w->at)) {
		if (__builtin_mul_overflow(v, 10, &v) ||
		    __builtin_add_overflow(v, (uint64_t)(*w->at - '0'), &v))
			return itrace_refuse(w, from, strspn(from, "0123456789"),
					     "this number is too large");
		w->at++;
	}
	*ret_found = w->at != from;
	if (*ret_found)
		*ret = v;
	return 0;
}

static int itrace_take_unit(struct words_at *w)
{
	static const struct {
		const char *name;
		enum itrace_unit unit;
		uint64_t factor;
	} units[] = {
		{ "ms", ITRACE_NANOSECONDS, 1000000 },
		{ "us", ITRACE_NANOSECONDS, 1000 },
		{ "ns", ITRACE_NANOSECONDS, 1 },
		{ "i", ITRACE_INSTRUCTIONS, 1 },
		{ "t", ITRACE_TICKS, 1 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(units); i++) {
		size_t n = strlen(units[i].name);

		if (strncmp(w->at, units[i].name, n) != 0)
			continue;
		if (__builtin_mul_overflow(w->it->period, units[i].factor, &w->it->period))
			return itrace_refuse(w, w->at, n, "the period is too long");
		w->it->unit = units[i].unit;
		w->at += n;
		return 0;
	}
	w->it->unit = ITRACE_NANOSECONDS;
	return 0;
}

static int take_period(struct words_at *w)
{
	bool found;
	int r;

	while (*w->at == ' ' || *w->at == ',')
		w->at++;
	r = itrace_take_number(w, &w->it->period, &found);
	if (r < 0 || !found)
		return r;
	w->it->default_period = false;
	return itrace_take_unit(w);
}

static int itrace_take_size(struct words_at *w, unsigned *size)
{
	const char *from;
	uint64_t v = 0;
	bool found;
	int r;

	while (*w->at == ' ' || *w->at == ',')
		w->at++;
	from = w->at;
	r = itrace_take_number(w, &v, &found);
	if (r < 0 || !found)
		return r;
	if (!v || v > SIZE_MAX_OF_STACK)
		return itrace_refuse(w, from, (size_t)(w->at - from), "a size is from 1 to 1024");
	*size = (unsigned)v;
	return 0;
}

static int itrace_take_flags(struct words_at *w, struct itrace_flags *flags)
{
	while (*w->at == '+' || *w->at == '-') {
		bool plus = *w->at == '+';
		char letter = w->at[1];

		if (!islower((unsigned char)letter))
			return itrace_refuse(w, w->at, 1,
					     "a letter from a to z follows '+' or '-'");
		if (plus)
			flags->plus |= 1u << (letter - 'a');
		else
			flags->minus |= 1u << (letter - 'a');
		w->at += 2;
	}
	return 0;
}

static int take_skip(struct words_at *w)
{
	const char *from = w->at;
	bool found;
	int r = itrace_take_number(w, &w->it->skip, &found);

	return r < 0 || found ? r : itrace_refuse(w, from, 0, "a number of events follows 's'");
}

/* Returns the switch for a letter without a value. */
static bool *itrace_switch_of(struct itrace *it, char letter)
{
	switch (letter) {
	case 'b':
		return &it->branches;
	case 'c':
		return &it->calls;
	case 'r':
		return &it->returns;
	case 'x':
		return &it->transactions;
	case 'w':
		return &it->ptwrites;
	case 'p':
		return &it->power;
	case 'o':
		return &it->other;
	case 'I':
		return &it->interrupts;
	case 'f':
		return &it->first_level;
	case 'm':
		return &it->last_level;
	case 't':
		return &it->tlb;
	case 'a':
		return &it->remote;
	case 'M':
		return &it->memory;
	case 'A':
		return &it->approximate_ipc;
	case 'Z':
		return &it->timeless;
	case 'T':
		return &it->trace_time;
	default:
		return NULL;
	}
}

static int take_letter(struct words_at *w)
{
	struct itrace *it = w->it;
	char letter = *w->at++;
	bool *on = itrace_switch_of(it, letter);

	if (on) {
		*on = true;
		/* Calls and returns are branches. */
		it->branches |= letter == 'c' || letter == 'r';
		return 0;
	}
	switch (letter) {
	case 'i':
		it->instructions = true;
		return take_period(w);
	case 'y':
		it->cycles = true;
		return take_period(w);
	case 'e':
		it->errors = true;
		return itrace_take_flags(w, &it->error_flags);
	case 'd':
		it->log = true;
		return itrace_take_flags(w, &it->log_flags);
	case 'g':
	case 'G':
		*(letter == 'g' ? &it->call_chain : &it->add_call_chain) = true;
		return itrace_take_size(w, &it->call_chain_size);
	case 'l':
	case 'L':
		*(letter == 'l' ? &it->last_branch : &it->add_last_branch) = true;
		return itrace_take_size(w, &it->last_branch_size);
	case 's':
		return take_skip(w);
	case 'q':
		it->quick++;
		return 0;
	case ' ':
	case ',':
		return 0;
	default:
		return itrace_refuse(w, w->at - 1, 1, "this letter means nothing");
	}
}

int itrace_parse(const char *text, struct itrace *ret, struct diag *diag)
{
	struct itrace it = {
		.period = PERIOD_DEFAULT_NS,
		.default_period = true,
		.call_chain_size = CALL_CHAIN_SIZE_DEFAULT,
		.last_branch_size = LAST_BRANCH_SIZE_DEFAULT,
	};
	struct words_at w = { .text = text, .at = text, .it = &it, .diag = diag };
	int r = 0;

	while (*w.at && r >= 0)
		r = take_letter(&w);
	if (r < 0)
		return r;
	*ret = it;
	return 0;
}
