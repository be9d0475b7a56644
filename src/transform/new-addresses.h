/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Other addresses in place of those that were recorded, for recordings that leave the house: where
 * a program or the kernel lay in memory tells attackers how to aim.
 *
 * Each map of a process gets the next free place of a new address space, in the order of their
 * appearance, and all addresses of samples move with the map they are in; the kernel moves as a
 * whole. What lies in no map becomes 0. Names are found as before, as they go by distances from the
 * beginning of maps. Registers are left out. Samples with raw data, physical addresses or copied
 * stacks, where addresses cannot be told from other numbers, are left out too, and counted.
 */
#include <stdint.h>

#include "base/cleanup.h"

struct new_addresses;
struct session;
struct transform;

struct new_addresses *new_addresses_new(const struct session *s);
void new_addresses_free(struct new_addresses *n);
DEFINE_FREEP(new_addresses)

struct transform *new_addresses_transform(struct new_addresses *n);

/* How many samples could not be kept, by what they have. */
struct new_addresses_left_out {
	uint64_t raw, physical, stacks;
};
struct new_addresses_left_out new_addresses_left_out(const struct new_addresses *n);
