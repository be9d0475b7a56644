/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "arch/code-flow.h"
#include "base/cleanup.h"

/* Encodings and targets as objdump shows them. */
static const struct {
	uint32_t word;
	enum code_flow_kind kind;
	int64_t target; /* from where it lies; NONE: it has none */
} words[] = {
#define NONE INT64_MIN
	{ 0x14000004, FLOW_JUMP, 0x10 },   /* b */
	{ 0x17fffffd, FLOW_JUMP, -0xc },   /* b, back */
	{ 0x97ffffe7, FLOW_CALL, -0x64 },  /* bl */
	{ 0x54fffea1, FLOW_JUMP, -0x2c },  /* b.ne */
	{ 0x34000200, FLOW_JUMP, 0x40 },   /* cbz w0 */
	{ 0xb5ffffe1, FLOW_JUMP, -4 },     /* cbnz x1 */
	{ 0x36180062, FLOW_JUMP, 0xc },    /* tbz w2, #3 */
	{ 0xb7ffffe0, FLOW_JUMP, -4 },     /* tbnz x0, #63 */
	{ 0x10ffffe0, FLOW_ON, -4 },       /* adr x0 */
	{ 0x30000000, FLOW_ON, 1 },        /* adr x0, one byte on */
	{ 0x58000040, FLOW_ON, 8 },        /* ldr x0, literal */
	{ 0xd61f0200, FLOW_JUMP, NONE },   /* br x16 */
	{ 0xd63f02e0, FLOW_CALL, NONE },   /* blr x23 */
	{ 0xd71f0a11, FLOW_JUMP, NONE },   /* braa x16, x17 */
	{ 0xd65f03c0, FLOW_RETURN, NONE }, /* ret */
	{ 0xd65f0bff, FLOW_RETURN, NONE }, /* retaa */
	{ 0xd69f03e0, FLOW_RETURN, NONE }, /* eret */
	{ 0xd503201f, FLOW_ON, NONE },     /* nop */
	{ 0xf9400000, FLOW_ON, NONE },     /* ldr x0, [x0] */
};

static void words_of_aarch64_lead_where_they_say(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		uint8_t b[4] = { (uint8_t)words[i].word, (uint8_t)(words[i].word >> 8),
				 (uint8_t)(words[i].word >> 16), (uint8_t)(words[i].word >> 24) };
		struct code_flow f = code_flow_of(MACHINE_AARCH64, b, 4, 0x400800);

		assert_int_equal(f.kind, words[i].kind);
		assert_int_equal(f.has_target, words[i].target != NONE);
		if (f.has_target)
			assert_int_equal(f.target, 0x400800 + words[i].target);
	}
}

static void a_page_is_counted_from_the_page(void **state)
{
	static const uint8_t adrp[] = { 0x04, 0x01, 0x00, 0x90 }; /* adrp x4, 32 pages on */
	struct code_flow f = code_flow_of(MACHINE_AARCH64, adrp, 4, 0x728);

	(void)state;
	assert_int_equal(f.kind, FLOW_ON);
	assert_true(f.has_target);
	assert_int_equal(f.target, 0x20000);
}

static const struct {
	const char *bytes;
	size_t n;
	enum code_flow_kind kind;
	int64_t target;
} instructions[] = {
	{ "\xe8\x3c\x01\x00\x00", 5, FLOW_CALL, 0x141 },
	{ "\xe9\x77\xff\xff\xff", 5, FLOW_JUMP, -0x84 },
	{ "\xeb\x1a", 2, FLOW_JUMP, 0x1c },
	{ "\x74\x4c", 2, FLOW_JUMP, 0x4e },
	{ "\x0f\x84\x00\x01\x00\x00", 6, FLOW_JUMP, 0x106 },
	{ "\xf2\xe9\x00\x00\x00\x00", 6, FLOW_JUMP, 6 },
	{ "\xe2\xfe", 2, FLOW_JUMP, 0 },
	{ "\xc7\xf8\x02\x00\x00\x00", 6, FLOW_JUMP, 8 },
	{ "\xff\xe0", 2, FLOW_JUMP, NONE },
	{ "\x3e\xff\xe0", 3, FLOW_JUMP, NONE },
	{ "\xff\x15\xef\x2e\x00\x00", 6, FLOW_CALL, NONE },
	{ "\xff\xc0", 2, FLOW_ON, NONE }, /* inc */
	{ "\xc3", 1, FLOW_RETURN, NONE },
	{ "\xf3\xc3", 2, FLOW_RETURN, NONE },
	{ "\x48\x0f\x07", 3, FLOW_RETURN, NONE },
	{ "\x48\x89\xe5", 3, FLOW_ON, NONE },
	{ "\x0f\x05", 2, FLOW_ON, NONE },
};

static void bytes_of_x86_lead_where_they_say(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(instructions); i++) {
		struct code_flow f = code_flow_of(MACHINE_X86_64,
						  (const uint8_t *)instructions[i].bytes,
						  instructions[i].n, 0x1000);

		assert_int_equal(f.kind, instructions[i].kind);
		assert_int_equal(f.has_target, instructions[i].target != NONE);
		if (f.has_target)
			assert_int_equal(f.target, 0x1000 + instructions[i].target);
	}
}

static void what_is_cut_off_leads_nowhere(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(instructions); i++)
		for (size_t n = 0; n < instructions[i].n; n++)
			code_flow_of(MACHINE_X86_64, (const uint8_t *)instructions[i].bytes, n, 0);
	assert_false(code_flow_of(MACHINE_X86_64, (const uint8_t *)"\xe8\x01", 2, 0).has_target);
	assert_int_equal(code_flow_of(MACHINE_AARCH64, (const uint8_t *)"\x00\x00\x00", 3, 0).kind,
			 FLOW_ON);
	assert_int_equal(code_flow_of(MACHINE_UNKNOWN, (const uint8_t *)"\xc3", 1, 0).kind,
			 FLOW_ON);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_of_aarch64_lead_where_they_say),
		cmocka_unit_test(a_page_is_counted_from_the_page),
		cmocka_unit_test(bytes_of_x86_lead_where_they_say),
		cmocka_unit_test(what_is_cut_off_leads_nowhere),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
