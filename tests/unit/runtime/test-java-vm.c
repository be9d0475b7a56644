/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/cleanup.h"
#include "runtime/java.h"

/* The form of the tables, as a virtual machine describes it. */
struct fake_field {
	const char *type, *name, *text;
	int32_t is_static;
	uint64_t offset;
	void *address;
};

struct fake_type {
	const char *name, *super;
	int32_t flags[3];
	uint64_t size;
};

/* The values of its symbols. */
struct fake_vm {
	uint64_t fields, field_size, field_type, field_name, field_static, field_offset,
		field_address;
	uint64_t types, type_size, type_name, type_bytes;
};

static const struct fake_field fields[] = {
	{ "CodeBlob", "_name", "const char*", 0, 96, NULL },
	{ "nmethod", "_name", "const char*", 0, 8, NULL },
	{ "CodeCache", NULL, "", 0, 0, NULL },
	{ "CodeCache", "_heaps", "", 1, 0, (void *)0x1234 },
	{ NULL, NULL, NULL, 0, 0, NULL },
};

static const struct fake_type types[] = { { "HeapBlock", NULL, { 0 }, 16 },
					  { "Method", NULL, { 0 }, 88 },
					  { NULL, NULL, { 0 }, 0 } };

static const struct fake_vm good = {
	.fields = (uintptr_t)fields,
	.field_size = sizeof(fields[0]),
	.field_type = offsetof(struct fake_field, type),
	.field_name = offsetof(struct fake_field, name),
	.field_static = offsetof(struct fake_field, is_static),
	.field_offset = offsetof(struct fake_field, offset),
	.field_address = offsetof(struct fake_field, address),
	.types = (uintptr_t)types,
	.type_size = sizeof(types[0]),
	.type_name = offsetof(struct fake_type, name),
	.type_bytes = offsetof(struct fake_type, size),
};

/* Reads the machine whose symbols are at @m, @bias above their link addresses. */
static int read_vm(const struct fake_vm *m, struct java_vm *ret)
{
	const uint64_t bias = 4096;
	struct runtime_symbol s[sizeof(*m) / sizeof(uint64_t)];
	struct java_symbols symbols;

	for (size_t i = 0; i < ARRAY_SIZE(s); i++)
		s[i] = (struct runtime_symbol){ (uintptr_t)m + i * sizeof(uint64_t) - bias, 8 };
	symbols = (struct java_symbols){ s[0], s[1], s[2], s[3], s[4], s[5],
					 s[6], s[7], s[8], s[9], s[10] };
	return java_vm_read(&symbols, getpid(), bias, ret);
}

static void fields_and_types_are_found_by_name(void **state)
{
	struct java_vm vm;
	uint64_t value;

	(void)state;
	assert_int_equal(read_vm(&good, &vm), 0);
	assert_true(java_vm_find(&vm, "nmethod", "_name", &value));
	assert_int_equal(value, 8);
	assert_true(java_vm_find(&vm, "CodeBlob", "_name", &value));
	assert_int_equal(value, 96);
	assert_true(java_vm_find(&vm, "CodeCache", "_heaps", &value));
	assert_int_equal(value, 0x1234);
	assert_false(java_vm_find(&vm, "CodeCache", "_heap", &value));
	assert_true(java_vm_find_size(&vm, "Method", &value));
	assert_int_equal(value, 88);
	assert_false(java_vm_find_size(&vm, "method", &value));
	java_vm_done(&vm);
}

static void assert_refused(const struct fake_vm *m, int wanted)
{
	struct java_vm vm;

	assert_int_equal(read_vm(m, &vm), wanted);
	java_vm_done(&vm);
}

static void forms_that_make_no_sense_are_refused(void **state)
{
	struct fake_vm m = good;

	(void)state;
	m.fields = 0;
	assert_refused(&m, -EAGAIN);
	m = good;
	m.field_size = 0;
	assert_refused(&m, -EPROTO);
	m.field_size = 1 << 20;
	assert_refused(&m, -EPROTO);
	m = good;
	m.field_address = m.field_size;
	assert_refused(&m, -EPROTO);
	m = good;
	m.type_bytes = UINT64_MAX - 3;
	assert_refused(&m, -EPROTO);
	m = good;
	m.types = 8;
	assert_refused(&m, -EFAULT);
}

static void names_far_apart_are_refused(void **state)
{
	static struct fake_type far[] = { { (const char *)8, NULL, { 0 }, 16 },
					  { "Method", NULL, { 0 }, 88 },
					  { NULL, NULL, { 0 }, 0 } };
	struct fake_vm m = good;

	(void)state;
	m.types = (uintptr_t)far;
	assert_refused(&m, -EPROTO);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fields_and_types_are_found_by_name),
		cmocka_unit_test(forms_that_make_no_sense_are_refused),
		cmocka_unit_test(names_far_apart_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
