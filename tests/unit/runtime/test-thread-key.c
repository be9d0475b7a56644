/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <unistd.h>

#include "arch/access.h"
#include "arch/arch.h"
#include "runtime/thread-key.h"
#include "skip.h"

static const char *banner = "Engine v1";
static uint64_t first = 1, second = 2;
static __thread uint64_t *variable;

static const char *get_banner(void)
{
	return banner;
}

static unsigned get_kind(void)
{
	return 4;
}

static uint64_t get_sum(void)
{
	return first + second;
}

static uint64_t get_member(void)
{
	return variable[3];
}

static uint64_t address_of(const void *function)
{
	return (uintptr_t)function;
}

static struct thread_code code_at(uint64_t addr)
{
	return (struct thread_code){ .arch = arch_host(), .pid = getpid(), .addr = addr };
}

static void a_result_is_followed(void **state)
{
	uint64_t result;

	(void)state;
	if (!code_access_knows(arch_host()))
		skip_because("no decoder for this machine");
	assert_int_equal(thread_result_find(code_at(address_of(get_banner)), &result), 0);
	assert_int_equal(result, (uintptr_t)banner);
	assert_int_equal(thread_result_find(code_at(address_of(get_kind)), &result), 0);
	assert_int_equal(result, get_kind());
	assert_true(thread_result_find(code_at(address_of(get_sum)), &result) < 0 ||
		    result == get_sum());
	assert_int_equal(thread_result_find(code_at(16), &result), -EFAULT);
}

static void loads_of_variables_are_listed(void **state)
{
	uint64_t loads[4];
	size_t n;

	(void)state;
	if (!code_access_knows(arch_host()))
		skip_because("no decoder for this machine");
	n = thread_loads_find(code_at(address_of(get_sum)), loads, 4);
	assert_int_equal(n, 2);
	assert_int_equal(loads[0] + loads[1], (uintptr_t)&first + (uintptr_t)&second);
	assert_int_equal(thread_loads_find(code_at(address_of(get_sum)), loads, 1), 1);
}

static void the_first_variable_of_a_thread_is_found(void **state)
{
	uint64_t words[4] = { 0, 0, 0, 7 };
	struct runtime_path path = { 0 };

	(void)state;
	if (!code_access_knows(arch_host()))
		skip_because("no decoder for this machine");
	variable = words;
	assert_int_equal(get_member(), 7);
	assert_int_equal(thread_first_variable_path(code_at(address_of(get_member)), &path), 0);
	assert_true(path.n == 1 || path.n == 3);
	if (path.n == 1)
		assert_int_equal(path.offsets[0], (int64_t)((uintptr_t)&variable -
							    (uintptr_t)__builtin_thread_pointer()));
}

/* Code of a machine that need not be this one. */
static struct thread_code code_of(const struct arch *arch, const void *code, size_t size)
{
	return (struct thread_code){
		.arch = arch, .pid = getpid(), .addr = (uintptr_t)code, .size = size
	};
}

static void a_variable_at_the_thread_pointer_is_found_on_each_machine(void **state)
{
	/* mrs x0, tpidr_el0; add x0, x0, #0, lsl #12; ldr x0, [x0, #24]; ret */
	static const uint32_t aarch64[] = { 0xd53bd040, 0x91400000, 0xf9400c00, 0xd65f03c0 };
	/* mov %fs:0, %rax; mov -8(%rax), %rax; ret */
	static const uint8_t x86[] = "\x64\x48\x8b\x04\x25\0\0\0\0\x48\x8b\x40\xf8\xc3";
	struct runtime_path path = { 0 };

	(void)state;
	assert_int_equal(
		thread_variable_path(code_of(&arch_aarch64, aarch64, sizeof(aarch64)), &path), 0);
	assert_int_equal(path.n, 1);
	assert_int_equal(path.offsets[0], 24);
	path = (struct runtime_path){ 0 };
	assert_int_equal(thread_variable_path(code_of(&arch_x86_64, x86, sizeof(x86)), &path), 0);
	assert_int_equal(path.n, 1);
	assert_int_equal(path.offsets[0], -8);
}

