/* SPDX-License-Identifier: MIT */
#include "example-profile.h"

#include "profile/missing-symbols.h"
#include "skip.h"

/* Nothing was looked up in the images, because counting needs no reasons. */
static void samples_without_names_are_counted_by_image(void **state)
{
	_cleanup_(missing_symbols_done) struct missing_symbols m = { 0 };
	_cleanup_(example_profile_done) struct example_profile p;
	const struct tally *t;

	(void)state;
	example_profile_init(&p);
	EXAMPLE_STACK(&p, 10, 100, 1, 0x5010, 0x1010);
	EXAMPLE_STACK(&p, 10, 110, 1, 0x5020, 0x1010);
	EXAMPLE_STACK(&p, 10, 120, 1, 0x1010);
	EXAMPLE_STACK(&p, 10, 130, 1, 0x9010);
	t = example_collect(&p, (struct collector_options){ .with_stacks = true });
	missing_symbols_count(&m, p.env.frames, &t->stacks, NULL);
	assert_int_equal(m.total, 4);
	assert_int_equal(m.n, 3);
}

static void the_most_samples_come_first_and_few_ones_are_left_out(void **state)
{
	const struct symbolizer_options o = { .symfs = "/no/such/dir" };
	_cleanup_(symbolizer_freep) struct symbolizer *s = symbolizer_new(&o);
	static const char *const names[] = { "/bin/a", "/bin/b", "/bin/few" };
	_cleanup_(missing_symbols_done) struct missing_symbols m = { .total = 1000 };

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		struct image *im = symbolizer_image(
			s, &(struct image_key){ .kind = IMAGE_USER, .name = names[i], .pid = 1 });

		image_symbol_find(im, 0x1000);
		missing_symbols_add(&m, im, i == 2 ? 1 : 50);
		missing_symbols_add(&m, im, i);
	}
	missing_symbols_add(&m, NULL, 500);
	assert_int_equal(missing_symbols_rank(&m), 2);
	assert_string_equal(image_name(m.items[0].image), "/bin/b");
	assert_int_equal(m.items[0].samples, 51);
}

static void nothing_missing_is_nothing_to_say(void **state)
{
	_cleanup_(missing_symbols_done) struct missing_symbols m = { 0 };

	(void)state;
	assert_int_equal(missing_symbols_rank(&m), 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(samples_without_names_are_counted_by_image),
		cmocka_unit_test(the_most_samples_come_first_and_few_ones_are_left_out),
		cmocka_unit_test(nothing_missing_is_nothing_to_say),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
