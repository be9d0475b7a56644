/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/cleanup.h"
#include "unwind/call-site.h"

static bool x86(const char *code, size_t n)
{
	return call_site_ends(MACHINE_X86_64, (const uint8_t *)code, n);
}

static bool aarch64(uint32_t op)
{
	return call_site_ends(MACHINE_AARCH64, (const uint8_t *)&op, sizeof(op));
}

static void x86_calls_are_seen_from_behind(void **state)
{
	(void)state;
	assert_true(x86("\x90\x90\x90\xe8\x01\x02\x03\x04", 8)); /* call rel32 */
	assert_true(x86("\xff\xd0", 2));                         /* call *%rax */
	assert_true(x86("\x41\xff\xd4", 3));                     /* call *%r12 */
	assert_true(x86("\xff\x53\x18", 3));                     /* call *0x18(%rbx) */
	assert_true(x86("\xff\x15\x01\x02\x03\x04", 6));         /* call *x(%rip) */
	assert_true(x86("\xff\x14\xc1", 3));                     /* call *(%rcx,%rax,8) */
	assert_true(x86("\xff\x14\xc5\x01\x02\x03\x04", 7));     /* call *x(,%rax,8) */
	assert_true(x86("\xff\x94\xc1\x01\x02\x03\x04", 7));     /* call *x(%rcx,%rax,8) */
}

static void other_x86_instructions_are_none(void **state)
{
	(void)state;
	assert_false(x86("\x90\x90\x90\x90\x90\x90\x90\x90", 8));
	assert_false(x86("\xff\xe0", 2));                 /* jmp *%rax */
	assert_false(x86("\xff\x25\x01\x02\x03\x04", 6)); /* jmp *x(%rip) */
	assert_false(x86("\xff\x53", 2));
	assert_false(x86("", 0));
}

static void aarch64_calls_link(void **state)
{
	(void)state;
	assert_true(aarch64(0x94000010));  /* bl */
	assert_true(aarch64(0xd63f0100));  /* blr x8 */
	assert_true(aarch64(0xd63f091f));  /* blraaz x8 */
	assert_true(aarch64(0xd73f0909));  /* blraa x8, x9 */
	assert_false(aarch64(0x14000010)); /* b */
	assert_false(aarch64(0xd61f0100)); /* br x8 */
	assert_false(aarch64(0xd65f03c0)); /* ret */
	assert_false(call_site_ends(MACHINE_AARCH64, (const uint8_t *)"\x10\0\0", 3));
}

static void of_other_machines_nothing_is_known(void **state)
{
	(void)state;
	assert_false(call_site_ends(MACHINE_UNKNOWN, (const uint8_t *)"\xff\xd0", 2));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(x86_calls_are_seen_from_behind),
		cmocka_unit_test(other_x86_instructions_are_none),
		cmocka_unit_test(aarch64_calls_link),
		cmocka_unit_test(of_other_machines_nothing_is_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
