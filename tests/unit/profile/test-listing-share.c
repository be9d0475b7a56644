/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/cleanup.h"
#include "profile/annotation.h"
#include "profile/listing-share.h"
#include "profile/listing.h"

static const struct weight local = { .period = 1000, .samples = 10 };
static const struct weight global = { .period = 2000, .samples = 40 };
static const struct weight none, some = { .period = 600, .samples = 7 },
				 rest = { .period = 400, .samples = 3 };

/* Three instructions, two of which have samples. */
struct made {
	struct annotated_function function;
	struct listing_line lines[4];
	struct listing listing;
	struct listing_whole whole;
};

static void example_init(struct made *m)
{
	*m = (struct made){
		.function = { .totals = &local },
		.lines = { { .kind = LISTING_SOURCE },
			   { .kind = LISTING_CODE, .weights = &none, .at = { "/src/a.c", 2 } },
			   { .kind = LISTING_CODE, .weights = &some, .at = { "/src/a.c", 3 } },
			   { .kind = LISTING_MORE, .weights = &rest, .at = { "/src/b.c", 4 } } },
		.whole = { .n_events = 1, .totals = &global },
	};
	m->listing = (struct listing){ .function = &m->function, .items = m->lines, .n = 4 };
}

static void a_share_is_of_what_was_asked_for(void **state)
{
	static const double wanted[] = {
		[ANNOTATE_LOCAL_PERIOD] = 60,
		[ANNOTATE_GLOBAL_PERIOD] = 30,
		[ANNOTATE_LOCAL_HITS] = 70,
		[ANNOTATE_GLOBAL_HITS] = 17.5,
	};
	struct made m;

	(void)state;
	example_init(&m);
	for (size_t i = 0; i < 4; i++) {
		m.whole.base = (enum annotate_base)i;
		assert_true(listing_share(&m.listing, &m.lines[2], 0, &m.whole) == wanted[i]);
	}
}

static void a_share_of_nothing_is_nothing(void **state)
{
	struct made m;

	(void)state;
	example_init(&m);
	assert_true(listing_line_is_heavy(&m.listing, &m.lines[2], &m.whole));
	m.function.totals = &none;
	assert_true(listing_share(&m.listing, &m.lines[2], 0, &m.whole) == 0);
	assert_false(listing_line_is_heavy(&m.listing, &m.lines[1], &m.whole));
}

static void lines_of_source_are_summed_up_and_sorted(void **state)
{
	struct made m;

	(void)state;
	example_init(&m);
	for (int same = 0; same < 2; same++) {
		_cleanup_(source_shares_done) struct source_shares s;

		if (same)
			m.lines[3].at = m.lines[2].at;
		source_shares_init(&s, &m.listing, &m.whole, same);
		assert_int_equal(s.n, same ? 1 : 2);
		assert_string_equal(s.items[0].place, same ? "/src/a.c:3" : "a.c:3");
		assert_true(s.items[0].percents[0] == (same ? 100 : 60));
		assert_true(s.items[0].most == s.items[0].percents[0]);
	}
}

static void code_of_no_line_is_one(void **state)
{
	_cleanup_(source_shares_done) struct source_shares s;
	struct made m;

	(void)state;
	example_init(&m);
	m.lines[2].at.file = m.lines[3].at.file = NULL;
	source_shares_init(&s, &m.listing, &m.whole, false);
	assert_int_equal(s.n, 1);
	assert_string_equal(s.items[0].place, "??:0");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_share_is_of_what_was_asked_for),
		cmocka_unit_test(a_share_of_nothing_is_nothing),
		cmocka_unit_test(lines_of_source_are_summed_up_and_sorted),
		cmocka_unit_test(code_of_no_line_is_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
