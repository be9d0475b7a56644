/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "runtime/runtime.h"

/* Functions of an engine with members of our own order, in our own memory. */
struct text_object {
	uint32_t references, info;
	uint64_t hash, length;
	char bytes[64];
};

struct operation {
	uint64_t words[3];
	uint32_t line, kinds;
};

struct class_object {
	uint64_t type, name;
};

struct function {
	uint64_t type, name, class, file, code, handler;
	uint32_t n, first_line, last_line, arguments;
};

static const struct runtime_process process = {
	.kind = RUNTIME_KIND_PHP,
	.php = {
		.name = offsetof(struct function, name),
		.code = offsetof(struct function, code),
		.check = { [PHP_SORT_USER] = { offsetof(struct function, n),
					       offsetof(struct function, code),
					       offsetof(struct function, first_line),
					       offsetof(struct function, last_line) },
			   [PHP_SORT_INTERNAL] = { offsetof(struct function, handler),
						   offsetof(struct function, handler) + 4,
						   offsetof(struct function, name),
						   offsetof(struct function, arguments) } },
		.opline_size = sizeof(struct operation),
		.class = offsetof(struct function, class),
		.last = offsetof(struct function, n),
		.file = offsetof(struct function, file),
		.class_name = offsetof(struct class_object, name),
		.line = offsetof(struct operation, line),
	},
};

static struct text_object text_of(const char *s, size_t n)
{
	struct text_object t = { .info = 6, .length = n };

	memcpy(t.bytes, s, n);
	return t;
}

#define TEXT_OF(s) text_of(s, strlen(s))

/* Reads a function of the kind @sort as it is now. */
static int read_function(const struct function *f, enum php_sort sort, struct runtime_code *ret)
{
	const uint16_t *at = process.php.check[sort == PHP_SORT_INTERNAL];
	uint32_t numbers[4];
	uint64_t frame[2] = { RUNTIME_FRAME(sort, (uintptr_t)f) };

	for (int i = 0; i < 4; i++)
		memcpy(&numbers[i], (const char *)f + at[i], sizeof(numbers[i]));
	frame[1] = RUNTIME_CHECKED(runtime_check(numbers), 0);
	return runtime_code_read(&process, getpid(), frame, ret);
}

static void assert_name(const struct function *f, enum php_sort sort, const char *name)
{
	struct runtime_code c;

	assert_int_equal(read_function(f, sort, &c), 0);
	assert_string_equal(c.functions.items[0].name.chars, name);
	runtime_code_done(&c);
}

static void assert_fails(const struct function *f, enum php_sort sort, int error)
{
	struct runtime_code c;

	assert_int_equal(read_function(f, sort, &c), error);
	runtime_code_done(&c);
}

static struct text_object name, file, class_name;
static struct class_object class;
static struct operation code[4];

static struct function function_of(const char *its_name)
{
	name = TEXT_OF(its_name);
	file = TEXT_OF("/srv/app.php");
	for (unsigned i = 0; i < 4; i++)
		code[i].line = 3 + i / 2;
	return (struct function){ .type = 2,
				  .name = (uintptr_t)&name,
				  .file = (uintptr_t)&file,
				  .code = (uintptr_t)code,
				  .n = 4,
				  .first_line = 2,
				  .last_line = 5 };
}

static void a_function_has_its_file_and_lines(void **state)
{
	struct function f = function_of("heavy");
	struct runtime_code c;
	const struct runtime_function *r;

	(void)state;
	assert_int_equal(read_function(&f, PHP_SORT_USER, &c), 0);
	r = &c.functions.items[0];
	assert_string_equal(r->name.chars, "app.php:heavy");
	assert_string_equal(r->file.chars, "/srv/app.php");
	assert_int_equal(r->size, 4);
	assert_int_equal(r->lines.n, 2);
	assert_int_equal(r->lines.items[1].position, 2);
	assert_int_equal(r->lines.items[1].line, 4);
	runtime_code_done(&c);
}

