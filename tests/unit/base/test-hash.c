/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/hash.h"

#define PLACES 4096 /* a power of two */
#define KEYS   PLACES

/*
 * Returns the largest number of @keys that share one of PLACES. For random numbers it is 7 or 8,
 * rarely 10.
 */
static unsigned crowd(const uint64_t *keys)
{
	unsigned n[PLACES] = { 0 }, most = 0;

	for (size_t i = 0; i < KEYS; i++) {
		unsigned here = ++n[hash_u64(hash_seed(), keys[i]) & (PLACES - 1)];

		most = here > most ? here : most;
	}
	return most;
}

static void the_seed_stays(void **state)
{
	(void)state;
	assert_true(hash_seed() & 1);
	assert_int_equal(hash_seed(), hash_seed());
}

static void numbers_are_spread_whatever_they_differ_in(void **state)
{
	uint64_t keys[KEYS];

	(void)state;
	for (unsigned shift = 0; shift <= 52; shift += 4) {
		for (uint64_t i = 0; i < KEYS; i++)
			keys[i] = i << shift;
		assert_true(crowd(keys) < 64);
	}
}

/* All of these shared one place when the table multiplied by 2^64 / phi and folded. */
static void numbers_chosen_to_meet_do_not(void **state)
{
	uint64_t inverse = 1, keys[KEYS];

	(void)state;
	for (int i = 0; i < 6; i++)
		inverse *= 2 - 0x9e3779b97f4a7c15 * inverse;
	assert_int_equal(0x9e3779b97f4a7c15 * inverse, 1);
	for (uint64_t i = 0; i < KEYS; i++)
		keys[i] = (i << 32 | (i ^ 0x12345678)) * inverse;
	assert_true(crowd(keys) < 64);
}

static void bytes_and_their_number_count(void **state)
{
	static const char text[] = "0123456789abcdef\0\0\0";
	uint64_t seed = hash_seed();

	(void)state;
	for (size_t n = 0; n < sizeof(text); n++)
		for (size_t m = 0; m < n; m++)
			assert_true(hash_bytes(seed, text, n) != hash_bytes(seed, text, m));
	assert_true(hash_bytes(seed, "ab", 2) == hash_bytes(seed, "abc", 2));
	assert_true(hash_bytes(seed, "ab", 2) != hash_bytes(seed + 2, "ab", 2));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_seed_stays),
		cmocka_unit_test(numbers_are_spread_whatever_they_differ_in),
		cmocka_unit_test(numbers_chosen_to_meet_do_not),
		cmocka_unit_test(bytes_and_their_number_count),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
