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
#include "elf/file.h"
#include "runtime/functions.h"
#include "runtime/runtime.h"
#include "symbol/runtime-names.h"
#include "symbol/symbolizer.h"

/* Functions of PHP in our own memory: the recorder reads their names there. */
struct text_object {
	uint32_t references, info;
	uint64_t hash, length;
	char bytes[64];
};

struct operation {
	uint64_t words[3];
	uint32_t line, kinds;
};

struct function {
	uint64_t type, name, class, file, code, handler;
	uint32_t n, first_line, last_line, arguments;
};

static const struct runtime_process process = {
	.kind = RUNTIME_KIND_PHP,
	.is_ready = 1,
	.php = {
		.name = offsetof(struct function, name),
		.code = offsetof(struct function, code),
		.check = { [PHP_SORT_USER] = { offsetof(struct function, n), offsetof(struct function, code),
				offsetof(struct function, first_line),
				offsetof(struct function, last_line) } },
		.opline_size = sizeof(struct operation),
		.class = offsetof(struct function, class),
		.last = offsetof(struct function, n),
		.file = offsetof(struct function, file),
		.line = offsetof(struct operation, line),
	},
};

static struct text_object names[2], file;
static struct operation code[8];
static struct function functions[2];

static struct text_object text_of(const char *s)
{
	struct text_object t = { .info = 6, .length = strlen(s) };

	strcpy(t.bytes, s);
	return t;
}

/* Makes function @i: eight operations on four lines from @line on. */
static void make_function(int i, const char *its_name, uint32_t line)
{
	names[i] = text_of(its_name);
	file = text_of("/srv/app.php");
	for (uint32_t k = 0; k < 8; k++)
		code[k].line = line + k / 2;
	functions[i] = (struct function){ .type = 2,
					  .name = (uintptr_t)&names[i],
					  .file = (uintptr_t)&file,
					  .code = (uintptr_t)code,
					  .n = 8,
					  .first_line = line,
					  .last_line = line + 4 };
}

/* Returns the address of a position of function @i, in its image's file, as of a stack. */
static uint64_t address_of(struct runtime_functions *f, int i, uint32_t position)
{
	uint64_t frame[2] = { RUNTIME_FRAME(PHP_SORT_USER, (uintptr_t)&functions[i]) };
	struct runtime_addresses to = { 0 };
	uint32_t numbers[4];
	uint64_t addr;

	for (int k = 0; k < 4; k++)
		memcpy(&numbers[k],
		       (const char *)&functions[i] + process.php.check[PHP_SORT_USER][k],
		       sizeof(numbers[k]));
	frame[1] = RUNTIME_CHECKED(runtime_check(numbers), position);
	runtime_functions_translate(f, RUNTIME_STACKS_SAMPLES, (uint32_t)getpid(), frame, 2, &to);
	assert_int_equal(to.n, 1);
	addr = to.items[0] - runtime_functions_mapping(f, RUNTIME_KIND_PHP).start;
	free(to.items);
	return addr;
}

struct example {
	struct runtime_functions *functions;
	struct symbolizer *symbolizer;
	struct image *image;
};

static struct example example_of(void)
{
	static const struct symbolizer_options options = { .symfs = "/nowhere" };
	struct example e = { .functions = runtime_functions_new(0),
			     .symbolizer = symbolizer_new(&options) };
	const struct runtime_mapping m = runtime_functions_mapping(e.functions, RUNTIME_KIND_PHP);
	const struct image_key key = { .kind = IMAGE_USER,
				       .name = m.path,
				       .build_id = m.build_id.bytes,
				       .build_id_size = m.build_id.size };

	runtime_functions_set_process(e.functions, (uint32_t)getpid(), &process);
	symbolizer_take_functions(e.symbolizer, e.functions);
	e.image = symbolizer_image(e.symbolizer, &key);
	return e;
}

static void example_done(struct example *e)
{
	symbolizer_free(e->symbolizer);
	runtime_functions_free(e->functions);
}

