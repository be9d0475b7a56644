/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The global variables of a program by address, found in one pass over .debug_info on all CPUs
 * (dwarf/die-scan.h).
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct die_file;

/* A variable that is always at @addr; its entry is at offset @entry of .debug_info. */
struct die_static {
	uint64_t addr, entry;
};

/* `{ 0 }` has none. */
struct die_statics {
	struct die_static *items; /* sorted by address */
	size_t n, room;
};

/*
 * Finds the variables of the units that begin below @limit of .debug_info. Damaged parts are left
 * out. -EOPNOTSUPP: addresses are in .debug_addr, which is not read here.
 */
int die_statics_read(struct die_file *f, uint64_t limit, struct die_statics *ret);
void die_statics_done(struct die_statics *s);
