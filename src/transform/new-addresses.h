/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Replaces the recorded addresses, for recordings that are given away: the places of programs or
 * the kernel in memory would help attackers.
 *
 * Each map of a process gets the next free place of a new address space, in order of appearance,
 * and all addresses of samples move with their map; the kernel moves as a whole. An address outside
 * of all maps becomes 0. Names are found as before, because they depend on distances from the
 * beginning of maps. Registers are left out. Samples with raw data, physical addresses or copied
 * stacks, in which addresses cannot be distinguished from other numbers, are left out too, and
 * counted.
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

/* The numbers of samples that could not be kept, by the data that they contain. */
struct new_addresses_left_out {
	uint64_t raw, physical, stacks;
};
struct new_addresses_left_out new_addresses_left_out(const struct new_addresses *n);
