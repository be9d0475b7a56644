/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "profile/shared-values.h"

static void equal_bytes_are_one_number(void **state)
{
	(void)state;
	_cleanup_(shared_values_freep) struct shared_values *v = shared_values_new();
	char again[] = "text";
	uint64_t number = shared_values_add_text(v, "text");
	size_t n;

	assert_int_equal(shared_values_add_text(v, again), number);
	assert_int_not_equal(shared_values_add_text(v, "texts"), number);
	assert_int_not_equal(shared_values_add(v, "text", 5), number);
	assert_string_equal(shared_value_text(number), "text");
	assert_ptr_equal(shared_value(number, &n), shared_value_text(number));
	assert_int_equal(n, 4);
}

static void nothing_is_a_value_too(void **state)
{
	(void)state;
	_cleanup_(shared_values_freep) struct shared_values *v = shared_values_new();
	uint64_t number = shared_values_add_text(v, "");

	assert_true(number != 0);
	assert_string_equal(shared_value_text(number), "");
	/* A sample without raw data equals one with no bytes. */
	assert_int_equal(shared_values_add(v, NULL, 0), number);
	assert_int_equal(shared_values_note(v, NULL, 0, 1, 55), 55);
	assert_int_equal(shared_values_noted(v, NULL, 0, 1), 55);
}

static void the_first_note_stands(void **state)
{
	(void)state;
	_cleanup_(shared_values_freep) struct shared_values *v = shared_values_new();

	assert_int_equal(shared_values_noted(v, "ab", 2, 1), 0);
	assert_int_equal(shared_values_note(v, "ab", 2, 1, 55), 55);
	assert_int_equal(shared_values_note(v, "ab", 2, 1, 66), 55);
	assert_int_equal(shared_values_noted(v, "ab", 2, 1), 55);
	assert_int_equal(shared_values_noted(v, "ab", 2, 2), 0);
	assert_int_equal(shared_values_noted(v, "abc", 3, 1), 0);
}

#define N_TEXTS   3000
#define N_THREADS 4

struct adder {
	struct shared_values *values;
	uint64_t numbers[N_TEXTS];
};

static void *add_all(void *arg)
{
	struct adder *a = arg;
	char text[32];

	for (int i = 0; i < N_TEXTS; i++) {
		snprintf(text, sizeof(text), "the text number %d", i);
		a->numbers[i] = shared_values_add_text(a->values, text);
	}
	return NULL;
}

static void threads_agree(void **state)
{
	(void)state;
	_cleanup_(shared_values_freep) struct shared_values *v = shared_values_new();
	static struct adder adders[N_THREADS];
	pthread_t threads[N_THREADS];

	for (size_t i = 0; i < N_THREADS; i++) {
		adders[i].values = v;
		assert_int_equal(pthread_create(&threads[i], NULL, add_all, &adders[i]), 0);
	}
	for (size_t i = 0; i < N_THREADS; i++)
		pthread_join(threads[i], NULL);
	for (size_t i = 1; i < N_THREADS; i++)
		assert_memory_equal(adders[i].numbers, adders[0].numbers,
				    sizeof(adders[0].numbers));
	assert_string_equal(shared_value_text(adders[0].numbers[41]), "the text number 41");
}

static void values_that_are_shared_stay_and_notes_do_not(void **state)
{
	struct shared_values *first = shared_values_new();
	_cleanup_(shared_values_freep) struct shared_values *second = shared_values_share(first);
	uint64_t text = shared_values_add_text(first, "name");
	size_t bytes = shared_values_bytes(second);

	(void)state;
	assert_true(bytes >= sizeof("name"));
	assert_int_equal(shared_values_add_text(second, "name"), text);
	assert_int_equal(shared_values_bytes(second), bytes);
	assert_int_equal(shared_values_note(first, "a", 1, 0, 7), 7);
	assert_int_equal(shared_values_noted(second, "a", 1, 0), 0);
	shared_values_free(first);
	assert_string_equal(shared_value_text(text), "name");
	assert_int_equal(shared_values_add_text(second, "name"), text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_that_are_shared_stay_and_notes_do_not),
		cmocka_unit_test(equal_bytes_are_one_number),
		cmocka_unit_test(nothing_is_a_value_too),
		cmocka_unit_test(the_first_note_stands),
		cmocka_unit_test(threads_agree),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