static void functions_have_names_as_soon_as_they_are_met(void **state)
{
	_cleanup_(example_done) struct example e = example_of();
	const struct symbol *first, *second;
	uint64_t addr;

	(void)state;
	make_function(0, "first", 10);
	addr = address_of(e.functions, 0, 5);
	first = image_symbol_find(e.image, addr);
	assert_string_equal(first->name, "app.php:first");
	assert_int_equal(first->start, addr - 5);
	assert_int_equal(first->end, addr + 4);
	assert_null(image_symbol_find(e.image, addr + 16));
	make_function(1, "second", 20);
	second = image_symbol_find(e.image, address_of(e.functions, 1, 0));
	assert_string_equal(second->name, "app.php:second");
	assert_ptr_equal(image_symbol_find(e.image, addr - 1), first);
	assert_int_equal(image_missing_reason(e.image), IMAGE_LOADED);
}

static void addresses_have_lines(void **state)
{
	_cleanup_(example_done) struct example e = example_of();
	const struct line_row *rows = NULL;
	struct source_frames frames;
	struct source_line at;
	uint64_t addr;

	(void)state;
	make_function(0, "first", 10);
	addr = address_of(e.functions, 0, 0);
	assert_true(image_source_line(e.image, addr + 3, &at));
	assert_string_equal(at.file, "/srv/app.php");
	assert_int_equal(at.line, 11);
	frames = image_code_frames(e.image, addr + 7);
	assert_int_equal(frames.n, 1);
	assert_int_equal(frames.items[0].at.line, 13);
	assert_string_equal(frames.items[0].sym->name, "app.php:first");
	assert_int_equal(image_line_rows(e.image, addr + 1, addr + 5, &rows), 3);
	assert_int_equal(rows[0].addr, addr + 1);
	assert_int_equal(rows[0].line, 10);
	assert_int_equal(rows[2].addr, addr + 4);
	assert_int_equal(rows[2].line, 12);
}

static void the_image_can_be_opened(void **state)
{
	_cleanup_(example_done) struct example e = example_of();
	_cleanup_(elf_file_freep) struct elf_file *f = NULL;
	struct build_id id;

	(void)state;
	assert_int_equal(image_open(e.image, &f), -ENODATA);
	make_function(0, "first", 10);
	address_of(e.functions, 0, 0);
	assert_int_equal(image_open(e.image, &f), 0);
	assert_int_equal(elf_file_build_id(f, &id), 0);
	assert_true(build_id_equal(&id, image_build_id(e.image)));
}

static void what_was_found_outlives_the_recording(void **state)
{
	_cleanup_(example_done) struct example e = example_of();
	uint64_t addr;

	(void)state;
	make_function(0, "first", 10);
	addr = address_of(e.functions, 0, 0);
	assert_non_null(image_symbol_find(e.image, addr));
	symbolizer_take_functions(e.symbolizer, NULL);
	assert_string_equal(image_symbol_find(e.image, addr)->name, "app.php:first");
	assert_null(image_symbol_find(e.image, addr + 1));
}

static void an_image_of_another_recording_has_no_such_names(void **state)
{
	static const uint8_t other[20] = { 1, 2, 3 };
	_cleanup_(example_done) struct example e = example_of();
	const struct image_key key = { .kind = IMAGE_USER,
				       .name = RUNTIME_PATH "php",
				       .build_id = other,
				       .build_id_size = sizeof(other) };

	(void)state;
	make_function(0, "first", 10);
	assert_null(image_symbol_find(symbolizer_image(e.symbolizer, &key),
				      address_of(e.functions, 0, 0)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(functions_have_names_as_soon_as_they_are_met),
		cmocka_unit_test(addresses_have_lines),
		cmocka_unit_test(the_image_can_be_opened),
		cmocka_unit_test(what_was_found_outlives_the_recording),
		cmocka_unit_test(an_image_of_another_recording_has_no_such_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
