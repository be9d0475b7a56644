/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/cleanup.h"
#include "symbol/jit-code.h"
#include "symbol/jit-dumps.h"
#include "symbol/symbolizer.h"

static const struct jit_request request = { .path = "/x/jit-7.dump", .pid = 7 };

static void add(struct jit_drafts *d, uint64_t start, uint64_t end, uint64_t since,
		const char *name)
{
	static struct jit_draft items[4096];

	d->items = items;
	items[d->n] = (struct jit_draft){ .start = start,
					  .end = end,
					  .since = since,
					  .name = name,
					  .name_length = strlen(name),
					  .number = (uint32_t)d->n };
	d->n++;
}

/*
 * Returns the name of the function at @addr at @time, as its image has it. Its span is in *@from
 * and *@until.
 */
static const char *name_at(const struct jit_code *c, uint64_t addr, uint64_t time, uint64_t *from,
			   uint64_t *until)
{
	*from = 0;
	*until = UINT64_MAX;

	const struct jit_load *l = jit_code_find(c, addr, time, from, until);
	const struct symbol *s = l ? image_symbol_find(l->image, addr) : NULL;

	return s ? s->name : "-";
}

static void code_is_found_from_its_time_on(void **state)
{
	_cleanup_(symbolizer_freep) struct symbolizer *s =
		symbolizer_new(&(struct symbolizer_options){ 0 });
	struct jit_drafts d = { .n = 0 };
	uint64_t from, until;

	(void)state;
	add(&d, 0x2000, 0x2010, 20, "g");
	add(&d, 0x1000, 0x1010, 10, "f");

	struct jit_code *c = jit_code_new(s, &request, &d, NULL);

	assert_string_equal(name_at(c, 0x1000, 9, &from, &until), "-");
	assert_int_equal(from, 0);
	assert_int_equal(until, 10);
	assert_string_equal(name_at(c, 0x100f, 10, &from, &until), "f");
	assert_int_equal(from, 10);
	assert_int_equal(until, UINT64_MAX);
	assert_string_equal(name_at(c, 0x1010, 10, &from, &until), "-");
	assert_string_equal(name_at(c, 0xfff, 10, &from, &until), "-");
	assert_string_equal(name_at(c, 0x2000, 30, &from, &until), "g");
	jit_code_free(c);
}

static void what_was_said_about_unwinding_is_kept(void **state)
{
	_cleanup_(symbolizer_freep) struct symbolizer *s =
		symbolizer_new(&(struct symbolizer_options){ 0 });
	struct jit_drafts d = { .n = 0, .swapped = true };
	struct jit_unwind u;
	struct jit_code *c;
	uint64_t from = 0, until = UINT64_MAX;
	struct image *im;

	(void)state;
	add(&d, 0x2000, 0x2010, 20, "g");
	add(&d, 0x1000, 0x1010, 10, "f");
	d.items[1].unwind = (const uint8_t *)"frames";
	d.items[1].unwind_size = 6;
	c = jit_code_new(s, &request, &d, NULL);
	im = jit_code_find(c, 0x1000, 30, &from, &until)->image;
	assert_true(image_jit_unwind(im, 0x100f, &u));
	assert_int_equal(u.start, 0x1000);
	assert_int_equal(u.end, 0x1010);
	assert_int_equal(u.size, 6);
	assert_memory_equal(u.bytes, "frames", 6);
	assert_true(u.swapped);
	assert_false(image_jit_unwind(im, 0x2000, &u));
	assert_false(image_jit_unwind(im, 0x1010, &u));
	jit_code_free(c);
}

static void memory_used_again_is_another_function(void **state)
{
	_cleanup_(symbolizer_freep) struct symbolizer *s =
		symbolizer_new(&(struct symbolizer_options){ 0 });
	struct jit_drafts d = { .n = 0 };
	uint64_t from, until;

	(void)state;
	add(&d, 0x1000, 0x1100, 10, "old");
	add(&d, 0x1080, 0x1180, 20, "new");
	add(&d, 0x10f0, 0x1110, 30, "newest");
	add(&d, 0x1200, 0x1210, 10, "other");

	struct jit_code *c = jit_code_new(s, &request, &d, NULL);

	assert_string_equal(name_at(c, 0x10f8, 15, &from, &until), "old");
	assert_int_equal(from, 10);
	assert_int_equal(until, 20);
	assert_string_equal(name_at(c, 0x10f8, 25, &from, &until), "new");
	assert_int_equal(from, 20);
	assert_int_equal(until, 30);
	assert_string_equal(name_at(c, 0x10f8, 35, &from, &until), "newest");
	assert_string_equal(name_at(c, 0x1000, 35, &from, &until), "old");
	assert_string_equal(name_at(c, 0x1208, 35, &from, &until), "other");
	jit_code_free(c);
}

