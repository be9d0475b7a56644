/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/memory.h"
#include "cli/command.h"
#include "options/picture-file.h"
#include "profile/page/fit.h"
#include "profile/page/page.h"
#include "symbol/scratch.h"

struct fixture {
	struct settings settings;
	struct invocation inv;
	char *printed, *told;
	size_t n_printed, n_told;
	struct diag diag;
};

static void begin(struct fixture *f)
{
	*f = (struct fixture){ .n_printed = 0 };
	f->inv.settings = &f->settings;
	f->settings.out = f->inv.out = open_memstream(&f->printed, &f->n_printed);
	f->settings.err = f->inv.err = open_memstream(&f->told, &f->n_told);
}

static void end(struct fixture *f)
{
	fclose(f->inv.out);
	fclose(f->inv.err);
	free(f->printed);
	free(f->told);
	diag_done(&f->diag);
}

static void a_file_appears_when_it_is_complete(void **state)
{
	_cleanup_(freep) char *path = scratch_path(*state, "picture.svg");
	struct picture_file p;
	struct fixture f;

	begin(&f);
	assert_int_equal(picture_file_open(&p, &f.inv, path, "usual", &f.diag), 0);
	fputs("12345", p.out);
	assert_int_equal(access(path, F_OK), -1);
	assert_int_equal(picture_file_commit(&p, &f.inv, false, &f.diag), 0);
	picture_file_done(&p);
	assert_int_equal(access(path, F_OK), 0);
	fflush(f.inv.err);
	assert_non_null(strstr(f.told, "picture.svg: 5"));
	end(&f);
}

static void what_is_not_committed_is_gone(void **state)
{
	_cleanup_(freep) char *path = scratch_path(*state, "lost.svg");
	struct picture_file p;
	struct fixture f;

	begin(&f);
	assert_int_equal(picture_file_open(&p, &f.inv, path, "usual", &f.diag), 0);
	picture_file_done(&p);
	assert_int_equal(access(path, F_OK), -1);
	end(&f);
}

static void without_a_name_it_is_standard_output(void **state)
{
	struct picture_file p;
	struct fixture f;

	(void)state;
	begin(&f);
	assert_int_equal(picture_file_open(&p, &f.inv, NULL, "usual", &f.diag), 0);
	assert_ptr_equal(p.out, f.inv.out);
	assert_int_equal(picture_file_commit(&p, &f.inv, false, &f.diag), 0);
	picture_file_done(&p);
	fflush(f.inv.err);
	assert_string_equal(f.told, "");
	end(&f);
}

static void a_folder_that_is_not_there_is_told(void **state)
{
	struct picture_file p;
	struct fixture f;

	(void)state;
	begin(&f);
	assert_true(picture_file_open(&p, &f.inv, "/no/such/folder/x", "usual", &f.diag) < 0);
	assert_non_null(f.diag.message);
	picture_file_done(&p);
	end(&f);
}

static void pages_are_written_whole(void **state)
{
	_cleanup_(page_done) struct page page;
	struct fixture f;

	(void)state;
	begin(&f);
	page_init(&page);
	page_fit(&page, SIZE_MAX);
	assert_int_equal(picture_write_page(&page, &f.inv, "-", "usual", false, &f.diag), 0);
	fflush(f.inv.out);
	assert_int_equal(strncmp(f.printed, "<!DOCTYPE html>", 15), 0);
	assert_non_null(strstr(f.printed, "</html>"));
	end(&f);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_appears_when_it_is_complete),
		cmocka_unit_test(what_is_not_committed_is_gone),
		cmocka_unit_test(without_a_name_it_is_standard_output),
		cmocka_unit_test(a_folder_that_is_not_there_is_told),
		cmocka_unit_test(pages_are_written_whole),
	};

	return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
