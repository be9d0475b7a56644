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
#include <unistd.h>

#include "base/bytes.h"
#include "base/diag.h"
#include "bpf/clang.h"

static char source[] = "/tmp/perf-test-clang-XXXXXX";

static int make_source(void **state)
{
	int fd = mkstemp(source);

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(write(fd, "int x;\n", 7), 7);
	close(fd);
	return 0;
}

static int remove_source(void **state)
{
	(void)state;
	return unlink(source);
}

static void the_command_line_and_its_environment_can_be_replaced(void **state)
{
	struct bpf_compiler c = {
		.clang = "/bin/sh",
		.options = "-Dx=1",
		.command = "test -n \"$NR_CPUS\" -a \"$LINUX_VERSION_CODE\" -gt 0 && "
			   "printf '%s %s' \"$CLANG_OPTIONS\" \"$CLANG_SOURCE\"",
	};
	struct bytes object = { 0 };
	struct diag diag = { 0 };

	(void)state;
	assert_int_equal(bpf_compile(&c, source, &object, &diag), 0);
	assert_int_equal(object.n, strlen("-Dx=1 ") + strlen(source));
	assert_memory_equal(object.data, "-Dx=1 /tmp/perf-test-clang-", 27);
	bytes_done(&object);
}

static void headers_are_read_by_descriptors(void **state)
{
	struct bpf_compiler c = {
		.clang = "/bin/sh",
		.command = "set -- $PERF_BPF_INC_OPTIONS; cat $2",
	};
	struct bytes object = { 0 };
	struct diag diag = { 0 };

	(void)state;
	assert_int_equal(bpf_compile(&c, source, &object, &diag), 0);
	bytes_u8(&object, 0);
	for (size_t i = 0; i < bpf_n_headers; i++)
		assert_non_null(strstr((char *)object.data, bpf_headers[i].path));
	bytes_done(&object);
}

static void a_failing_compiler_and_a_missing_one_are_told(void **state)
{
	struct bpf_compiler fails = { .clang = "/bin/sh", .command = "exit 3" };
	struct bpf_compiler missing = { .clang = "/nowhere/clang" };
	struct bpf_compiler any = { .clang = "/bin/sh" };
	struct bytes object = { 0 };
	struct diag diag = { 0 };

	(void)state;
	assert_int_equal(bpf_compile(&fails, source, &object, &diag), -EINVAL);
	assert_non_null(strstr(diag.message, "status 3"));
	assert_int_equal(bpf_compile(&missing, source, &object, &diag), -ENOENT);
	assert_non_null(strstr(diag.message, "/nowhere/clang"));
	assert_non_null(strstr(diag.hint, "apt-get install clang"));
	assert_int_equal(bpf_compile(&any, "/nowhere/x.c", &object, &diag), -ENOENT);
	assert_non_null(strstr(diag.message, "/nowhere/x.c"));
	diag_done(&diag);
	bytes_done(&object);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_command_line_and_its_environment_can_be_replaced),
		cmocka_unit_test(headers_are_read_by_descriptors),
		cmocka_unit_test(a_failing_compiler_and_a_missing_one_are_told),
	};

	return cmocka_run_group_tests(tests, make_source, remove_source);
}