static void a_key_is_found_on_each_machine(void **state)
{
	/* adrp x0, here; add x0, x0, #16; b elsewhere */
	static const uint32_t aarch64[] = { 0x90000000, 0x91004000, 0x14000010 };
	/* mov $0x12345678, %edi; jmp elsewhere */
	static const uint8_t x86[] = "\xbf\x78\x56\x34\x12\xe9\0\1\0\0";
	uint64_t at;

	(void)state;
	assert_int_equal(thread_key_find(code_of(&arch_aarch64, aarch64, sizeof(aarch64)), &at), 0);
	assert_int_equal(at, ((uintptr_t)aarch64 & ~(uint64_t)4095) + 16 + 4);
	assert_int_equal(thread_key_find(code_of(&arch_x86_64, x86, sizeof(x86)), &at), 0);
	assert_int_equal(at, 0x12345678 + 4);
}

static void a_variable_that_has_no_place_yet_is_looked_up_later(void **state)
{
	/* lea module(%rip), %rdi; call elsewhere; mov (%rax), %rax; ret; the module and the offset
	 */
	static struct {
		uint8_t code[16];
		uint64_t module, offset;
	} general = { "\x48\x8d\x3d\x09\0\0\0\xe8\0\1\0\0\x48\x8b\0\xc3", 0, 24 };
	/* mov distance(%rip), %rax; mov %fs:(%rax), %rax; ret; the distance */
	static struct {
		uint8_t code[16];
		int64_t distance;
	} initial = { "\x48\x8b\x05\x09\0\0\0\x64\x48\x8b\0\xc3", 0 };
	struct runtime_path path = { 0 };

	(void)state;
	assert_int_equal(thread_variable_path(code_of(&arch_x86_64, &general, 16), &path), -EAGAIN);
	assert_true(thread_variable_path(code_of(&arch_x86_64, &initial, 12), &path) < 0);
	assert_int_equal(path.n, 0);
	general.module = 2;
	assert_int_equal(thread_variable_path(code_of(&arch_x86_64, &general, 16), &path), 0);
	assert_int_equal(path.n, 3);
	assert_int_equal(path.offsets[0], 8);
	assert_int_equal(path.offsets[1], 32);
	assert_int_equal(path.offsets[2], 24);
	path = (struct runtime_path){ 0 };
	initial.distance = -8;
	assert_int_equal(thread_variable_path(code_of(&arch_x86_64, &initial, 12), &path), 0);
	assert_int_equal(path.n, 1);
	assert_int_equal(path.offsets[0], -8);
}

static void a_descriptor_of_a_variable_is_followed(void **state)
{
	/*
	 * bl further; ret
	 * further: mrs x1, tpidr_el0; adrp x0, here; ldr x2, [x0, #64]; add x0, x0, #64; blr x2;
	 * ldr x0, [x1, x0]; ret
	 */
	static struct {
		uint32_t code[16];
		uint64_t function, argument;
	} aarch64 __attribute__((aligned(4096))) = {
		{ 0x94000002, 0xd65f03c0, 0xd53bd041, 0x90000000, 0xf9402002, 0x91010000,
		  0xd63f0040, 0xf8606820, 0xd65f03c0 },
		0,
		0,
	};
	/* lea descriptor(%rip), %rax; call *(%rax); mov %fs:(%rax), %rax; ret */
	static struct {
		uint8_t code[16];
		uint64_t function, argument;
	} x86 = { "\x48\x8d\x05\x09\0\0\0\xff\x10\x64\x48\x8b\0\xc3", 1, (uint64_t)-16 };
	static uint64_t module[] = { 3, 32 };
	/* movz x0, #1, lsl #16; movk x0, #24; mrs x1, tpidr_el0; ldr x0, [x1, x0]: the linker's
	 * short form */
	static const uint32_t brief[] = { 0xd2a00020, 0xf2800300, 0xd53bd041, 0xf8606820,
					  0xd65f03c0 };
	struct thread_code c = code_of(&arch_aarch64, &aarch64, sizeof(aarch64.code));
	struct runtime_path path = { 0 };

	(void)state;
	assert_int_equal(thread_first_variable_path(c, &path), -EAGAIN);
	aarch64.function = 1;
	aarch64.argument = 24;
	assert_int_equal(thread_first_variable_path(c, &path), 0);
	assert_int_equal(path.n, 1);
	assert_int_equal(path.offsets[0], 24);
	path = (struct runtime_path){ 0 };
	aarch64.argument = (uintptr_t)module;
	assert_int_equal(thread_first_variable_path(c, &path), 0);
	assert_int_equal(path.n, 3);
	assert_int_equal(path.offsets[0], 0);
	assert_int_equal(path.offsets[1], 48);
	assert_int_equal(path.offsets[2], 32);
	module[0] = UINT64_MAX;
	path = (struct runtime_path){ 0 };
	assert_int_equal(thread_first_variable_path(c, &path), -EPROTO);
	assert_int_equal(thread_variable_path(code_of(&arch_aarch64, brief, sizeof(brief)), &path),
			 0);
	assert_int_equal(path.n, 1);
	assert_int_equal(path.offsets[0], 0x10018);
	path = (struct runtime_path){ 0 };
	assert_int_equal(thread_variable_path(code_of(&arch_x86_64, &x86, 14), &path), 0);
	assert_int_equal(path.n, 1);
	assert_int_equal(path.offsets[0], -16);
}

