/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <config.h>

#include "base/diag.h"
#include "bpf/image.h"
#include "bpf/module.h"
#include "bpf/sample-filter.h"
#include "event/data-filter.h"
#include "skip.h"

/* The names are used elsewhere: tests of other tools look for the first. */
static void the_object_has_what_both_sides_agree_on(void **state)
{
	struct bpf_module *m = NULL;
	struct diag diag = { 0 };

	(void)state;
	if (!HAVE_BPF)
		skip_because("built without BPF");
	assert_int_equal(bpf_module_open(&bpf_image_sample_filter, &m, &diag), 0);
	assert_int_equal(bpf_module_want(m, "perf_sample_filter"), 0);
	assert_int_equal(bpf_module_want(m, "filter_context"), 0);
	assert_int_equal(bpf_module_size(m, "filters", 4), 0);
	bpf_module_free(m);
}

static void this_kernel_takes_it_or_says_why(void **state)
{
	_cleanup_(bpf_sample_filter_freep) struct bpf_sample_filter *f = NULL;
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct data_filter_items items = { 0 };

	(void)state;
	assert_int_equal(data_filter_parse(&items, "ip > 0", &diag), 0);
	if (bpf_sample_filter_new(&items, &f, &diag) < 0) {
		assert_null(f);
		assert_non_null(diag.message);
		return;
	}
	assert_int_equal(bpf_sample_filter_dropped(f), 0);
	assert_true(bpf_sample_filter_attach(f, -1, 1, "x", &diag) < 0);
	assert_non_null(diag.message);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_object_has_what_both_sides_agree_on),
		cmocka_unit_test(this_kernel_takes_it_or_says_why),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
