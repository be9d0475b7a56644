/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "arch/arch.h"
#include "base/cleanup.h"
#include "runtime/internal.h"
#include "runtime/runtime.h"

#define VERSION(minor) (0x03000000u | (minor) << 16 | 0xf0)

struct member {
	const char *name;
	uint64_t type, offset, flags, doc;
};

/* An interpreter in this process: its types, its version, and what it states since 3.13. */
static struct {
	uint32_t version;
	uint64_t code_type[64];
	struct member members[10];
	uint64_t state[128];
} fake;

/* mov %fs:-8, %rax; ret */
static const uint8_t get_state[] = "\x64\x48\x8b\x04\x25\xf8\xff\xff\xff\xc3";

/* The sizes of structures, and the offsets in them, of 3.13. */
enum {
	THREAD = 19,
	FRAME = 28,
	OBJECT = 44,
	TEXT = 67,
};

static void fake_make(unsigned minor)
{
	static const struct member members[] = {
		{ "co_argcount", 0, 24, 0, 0 },   { "co_kwonlyargcount", 0, 32, 0, 0 },
		{ "co_flags", 0, 48, 0, 0 },      { "co_firstlineno", 0, 68, 0, 0 },
		{ "co_filename", 0, 112, 0, 0 },  { "co_qualname", 0, 128, 0, 0 },
		{ "co_linetable", 0, 136, 0, 0 }, { "co_name", 0, 120, 0, 0 },
	};

	memset(&fake, 0, sizeof(fake));
	fake.version = VERSION(minor);
	memcpy(fake.members, members, sizeof(members));
	fake.code_type[4] = 200;
	fake.code_type[30] = (uintptr_t)fake.members;
	memcpy(fake.state, "xdebugpy", 8);
	fake.state[1] = fake.version;
	fake.state[THREAD] = 300;
	fake.state[THREAD + 4] = 72;
	fake.state[FRAME] = 88;
	fake.state[FRAME + 1] = 8;
	fake.state[FRAME + 3] = 56;
	fake.state[FRAME + 5] = 70;
	fake.state[OBJECT] = 16;
	fake.state[OBJECT + 1] = 8;
	fake.state[TEXT] = 64;
	fake.state[TEXT + 1] = 32;
	fake.state[TEXT + 2] = 16;
	fake.state[TEXT + 3] = 40;
}

static int find(struct runtime_process *ret)
{
	const struct runtime_image im = {
		.type = &runtime_python,
		.arch = &arch_x86_64,
		.python = { .code_type = { (uintptr_t)fake.code_type, 512 },
			    .version = { (uintptr_t)&fake.version, 4 },
			    .state = { (uintptr_t)fake.state, 1024 },
			    .get_state = { (uintptr_t)get_state, sizeof(get_state) } },
	};

	return runtime_process_find(&im, getpid(), 0, NULL, ret);
}

static int error_of(void)
{
	struct runtime_process p;

	return find(&p);
}

static void offsets_are_those_that_the_process_states(void **state)
{
	struct runtime_process p;

	(void)state;
	fake_make(13);
	assert_int_equal(find(&p), 0);
	assert_int_equal(p.python.frame_previous, 8);
	assert_int_equal(p.python.frame_instr, 56);
	assert_int_equal(p.python.frame_bytes, 78);
	assert_int_equal(p.python.code_bytes, 144);
	assert_int_equal(p.python.code_start, 200);
	assert_int_equal(p.python.name, 128);
	assert_int_equal(p.frame.n, 2);
	assert_int_equal(p.frame.offsets[0], -8);
	assert_int_equal(p.frame.offsets[1], 72);
	fake_make(12);
	assert_int_equal(find(&p), 0);
	assert_int_equal(p.frame.n, 3);
}

static void offsets_too_large_for_the_walker_are_refused(void **state)
{
	static const uint64_t hostile[] = { 241, 1024, 65526, 65527, 65528, 65534 };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(hostile); i++) {
		fake_make(13);
		fake.state[FRAME] = 65535;
		fake.state[FRAME + 3] = hostile[i];
		assert_int_equal(error_of(), -EPROTO);
		fake_make(13);
		fake.state[OBJECT] = 65535;
		fake.state[OBJECT + 1] = hostile[i];
		assert_true(error_of() < 0);
	}
	fake_make(13);
	fake.state[FRAME] = 65536;
	assert_int_equal(error_of(), -EPROTO);
	fake_make(13);
	fake.state[TEXT + 3] = UINT64_MAX;
	assert_int_equal(error_of(), -EPROTO);
	fake_make(13);
	fake.members[4].offset = 1000;
	assert_int_equal(error_of(), -EPROTO);
	fake.members[4].offset = UINT64_MAX;
	assert_int_equal(error_of(), -EPROTO);
	fake_make(13);
	fake.code_type[4] = 1 << 20;
	assert_int_equal(error_of(), -EPROTO);
}

static void versions_that_are_not_known_are_refused(void **state)
{
	(void)state;
	fake_make(16);
	assert_int_equal(error_of(), -ENOTSUP);
	fake_make(13);
	fake.state[1]++;
	assert_int_equal(error_of(), -EPROTO);
	fake_make(13);
	fake.state[0]++;
	assert_int_equal(error_of(), -EPROTO);
}

static void members_that_are_not_there_are_refused(void **state)
{
	(void)state;
	fake_make(13);
	fake.members[3].name = "co_other";
	assert_int_equal(error_of(), -EPROTO);
	fake_make(13);
	fake.members[3].name = (const char *)8;
	assert_int_equal(error_of(), -EPROTO);
	fake_make(13);
	fake.code_type[30] = 0xffff888000000000;
	assert_int_equal(error_of(), -EFAULT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(offsets_are_those_that_the_process_states),
		cmocka_unit_test(offsets_too_large_for_the_walker_are_refused),
		cmocka_unit_test(versions_that_are_not_known_are_refused),
		cmocka_unit_test(members_that_are_not_there_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
