/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/diag.h"
#include "scratch-folder.h"
#include "session/session.h"
#include "tools/script/dlfilter-internal-work.h"

static char *why_not(const char *file)
{
	const struct dlfilter_request rq = { .file = file, .exec_path = "." };
	_cleanup_(diag_done) struct diag d = { 0 };
	struct dlfilter *f = NULL;

	assert_true(dlfilter_open(&rq, &f, &d) < 0);
	assert_null(f);
	return xstrdup(d.message);
}

static void assert_refused(const char *file, const char *expected)
{
	_cleanup_(freep) char *got = why_not(file);

	assert_string_equal(got, expected);
}

static void write_file(const char *path, const void *bytes, size_t n)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	assert_int_equal(fwrite(bytes, 1, n, f), n);
	assert_int_equal(fclose(f), 0);
}

static void a_file_that_is_not_there_is_told(void **state)
{
	(void)state;
	assert_refused("./none.so", "there is no filter './none.so'");
	assert_refused("none.so", "there is no filter 'none.so' here");
}

static void a_file_that_is_no_library_is_told(void **state)
{
	(void)state;
	write_file("text.so", "hello", 5);
	assert_refused("text.so", "'./text.so' is not a shared object");
	write_file("empty.so", "", 0);
	assert_refused("./empty.so", "'./empty.so' is not a shared object");
}

static void a_library_of_another_machine_is_told(void **state)
{
	Elf64_Ehdr h = { .e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB },
			 .e_type = ET_DYN,
			 .e_machine = EM_S390 };

	(void)state;
	write_file("foreign.so", &h, sizeof(h));
	assert_refused("foreign.so", "'./foreign.so' was built for another machine");
}

static void a_library_without_its_functions_is_no_filter(void **state)
{
	(void)state;
	assert_refused("libm.so.6",
		       "'libm.so.6' is not a filter: it has neither filter_event() nor "
		       "filter_event_early()");
}

static void without_a_sample_there_are_no_answers(void **state)
{
	struct dlfilter f = { .request = &(struct dlfilter_request){ 0 } };
	struct perf_dlfilter_al al = { .size = sizeof(al) };
	const struct perf_dlfilter_fns *fns = &dlfilter_functions;
	__u32 number = 1;
	int n = 1;

	(void)state;
	assert_null(fns->resolve_ip(&f));
	assert_null(fns->resolve_addr(&f));
	assert_null(fns->args(&f, &n));
	assert_int_equal(n, 0);
	assert_int_equal(fns->resolve_address(&f, 1, &al), -1);
	assert_null(fns->insn(&f, &number));
	assert_null(fns->srcline(&f, &number));
	assert_null(fns->attr(&f));
	assert_int_equal(fns->object_code(&f, 1, &number, 4), -1);
	fns->al_cleanup(&f, &al);
}

/* The layout is that for which filters of other perfs were built. */
static void structs_have_the_layout_of_the_interface(void **state)
{
	(void)state;
	assert_int_equal(sizeof(struct perf_dlfilter_fns), 128 * sizeof(void *));
	assert_int_equal(offsetof(struct perf_dlfilter_sample, raw_data), 152);
	assert_int_equal(sizeof(struct perf_dlfilter_sample), 208);
	assert_int_equal(offsetof(struct perf_dlfilter_al, priv), 80);
	assert_int_equal(sizeof(struct perf_dlfilter_al), 88);
}

static void lists_leave_out_what_is_no_filter(void **state)
{
	_cleanup_(dlfilter_list_done) struct dlfilter_list l = { 0 };

	(void)state;
	write_file("text.so", "hello", 5);
	dlfilter_list_read("/no/such/folder", &l);
	assert_int_equal(l.n, 0);
}

#define IN_FOLDER(test)                                                                            \
	cmocka_unit_test_setup_teardown(test, enter_scratch_folder, leave_scratch_folder)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_FOLDER(a_file_that_is_not_there_is_told),
		IN_FOLDER(a_file_that_is_no_library_is_told),
		IN_FOLDER(a_library_of_another_machine_is_told),
		IN_FOLDER(a_library_without_its_functions_is_no_filter),
		cmocka_unit_test(without_a_sample_there_are_no_answers),
		cmocka_unit_test(structs_have_the_layout_of_the_interface),
		IN_FOLDER(lists_leave_out_what_is_no_filter),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