static void a_method_has_its_class(void **state)
{
	struct function f = function_of("run");

	(void)state;
	class_name = TEXT_OF("App\\Server");
	class.name = (uintptr_t)&class_name;
	f.class = (uintptr_t) & class;
	assert_name(&f, PHP_SORT_USER, "app.php:App\\Server::run");
}

static void a_class_without_name_has_no_place_in_it(void **state)
{
	static const char anonymous[] = "class@anonymous\0/srv/app.php:3$0";
	struct function f = function_of("run");

	(void)state;
	class_name = text_of(anonymous, sizeof(anonymous) - 1);
	class.name = (uintptr_t)&class_name;
	f.class = (uintptr_t) & class;
	assert_name(&f, PHP_SORT_USER, "app.php:class@anonymous::run");
}

static void a_closure_has_its_line_without_the_folder(void **state)
{
	struct function f = function_of("{closure:/srv/app.php:12}");

	(void)state;
	assert_name(&f, PHP_SORT_USER, "app.php:{closure:12}");
	name = TEXT_OF("{closure:App\\run():12}");
	assert_name(&f, PHP_SORT_USER, "app.php:{closure:App\\run():12}");
	name = TEXT_OF("{closure}");
	assert_name(&f, PHP_SORT_USER, "app.php:{closure}");
}

static void code_outside_of_functions_is_main(void **state)
{
	struct function f = function_of("");

	(void)state;
	f.name = 0;
	assert_name(&f, PHP_SORT_USER, "app.php:(main)");
}

static void a_function_in_c_has_a_name_only(void **state)
{
	struct function f = function_of("array_map");
	struct runtime_code c;

	(void)state;
	f.handler = 0x123456789abc;
	assert_int_equal(read_function(&f, PHP_SORT_INTERNAL, &c), 0);
	assert_string_equal(c.functions.items[0].name.chars, "array_map");
	assert_int_equal(c.functions.items[0].lines.n, 0);
	runtime_code_done(&c);
	f.name = 0;
	assert_fails(&f, PHP_SORT_INTERNAL, -EPROTO);
}

static void another_function_is_noticed(void **state)
{
	struct function f = function_of("heavy");
	const uint64_t frame[2] = { RUNTIME_FRAME(PHP_SORT_USER, (uintptr_t)&f),
				    RUNTIME_CHECKED(1, 0) };
	struct runtime_code c;

	(void)state;
	assert_int_equal(runtime_code_read(&process, getpid(), frame, &c), -ESTALE);
	runtime_code_done(&c);
}

static void memory_of_something_else_gives_no_name(void **state)
{
	struct function f = function_of("heavy");

	(void)state;
	name.info = 7;
	assert_fails(&f, PHP_SORT_USER, -EPROTO);
	f = function_of("heavy");
	name.length = UINT64_MAX;
	assert_fails(&f, PHP_SORT_USER, -EPROTO);
	f = function_of("heavy");
	file.length = 1 << 20;
	assert_fails(&f, PHP_SORT_USER, -EPROTO);
	f = function_of("heavy");
	f.n = UINT32_MAX;
	assert_fails(&f, PHP_SORT_USER, -EPROTO);
	f = function_of("heavy");
	f.code = 16;
	assert_fails(&f, PHP_SORT_USER, -EFAULT);
	f = function_of("heavy");
	f.class = 16;
	assert_fails(&f, PHP_SORT_USER, -EFAULT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_function_has_its_file_and_lines),
		cmocka_unit_test(a_method_has_its_class),
		cmocka_unit_test(a_class_without_name_has_no_place_in_it),
		cmocka_unit_test(a_closure_has_its_line_without_the_folder),
		cmocka_unit_test(code_outside_of_functions_is_main),
		cmocka_unit_test(a_function_in_c_has_a_name_only),
		cmocka_unit_test(another_function_is_noticed),
		cmocka_unit_test(memory_of_something_else_gives_no_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
