/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "trace-values.h"

static void assert_mode(uint64_t mode, const char *expected)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;
	struct made_call m;

	MADE(&m, "chmod", 0x1000, mode);
	trace_arg_text(&t, &m.call, 1, &named);
	assert_string_equal(t.chars, expected);
}

static void modes_are_the_fewest_names(void **state)
{
	(void)state;
	assert_mode(0755, "IRUGO|IXUGO|IWUSR");
	assert_mode(0644, "IRUGO|IWUSR");
	assert_mode(0600, "IRUSR|IWUSR");
	assert_mode(0700, "IRWXU");
	assert_mode(0750, "IRWXU|IRGRP|IXGRP");
	assert_mode(0777, "IRWXUGO");
	assert_mode(01777, "IRWXUGO|ISVTX");
	assert_mode(07777, "IALLUGO");
	assert_mode(04755, "IRUGO|IXUGO|ISUID|IWUSR");
	assert_mode(0770, "IRWXU|IRWXG");
	assert_mode(0033, "IWGRP|IXGRP|IWOTH|IXOTH");
	assert_mode(0, "0");
}

static void types_of_files_have_names(void **state)
{
	(void)state;
	assert_mode(0100644, "IRUGO|IFREG|IWUSR");
	assert_mode(0120777, "IRWXUGO|IFLNK");
	assert_mode(0010666, "IRUGO|IWUGO|IFIFO");
	assert_mode(0200000, "0x10000");
}

static void json_has_octal_digits(void **state)
{
	(void)state;
	struct made_call m;

	MADE(&m, "chmod", 0, 01644);
	assert_args_json(&m, "{\"args\": {\"filename\": null, \"mode\": \"01644\"}}");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(modes_are_the_fewest_names),
		cmocka_unit_test(types_of_files_have_names),
		cmocka_unit_test(json_has_octal_digits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
