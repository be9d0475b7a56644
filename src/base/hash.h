/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Hashes for tables whose keys come from outside.
 *
 * The seed is the process's secret, so nobody can choose keys that all collide and make a table as
 * slow as a list. It changes from run to run, so nothing that is shown or written may depend on a
 * hash or on the order of a table.
 */
#include <stddef.h>
#include <stdint.h>

/*
 * Returns the seed, which is the same throughout the process: odd, and never 0. Objects keep a
 * copy.
 */
uint64_t hash_seed(void);

/* Hashes a number. A hash and the next number can be combined with ^. */
static inline uint64_t hash_u64(uint64_t seed, uint64_t key)
{
	__extension__ unsigned __int128 m = (unsigned __int128)(key ^ 0x9e3779b97f4a7c15) * seed;

	return (uint64_t)m ^ (uint64_t)(m >> 64);
}

/* Returns the hash of @n bytes. */
uint64_t hash_bytes(uint64_t seed, const void *bytes, size_t n);
