/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>

#include "scratch.h"
#include "symbol/kallsyms-index.h"
#include "symbol/table.h"

#define SYMBOLS 300

static struct stat source(const char *dir)
{
	_cleanup_(freep) char *path = scratch_path(dir, "list");
	struct stat st;

	scratch_write(path, "list\n");
	assert_int_equal(stat(path, &st), 0);
	return st;
}

static void fill(struct symbol_table *t, uint64_t start, size_t n)
{
	symbol_table_init(t, NULL);
	for (size_t i = 0; i < n; i++) {
		char name[32];

		snprintf(name, sizeof(name), "f%zu", i);
		symbol_table_add(t,
				 (struct symbol){ .start = start + 16 * i,
						  .end = start + 16 * i,
						  .name = name,
						  .binding = 'l' },
				 strlen(name));
	}
	symbol_table_settle(t, SYMBOL_RULES_LINKER);
}

/* Saves a kernel with SYMBOLS from 0x1000 on, and a module with two symbols. */
static int save(const char *path, const struct stat *st)
{
	struct symbol_table kernel, module;
	const struct kallsyms_part parts[] = { { "", &kernel }, { "mod", &module } };
	const struct kallsyms_contents c = { .parts = parts, .n = 2, .references = { 0x1000, 7 } };
	int r;

	fill(&kernel, 0x1000, SYMBOLS);
	fill(&module, 0x900000, 2);
	r = kallsyms_index_save(path, st, &c);
	symbol_table_done(&kernel);
	symbol_table_done(&module);
	return r;
}

static int opens(const char *path, const struct stat *st)
{
	_cleanup_(kallsyms_index_freep) struct kallsyms_index *x = NULL;

	return kallsyms_index_open(path, st, &x);
}

static void what_was_saved_is_opened(void **state)
{
	_cleanup_(freep) char *path = scratch_path(*state, "index");
	_cleanup_(kallsyms_index_freep) struct kallsyms_index *x = NULL;
	struct stat st = source(*state);
	struct symbol_index t;
	const char *name;

	assert_int_equal(save(path, &st), 0);
	assert_int_equal(kallsyms_index_open(path, &st, &x), 0);
	assert_int_equal(kallsyms_index_count(x), 2);
	assert_int_equal(kallsyms_index_reference(x, 0), 0x1000);
	assert_int_equal(kallsyms_index_reference(x, 1), 7);
	t = kallsyms_index_table(x, 0, &name);
	assert_string_equal(name, "");
	assert_int_equal(t.n, SYMBOLS);
	assert_string_equal(symbol_index_at(&t, symbol_index_find(&t, 0x1014)).name, "f1");
	t = kallsyms_index_table(x, 1, &name);
	assert_string_equal(name, "mod");
	assert_int_equal(t.n, 2);
	assert_int_equal(symbol_index_at(&t, 1).end, 0x902000);
}

static void an_index_of_another_list_is_stale(void **state)
{
	_cleanup_(freep) char *path = scratch_path(*state, "index");
	struct stat st = source(*state), other = st;

	assert_int_equal(opens(path, &st), -ENOENT);
	assert_int_equal(save(path, &st), 0);
	other.st_size++;
	assert_int_equal(opens(path, &other), -ESTALE);
	other = st;
	other.st_mtim.tv_nsec ^= 1;
	assert_int_equal(opens(path, &other), -ESTALE);
	other = st;
	other.st_uid++;
	assert_int_equal(opens(path, &other), -EPERM);
	assert_int_equal(opens(path, &st), 0);
}

/* With any damage it is refused, or its contents can be read. */
static void a_damaged_index_does_no_harm(void **state)
{
	_cleanup_(freep) char *path = scratch_path(*state, "index");
	struct stat st = source(*state), is;

	assert_int_equal(save(path, &st), 0);
	assert_int_equal(stat(path, &is), 0);

	_cleanup_(closep) int fd = open(path, O_RDWR | O_CLOEXEC);

	for (off_t at = 0; at < 8 * 40; at += 4) {
		uint32_t word, bad = UINT32_MAX;
		_cleanup_(kallsyms_index_freep) struct kallsyms_index *x = NULL;
		const char *name;

		assert_int_equal(pread(fd, &word, sizeof(word), at), sizeof(word));
		assert_int_equal(pwrite(fd, &bad, sizeof(bad), at), sizeof(bad));
		if (kallsyms_index_open(path, &st, &x) >= 0)
			for (size_t i = 0; i < kallsyms_index_count(x); i++) {
				struct symbol_index t = kallsyms_index_table(x, i, &name);

				for (size_t j = 0; j < t.n; j++)
					assert_non_null(symbol_index_at(&t, j).name);
			}
		assert_int_equal(pwrite(fd, &word, sizeof(word), at), sizeof(word));
	}
	assert_int_equal(ftruncate(fd, is.st_size - 1), 0);
	assert_int_equal(opens(path, &st), -EBADMSG);
	assert_int_equal(ftruncate(fd, 10), 0);
	assert_int_equal(opens(path, &st), -EBADMSG);
}

/* As after a crash, the size is right and the contents are missing. */
static void an_index_of_zeros_is_refused(void **state)
{
	_cleanup_(freep) char *path = scratch_path(*state, "index");
	struct stat st = source(*state), is;
	char zeros[512] = { 0 };

	assert_int_equal(save(path, &st), 0);
	assert_int_equal(stat(path, &is), 0);

	_cleanup_(closep) int fd = open(path, O_WRONLY | O_CLOEXEC);

	assert_int_equal(pwrite(fd, zeros, sizeof(zeros), is.st_size - 512), sizeof(zeros));
	assert_int_equal(opens(path, &st), -EBADMSG);
	assert_int_equal(save(path, &st), 0);

	_cleanup_(closep) int again = open(path, O_WRONLY | O_CLOEXEC);

	for (off_t at = 200; at < 200 + 8 * SYMBOLS; at += 512)
		assert_int_equal(pwrite(again, zeros, sizeof(zeros), at), sizeof(zeros));
	assert_int_equal(opens(path, &st), -EBADMSG);
}

static void symbols_with_gaps_are_not_for_an_index(void **state)
{
	_cleanup_(freep) char *path = scratch_path(*state, "index");
	struct stat st = source(*state);
	struct symbol_table t;
	const struct kallsyms_part part = { "", &t };
	const struct kallsyms_contents c = { .parts = &part, .n = 1 };

	fill(&t, 0x1000, 3);
	t.items[0].end--;
	assert_int_equal(kallsyms_index_save(path, &st, &c), -EINVAL);
	assert_true(access(path, F_OK) < 0);
	symbol_table_done(&t);
}

#define IN_SCRATCH(test) cmocka_unit_test_setup_teardown(test, scratch_make, scratch_remove)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_SCRATCH(what_was_saved_is_opened),
		IN_SCRATCH(an_index_of_another_list_is_stale),
		IN_SCRATCH(a_damaged_index_does_no_harm),
		IN_SCRATCH(an_index_of_zeros_is_refused),
		IN_SCRATCH(symbols_with_gaps_are_not_for_an_index),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
