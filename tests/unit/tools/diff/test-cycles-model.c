/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "profile/example-rows.h"
#include "profile/shared-values.h"
#include "symbol/symbolizer.h"
#include "tools/diff/cycles-model.h"

/* Two builds of a program: the function at 0x100 is at 0x500 in the second. */
static const struct symbol functions[] = {
	{ .start = 0x100, .end = 0x200, .name = "work" },
	{ .start = 0x500, .end = 0x600, .name = "work" },
};
static const struct symbol unsampled = { .start = 0x700, .end = 0x800, .name = "never" };

static const struct key_type function_type = { .name = "symbol",
					       .flags = KEY_IS_FRAME,
					       .parts = { { .name = "symbol",
							    .type = VALUE_TEXT } },
					       .value = example_word };
static const struct key function_key = { .type = &function_type, .parts = function_type.parts };
static const struct report_options by_function = { .env = &example_env,
						   .keys = &function_key,
						   .n_keys = 1 };
static const struct diff_options options = { .compute = DIFF_DELTA_ABS,
					     .order = 1,
					     .absolute = true };

struct build {
	struct example_rows rows;
	struct tally tally;
	struct map map;
};

struct builds {
	struct symbolizer *symbolizer;
	struct build items[2];
	struct diff *diff;
	struct diff_cycles *cycles;
};

static void build_init(struct builds *b, size_t i)
{
	struct build *build = &b->items[i];
	const struct image_key key = { .kind = IMAGE_USER, .name = "/usr/bin/prog" };

	build->map.image = symbolizer_image(b->symbolizer, &key);
	const struct location loc = { .addr = functions[i].start,
				      .image_addr = functions[i].start,
				      .map = &build->map,
				      .sym = &functions[i] };

	example_rows_init(&build->rows);
	example_add(&build->rows, NULL, NULL, 100);
	build->rows.rows.options = &by_function;
	build->rows.rows.tally = &build->tally;
	build->rows.items[0].frame = frames_add(example_env.frames, &loc, ADDRESS_USER,
						FRAME_SAMPLED);
}

static void builds_init(struct builds *b)
{
	*b = (struct builds){ .symbolizer = symbolizer_new(&(struct symbolizer_options){ 0 }) };
	example_env.values = shared_values_new();
	example_env.frames = frames_new(false);
	for (size_t i = 0; i < 2; i++)
		build_init(b, i);
}

static void builds_done(struct builds *b)
{
	diff_cycles_free(b->cycles);
	diff_free(b->diff);
	for (size_t i = 0; i < 2; i++)
		branch_blocks_done(&b->items[i].tally.blocks);
	shared_values_free(example_env.values);
	frames_free(example_env.frames);
	symbolizer_free(b->symbolizer);
}

/* Adds a block of @sym, of build @i, that took this number of cycles. */
static void ran(struct builds *b, size_t i, const struct symbol *sym, uint64_t from, uint64_t to,
		unsigned cycles)
{
	struct image *im = b->items[i].map.image;
	const struct frame start = { .image = im, .sym = sym, .addr = sym->start + from };
	const struct frame end = { .image = im, .sym = sym, .addr = sym->start + to };

	branch_blocks_add(&b->items[i].tally.blocks, &start, &end, cycles);
}

static void compare_builds(struct builds *b)
{
	b->diff = diff_new(
		&options,
		(const struct report_rows *[]){ &b->items[0].rows.rows, &b->items[1].rows.rows },
		2);
	b->cycles = diff_cycles_new(b->diff);
}

static void blocks_are_known_by_their_place_in_the_function(void **state)
{
	_cleanup_(builds_done) struct builds b;

	(void)state;
	builds_init(&b);
	ran(&b, 0, &functions[0], 0x10, 0x20, 5);
	ran(&b, 0, &functions[0], 0x10, 0x20, 8);
	ran(&b, 1, &functions[1], 0x10, 0x20, 16);
	compare_builds(&b);
	assert_int_equal(b.cycles->n, 1);
	assert_int_equal(diff_cycles_change(&b.cycles->rows[0], 1), 10);
	assert_int_equal(b.cycles->rows[0].row->cells[0].period, 100);
}

static void the_largest_change_stands_first(void **state)
{
	_cleanup_(builds_done) struct builds b;

	(void)state;
	builds_init(&b);
	ran(&b, 0, &functions[0], 0x10, 0x20, 50);
	ran(&b, 0, &functions[0], 0x30, 0x40, 50);
	ran(&b, 1, &functions[1], 0x10, 0x20, 55);
	ran(&b, 1, &functions[1], 0x30, 0x40, 20);
	compare_builds(&b);
	assert_int_equal(b.cycles->n, 2);
	assert_int_equal(diff_cycles_change(&b.cycles->rows[0], 1), -30);
	assert_int_equal(diff_cycles_change(&b.cycles->rows[1], 1), 5);
}

static void blocks_that_only_one_side_has_are_left_out(void **state)
{
	_cleanup_(builds_done) struct builds b;

	(void)state;
	builds_init(&b);
	ran(&b, 0, &functions[0], 0x10, 0x20, 5);
	ran(&b, 1, &functions[1], 0x10, 0x24, 5);
	compare_builds(&b);
	assert_int_equal(b.cycles->n, 0);
}

static void functions_without_a_sample_are_left_out(void **state)
{
	_cleanup_(builds_done) struct builds b;

	(void)state;
	builds_init(&b);
	for (size_t i = 0; i < 2; i++)
		ran(&b, i, &unsampled, 0x10, 0x20, 5);
	compare_builds(&b);
	assert_int_equal(b.cycles->n, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(blocks_are_known_by_their_place_in_the_function),
		cmocka_unit_test(the_largest_change_stands_first),
		cmocka_unit_test(blocks_that_only_one_side_has_are_left_out),
		cmocka_unit_test(functions_without_a_sample_are_left_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
