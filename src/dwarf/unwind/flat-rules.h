/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Compiles rules of an image (dwarf/unwind/cfi-rules.h) into flat tables
 * (dwarf/unwind/flat-rule.h).
 *
 * There are two tables for two kinds of queries. `running` is for interrupted code, by the address
 * of the next instruction. `callers` is for code that has made a call, by the return address: its
 * rule is that of the call before it. A return address at which a function begins was put there by
 * hand (makecontext()), or is not a return address; a more thorough unwinder has to decide that.
 */
#include <stddef.h>
#include <stdint.h>

#include "dwarf/unwind/cfi-rules.h"
#include "dwarf/unwind/flat-rule.h"

enum flat_table {
	FLAT_CALLERS,
	FLAT_RUNNING,
	FLAT_TABLES,
};

/* The different rules, numbered from 0, which is FLAT_CANNOT. `{ 0 }` is empty. */
struct flat_rules {
	struct flat_rule *items;
	size_t n, room;
	uint32_t *slots; /* numbers plus 1, by hash */
	size_t n_slots;
};

void flat_rules_done(struct flat_rules *r);

/* Returns the number of @rule, which is added if it is new; 0 if there are too many. */
uint32_t flat_rules_number(struct flat_rules *r, const struct flat_rule *rule);

/* Converts @rule as far as a flat rule can express it, for code at @addr (a link address). */
struct flat_rule flat_rule_of(const struct unwind_rule *rule, const struct arch *arch,
			      uint64_t addr);

struct flat_rows {
	uint32_t *items; /* values of FLAT_ROW() */
	size_t n, room;
};

void flat_rows_done(struct flat_rows *r);

/* A range of offsets in a file. */
struct flat_range {
	uint64_t start, end;
};

/*
 * Compiles the rows of table @t for the code of @of from the offset @chunk times FLAT_CHUNK_SIZE
 * on, into @ret, which is emptied first. Only @range is code. A chunk of too many rows is
 * FLAT_CANNOT throughout.
 */
void flat_chunk_compile(struct cfi_rules *of, enum flat_table t, uint64_t chunk,
			const struct flat_range *range, struct flat_rules *rules,
			struct flat_rows *ret);
