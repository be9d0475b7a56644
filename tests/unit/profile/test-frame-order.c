/* SPDX-License-Identifier: MIT */
/* Alone: it replaces what reads lines (fake-source.h). */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/memory.h"
#include "fake-source.h"
#include "profile/frame-order.h"
#include "profile/frames.h"
#include "symbol/symbolizer.h"

static struct map first = { .start = 0x1000 }, second = { .start = 0x200 };
static const struct symbol low = { .start = 0x10, .end = 0x20, .name = "low" };
static const struct symbol high = { .start = 0x40, .end = 0x50, .name = "high" };

static uint32_t add(struct frames *f, const struct map *map, const struct symbol *sym,
		    uint64_t image_addr, uint64_t addr)
{
	const struct location loc = {
		.addr = addr, .map = map, .image_addr = image_addr, .sym = sym
	};

	return frames_add(f, &loc, ADDRESS_USER, FRAME_OF_STACK);
}

/* Checks that the ranks of @frames rise. */
static void assert_rising(struct frames *f, enum frame_order_by by, const uint32_t *frames,
			  size_t n)
{
	_cleanup_(frame_order_done) struct frame_order o = { 0 };

	frame_order_init(&o, f, NULL, by);
	for (size_t i = 1; i < n; i++)
		assert_true(frame_order_compare(&o, o.ranks[frames[i - 1]], o.ranks[frames[i]]) <
			    0);
}

static void images_follow_one_another_and_the_unknown_is_below_all(void **state)
{
	_cleanup_(frames_freep) struct frames *f = frames_new(false);
	uint32_t rising[5];

	(void)state;
	rising[2] = add(f, &first, &low, 0x10, 0x1010);
	rising[4] = add(f, &second, &low, 0x10, 0x210);
	rising[3] = add(f, &first, &high, 0x40, 0x1040);
	rising[1] = add(f, NULL, NULL, 0x9999, 0x9999);
	rising[0] = add(f, NULL, NULL, 0x8888, 0x8888);
	assert_rising(f, FRAMES_BY_FUNCTION, rising, ARRAY_SIZE(rising));
}

static void places_without_a_function_stand_between_the_functions(void **state)
{
	_cleanup_(frames_freep) struct frames *f = frames_new(false);
	uint32_t rising[4];

	(void)state;
	rising[1] = add(f, &first, NULL, 0x30, 0x1030);
	rising[2] = add(f, &first, &high, 0x40, 0x7040); /* in another process */
	rising[0] = add(f, &first, &low, 0x10, 0x1010);
	rising[3] = add(f, &first, NULL, 0x60, 0x1060);
	assert_rising(f, FRAMES_BY_FUNCTION, rising, ARRAY_SIZE(rising));
}

static void places_without_a_function_are_told_apart_by_where_they_ran(void **state)
{
	_cleanup_(frames_freep) struct frames *f = frames_new(false);
	uint32_t rising[4];

	(void)state;
	rising[1] = add(f, &first, NULL, 0x60, 0x1060);
	rising[2] = add(f, &first, NULL, 0x30, 0x7030);
	rising[3] = add(f, &first, NULL, 0x60, 0x7060);
	rising[0] = add(f, &first, NULL, 0x30, 0x1030);
	assert_rising(f, FRAMES_BY_FUNCTION, rising, ARRAY_SIZE(rising));
}

static void a_function_is_one_place_unless_addresses_are_asked_for(void **state)
{
	_cleanup_(frames_freep) struct frames *f = frames_new(true);
	_cleanup_(frame_order_done) struct frame_order o = { 0 };
	uint32_t rising[3];

	(void)state;
	rising[2] = add(f, &first, &low, 0x10, 0x7010);
	rising[1] = add(f, &first, &low, 0x14, 0x1014);
	rising[0] = add(f, &first, &low, 0x10, 0x1010);
	assert_rising(f, FRAMES_BY_ADDRESS, rising, ARRAY_SIZE(rising));
	frame_order_init(&o, f, NULL, FRAMES_BY_FUNCTION);
	assert_int_equal(o.ranks[rising[0]], o.ranks[rising[1]]);
	assert_int_equal(o.ranks[rising[0]], o.ranks[rising[2]]);
}

