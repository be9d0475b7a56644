/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "base/workers.h"
#include "profile/cell-log.h"
#include "profile/frames.h"
#include "profile/page/code.h"
#include "profile/page/page.h"
#include "profile/page/tree.h"
#include "symbol/example-code.h"
#include "skip.h"

struct fixture {
	struct symbolizer *symbolizer;
	struct frames *places;
	struct workers *workers;
	struct cell_log log;
	struct page page;
	struct page_tree tree;
	uint32_t *place_of;
};

static void begin(struct fixture *f, const char *dir)
{
	*f = (struct fixture){ .places = frames_new_places(), .workers = workers_new(2, 2) };
	example_store(dir, "bin/made", EM_AARCH64, ET_DYN);
	f->symbolizer = symbolizer_new(&(struct symbolizer_options){ .symfs = dir });
	cell_log_init(&f->log);
	page_init(&f->page);
	page_tree_init(&f->tree, &f->page);
}

/* Adds a sample with this period. Returns its place. */
static uint32_t sample_at(struct fixture *f, uint64_t addr, uint64_t period)
{
	static const uint64_t values[N_CELL_VALUES];
	struct image *im = example_image(f->symbolizer);
	const struct map map = { .image = im };
	const struct location loc = {
		.addr = addr, .map = &map, .image_addr = addr, .sym = image_symbol_find(im, addr)
	};
	uint32_t place = frames_add(f->places, &loc, ADDRESS_USER, FRAME_SAMPLED);

	cell_log_add(&f->log, values,
		     (struct logged_cell){ .place = place, .period = period, .samples = 1 });
	return place;
}

static void add_code(struct fixture *f)
{
	f->place_of = page_add_code(&f->page, &f->tree,
				    &(struct page_code_source){ .log = &f->log,
								.places = f->places,
								.workers = f->workers,
								.with_source = true });
}

static void end(struct fixture *f)
{
	free(f->place_of);
	page_tree_done(&f->tree);
	page_done(&f->page);
	cell_log_done(&f->log);
	workers_free(f->workers);
	frames_free(f->places);
	symbolizer_free(f->symbolizer);
}

static void places_are_instructions_of_all_listings(void **state)
{
	const struct page_function *fn;
	uint32_t second, in_first, cold;
	struct fixture f;

	begin(&f, *state);
	second = sample_at(&f, EXAMPLE_TEXT + EXAMPLE_SIZE, 100);
	in_first = sample_at(&f, EXAMPLE_TEXT + 4 + 2, 1000); /* within the second instruction */
	cold = sample_at(&f, EXAMPLE_TEXT + 0x10000, 10);     /* in no function */
	add_code(&f);
	fn = f.page.functions.items;
	assert_int_equal(f.page.functions.n, 2);
	assert_string_equal(f.page.names.items[fn[0].name], "first");
	assert_string_equal(f.page.objects.items[fn[0].object], "made");
	if (fn[0].why) {
		print_message("# %s\n", fn[0].why);
		assert_int_equal(f.place_of[in_first], 0);
	} else {
		assert_int_equal(fn[0].n, 3);
		assert_string_equal(fn[0].rows[0].text, "mov w0, w1");
		assert_string_equal(fn[0].rows[1].text, "cbz w0, 40008c <second>");
		assert_int_equal(f.place_of[in_first], 2);
		assert_int_equal(f.place_of[second], 4);
		assert_int_equal(fn[1].rows[0].to, 0); /* it jumps to its own address */
		assert_int_equal(fn[1].rows[1].to, PAGE_NONE);
	}
	assert_int_equal(f.place_of[cold], 0);
	end(&f);
}

static void cold_functions_have_no_listing(void **state)
{
	uint32_t cold;
	struct fixture f;

	begin(&f, *state);
	sample_at(&f, EXAMPLE_TEXT, 1000000);
	cold = sample_at(&f, EXAMPLE_TEXT + EXAMPLE_SIZE, 1);
	add_code(&f);
	assert_int_equal(f.page.functions.n, 1);
	assert_int_equal(f.place_of[cold], 0);
	end(&f);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(places_are_instructions_of_all_listings),
		cmocka_unit_test(cold_functions_have_no_listing),
	};

	return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
