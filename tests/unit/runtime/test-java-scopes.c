/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>

#include "base/cleanup.h"
#include "java-fake.h"

static int read_scopes(const struct fake_code *c, struct runtime_code *ret)
{
	const struct java_layout y = fake_code_layout();

	*ret = (struct runtime_code){ 0 };
	assert_int_equal(
		java_method_read(&y, getpid(), (uintptr_t)c->outer.method, runtime_code_add(ret)),
		0);
	return java_scopes_read(&y, getpid(), (uintptr_t)c->bytes, c->bytes, ret);
}

/* The functions at @position, innermost first, each with its byte code. */
static void assert_places(const struct runtime_code *c, uint32_t position, const char *wanted)
{
	_cleanup_(text_done) struct text got = TEXT_EMPTY;
	size_t i = 0;

	while (i < c->spots.n && c->spots.items[i].end <= position)
		i++;
	assert_true(i < c->spots.n);
	for (uint32_t k = 0; k < c->spots.items[i].n; k++) {
		const struct runtime_place *p = &c->places.items[c->spots.items[i].first + k];

		text_addf(&got, "%s:%u ", c->functions.items[p->function].name.chars, p->position);
	}
	assert_string_equal(got.chars, wanted);
}

static const uint32_t two_pcs[][2] = { { UINT32_MAX, 0 }, { 20, 1 }, { 40, 4 }, { 90, 0 } };

static void code_belongs_to_the_next_description(void **state)
{
	struct fake_code c;
	struct runtime_code got;

	(void)state;
	fake_code_make(&c, two_pcs, ARRAY_SIZE(two_pcs));
	fake_put(c.bytes, 16, FAKE_CODE, 4); /* there is no code to follow */
	assert_int_equal(read_scopes(&c, &got), 0);
	assert_places(&got, 0, "Load.outer:0 ");
	assert_places(&got, 5, "Load.outer:7 ");
	assert_places(&got, 20, "Load.outer:7 ");
	assert_places(&got, 21, "Load.inner:9 Load.outer:7 ");
	assert_places(&got, 40, "Load.inner:9 Load.outer:7 ");
	runtime_code_done(&got);
}

static void the_end_of_a_loop_belongs_to_it(void **state)
{
	struct fake_code c;
	struct runtime_code got;

	(void)state;
	fake_code_make(&c, two_pcs, ARRAY_SIZE(two_pcs));
#ifdef __x86_64__
	memset(c.bytes + FAKE_CODE, 0x90, 128);
	/* jne 16 at 24; jmp 17 at 30; jmp 41 at 34 */
	memcpy(c.bytes + FAKE_CODE + 24, "\x75\xf6", 2);
	memcpy(c.bytes + FAKE_CODE + 30, "\xeb\xf1", 2);
	memcpy(c.bytes + FAKE_CODE + 34, "\xeb\x05", 2);
#else
	for (size_t i = 0; i < 128; i += 4)
		fake_put(c.bytes, FAKE_CODE + i, 0xd503201f, 4); /* nop */
	fake_put(c.bytes, FAKE_CODE + 24, 0x54ffffc1, 4);        /* b.ne 16 */
	fake_put(c.bytes, FAKE_CODE + 28, 0x17fffffd, 4);        /* b 16 */
	fake_put(c.bytes, FAKE_CODE + 36, 0x14000002, 4);        /* b 44 */
#endif
	assert_int_equal(read_scopes(&c, &got), 0);
	assert_places(&got, 20, "Load.outer:7 ");
	assert_places(&got, 25, "Load.outer:7 ");
	assert_places(&got, 31, "Load.outer:7 ");
	assert_places(&got, 32, "Load.inner:9 Load.outer:7 ");
	assert_places(&got, 36, "Load.inner:9 Load.outer:7 ");
	runtime_code_done(&got);
}

static void assert_refused(const struct fake_code *c, int wanted)
{
	struct runtime_code got;

	assert_int_equal(read_scopes(c, &got), wanted);
	runtime_code_done(&got);
}

static void scopes_that_make_no_sense_are_refused(void **state)
{
	struct fake_code c;

	(void)state;
	/* A scope behind the data, one that is its own caller, and a method that is none. */
	fake_code_make(&c, (const uint32_t[][2]){ { 20, 5000 } }, 1);
	assert_refused(&c, -EPROTO);
	fake_code_make(&c, two_pcs, ARRAY_SIZE(two_pcs));
	c.bytes[FAKE_DATA + 4] = 4;
	assert_refused(&c, -EPROTO);
	fake_code_make(&c, two_pcs, ARRAY_SIZE(two_pcs));
	c.bytes[FAKE_DATA + 5] = 100;
	assert_refused(&c, -EPROTO);
	fake_code_make(&c, two_pcs, ARRAY_SIZE(two_pcs));
	c.bytes[FAKE_DATA + 5] = 0;
	assert_refused(&c, -EPROTO);
	/* The outermost method is another one than that of the code. */
	fake_code_make(&c, two_pcs, ARRAY_SIZE(two_pcs));
	fake_put(c.bytes, 64, (uintptr_t)c.inner.method, 8);
	assert_refused(&c, -EPROTO);
}

static void parts_out_of_order_are_refused(void **state)
{
	struct fake_code c;

	(void)state;
	fake_code_make(&c, two_pcs, ARRAY_SIZE(two_pcs));
	fake_put(c.bytes, 44, FAKE_PCS - 16, 4);
	assert_refused(&c, -EPROTO);
	fake_put(c.bytes, 44, UINT32_MAX, 4);
	assert_refused(&c, -EPROTO);
	fake_code_make(&c, two_pcs, ARRAY_SIZE(two_pcs));
	fake_put(c.bytes, 56, 8, 8);
	assert_refused(&c, -EPROTO);
	fake_code_make(&c, two_pcs, ARRAY_SIZE(two_pcs));
	fake_put(c.bytes, 48, 1 << 30, 4);
	assert_refused(&c, -EPROTO);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(code_belongs_to_the_next_description),
		cmocka_unit_test(the_end_of_a_loop_belongs_to_it),
		cmocka_unit_test(scopes_that_make_no_sense_are_refused),
		cmocka_unit_test(parts_out_of_order_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
