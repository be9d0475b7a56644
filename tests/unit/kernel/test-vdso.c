/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <elf.h>
#include <string.h>

#include "kernel/vdso.h"
#include "skip.h"

static void ours_is_an_elf_file_in_memory(void **state)
{
	const void *bytes;
	size_t size;

	(void)state;
	if (vdso_get(&bytes, &size) < 0)
		skip_because("there is no vDSO");
	assert_true(size >= sizeof(Elf32_Ehdr));
	assert_memory_equal(bytes, ELFMAG, SELFMAG);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ours_is_an_elf_file_in_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
