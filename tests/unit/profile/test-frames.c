/* SPDX-License-Identifier: MIT */
/* Alone: it replaces what reads lines (fake-source.h). */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>

#include "fake-source.h"
#include "profile/frames.h"
#include "symbol/symbolizer.h"

enum {
	A,
	A_AGAIN,
	B,
	MODULE,
	MEMFD,
	N_MAPS
};

static struct map maps[N_MAPS] = {
	[A] = { .start = 0x1000, .end = 0x2000 },
	[A_AGAIN] = { .start = 0x5000, .end = 0x6000 },
	[B] = { .start = 0x9000, .end = 0xa000 },
	[MODULE] = { .start = 0xffff8000, .end = 0xffff9000 },
	[MEMFD] = { .start = 0x400000, .end = 0x500000, .pgoff = 0x3000 },
};
static const struct symbol function = { .start = 0x100, .end = 0x180, .name = "f" };

static struct location at(size_t map, uint64_t offset, const struct symbol *sym)
{
	return (struct location){
		.addr = maps[map].start + offset,
		.map = &maps[map],
		.image_addr = offset,
		.sym = sym,
	};
}

static uint32_t add(struct frames *f, struct location loc, bool of_stack)
{
	return frames_add(f, &loc, ADDRESS_USER, of_stack ? FRAME_OF_STACK : FRAME_SAMPLED);
}

static void a_function_is_one_frame_wherever_it_is_mapped(void **state)
{
	_cleanup_(frames_freep) struct frames *f = frames_new(false);
	uint32_t id = add(f, at(A, 0x110, &function), true);

	(void)state;
	assert_int_equal(add(f, at(A, 0x170, &function), true), id);
	assert_int_equal(add(f, at(A_AGAIN, 0x110, &function), true), id);
	assert_int_equal(add(f, at(A_AGAIN, 0x110, &function), false), id);
	assert_int_equal(frames_count(f), 1);
	assert_int_equal(frames_get(f, id)->addr, 0x100);
	assert_ptr_equal(frames_get(f, id)->sym, &function);
}

static void by_address_a_function_is_many(void **state)
{
	_cleanup_(frames_freep) struct frames *f = frames_new(true);
	uint32_t id = add(f, at(A, 0x110, &function), true);

	(void)state;
	assert_int_equal(add(f, at(A, 0x110, &function), true), id);
	assert_int_not_equal(add(f, at(A, 0x114, &function), true), id);
	assert_int_equal(frames_get(f, id)->addr, 0x110);
}

static void places_are_one_wherever_their_image_is_mapped(void **state)
{
	_cleanup_(frames_freep) struct frames *f = frames_new_places();
	_cleanup_(frames_freep) struct frames *by_ip = frames_new(true);
	uint32_t id = add(f, at(A, 0x110, &function), false);

	(void)state;
	assert_int_equal(add(f, at(A_AGAIN, 0x110, &function), false), id);
	assert_int_not_equal(add(f, at(A, 0x114, &function), false), id);
	assert_false(frames_by_ip(f));
	assert_true(frames_by_ip(by_ip));
	assert_int_not_equal(add(by_ip, at(A, 0x110, &function), false),
			     add(by_ip, at(A_AGAIN, 0x110, &function), false));
}

static void without_a_function_samples_go_by_the_address_in_the_image(void **state)
{
	_cleanup_(frames_freep) struct frames *f = frames_new(false);
	uint32_t id = add(f, at(A, 0x200, NULL), false);

	(void)state;
	assert_int_equal(add(f, at(A_AGAIN, 0x200, NULL), false), id);
	assert_int_not_equal(add(f, at(B, 0x200, NULL), false), id);
	assert_int_not_equal(add(f, at(A, 0x201, NULL), false), id);
	assert_int_equal(frame_address(frames_get(f, id)), 0x200);
}

