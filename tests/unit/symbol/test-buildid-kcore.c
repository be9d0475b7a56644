/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "elf/built-elf.h"
#include "scratch.h"
#include "symbol/buildid/kcore.h"

/*
 * Stores a kcore of 4 KiB of memory from BUILT_BASE on, in which each byte is the low byte of its
 * address.
 */
static char *store_kcore(const char *dir, const char *list, const char *modules)
{
	char *path = scratch_path(dir, "proc/kcore");
	_cleanup_(freep) char *list_path = scratch_path(dir, "proc/kallsyms");
	_cleanup_(freep) char *modules_path = scratch_path(dir, "proc/modules");
	static struct built_elf b;

	built_begin(&b);
	built_end(&b, EM_AARCH64, ET_CORE);
	for (size_t i = 1024; i < 4096; i++)
		b.bytes[i] = (uint8_t)i;
	((Elf64_Phdr *)(b.bytes + sizeof(Elf64_Ehdr)))->p_filesz = 4096;
	((Elf64_Phdr *)(b.bytes + sizeof(Elf64_Ehdr)))->p_memsz = 4096;
	b.size = 4096;
	assert_true(built_store(&b, path));
	scratch_write(list_path, list);
	scratch_write(modules_path, modules);
	return path;
}

static void only_code_is_copied(void **state)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(freep) char *kcore =
		store_kcore(*state, "400400 T _stext\n400480 T _etext\n",
			    "mod 16 0 - Live 0x400500\nother 99999 0 - Live 0x900000\n");
	_cleanup_(freep) char *copy = scratch_path(*state, "to/kcore"), *bytes = NULL;
	_cleanup_(freep) char *to = xasprintf("%s/to", (char *)*state);
	size_t size, headers = sizeof(Elf64_Ehdr) + 2 * sizeof(Elf64_Phdr);
	Elf64_Phdr p[2];
	struct stat st;

	assert_int_equal(kcore_copy(kcore, to, &diag), 0);
	assert_int_equal(stat(copy, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0400);
	assert_int_equal(file_read(AT_FDCWD, copy, 1 << 20, &bytes, &size), 0);
	assert_int_equal(size, headers + 0x80 + 16);
	memcpy(p, bytes + sizeof(Elf64_Ehdr), sizeof(p));
	assert_int_equal(p[0].p_vaddr, 0x400400);
	assert_int_equal(p[1].p_vaddr, 0x400500);
	assert_int_equal(p[1].p_filesz, 16);
	assert_int_equal((uint8_t)bytes[p[0].p_offset + 5], 5);
	assert_int_equal((uint8_t)bytes[p[1].p_offset + 7], 7);
}

static void hidden_addresses_are_an_error(void **state)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(freep) char *kcore = store_kcore(*state, "0 T _stext\n0 T _etext\n", "");

	assert_int_equal(kcore_copy(kcore, *state, &diag), -EPERM);
}

static void a_kernel_that_is_not_in_it_is_an_error(void **state)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(freep) char *kcore = store_kcore(*state, "900000 T _stext\n900100 T _etext\n",
						   "");

	assert_int_equal(kcore_copy(kcore, *state, &diag), -ENODATA);
}

static void its_neighbours_are_needed(void **state)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	assert_int_equal(kcore_copy("/no/such/kcore", *state, &diag), -ENOENT);
}

/* A limit on the size of files takes the place of a full disk: both cut a write short. */
static void what_does_not_fit_is_told_with_the_file_and_the_space(void **state)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(freep) char *kcore = store_kcore(*state, "400400 T _stext\n400800 T _etext\n",
						   "");
	_cleanup_(freep) char *copy = scratch_path(*state, "small/kcore");
	_cleanup_(freep) char *to = xasprintf("%s/small", (char *)*state);
	struct rlimit before, limit;
	int r;

	getrlimit(RLIMIT_FSIZE, &before);
	limit = (struct rlimit){ .rlim_cur = 512, .rlim_max = before.rlim_max };
	signal(SIGXFSZ, SIG_IGN);
	setrlimit(RLIMIT_FSIZE, &limit);
	r = kcore_copy(kcore, to, &diag);
	setrlimit(RLIMIT_FSIZE, &before);
	assert_int_equal(r, -EFBIG);
	assert_non_null(strstr(diag.message, "small/kcore': File too large"));
	assert_non_null(strstr(diag.hint, "MB there: make room"));
	assert_int_equal(access(copy, F_OK), -1);
}

#define IN_SCRATCH(test) cmocka_unit_test_setup_teardown(test, scratch_make, scratch_remove)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_SCRATCH(only_code_is_copied),
		IN_SCRATCH(what_does_not_fit_is_told_with_the_file_and_the_space),
		IN_SCRATCH(hidden_addresses_are_an_error),
		IN_SCRATCH(a_kernel_that_is_not_in_it_is_an_error),
		IN_SCRATCH(its_neighbours_are_needed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
