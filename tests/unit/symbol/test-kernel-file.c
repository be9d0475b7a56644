/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "symbol/kernel-file.h"

/* Makes a directory in which the file @name has @content. */
static char *directory_with(const char *name, const char *content)
{
	char *dir = xstrdup("/tmp/kernel-file-XXXXXX");

	assert_non_null(mkdtemp(dir));

	_cleanup_(freep) char *path = xasprintf("%s/%s", dir, name);
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	fputs(content, f);
	fclose(f);
	return dir;
}

static void remove_directory(char *dir, const char *name)
{
	_cleanup_(freep) char *path = xasprintf("%s/%s", dir, name);

	unlink(path);
	rmdir(dir);
	free(dir);
}

static void a_directory_of_the_cache_stands_for_its_file(void **state)
{
	char *dir = directory_with("kallsyms", "ffff000000000000 T _text\n");
	_cleanup_(freep) char *path = kernel_list_path(dir);
	_cleanup_(freep) char *expected = xasprintf("%s/kallsyms", dir);

	(void)state;
	assert_string_equal(path, expected);
	assert_int_equal(kernel_list_check("kallsyms", dir, NULL), 0);
	assert_int_equal(kernel_list_check("kallsyms", path, NULL), 0);
	remove_directory(dir, "kallsyms");
}

static void a_vmlinux_has_either_name(void **state)
{
	char *dir = directory_with("vmlinux", "\177ELF");
	_cleanup_(freep) char *path = kernel_vmlinux_path(dir);
	_cleanup_(freep) char *expected = xasprintf("%s/vmlinux", dir);

	(void)state;
	assert_string_equal(path, expected);
	assert_int_equal(kernel_vmlinux_check("vmlinux", dir, NULL), 0);
	remove_directory(dir, "vmlinux");
}

static void what_is_missing_is_named(void **state)
{
	_cleanup_(diag_done) struct diag d = { 0 };

	(void)state;
	assert_int_equal(kernel_list_check("kallsyms", "/no/such", &d), -ENOENT);
	assert_string_equal(d.message,
			    "--kallsyms: cannot read '/no/such': No such file or directory");
	assert_int_equal(kernel_vmlinux_check("vmlinux", "/no/such", &d), -ENOENT);
	assert_int_equal(kernel_list_check("kallsyms", NULL, &d), 0);
	assert_int_equal(kernel_vmlinux_check("vmlinux", NULL, &d), 0);
}

static void an_empty_directory_lacks_its_file(void **state)
{
	_cleanup_(diag_done) struct diag d = { 0 };
	char *dir = directory_with("other", "x");

	(void)state;
	assert_int_equal(kernel_list_check("kallsyms", dir, &d), -ENOENT);
	assert_non_null(strstr(d.message, "/kallsyms'"));
	remove_directory(dir, "other");
}

static void a_file_of_another_kind_is_refused(void **state)
{
	_cleanup_(diag_done) struct diag d = { 0 };
	char *dir = directory_with("file", "root:x:0:0\n");
	_cleanup_(freep) char *path = xasprintf("%s/file", dir);

	(void)state;
	assert_int_equal(kernel_list_check("kallsyms", path, &d), -EINVAL);
	assert_int_equal(kernel_vmlinux_check("vmlinux", path, &d), -EINVAL);
	assert_int_equal(kernel_list_check("kallsyms", "/dev/null", &d), -EINVAL);
	remove_directory(dir, "file");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_directory_of_the_cache_stands_for_its_file),
		cmocka_unit_test(a_vmlinux_has_either_name),
		cmocka_unit_test(what_is_missing_is_named),
		cmocka_unit_test(an_empty_directory_lacks_its_file),
		cmocka_unit_test(a_file_of_another_kind_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
