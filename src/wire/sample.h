/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * PERF_RECORD_SAMPLE decoded: the fields that attr.sample_type requests, in the order of the
 * kernel's perf_output_sample().
 *
 * A sample borrows the record's bytes. Fields that were not requested are 0 (cpu: UINT32_MAX), and
 * their arrays are empty.
 */
#include <stddef.h>
#include <stdint.h>

#include "wire/record.h"

/*
 * The time of a sample that is a sum and has no time of its own (`offcpu-time`), as written by
 * Linux's perf: later than everything else.
 */
#define SAMPLE_TIME_SUM 0xffffffff00000000

/* True if @time is a point in time: 0 was not recorded, and a sum has none. */
static inline bool sample_time_is_known(uint64_t time)
{
	return time && time != SAMPLE_TIME_SUM;
}

struct branch {
	uint64_t from, to, flags;
};

/* PERF_SAMPLE_REGS_ABI_*, which are bits, because newer kernels can add vector registers. */
enum {
	REGS_ABI_32 = 1 << 0,
	REGS_ABI_64 = 1 << 1,
	REGS_ABI_SIMD = 1 << 2, /* vector registers follow */
};

/* Vector and predicate registers, which are only passed on. */
struct sample_simd_regs {
	uint16_t vectors, vector_words, predicates, predicate_words;
	struct words values;
};

struct sample_regs {
	uint64_t abi; /* REGS_ABI_*; 0: there are no registers */
	uint64_t mask;
	struct words values; /* one for each bit of the mask, lowest first */
	struct sample_simd_regs simd;
};

/* True if these are the registers of a 64-bit program. */
static inline bool sample_regs_are_64(const struct sample_regs *r)
{
	return (r->abi & (REGS_ABI_32 | REGS_ABI_64)) == REGS_ABI_64;
}

/* For samples decoded from a trace: an extension of SIMD instructions, and its predicate. */
enum simd {
	SIMD_NONE,
	/* Bits for the number of active lanes. */
	SIMD_PARTIAL = 1 << 0,
	SIMD_EMPTY = 1 << 1,
	SIMD_FULL = 1 << 2,
	SIMD_UNPREDICATED = 1 << 3,
	/* The extension, which is a number. */
	SIMD_SVE = 1 << 4,
	SIMD_SME = 2 << 4,
	SIMD_ASE = 3 << 4,
	SIMD_EXTENSION = 3 << 4,
};

struct sample {
	uint16_t misc;
	uint64_t id; /* the field IDENTIFIER or ID */
	uint64_t ip;
	uint32_t pid, tid;
	uint64_t time;
	uint64_t addr;
	uint64_t stream_id;
	uint32_t cpu;
	uint64_t period;
	struct record_read read;
	struct words chain; /* with context markers */
	const uint8_t *raw;
	uint32_t raw_size;
	uint64_t branch_hw_index; /* UINT64_MAX: missing */
	struct words branches;    /* from, to, flags, ...: see sample_branch() */
	struct words branch_counters;
	struct sample_regs user_regs, intr_regs;
	const uint8_t *stack; /* its position even if stack_size is 0 */
	uint64_t stack_size;  /* the copied size: bytes after dyn_size are undefined */
	uint64_t stack_dyn_size;
	uint64_t weight;                   /* WEIGHT, or var1 of WEIGHT_STRUCT */
	uint16_t ins_latency, p_stage_cyc; /* var2 and var3 of WEIGHT_STRUCT */
	uint64_t data_src;
	uint64_t transaction;
	uint64_t phys_addr;
	uint8_t simd; /* enum simd; not in any record */
	uint64_t cgroup;
	uint64_t data_page_size, code_page_size;
	const uint8_t *aux;
	uint64_t aux_size;
	size_t left_over; /* bytes after the last field: of a newer kernel */
};

/*
 * Decodes the sample record at @bytes, including its header, complete in @size bytes. Returns
 * -EBADMSG if a field extends beyond the end; *@ret is then invalid.
 */
int sample_decode(const void *bytes, size_t size, bool swap, const struct attr *attr,
		  struct sample *ret);

/*
 * True if every sample of @attr sets the same fields. A decoded one can then be overwritten by
 * sample_decode_again(), because clearing a struct sample takes longer than filling in those few.
 */
bool sample_is_plain(const struct attr *attr);
int sample_decode_again(const void *bytes, size_t size, bool swap, const struct attr *attr,
			struct sample *ret);

/* Returns branch @i of sample.branches, newest first. */
struct branch sample_branch(const struct sample *s, size_t i);

/* Reads register number @reg. False: it was not recorded. */
bool sample_reg(const struct sample_regs *r, unsigned reg, uint64_t *ret);

/*
 * Return the offsets of the time and the id in every sample of @attr, from the record's start; -1:
 * not present. They precede everything of variable length.
 */
int sample_time_offset(const struct attr *attr);
int sample_id_offset(const struct attr *attr);

/* Appends @s as a record. Returns -EMSGSIZE if it is too long; nothing is added then. */
int sample_encode(const struct sample *s, const struct attr *attr, struct bytes *out);
