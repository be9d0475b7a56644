/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "base/diag.h"
#include "profile/annotation.h"
#include "profile/listing.h"
#include "symbol/example-code.h"

struct fixture {
	pthread_mutex_t lock;
	struct symbolizer *symbolizer;
	struct code_store *store;
	struct listing_tools tools;
	struct annotated_functions all;
	struct annotated_function function;
	struct listing listing;
};

static const struct weight total[] = { { .period = 30, .samples = 3 } };
static const struct weight weights[] = { { .period = 20, .samples = 2 },
					 { .period = 10, .samples = 1 } };
static const uint64_t addrs[] = { EXAMPLE_TEXT + 4, EXAMPLE_TEXT + 6 };

/* Sets up first(), with three samples at its second instruction. */
static void begin(struct fixture *f, const char *dir, uint16_t machine)
{
	*f = (struct fixture){ .lock = PTHREAD_MUTEX_INITIALIZER, .store = code_store_new() };
	example_store(dir, "bin/made", machine, ET_DYN);
	f->symbolizer = symbolizer_new(&(struct symbolizer_options){ .symfs = dir });
	f->tools = (struct listing_tools){ .code = f->store, .lock = &f->lock };
	f->all.n_events = 1;
	f->function = (struct annotated_function){
		.image = example_image(f->symbolizer),
		.totals = total,
		.n = 2,
		.addrs = addrs,
		.weights = weights,
	};
	f->function.sym = image_symbol_find(f->function.image, EXAMPLE_TEXT);
}

static void make(struct fixture *f)
{
	_cleanup_(diag_done) struct diag diag = { 0 };

	if (listing_make(&f->tools, &f->all, &f->function, &f->listing, &diag) < 0) {
		print_message("# %s\n", diag.message);
		skip();
	}
}

static void end(struct fixture *f)
{
	listing_done(&f->listing);
	listing_tools_done(&f->tools);
	code_store_free(f->store);
	symbolizer_free(f->symbolizer);
}

static void instructions_have_their_weight_and_target(void **state)
{
	const struct listing_line *lines;
	struct fixture f;

	begin(&f, *state, EM_AARCH64);
	make(&f);
	lines = f.listing.items;
	assert_int_equal(f.listing.n, 4);
	assert_int_equal(f.listing.start, BUILT_BASE + EXAMPLE_TEXT);
	assert_string_equal(f.listing.section, ".text");
	assert_int_equal(lines[0].kind, LISTING_FUNCTION);
	assert_string_equal(lines[0].text, "first");
	assert_string_equal(lines[1].text, "mov\tw0, w1");
	assert_int_equal(lines[1].weights[0].samples, 0);
	assert_string_equal(lines[2].text, "cbz\tw0, ");
	assert_int_equal(lines[2].weights[0].period, 30);
	assert_string_equal(lines[2].target, "second");
	assert_int_equal(lines[2].flow.target, f.listing.start + EXAMPLE_SIZE);
	assert_int_equal(lines[3].flow.kind, FLOW_RETURN);
	assert_int_equal(lines[3].addr, f.listing.start + 8);
	end(&f);
}

static void long_instructions_go_on_in_another_line(void **state)
{
	size_t bytes = 0;
	struct fixture f;

	begin(&f, *state, EM_X86_64);
	f.tools.raw = true;
	make(&f);
	/* Every byte is in one line, and no line has more than seven bytes. */
	for (size_t i = 0; i < f.listing.n; i++) {
		assert_true(f.listing.items[i].n_bytes <= 7);
		bytes += f.listing.items[i].n_bytes;
	}
	assert_int_equal(bytes, EXAMPLE_SIZE);
	end(&f);
}

static void code_that_is_not_here_is_no_listing(void **state)
{
	const struct symbol far = { .start = 1u << 30, .end = (1u << 30) + 8, .name = "far" };
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct fixture f;

	begin(&f, *state, EM_AARCH64);
	f.function.sym = &far;
	assert_int_equal(listing_make(&f.tools, &f.all, &f.function, &f.listing, &diag), -ENODATA);
	assert_non_null(diag.message);
	end(&f);
}

static void code_of_an_unknown_machine_is_no_listing(void **state)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct fixture f;

	begin(&f, *state, EM_RISCV);
	assert_int_equal(listing_make(&f.tools, &f.all, &f.function, &f.listing, &diag), -ENOTSUP);
	end(&f);
}

static void jumps_within_the_function_are_counted_where_they_lead(void **state)
{
	struct listing_line lines[] = {
		{ .kind = LISTING_CODE,
		  .addr = 0x10,
		  .flow = { .kind = FLOW_JUMP, .has_target = true, .target = 0x18 } },
		{ .kind = LISTING_SOURCE, .addr = 0x18 },
		{ .kind = LISTING_CODE,
		  .addr = 0x14,
		  .flow = { .kind = FLOW_JUMP, .has_target = true, .target = 0x18 } },
		{ .kind = LISTING_CODE,
		  .addr = 0x18,
		  .flow = { .kind = FLOW_JUMP, .has_target = true, .target = 0x20 } },
		{ .kind = LISTING_CODE,
		  .addr = 0x1c,
		  .flow = { .kind = FLOW_CALL, .has_target = true, .target = 0x10 } },
	};
	struct listing l = { .start = 0x10, .end = 0x20, .items = lines, .n = ARRAY_SIZE(lines) };

	(void)state;
	listing_find_jumps(&l);
	assert_true(lines[0].jumps_within);
	assert_int_equal(lines[3].n_jumps, 2);
	assert_int_equal(lines[1].n_jumps, 0);
	assert_false(lines[3].jumps_within); /* behind the end */
	assert_false(lines[4].jumps_within); /* a call */
	assert_int_equal(lines[0].n_jumps, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(instructions_have_their_weight_and_target,
						scratch_make, scratch_remove),
		cmocka_unit_test_setup_teardown(long_instructions_go_on_in_another_line,
						scratch_make, scratch_remove),
		cmocka_unit_test_setup_teardown(code_that_is_not_here_is_no_listing, scratch_make,
						scratch_remove),
		cmocka_unit_test_setup_teardown(code_of_an_unknown_machine_is_no_listing,
						scratch_make, scratch_remove),
		cmocka_unit_test(jumps_within_the_function_are_counted_where_they_lead),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