static void of_equal_times_the_later_in_the_file_holds(void **state)
{
	_cleanup_(symbolizer_freep) struct symbolizer *s =
		symbolizer_new(&(struct symbolizer_options){ 0 });
	struct jit_drafts d = { .n = 0 };
	uint64_t from, until;

	(void)state;
	add(&d, 0x1000, 0x1010, 0, "first");
	add(&d, 0x1000, 0x1020, 0, "second");

	struct jit_code *c = jit_code_new(s, &request, &d, NULL);

	assert_string_equal(name_at(c, 0x1000, 5, &from, &until), "second");
	assert_string_equal(name_at(c, 0x1018, 5, &from, &until), "second");
	jit_code_free(c);
}

/* There are as many images as one address was used, and no more: 400 loads overlap two by two. */
static void few_images_hold_all(void **state)
{
	_cleanup_(symbolizer_freep) struct symbolizer *s =
		symbolizer_new(&(struct symbolizer_options){ 0 });
	struct jit_drafts d = { .n = 0 };
	const struct image *images[2] = { NULL, NULL };
	size_t n, n_images = 0;

	(void)state;
	for (uint64_t i = 0; i < 400; i++)
		add(&d, 0x1000 + i * 16, 0x1000 + i * 16 + 24, i, "f");

	struct jit_code *c = jit_code_new(s, &request, &d, NULL);
	const struct jit_load *loads = jit_code_loads(c, &n);

	assert_int_equal(n, 400);
	for (size_t i = 0; i < n; i++) {
		size_t k = 0;

		while (k < n_images && images[k] != loads[i].image)
			k++;
		assert_true(k < 2);
		if (k == n_images)
			images[n_images++] = loads[i].image;
	}
	assert_int_equal(n_images, 2);
	jit_code_free(c);
}

static void memory_used_too_often_keeps_its_last_functions(void **state)
{
	_cleanup_(symbolizer_freep) struct symbolizer *s =
		symbolizer_new(&(struct symbolizer_options){ 0 });
	struct jit_drafts d = { .n = 0 };
	uint64_t from, until;
	size_t n;

	(void)state;
	for (uint64_t i = 0; i < 3000; i++)
		add(&d, 0x1000, 0x1010, i + 1, i == 2999 ? "last" : "f");
	add(&d, 0x1010, 0x1020, 5000, "behind");

	struct jit_code *c = jit_code_new(s, &request, &d, NULL);

	jit_code_loads(c, &n);
	assert_true(n > 100 && n < 2000);
	assert_string_equal(name_at(c, 0x1000, 9000, &from, &until), "last");
	assert_string_equal(name_at(c, 0x1000, 1, &from, &until), "-");
	assert_string_equal(name_at(c, 0x1010, 9000, &from, &until), "behind");
	jit_code_free(c);
}

static void an_image_is_called_as_its_dump(void **state)
{
	_cleanup_(symbolizer_freep) struct symbolizer *s =
		symbolizer_new(&(struct symbolizer_options){ 0 });
	struct jit_drafts d = { .n = 0 };
	size_t n;

	(void)state;
	add(&d, 0x1000, 0x1010, 0, "f");

	struct jit_code *c = jit_code_new(s, &request, &d, "a remark");
	const struct image *im = jit_code_loads(c, &n)[0].image;

	assert_int_equal(image_kind(im), IMAGE_JITDUMP);
	assert_string_equal(image_long_name(im), "/x/jit-7.dump");
	assert_string_equal(image_short_name(im), "jit-7.dump");
	assert_string_equal(image_remark(im), "a remark");
	assert_int_equal(image_missing_reason(im), IMAGE_LOADED);
	jit_code_free(c);
}

static void no_code_at_all_is_nowhere(void **state)
{
	_cleanup_(symbolizer_freep) struct symbolizer *s =
		symbolizer_new(&(struct symbolizer_options){ 0 });
	struct jit_drafts d = { .n = 0 };
	struct jit_code *c = jit_code_new(s, &request, &d, NULL);
	uint64_t from, until;

	(void)state;
	assert_string_equal(name_at(c, 0x1000, 5, &from, &until), "-");
	jit_code_free(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_said_about_unwinding_is_kept),
		cmocka_unit_test(code_is_found_from_its_time_on),
		cmocka_unit_test(memory_used_again_is_another_function),
		cmocka_unit_test(of_equal_times_the_later_in_the_file_holds),
		cmocka_unit_test(few_images_hold_all),
		cmocka_unit_test(memory_used_too_often_keeps_its_last_functions),
		cmocka_unit_test(an_image_is_called_as_its_dump),
		cmocka_unit_test(no_code_at_all_is_nowhere),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
