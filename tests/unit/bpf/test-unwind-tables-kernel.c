/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <config.h>

#include "arch/arch.h"
#include "base/diag.h"
#include "bpf/image.h"
#include "bpf/module.h"
#include "bpf/unwind-tables.h"
#include "skip.h"

static struct bpf_module *opened(const struct bpf_image *image)
{
	struct bpf_module *m = NULL;
	struct diag diag = { 0 };

	if (!HAVE_BPF)
		skip_because("built without BPF");
	assert_int_equal(bpf_module_open(image, &m, &diag), 0);
	return m;
}

static void the_registers_of_this_machine_are_known(void **state)
{
	_cleanup_(bpf_module_freep) struct bpf_module *m = opened(&bpf_image_stack_sample);
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct unwind_host host = { 0 };

	(void)state;
	if (!arch_host()->convention || !arch_host()->convention->trap)
		skip_because("no unwinding on this machine");
	assert_int_equal(unwind_tables_prepare(m, &host, &diag), 0);
	assert_int_not_equal(host.pc, host.sp);
	assert_int_equal(host.pc, arch_host()->convention->trap->pc);
}

static void a_program_without_tables_is_refused(void **state)
{
	_cleanup_(bpf_module_freep) struct bpf_module *m = opened(&bpf_image_sample_filter);
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct unwind_host host;

	(void)state;
	assert_true(unwind_tables_prepare(m, &host, &diag) < 0);
	assert_non_null(diag.message);
}

static void what_is_not_loaded_is_not_served(void **state)
{
	_cleanup_(bpf_module_freep) struct bpf_module *m = opened(&bpf_image_stack_sample);
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct unwind_tables *t = NULL;

	(void)state;
	assert_true(unwind_tables_start(m, NULL, &t, &diag) < 0);
	assert_null(t);
	assert_non_null(diag.message);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_registers_of_this_machine_are_known),
		cmocka_unit_test(a_program_without_tables_is_refused),
		cmocka_unit_test(what_is_not_loaded_is_not_served),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