static void without_a_function_stacks_go_by_the_address_at_run_time(void **state)
{
	_cleanup_(frames_freep) struct frames *f = frames_new(false);
	uint32_t id = add(f, at(A, 0x200, NULL), true);

	(void)state;
	assert_int_not_equal(add(f, at(A_AGAIN, 0x200, NULL), true), id);
	assert_int_not_equal(add(f, at(A, 0x200, NULL), false), id);
	assert_int_equal(frame_address(frames_get(f, id)), 0x1200);
}

/* Their functions are identified by the address at run time. */
static void modules_and_memfds_are_shown_by_offset_all_the_same(void **state)
{
	_cleanup_(frames_freep) struct frames *f = frames_new(false);
	struct location module = at(MODULE, 0x16ec, NULL), memfd = at(MEMFD, 0x200, NULL);

	(void)state;
	module.image_addr = module.addr;
	memfd.image_addr = memfd.addr;
	assert_int_equal(frame_address(frames_get(f, add(f, module, false))), 0x16ec);
	assert_int_equal(frame_address(frames_get(f, add(f, memfd, false))), 0x3200);
	assert_int_equal(frame_address(frames_get(f, add(f, memfd, true))), 0x400200);
}

static void kernel_and_user_are_told_apart(void **state)
{
	_cleanup_(frames_freep) struct frames *f = frames_new(false);
	const struct location nowhere = { .addr = 7, .image_addr = 7 };
	uint32_t id = frames_add(f, &nowhere, ADDRESS_USER, FRAME_SAMPLED);

	(void)state;
	assert_int_not_equal(frames_add(f, &nowhere, ADDRESS_KERNEL, FRAME_SAMPLED), id);
	assert_null(frames_get(f, id)->image);
	assert_int_equal(frames_get(f, id)->mode, ADDRESS_USER);
}

static void addresses_wrap_if_they_are_half_of_all_apart(void **state)
{
	_cleanup_(frames_freep) struct frames *f = frames_new(false);
	const struct location kernel = { .addr = 0xffff800080001000, .sym = NULL };
	const struct location text = { .addr = 0x74652f20526c2d20 };
	const struct location code = { .addr = 0x9166fffa917cfffa, .sym = &function };
	const struct location bytes = { .addr = 0x9166fffa917cfffa };

	(void)state;
	assert_false(frames_wrap(f));
	add(f, kernel, true);
	add(f, text, true);
	add(f, code, true);
	assert_false(frames_wrap(f));
	add(f, bytes, true);
	assert_true(frames_wrap(f));
}

static const struct symbol inlined = { .name = "inner", .is_inlined = true };

static uint32_t add_part(struct frames *f, size_t map, uint64_t offset, const struct symbol *sym,
			 size_t depth)
{
	struct location loc = at(map, offset, &function);

	return frames_add_part(f, &loc, ADDRESS_USER, sym, depth);
}

static void an_inlined_function_is_one_frame_wherever_that_is(void **state)
{
	_cleanup_(frames_freep) struct frames *f = frames_new(false);
	uint32_t id = add_part(f, A, 0x110, &inlined, 0);

	(void)state;
	assert_int_equal(add_part(f, A, 0x170, &inlined, 2), id);
	assert_int_equal(add_part(f, A_AGAIN, 0x110, &inlined, 1), id);
	assert_int_not_equal(add_part(f, B, 0x110, &inlined, 0), id);
	/* and the function that it is inlined into is the same as before */
	assert_int_equal(add_part(f, A, 0x110, &function, 1),
			 add(f, at(A, 0x110, &function), true));
}

