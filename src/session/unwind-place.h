/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * One thread's cache of unwind rules by process and address.
 *
 * Programs are sampled at the same places over and over, so rules are kept, together with the
 * times for which they hold. Memory is bounded, whatever the number of samples: some tables have a
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
	PLACE_NOWHERE, /* no code is known to lie there */
	PLACE_FILE,    /* code of a file that can be read */
	PLACE_OTHER,   /* JIT code */
	PLACE_GONE,    /* code of a file that cannot be read */
};

/* One cache line: there are many, and each is a cache miss. */
struct unwind_place {
	_Alignas(64) uint64_t pc;
	struct unwind_rule rule;
	uint32_t space;         /* its number; 0: nothing has been seen here */
	uint32_t times;         /* for which it holds: number of unwind_places.times */
	uint8_t kind;           /* enum place_kind */
	uint8_t is_interrupted; /* the pc is about to run; else it is what a call returns to */
	uint8_t is_entered; /* ... or rather, it was put there by hand: a function begins there */
	uint8_t is_by_code; /* there is no CFI: the rule is what the instructions tell */
	uint8_t is_entry;   /* a process begins there */
};

struct unwind_times {
	uint64_t from, until;
};

/* A process at some time, and the caches. `{ 0 }` is empty. */
struct unwind_places {
	const struct session *session;
	const struct arch *arch;
	struct unwind_rule signal; /* of code that returns from handlers */
	struct unwind_detail *signal_detail;
	uint64_t generation; /* of the machine, that all is of */
	uint32_t pid;
	uint64_t time;
	uint32_t space;         /* of @pid at @time, numbered from 1 */
	struct span space_span; /* for which it is */
	struct u64_map spaces;  /* numbers by machine_space() */
	uint32_t n_spaces;
	struct unwind_place *items;
	struct unwind_map *maps;
	struct {
		struct unwind_times *items;
		size_t n, room;
	} times; /* the first is always */
};

void unwind_places_done(struct unwind_places *p);

/* The following questions are about @pid of @s, on the machine @arch, at @time. */
void unwind_places_begin(struct unwind_places *p, const struct session *s, const struct arch *arch,
			 uint32_t pid, uint64_t time);

/* The code at @pc; valid until the next call. */
const struct unwind_place *unwind_place_find(struct unwind_places *p, uint64_t pc,
					     bool is_interrupted);

/* Can a call return to @pc? Where the code cannot be read: is there any code? */
bool unwind_places_follow_call(struct unwind_places *p, uint64_t pc);

/* Are @a and @b known to lie in different functions? */
bool unwind_places_other_function(struct unwind_places *p, uint64_t a, uint64_t b);

/* Are @a and @b known to lie in the same function? */
bool unwind_places_same_function(struct unwind_places *p, uint64_t a, uint64_t b);
