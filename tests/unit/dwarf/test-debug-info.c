/* SPDX-License-Identifier: MIT */
/* Tests the numbers of entries, and the index that is cached. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <sys/stat.h>

#include "base/output-file.h"
#include "debug-info-open.h"
#include "symbol/scratch.h"

#include "dwarf/debug-info-internal.h"

static int count(void *arg, const struct debug_function *f)
{
	size_t *n = arg;

	assert_non_null(f->name);
	++*n;
	return 0;
}

static size_t functions(struct debug_info *d, const char *name)
{
	size_t n = 0;

	assert_int_equal(debug_info_functions(d, name, count, &n), 0);
	return n;
}

static void a_file_without_debug_information_has_none(void **state)
{
	struct debug_info *d = NULL;
	struct built_elf b;
	struct elf_file *f;

	(void)state;
	built_begin(&b);
	built_end(&b, EM_AARCH64, ET_DYN);
	assert_int_equal(elf_file_open_memory(b.bytes, b.size, &f), 0);
	assert_int_equal(debug_info_open(f, NULL, &d), -ENODATA);
	assert_null(d);
}

static int check_number(void *arg, const struct debug_function *f)
{
	struct debug_info *d = arg;
	Dwarf_Die die;

	assert_true(debug_info_die(d, f->entry, &die));
	assert_string_equal(dwarf_diename(&die), f->name);
	assert_int_equal(debug_info_entry(d, &die), f->entry);
	assert_int_equal(debug_info_unit(d, &die), f->unit);
	return 0;
}

static void numbers_lead_to_entries_and_back(void **state)
{
	struct opened_info o;
	Dwarf_Die die;

	(void)state;
	debug_info_open_built(&o, &(struct dwarf_change){ .dead_unit = true }, NULL);
	assert_int_equal(debug_info_functions(o.info, "*", check_number, o.info), 0);
	assert_false(debug_info_die(o.info, 100000, &die));
	assert_false(debug_info_die(o.info, UINT64_MAX, &die));
	debug_info_free(o.info);
}

static void equal_texts_are_kept_once(void **state)
{
	struct opened_info o;
	char text[] = "text";

	(void)state;
	debug_info_open_built(&o, &(struct dwarf_change){ .depth = 0 }, NULL);
	assert_ptr_equal(debug_info_text(o.info, text), debug_info_text(o.info, "text"));
	debug_info_free(o.info);
}

/* Looks up outer() in the program, whose index is at @path. Returns the number of results. */
static size_t ask(const char *path, const struct dwarf_change *c)
{
	struct opened_info o;
	size_t n;

	debug_info_open_built(&o, c, path);
	n = functions(o.info, "outer");
	debug_info_free(o.info);
	return n;
}

static uint64_t inode_of(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 ? st.st_ino : 0;
}

static void the_index_is_kept_and_used_again(void **state)
{
	_cleanup_(freep) char *path = xasprintf("%s/aa/bb/index", (const char *)*state);
	const struct dwarf_change same = { .depth = 0 }, other = { .depth = 3 };

	assert_int_equal(ask(path, &same), 1);

	uint64_t first = inode_of(path);

	assert_int_not_equal(first, 0);
	assert_int_equal(ask(path, &same), 1);
	assert_int_equal(inode_of(path), first);
	/* The index of another program is replaced. */
	assert_int_equal(ask(path, &other), 1);
	assert_int_equal(ask(path, &other), 1);
	assert_int_equal(ask(path, &same), 1);
}

static void an_index_that_is_damaged_is_made_anew(void **state)
{
	_cleanup_(freep) char *path = scratch_path(*state, "index");
	const struct dwarf_change c = { .depth = 0 };
	char *bytes;
	size_t n;

	scratch_write(path, "not an index at all");
	assert_int_equal(ask(path, &c), 1);
	assert_int_equal(file_read(-1, path, 1 << 20, &bytes, &n), 0);
	bytes[n / 2] ^= 1;
	assert_int_equal(output_file_replace(path, bytes, n, 0600), 0);
	assert_int_equal(ask(path, &c), 1);

	_cleanup_(freep) char *again = NULL;

	bytes[n / 2] ^= 1;
	assert_int_equal(file_read(-1, path, 1 << 20, &again, &n), 0);
	assert_memory_equal(again, bytes, n);
	free(bytes);
}

static void without_a_place_for_the_index_all_goes_on(void **state)
{
	(void)state;
	assert_int_equal(ask(NULL, &(struct dwarf_change){ .depth = 0 }), 1);
	assert_int_equal(ask("/dev/null/index", &(struct dwarf_change){ .depth = 0 }), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_without_debug_information_has_none),
		cmocka_unit_test(numbers_lead_to_entries_and_back),
		cmocka_unit_test(equal_texts_are_kept_once),
		cmocka_unit_test_setup_teardown(the_index_is_kept_and_used_again, scratch_make,
						scratch_remove),
		cmocka_unit_test_setup_teardown(an_index_that_is_damaged_is_made_anew, scratch_make,
						scratch_remove),
		cmocka_unit_test(without_a_place_for_the_index_all_goes_on),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