static void calls_without_an_end_are_refused(void **state)
{
	static const uint32_t itself[] = { 0x94000000, 0xd65f03c0 };
	struct runtime_path path = { 0 };

	(void)state;
	assert_int_equal(
		thread_first_variable_path(code_of(&arch_aarch64, itself, sizeof(itself)), &path),
		-EPROTO);
}

static void code_that_is_not_so_simple_is_refused(void **state)
{
	static const uint32_t ret[] = { 0xd65f03c0 }, invalid[] = { 0 };
	struct runtime_path path = { 0 };
	uint64_t at, loads[2];

	(void)state;
	assert_int_equal(thread_key_find(code_of(&arch_aarch64, ret, sizeof(ret)), &at), -EPROTO);
	assert_int_equal(thread_variable_path(code_of(&arch_aarch64, ret, sizeof(ret)), &path),
			 -EPROTO);
	assert_int_equal(thread_result_find(code_of(&arch_aarch64, ret, sizeof(ret)), &at),
			 -EPROTO);
	assert_int_equal(thread_result_find(code_of(&arch_aarch64, invalid, sizeof(invalid)), &at),
			 -EPROTO);
	assert_int_equal(thread_loads_find(code_of(&arch_aarch64, ret, sizeof(ret)), loads, 2), 0);
	assert_int_equal(thread_result_find(code_of(NULL, ret, sizeof(ret)), &at), -ENOTSUP);
	assert_int_equal(path.n, 0);
}

static void keys_lead_to_their_block(void **state)
{
	static const struct runtime_libc libc = {
		.blocks = 0x510, .value = 8, .slot_size = 16, .n_slots = 32, .n_blocks = 32
	};
	struct runtime_path path = { 0 };

	(void)state;
	assert_int_equal(thread_key_path(&libc, 33, &path), 0);
	assert_int_equal(path.n, 2);
	assert_int_equal(path.offsets[0], 0x510 + 8);
	assert_int_equal(path.offsets[1], 8 + 16);
	assert_int_equal(thread_key_path(&libc, 32 * 32, &path), -ENOTSUP);
	assert_int_equal(thread_key_path(&libc, UINT32_MAX, &path), -ENOTSUP);
	assert_int_equal(thread_key_path(&(struct runtime_libc){ 0 }, 0, &path), -ENOTSUP);
}

static void a_path_has_no_more_steps_than_fit(void **state)
{
	struct runtime_path path = { 0 };

	(void)state;
	for (int i = 0; i < 2 * RUNTIME_STEPS_MAX; i++)
		runtime_path_add(&path, i);
	assert_int_equal(path.n, RUNTIME_STEPS_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_result_is_followed),
		cmocka_unit_test(loads_of_variables_are_listed),
		cmocka_unit_test(the_first_variable_of_a_thread_is_found),
		cmocka_unit_test(a_variable_at_the_thread_pointer_is_found_on_each_machine),
		cmocka_unit_test(a_key_is_found_on_each_machine),
		cmocka_unit_test(a_variable_that_has_no_place_yet_is_looked_up_later),
		cmocka_unit_test(a_descriptor_of_a_variable_is_followed),
		cmocka_unit_test(calls_without_an_end_are_refused),
		cmocka_unit_test(code_that_is_not_so_simple_is_refused),
		cmocka_unit_test(keys_lead_to_their_block),
		cmocka_unit_test(a_path_has_no_more_steps_than_fit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
