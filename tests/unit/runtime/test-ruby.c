/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "runtime/runtime.h"

/* Objects as in Ruby 3.3, in our own memory. */
#define TYPE_STRING 5
#define TYPE_ARRAY  7
#define NO_EMBED    (1U << 13)

struct string_object {
	uint64_t flags, class, length;
	union {
		char bytes[64];
		uint64_t pointer;
	};
};

struct array_object {
	uint64_t flags, class, words[4];
};

struct symbol_object {
	uint64_t flags, class, hash, text, id;
};

/* The body of an instruction sequence. */
struct body {
	uint32_t type, size;
	uint64_t code, path, label, line;
	uint64_t entries, positions, n, index;
};

struct method {
	uint64_t bits, function, words[2], id;
};

struct line_entry {
	uint32_t line, node, events;
};

static uint64_t names;

static struct runtime_process process = {
	.kind = RUNTIME_KIND_RUBY,
	.ruby = {
		.body_check = { offsetof(struct body, size), offsetof(struct body, code),
				offsetof(struct body, label), offsetof(struct body, line) },
		.method_check = { offsetof(struct method, function),
				  offsetof(struct method, function) + 4,
				  offsetof(struct method, id), offsetof(struct method, id) + 4 },
		.path = offsetof(struct body, path),
		.label = offsetof(struct body, label),
		.lines = offsetof(struct body, entries),
		.text = 24,
		.has_text_length = 1,
	},
};

static struct string_object string_of(const char *s)
{
	struct string_object o = { .flags = TYPE_STRING, .length = strlen(s) };

	strcpy(o.bytes, s);
	return o;
}

static int read_object(const void *object, enum ruby_sort sort, struct runtime_code *ret)
{
	const uint16_t *at = sort == RUBY_SORT_C ? process.ruby.method_check
						 : process.ruby.body_check;
	uint32_t numbers[4];
	uint64_t frame[2] = { RUNTIME_FRAME(sort, (uintptr_t)object) };

	for (int i = 0; i < 4; i++)
		memcpy(&numbers[i], (const char *)object + at[i], sizeof(numbers[i]));
	frame[1] = RUNTIME_CHECKED(runtime_check(numbers), 0);
	process.ruby.symbols = (uintptr_t)&names;
	return runtime_code_read(&process, getpid(), frame, ret);
}

static void assert_name(const void *object, enum ruby_sort sort, const char *name)
{
	struct runtime_code c;

	assert_int_equal(read_object(object, sort, &c), 0);
	assert_string_equal(c.functions.items[0].name.chars, name);
	runtime_code_done(&c);
}

static void assert_fails(const void *object, enum ruby_sort sort, int error)
{
	struct runtime_code c;

	assert_int_equal(read_object(object, sort, &c), error);
	runtime_code_done(&c);
}

static struct string_object label, path, real;
static struct array_object paths;
static struct line_entry entries[700];

static struct body body_of(const char *its_label)
{
	label = string_of(its_label);
	path = string_of("lib/app.rb");
	real = string_of("/srv/lib/app.rb");
	paths = (struct array_object){ .flags = TYPE_ARRAY | NO_EMBED | 2 << 15,
				       .words = { (uintptr_t)&path, (uintptr_t)&real } };
	entries[0].line = 7;
	return (struct body){ .size = 10,
			      .code = 0x1000,
			      .path = (uintptr_t)&paths,
			      .label = (uintptr_t)&label,
			      .entries = (uintptr_t)entries,
			      .n = 1 };
}

static void a_method_has_its_label_and_file(void **state)
{
	struct body b = body_of("block in run");
	struct runtime_code c;

	(void)state;
	assert_int_equal(read_object(&b, RUBY_SORT_ISEQ, &c), 0);
	assert_string_equal(c.functions.items[0].name.chars, "app.rb:block in run");
	assert_string_equal(c.functions.items[0].file.chars, "/srv/lib/app.rb");
	assert_int_equal(c.functions.items[0].lines.n, 1);
	assert_int_equal(c.functions.items[0].lines.items[0].line, 7);
	runtime_code_done(&c);
}

static void a_file_may_have_no_other_path(void **state)
{
	struct body b = body_of("run");

	(void)state;
	paths.words[1] = 4;
	assert_name(&b, RUBY_SORT_ISEQ, "app.rb:run");
	path = string_of("(eval)");
	b.path = (uintptr_t)&path;
	assert_name(&b, RUBY_SORT_ISEQ, "(eval):run");
}

static void texts_and_arrays_may_be_elsewhere(void **state)
{
	struct body b = body_of("run");
	uint64_t words[2] = { (uintptr_t)&path, (uintptr_t)&real };
	static const char bytes[] = "a long label";

	(void)state;
	paths = (struct array_object){ .flags = TYPE_ARRAY, .words = { 2, 0, (uintptr_t)words } };
	label = (struct string_object){ .flags = TYPE_STRING | NO_EMBED,
					.length = strlen(bytes),
					.pointer = (uintptr_t)bytes };
	assert_name(&b, RUBY_SORT_ISEQ, "app.rb:a long label");
}

