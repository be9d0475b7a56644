/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * One thread's cache of unwind rules by process and address.
 *
 * Programs are sampled at the same places repeatedly, so rules are kept, together with the times
 * for which they are valid. Memory is bounded, whatever the number of samples: some tables have a
 * fixed size, and when one of the others is full, everything is dropped.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/u64-map.h"
#include "dwarf/unwind/cfi-rules.h"
#include "session/span.h"

struct arch;
struct session;

enum place_kind {
	PLACE_NOWHERE, /* no code is known there */
	PLACE_FILE,    /* code of a file that can be read */
	PLACE_OTHER,   /* JIT code */
	PLACE_GONE,    /* code of a file that cannot be read */
};

/* A cached place. It is one cache line, because there are many and each access is a cache miss. */
struct unwind_place {
	_Alignas(64) uint64_t pc;
	struct unwind_rule rule;
	uint32_t space;         /* the space's number; 0: a free slot */
	uint32_t times;         /* when it is valid: an index in unwind_places.times */
	uint8_t kind;           /* enum place_kind */
	uint8_t is_interrupted; /* the pc is about to run; otherwise a call returns to it */
	uint8_t is_entered; /* the return address was put there by hand: a function begins there */
	uint8_t is_by_code; /* there is no CFI: the rule comes from the instructions */
	uint8_t is_entry;   /* a process begins there */
};

struct unwind_times {
	uint64_t from, until;
};

/* A process at some time, and the caches. `{ 0 }` is empty. */
struct unwind_places {
	const struct session *session;
	const struct arch *arch;
	struct unwind_rule signal; /* the rule of code that returns from handlers */
	struct unwind_detail *signal_detail;
	uint64_t generation; /* the machine's generation, for which all data is valid */
	uint32_t pid;
	uint64_t time;
	uint32_t space;         /* the space of @pid at @time, numbered from 1 */
	struct span space_span; /* times for which @space is right */
	struct u64_map spaces;  /* numbers of spaces, keyed by machine_space() */
	uint32_t n_spaces;
	struct unwind_place *items;
	struct unwind_map *maps;
	struct {
		struct unwind_times *items;
		size_t n, room;
	} times; /* the first one always exists */
};

void unwind_places_done(struct unwind_places *p);

/* Sets the context of further lookups: @pid of @s, on the machine @arch, at @time. */
void unwind_places_begin(struct unwind_places *p, const struct session *s, const struct arch *arch,
			 uint32_t pid, uint64_t time);

/* Returns the code at @pc; valid until the next call. */
const struct unwind_place *unwind_place_find(struct unwind_places *p, uint64_t pc,
					     bool is_interrupted);

/* True if a call can return to @pc. If the code cannot be read: true if there is code at all. */
bool unwind_places_follow_call(struct unwind_places *p, uint64_t pc);

/* True if @a and @b are known to be in different functions. */
bool unwind_places_other_function(struct unwind_places *p, uint64_t a, uint64_t b);

/* True if @a and @b are known to be in the same function. */
bool unwind_places_same_function(struct unwind_places *p, uint64_t a, uint64_t b);
