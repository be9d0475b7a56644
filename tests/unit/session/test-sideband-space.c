/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "session/sideband.h"
#include "session/machine.h"
#include "session/span.h"

#define TEXT   0xffffffff81000000
#define MODULE 0xffffffffc0000000

static struct arena arena;
static struct kernel_space kernel;

static int set_up(void **state)
{
	(void)state;
	kernel_space_init(&kernel, &arena);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	kernel_space_done(&kernel);
	arena_done(&arena);
	return 0;
}

static const char *at(uint64_t addr, uint64_t time)
{
	struct span span = SPAN_ALWAYS;
	const struct map *m = kernel_space_find(&kernel, addr, moment_after(time), &span);

	return m ? m->name : "-";
}

static const struct map *map_of(uint64_t start, uint64_t end, const char *name)
{
	struct map *m = arena_alloc(&arena, sizeof(*m));

	*m = (struct map){ .start = start, .end = end, .name = name };
	return m;
}

static void an_exact_text_ends_where_it_says(void **state)
{
	(void)state;
	kernel_space_text(&kernel, map_of(TEXT, TEXT + 0x1000, "text"));
	assert_string_equal(at(TEXT - 1, 1), "-");
	assert_string_equal(at(TEXT, 1), "text");
	assert_string_equal(at(TEXT + 0xfff, 1), "text");
	assert_string_equal(at(TEXT + 0x1000, 1), "-");
}

static void behind_an_exact_text_there_may_be_more_until_the_next_module(void **state)
{
	const struct map *text = map_of(TEXT, TEXT + 0x1000, "text");

	(void)state;
	kernel_space_text(&kernel, text);
	kernel_space_module(&kernel, &arena, map_of(MODULE, MODULE + 0x1000, "module"),
			    moment_after(1));
	assert_null(kernel_space_behind_text(&kernel, TEXT + 0xfff));
	assert_ptr_equal(kernel_space_behind_text(&kernel, TEXT + 0x1000), text);
	assert_ptr_equal(kernel_space_behind_text(&kernel, MODULE - 1), text);
	assert_null(kernel_space_behind_text(&kernel, MODULE));
}

static void a_text_without_an_end_ends_at_the_next_module(void **state)
{
	static const uint64_t ends[] = { TEXT, UINT64_MAX };

	(void)state;
	kernel_space_module(&kernel, &arena, map_of(TEXT - 0x9000, TEXT - 0x8000, "below"),
			    (struct moment){ 0, 1 });
	for (size_t i = 0; i < ARRAY_SIZE(ends); i++) {
		kernel_space_text(&kernel, map_of(TEXT, ends[i], "text"));
		assert_string_equal(at(MODULE + 0x1000, 1), i ? "-" : "text");
		kernel_space_module(&kernel, &arena, map_of(MODULE, MODULE + 0x1000, "m"),
				    (struct moment){ 0, 2 });
		assert_string_equal(at(MODULE - 1, 1), "text");
		assert_string_equal(at(MODULE, 1), "m");
		assert_string_equal(at(MODULE + 0x1000, 1), "-");
	}
	assert_string_equal(at(TEXT - 0x8800, 1), "below");
}

static void code_that_was_made_comes_and_goes(void **state)
{
	(void)state;
	kernel_space_made(&kernel, &arena, MODULE, MODULE + 0x100,
			  map_of(MODULE, MODULE + 0x100, "bpf_prog_1"), (struct moment){ 10, 1 });
	kernel_space_made(&kernel, &arena, MODULE, MODULE + 0x100, NULL, (struct moment){ 20, 2 });
	kernel_space_made(&kernel, &arena, MODULE, MODULE + 0x80,
			  map_of(MODULE, MODULE + 0x80, "bpf_prog_2"), (struct moment){ 30, 3 });
	assert_string_equal(at(MODULE, 9), "-");
	assert_string_equal(at(MODULE, 10), "bpf_prog_1");
	assert_string_equal(at(MODULE, 20), "-");
	assert_string_equal(at(MODULE, 30), "bpf_prog_2");
	assert_string_equal(at(MODULE + 0x80, 30), "-");
}

static void modules_hide_jit_code(void **state)
{
	(void)state;
	kernel_space_module(&kernel, &arena, map_of(MODULE, MODULE + 0x1000, "m"),
			    (struct moment){ 0, 1 });
	kernel_space_made(&kernel, &arena, MODULE, MODULE + 0x100,
			  map_of(MODULE, MODULE + 0x100, "made"), (struct moment){ 5, 2 });
	assert_string_equal(at(MODULE, 9), "m");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(an_exact_text_ends_where_it_says, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(
			behind_an_exact_text_there_may_be_more_until_the_next_module, set_up,
			tear_down),
		cmocka_unit_test_setup_teardown(a_text_without_an_end_ends_at_the_next_module,
						set_up, tear_down),
		cmocka_unit_test_setup_teardown(code_that_was_made_comes_and_goes, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(modules_hide_jit_code, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
