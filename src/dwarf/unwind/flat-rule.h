/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Unwind rules as flat tables, which programs in the kernel can search (bpf/unwind.bpf.h);
 * therefore only types that both sides have are used.
 *
 * The code of an image is cut into chunks by its offset in the file. A chunk has rows, sorted by
 * start address, which is counted from the start of the chunk; the first begins at 0. A row refers
 * to a rule by its number, because there are few different rules.
 */
#include <linux/types.h>

#define FLAT_CHUNK_BITS 13
#define FLAT_CHUNK_SIZE (1U << FLAT_CHUNK_BITS)

/* A row: its start, and the number of its rule. */
#define FLAT_ROW(at, rule)  ((__u32)(at) << 16 | (__u32)(rule))
#define FLAT_ROW_AT(row)    ((row) >> 16)
#define FLAT_ROW_RULE(row)  ((row)&0xffff)
#define FLAT_CHUNK_ROWS_MAX 0x7fff
#define FLAT_RULES_MAX      0x10000

enum flat_kind {
	FLAT_CANNOT,    /* beyond a flat rule: an expression, a guess, another register */
	FLAT_END,       /* the function has no caller */
	FLAT_END_NO_FP, /* the start of a process: no caller if the frame pointer is 0 */
	FLAT_FRAME,
	FLAT_SIGNAL,      /* the frame of a signal handler, in the machine's layout */
	FLAT_END_RECORD,  /* code without rules: it has no caller if the word at the frame pointer
			     plus @ra_offset, the return address of a frame record, is 0 */
	FLAT_END_ENTERED, /* a return to the start of a function: it was not called */
};

/* The base of the canonical frame address. */
enum flat_cfa {
	FLAT_CFA_SP,
	FLAT_CFA_FP,
	FLAT_CFA_AT_SP, /* the CFA is the word at sp plus the offset, plus @cfa_added */
	FLAT_CFA_AT_FP,
};

enum flat_ra {
	FLAT_RA_AT_CFA,
	FLAT_RA_LINK, /* in the link register */
};

enum flat_fp {
	FLAT_FP_SAME,
	FLAT_FP_AT_CFA,
	FLAT_FP_AT_FP, /* at the frame pointer plus the offset: for realigned frames */
	FLAT_FP_LOST,
};

struct flat_rule {
	__u8 kind; /* enum flat_kind; the other members are for FLAT_FRAME */
	__u8 cfa;
	__u8 ra : 4, fp : 4;
	__s8 cfa_added;
	__s32 cfa_offset, ra_offset, fp_offset;
};

/* Elements of a BPF array are at multiples of 8 bytes, also where user space has mapped them. */
_Static_assert(sizeof(struct flat_rule) % 8 == 0, "an array of rules has no gaps");
