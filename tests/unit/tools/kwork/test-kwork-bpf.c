/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <config.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "bpf/image.h"
#include "bpf/module.h"
#include "skip.h"
#include "tools/kwork/kwork-bpf.h"

static void need_bpf(void)
{
#if !HAVE_BPF
	skip_because("built without BPF");
#endif
}

static void the_object_has_what_is_asked_of_it(void **state)
{
	static const char *const programs[] = { "on_irq_entry",     "on_irq_exit",
						"on_softirq_raise", "on_softirq_entry",
						"on_softirq_exit",  "on_work_activate",
						"on_work_start",    "on_work_end",
						"on_switch" };
	_cleanup_(bpf_module_freep) struct bpf_module *m = NULL;
	_cleanup_(diag_done) struct diag diag = { 0 };

	(void)state;
	need_bpf();
	assert_int_equal(bpf_module_open(&bpf_image_kwork, &m, &diag), 0);
	assert_non_null(bpf_module_constants(m, sizeof(struct bpf_kwork_constants)));
	assert_int_equal(bpf_module_size(m, "rows", 5), 0);
	for (size_t i = 0; i < ARRAY_SIZE(programs); i++)
		assert_int_equal(bpf_module_want(m, programs[i]), 0);
}

static void nothing_was_begun_and_is_released(void **state)
{
	(void)state;
	bpf_kwork_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_object_has_what_is_asked_of_it),
		cmocka_unit_test(nothing_was_begun_and_is_released),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