static void by_address_each_function_that_is_inlined_has_a_line(void **state)
{
	static const struct source_frame there[] = {
		{ &inlined, { "a.c", 3 }, true },
		{ &inlined, { "a.c", 7 }, true },
		{ &function, { NULL, 0 }, false },
	};
	static const struct fake_code code[] = { { 0x110, there, 3 }, { 0 } };
	_cleanup_(frames_freep) struct frames *f = frames_new(true);
	uint32_t ids[] = { add_part(f, A, 0x110, &inlined, 0), add_part(f, A, 0x110, &inlined, 1),
			   add_part(f, A, 0x110, &function, 2) };
	struct source_line line = { .line = 99 };

	(void)state;
	fake_code = code;
	assert_int_not_equal(ids[0], ids[1]);
	assert_true(frame_source_line(frames_get(f, ids[0]), &line));
	assert_int_equal(line.line, 3);
	assert_true(frame_source_line(frames_get(f, ids[1]), &line));
	assert_int_equal(line.line, 7);
	assert_false(frame_source_line(frames_get(f, ids[2]), &line));
	assert_int_equal(line.line, 7);
	/* The sampled frame has the line of the innermost function. */
	assert_true(
		frame_source_line(frames_get(f, add(f, at(A, 0x110, &function), false)), &line));
	assert_int_equal(line.line, 3);
}

static void what_lies_nowhere_has_no_line(void **state)
{
	_cleanup_(frames_freep) struct frames *f = frames_new(true);
	const struct location nowhere = { .addr = 0x110, .image_addr = 0x110 };
	struct source_line line;

	(void)state;
	assert_false(frame_source_line(frames_get(f, add(f, nowhere, true)), &line));
}

#define MANY 20000

static void *add_many(void *arg)
{
	for (uint64_t i = 0; i < MANY; i++) {
		const struct location loc = { .addr = i, .image_addr = i };
		uint32_t id = frames_add(arg, &loc, ADDRESS_USER, FRAME_SAMPLED);

		if (frames_get(arg, id)->addr != i)
			return arg;
	}
	return NULL;
}

static void threads_find_each_others_frames(void **state)
{
	_cleanup_(frames_freep) struct frames *f = frames_new(false);
	pthread_t other;
	void *wrong;

	(void)state;
	assert_int_equal(pthread_create(&other, NULL, add_many, f), 0);
	assert_null(add_many(f));
	pthread_join(other, &wrong);
	assert_null(wrong);
	assert_int_equal(frames_count(f), MANY);
}

static int make_images(void **state)
{
	struct symbolizer *s = symbolizer_new(&(struct symbolizer_options){ 0 });

	maps[A].image = maps[A_AGAIN].image =
		symbolizer_image(s, &(struct image_key){ .kind = IMAGE_USER, .name = "/bin/a" });
	maps[B].image =
		symbolizer_image(s, &(struct image_key){ .kind = IMAGE_USER, .name = "/bin/b" });
	maps[MODULE].image =
		symbolizer_image(s, &(struct image_key){ .kind = IMAGE_MODULE, .name = "[m]" });
	maps[MEMFD].image =
		symbolizer_image(s, &(struct image_key){ .kind = IMAGE_JIT, .name = "/memfd:x" });
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
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_function_is_one_frame_wherever_it_is_mapped),
		cmocka_unit_test(by_address_a_function_is_many),
		cmocka_unit_test(places_are_one_wherever_their_image_is_mapped),
		cmocka_unit_test(without_a_function_samples_go_by_the_address_in_the_image),
		cmocka_unit_test(without_a_function_stacks_go_by_the_address_at_run_time),
		cmocka_unit_test(modules_and_memfds_are_shown_by_offset_all_the_same),
		cmocka_unit_test(kernel_and_user_are_told_apart),
		cmocka_unit_test(addresses_wrap_if_they_are_half_of_all_apart),
		cmocka_unit_test(an_inlined_function_is_one_frame_wherever_that_is),
		cmocka_unit_test(by_address_each_function_that_is_inlined_has_a_line),
		cmocka_unit_test(what_lies_nowhere_has_no_line),
		cmocka_unit_test(threads_find_each_others_frames),
	};

	return cmocka_run_group_tests(tests, make_images, free_images);
}