static const struct symbol aa = { .name = "aa", .is_inlined = true };
static const struct symbol bb = { .name = "bb", .is_inlined = true };

static uint32_t add_part(struct frames *f, const struct symbol *sym, uint64_t image_addr,
			 size_t depth)
{
	const struct location loc = {
		.addr = 0x1000 + image_addr, .map = &first, .image_addr = image_addr, .sym = &low
	};

	return frames_add_part(f, &loc, ADDRESS_USER, sym, depth);
}

static void inlined_functions_are_below_others_and_go_by_name(void **state)
{
	_cleanup_(frames_freep) struct frames *f = frames_new(false);
	uint32_t rising[3];

	(void)state;
	rising[2] = add(f, &first, &low, 0x10, 0x1010);
	rising[1] = add_part(f, &bb, 0x14, 0);
	rising[0] = add_part(f, &aa, 0x18, 0);
	assert_rising(f, FRAMES_BY_FUNCTION, rising, ARRAY_SIZE(rising));
}

static void functions_that_are_inlined_at_one_address_are_told_apart(void **state)
{
	_cleanup_(frames_freep) struct frames *f = frames_new(true);
	uint32_t rising[3];

	(void)state;
	rising[1] = add_part(f, &aa, 0x14, 1);
	rising[0] = add_part(f, &aa, 0x14, 0);
	rising[2] = add_part(f, &low, 0x14, 2);
	assert_rising(f, FRAMES_BY_ADDRESS, rising, ARRAY_SIZE(rising));
}

static void by_line_a_line_is_one_whatever_function_it_is_in(void **state)
{
	static const struct source_frame nine = { &low, { "/src/x.c", 9 }, false };
	static const struct source_frame ten = { &low, { "/src/x.c", 10 }, false };
	static const struct fake_code code[] = {
		{ 0x10, &nine, 1 }, { 0x44, &nine, 1 }, { 0x14, &ten, 1 }, { 0 }
	};
	_cleanup_(frames_freep) struct frames *f = frames_new(true);
	_cleanup_(frame_order_done) struct frame_order o = { 0 };
	uint32_t rising[3], same, unknown;

	(void)state;
	fake_code = code;
	rising[1] = add(f, &first, &low, 0x10, 0x1010); /* as text: x.c:10 sorts below x.c:9 */
	same = add(f, &first, &high, 0x44, 0x1044);
	rising[0] = add(f, &first, &low, 0x14, 0x1014);
	rising[2] = add(f, &first, &low, 0x18, 0x1018);
	unknown = add(f, &first, &low, 0x1c, 0x101c);
	assert_rising(f, FRAMES_BY_LINE, rising, ARRAY_SIZE(rising));
	frame_order_init(&o, f, NULL, FRAMES_BY_LINE);
	assert_int_equal(o.ranks[rising[1]], o.ranks[same]);
	assert_int_equal(o.ranks[rising[2]], o.ranks[unknown]);
}

static int make_images(void **state)
{
	struct symbolizer *s = symbolizer_new(&(struct symbolizer_options){ 0 });

	first.image = symbolizer_image(s, &(struct image_key){ .kind = IMAGE_USER, .name = "/a" });
	second.image = symbolizer_image(s, &(struct image_key){ .kind = IMAGE_USER, .name = "/b" });
	*state = s;
	return 0;
}

static int free_images(void **state)
{
	symbolizer_free(*state);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(images_follow_one_another_and_the_unknown_is_below_all),
		cmocka_unit_test(places_without_a_function_stand_between_the_functions),
		cmocka_unit_test(places_without_a_function_are_told_apart_by_where_they_ran),
		cmocka_unit_test(a_function_is_one_place_unless_addresses_are_asked_for),
		cmocka_unit_test(inlined_functions_are_below_others_and_go_by_name),
		cmocka_unit_test(functions_that_are_inlined_at_one_address_are_told_apart),
		cmocka_unit_test(by_line_a_line_is_one_whatever_function_it_is_in),
	};

	return cmocka_run_group_tests(tests, make_images, free_images);
}