/* Makes the index of lines of a sequence of @size words, in which entries begin at @at. */
static uint8_t *index_of(const uint32_t *at, uint32_t n, uint32_t size)
{
	uint64_t *words = xcalloc(64, sizeof(*words));
	uint32_t rank = 0;

	for (uint32_t i = 0; i < 54; i++) {
		rank += rank < n && at[rank] == i;
		words[i / 9] |= (uint64_t)rank << i % 9 * 7;
	}
	for (uint32_t i = 54; i < size; i++) {
		uint32_t bit = i - 54;

		if (rank < n && at[rank] == i) {
			words[6 + bit / 512 * 10 + 2 + bit % 512 / 64] |= UINT64_C(1) << bit % 64;
			rank++;
		}
	}
	return (uint8_t *)words;
}

static void lines_are_found_by_the_index(void **state)
{
	const uint32_t at[] = { 0, 3, 8, 9, 53, 54, 117, 118, 565, 566, 600 };
	struct body b = body_of("run");
	uint8_t *index = index_of(at, ARRAY_SIZE(at), 601);
	struct runtime_code c;
	const struct runtime_function *f;

	(void)state;
	for (uint32_t i = 0; i < ARRAY_SIZE(at); i++)
		entries[i].line = 10 + i;
	b.size = 601;
	b.n = ARRAY_SIZE(at);
	b.index = (uintptr_t)index;
	assert_int_equal(read_object(&b, RUBY_SORT_ISEQ, &c), 0);
	f = &c.functions.items[0];
	assert_int_equal(f->lines.n, ARRAY_SIZE(at));
	for (uint32_t i = 0; i < ARRAY_SIZE(at); i++) {
		assert_int_equal(f->lines.items[i].position, at[i]);
		assert_int_equal(f->lines.items[i].line, 10 + i);
	}
	runtime_code_done(&c);
	free(index);
}

static void memory_of_something_else_gives_no_name(void **state)
{
	struct body b = body_of("run");

	(void)state;
	label.flags = TYPE_ARRAY;
	assert_fails(&b, RUBY_SORT_ISEQ, -EPROTO);
	b = body_of("run");
	label.length = UINT64_MAX;
	assert_fails(&b, RUBY_SORT_ISEQ, -EPROTO);
	b = body_of("run");
	b.label = 0x1f;
	assert_fails(&b, RUBY_SORT_ISEQ, -EPROTO);
	b = body_of("run");
	b.size = UINT32_MAX;
	assert_fails(&b, RUBY_SORT_ISEQ, -EPROTO);
	b = body_of("run");
	b.n = 11;
	assert_fails(&b, RUBY_SORT_ISEQ, -EPROTO);
	b = body_of("run");
	b.n = 2;
	assert_fails(&b, RUBY_SORT_ISEQ, -EPROTO);
	b.index = 16;
	assert_fails(&b, RUBY_SORT_ISEQ, -EFAULT);
	b = body_of("run");
	paths.flags = TYPE_ARRAY | NO_EMBED | 1 << 15;
	assert_fails(&b, RUBY_SORT_ISEQ, -EPROTO);
}

/* A table with the name @id, as the element @n of the first array. */
static struct array_object all, some;
static uint64_t pairs[1024];
static struct string_object text;
static struct method method_of(uint64_t id, uint64_t n, const char *name)
{
	text = string_of(name);
	pairs[2 * n] = (uintptr_t)&text;
	pairs[2 * n + 1] = id << 8 | 12;
	some = (struct array_object){ .flags = TYPE_ARRAY,
				      .words = { ARRAY_SIZE(pairs), 0, (uintptr_t)pairs } };
	all = (struct array_object){ .flags = TYPE_ARRAY | NO_EMBED | 1 << 15,
				     .words = { (uintptr_t)&some } };
	names = (uintptr_t)&all;
	return (struct method){ .bits = 1, .function = 0x2000, .id = id };
}

static void a_method_in_c_has_the_name_of_its_number(void **state)
{
	struct method m = method_of(300 << 4 | 3, 300, "each");

	(void)state;
	assert_name(&m, RUBY_SORT_C, "each");
	m = method_of('+', '+', "+");
	assert_name(&m, RUBY_SORT_C, "+");
}

static void a_name_may_have_a_symbol_object(void **state)
{
	struct method m = method_of(300 << 4 | 3, 300, "each");
	struct symbol_object symbol = { .flags = 20, .id = m.id };

	(void)state;
	pairs[601] = (uintptr_t)&symbol;
	assert_name(&m, RUBY_SORT_C, "each");
	symbol.id++;
	assert_fails(&m, RUBY_SORT_C, -EPROTO);
}

static void a_number_without_its_symbol_has_no_name(void **state)
{
	struct method m = method_of(300 << 4 | 3, 300, "each");

	(void)state;
	pairs[601] = (301 << 4 | 3) << 8 | 12;
	assert_fails(&m, RUBY_SORT_C, -EPROTO);
	m = method_of(300 << 4 | 3, 300, "each");
	m.id = UINT64_MAX;
	assert_fails(&m, RUBY_SORT_C, -EPROTO);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_method_has_its_label_and_file),
		cmocka_unit_test(a_file_may_have_no_other_path),
		cmocka_unit_test(texts_and_arrays_may_be_elsewhere),
		cmocka_unit_test(lines_are_found_by_the_index),
		cmocka_unit_test(memory_of_something_else_gives_no_name),
		cmocka_unit_test(a_method_in_c_has_the_name_of_its_number),
		cmocka_unit_test(a_name_may_have_a_symbol_object),
		cmocka_unit_test(a_number_without_its_symbol_has_no_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
