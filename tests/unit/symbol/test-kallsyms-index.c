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
#include "symbol/symbol.h"

#define SYMBOLS 300

static struct stat source(const char *dir)
{
	_cleanup_(freep) char *path = scratch_path(dir, "list");
	struct stat st;

	scratch_write(path, "list\n");
	assert_int_equal(stat(path, &st), 0);
	return st;
}

static void fill(struct kallsyms_draft *d, uint32_t table, uint64_t start, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		char name[32];
		int length = snprintf(name, sizeof(name), "f%zu", i);

		kallsyms_draft_add(d, table, start + 16 * i, name, (size_t)length, 'l');
	}
}

/* Makes a kernel with SYMBOLS from 0x1000 on, and a module with two symbols. */
static struct kallsyms_index *make(void)
{
	struct kallsyms_draft d;

	kallsyms_draft_init(&d);
	kallsyms_draft_add_table(&d, "mod", 3);
	d.references[0] = 0x1000;
	d.references[1] = 7;
	fill(&d, 1, 0x900000, 2);
	fill(&d, 0, 0x1000, SYMBOLS);
	return kallsyms_index_new(&d);
}

static int save(const char *path, const struct stat *st)
{
	_cleanup_(kallsyms_index_freep) struct kallsyms_index *x = make();

	return kallsyms_index_save(x, path, st);
}

static int opens(const char *path, const struct stat *st)
{
	_cleanup_(kallsyms_index_freep) struct kallsyms_index *x = NULL;

	return kallsyms_index_open(path, st, &x);
}

static void assert_is_made(const struct kallsyms_index *x)
{
	struct symbol_index t;
	const char *name;

	assert_int_equal(kallsyms_index_count(x), 2);
	assert_int_equal(kallsyms_index_reference(x, 0), 0x1000);
	assert_int_equal(kallsyms_index_reference(x, 1), 7);
	t = kallsyms_index_table(x, 0, &name);
	assert_string_equal(name, "");
	assert_int_equal(t.n, SYMBOLS);
	assert_string_equal(symbol_index_at(&t, symbol_index_find(&t, 0x1014)).name, "f1");
	assert_int_equal(symbol_index_at(&t, 1).end, 0x1020);
	assert_true(symbol_index_at(&t, 1).is_guessed);
	t = kallsyms_index_table(x, 1, &name);
	assert_string_equal(name, "mod");
	assert_int_equal(t.n, 2);
	assert_int_equal(symbol_index_at(&t, 1).end, 0x902000);
}

static void what_was_saved_is_opened(void **state)
{
	_cleanup_(freep) char *path = scratch_path(*state, "index");
	_cleanup_(kallsyms_index_freep) struct kallsyms_index *x = NULL, *made = make();
	struct stat st = source(*state);

	assert_is_made(made);
	assert_int_equal(kallsyms_index_save(made, path, &st), 0);
	assert_int_equal(kallsyms_index_open(path, &st, &x), 0);
	assert_is_made(x);
}

static void symbols_may_come_in_any_order(void **state)
{
	struct kallsyms_draft d;
	struct symbol_index t;
	const char *name;

	(void)state;
	kallsyms_draft_init(&d);
	kallsyms_draft_add(&d, 0, 0x3000, "third", 5, 'g');
	kallsyms_draft_add(&d, 0, 0x1000, "z", 1, 'g');
	kallsyms_draft_add(&d, 0, 0x2000, "second", 6, 'w');
	kallsyms_draft_add(&d, 0, 0x1000, "a", 1, 'l');

	_cleanup_(kallsyms_index_freep) struct kallsyms_index *x = kallsyms_index_new(&d);

	t = kallsyms_index_table(x, 0, &name);
	assert_int_equal(t.n, 3);
	assert_string_equal(symbol_index_at(&t, 0).name, "a");
	assert_int_equal(symbol_index_at(&t, 0).binding, 'l');
	assert_string_equal(symbol_index_at(&t, 1).name, "second");
	assert_string_equal(symbol_index_at(&t, 2).name, "third");
	assert_int_equal(symbol_index_at(&t, 2).end, 0x5000 - 0x1000);
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

#define IN_SCRATCH(test) cmocka_unit_test_setup_teardown(test, scratch_make, scratch_remove)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_SCRATCH(what_was_saved_is_opened),
		IN_SCRATCH(an_index_of_another_list_is_stale),
		IN_SCRATCH(a_damaged_index_does_no_harm),
		IN_SCRATCH(an_index_of_zeros_is_refused),
		cmocka_unit_test(symbols_may_come_in_any_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
