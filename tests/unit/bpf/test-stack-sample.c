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
#include "bpf/stack-sample.h"
#include "skip.h"

static int refuse(void *arg, const struct stack_sample *s, const uint64_t *frames)
{
	(void)arg, (void)s, (void)frames;
	fail();
	return 0;
}

static void the_object_has_what_both_sides_agree_on(void **state)
{
	struct bpf_module *m = NULL;
	struct diag diag = { 0 };

	(void)state;
	if (!HAVE_BPF)
		skip_because("built without BPF");
	assert_int_equal(bpf_module_open(&bpf_image_stack_sample, &m, &diag), 0);
	assert_non_null(bpf_module_constants(m, sizeof(struct stack_sample_constants)));
	assert_int_equal(bpf_module_size(m, "samples", 1 << 20), 0);
	assert_int_equal(bpf_module_want(m, "stack_sample"), 0);
	bpf_module_free(m);
}

/* The programs are attached to nothing, so there are no samples. */
static void this_kernel_takes_it_or_says_why(void **state)
{
	const struct stack_samples_request rq = { .max_kernel = 127, .ring_bytes = 1 << 20 };
	_cleanup_(stack_samples_freep) struct stack_samples *s = NULL;
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct unwind_tables_facts facts;

	(void)state;
	if (stack_samples_open(&rq, &s, &diag) < 0) {
		assert_null(s);
		assert_non_null(diag.message);
		return;
	}
	assert_true(stack_samples_fd(s) >= 0);
	assert_int_equal(stack_samples_read(s, refuse, NULL), 0);
	assert_int_equal(stack_samples_facts(s, &facts, &diag), 0);
	assert_int_equal(facts.results[UNWIND_DONE], 0);
	assert_int_equal(facts.processes, 0);
	assert_true(stack_samples_attach(s, -1, "x", &diag) < 0);
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
