/* SPDX-License-Identifier: MIT */
#include "base/hash.h"

#include <string.h>
#include <sys/auxv.h>

/*
 * Derives the seed from the 16 random bytes that the kernel gives every program at its start. glibc
 * makes its stack canary from the first half and guards pointers with the second, so only a digest
 * of both is used here.
 */
uint64_t hash_seed(void)
{
	const void *random = (const void *)getauxval(AT_RANDOM);
	uint64_t words[2] = { 0x2545f4914f6cdd1d, 0xbf58476d1ce4e5b9 };

	if (random)
		memcpy(words, random, sizeof(words));
	return hash_u64(hash_u64(words[0] | 1, words[1]) | 1, words[0]) | 1;
}

uint64_t hash_bytes(uint64_t seed, const void *bytes, size_t n)
{
	const uint8_t *p = bytes;
	uint64_t h = hash_u64(seed, n), word = 0;

	for (; n >= sizeof(word); p += sizeof(word), n -= sizeof(word)) {
		memcpy(&word, p, sizeof(word));
		h = hash_u64(seed, h ^ word);
	}
	word = 0;
	if (n)
		memcpy(&word, p, n);
	return hash_u64(seed, h ^ word);
}
