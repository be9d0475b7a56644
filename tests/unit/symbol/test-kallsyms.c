/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "assert-finds.h"
#include "base/memory.h"
#include "scratch.h"
#include "symbol/kallsyms-index.h"
#include "symbol/kallsyms.h"

static struct kallsyms *parsed(const char *text, const char *reference)
{
	struct kallsyms *k = NULL;

	assert_int_equal(kallsyms_parse(text, strlen(text), reference, &k), 0);
	return k;
}

static void functions_and_data_are_symbols(void **state)
{
	_cleanup_(kallsyms_freep) struct kallsyms *k = parsed("ffff800080000000 T text\n"
							      "ffff800080000010 w weak\n"
							      "ffff800080000020 r constant\n"
							      "ffff800080000030 D data\n"
							      "ffff800080000040 b bss\n"
							      "ffff800080000050 A absolute\n",
							      NULL);
	struct symbol_table *t = kallsyms_kernel(k);

	(void)state;
	assert_finds(t, 0xffff800080000004, "text");
	assert_finds(t, 0xffff800080000014, "weak");
	assert_finds(t, 0xffff800080000024, "weak");
	assert_finds(t, 0xffff800080000034, "data");
	assert_finds(t, 0xffff800080000044, "bss");
	assert_finds(t, 0xffff800080000054, "bss");
}

static void the_last_of_several_names_is_shown(void **state)
{
	_cleanup_(kallsyms_freep) struct kallsyms *k = parsed("1000 T _stext\n"
							      "1000 t much_longer_name\n"
							      "1000 t last\n"
							      "2000 T end\n",
							      "_stext");
	uint64_t reference;

	(void)state;
	assert_finds(kallsyms_kernel(k), 0x1800, "last");
	assert_true(kallsyms_reference(k, &reference));
	assert_int_equal(reference, 0x1000);
}

static void addresses_are_found_by_name(void **state)
{
	_cleanup_(kallsyms_freep) struct kallsyms *k = parsed("1000 T __lock_text_start\n"
							      "1000 T _raw_spin_lock\n"
							      "1800 T hidden\n"
							      "1800 T shown\n",
							      NULL);
	uint64_t addr = 0;

	(void)state;
	assert_true(kallsyms_address(k, "__lock_text_start", &addr));
	assert_int_equal(addr, 0x1000);
	assert_true(kallsyms_address(k, "shown", &addr));
	assert_int_equal(addr, 0x1800);
	assert_false(kallsyms_address(k, "hidden", &addr));
	assert_false(kallsyms_address(k, "__lock_text_end", &addr));
	symbol_table_move(kallsyms_kernel(k), 0x100);
	assert_true(kallsyms_address(k, "__lock_text_start", &addr));
	assert_int_equal(addr, 0x1100);
}

static void modules_have_tables_of_their_own(void **state)
{
	_cleanup_(kallsyms_freep) struct kallsyms *k = parsed("1000 T kernel\n"
							      "8000 t one\t[nf_tables]\n"
							      "9000 t two\t[snd-pcm]\n"
							      "8100 t three\t[nf_tables]\n",
							      NULL);
	const char *name;

	(void)state;
	assert_int_equal(kallsyms_kernel(k)->index.n, 1);
	assert_finds(kallsyms_module(k, "nf_tables"), 0x8000, "one");
	assert_finds(kallsyms_module(k, "nf-tables"), 0x8110, "three");
	assert_finds(kallsyms_module(k, "snd_pcm"), 0x9000, "two");
	assert_null(kallsyms_module(k, "nf"));
	assert_null(kallsyms_module(k, "nf_tables_more"));
	assert_ptr_equal(kallsyms_module_at(k, 1, &name), kallsyms_module(k, "snd_pcm"));
	assert_string_equal(name, "snd-pcm");
	assert_null(kallsyms_module_at(k, 2, &name));
}

static void marks_of_code_and_data_are_skipped(void **state)
{
	_cleanup_(kallsyms_freep) struct kallsyms *k =
		parsed("1000 t f\n1010 t $x\n1020 t $d.7\n1030 t $xyz\n", NULL);

	(void)state;
	assert_finds(kallsyms_kernel(k), 0x1024, "f");
	assert_finds(kallsyms_kernel(k), 0x1034, "$xyz");
}

static void lines_that_are_none_are_skipped(void **state)
{
	_cleanup_(kallsyms_freep) struct kallsyms *k = parsed("\n"
							      "nonsense\n"
							      "1000\n"
							      "1000 T\n"
							      "1000 T \n"
							      "1000  T two_blanks\n"
							      "zzzz T no_number\n"
							      "00000000000000001000 T too_long\n"
							      "fffg800080000000 T no_digit\n"
							      "2000 T good\n"
							      "3000 T at_the_end",
							      NULL);

	(void)state;
	assert_int_equal(kallsyms_kernel(k)->index.n, 2);
	assert_finds(kallsyms_kernel(k), 0x2000, "good");
	assert_finds(kallsyms_kernel(k), 0x3000, "at_the_end");
}

static void hidden_addresses_are_said_to_be_hidden(void **state)
{
	static const char text[] = "0000000000000000 T _text\n0000000000000000 t other\n";
	struct kallsyms *k = NULL;

	(void)state;
	assert_int_equal(kallsyms_parse(text, strlen(text), NULL, &k), -EPERM);
	assert_int_equal(kallsyms_parse("", 0, NULL, &k), -ENODATA);
	assert_null(k);
}

static void a_missing_reference_is_told(void **state)
{
	_cleanup_(kallsyms_freep) struct kallsyms *k = parsed("1000 T f\n2000 t _text\t[module]\n",
							      "_text");
	uint64_t reference = 7;

	(void)state;
	assert_false(kallsyms_reference(k, &reference));
	assert_int_equal(reference, 7);
}

static void a_line_is_split_without_copying(void **state)
{
	static const char text[] = "ffff800080000010 t name\t[mod]\n";
	const char *at = text;
	struct kallsyms_line l;

	(void)state;
	assert_true(kallsyms_next(&at, text + strlen(text), &l));
	assert_true(l.addr == 0xffff800080000010);
	assert_int_equal(l.type, 't');
	assert_ptr_equal(l.name, text + 19);
	assert_int_equal(l.name_length, 4);
	assert_memory_equal(l.module, "mod", l.module_length);
	assert_int_equal(l.module_length, 3);
	assert_false(kallsyms_next(&at, text + strlen(text), &l));
}

static const char list[] = "1000 T _text\n1010 T f\n2000 t g\t[mod]\n2010 t h\t[mod]\n";

/* Removes the contents of a list, without a change of its size and time. */
static void blank_list(const char *path)
{
	_cleanup_(closep) int fd = open(path, O_WRONLY | O_CLOEXEC);
	struct stat st;

	assert_int_equal(fstat(fd, &st), 0);
	for (off_t i = 0; i < st.st_size; i++)
		assert_int_equal(pwrite(fd, " ", 1, i), 1);
	assert_int_equal(futimens(fd, (struct timespec[]){ st.st_atim, st.st_mtim }), 0);
}

static void what_was_found_is_kept_beside_the_list(void **state)
{
	_cleanup_(freep) char *path = scratch_path(*state, "kallsyms");
	_cleanup_(freep) char *beside = scratch_path(*state, "kallsyms.index");
	uint64_t addr;

	scratch_write(path, list);
	/* The second time, only the index beside the list has symbols. */
	for (int i = 0; i < 2; i++) {
		_cleanup_(kallsyms_freep) struct kallsyms *k = NULL;
		const char *name;

		assert_int_equal(kallsyms_read_indexed(path, "_text", &k), 0);
		assert_int_equal(access(beside, R_OK), 0);
		assert_true(kallsyms_reference(k, &addr));
		assert_int_equal(addr, 0x1000);
		symbol_table_move(kallsyms_kernel(k), 0x8000);
		assert_finds(kallsyms_kernel(k), 0x9014, "f");
		assert_finds(kallsyms_kernel(k), 0x8fff, NULL);
		assert_finds(kallsyms_module(k, "mod"), 0x2004, "g");
		assert_non_null(kallsyms_module_at(k, 0, &name));
		assert_string_equal(name, "mod");
		assert_null(kallsyms_module_at(k, 1, &name));
		blank_list(path);
	}
}

static void a_list_that_changed_is_read_again(void **state)
{
	_cleanup_(freep) char *path = scratch_path(*state, "kallsyms");
	_cleanup_(kallsyms_freep) struct kallsyms *k = NULL, *again = NULL;

	scratch_write(path, list);
	assert_int_equal(kallsyms_read_indexed(path, NULL, &k), 0);
	scratch_write(path, "1000 T other\n");
	assert_int_equal(kallsyms_read_indexed(path, NULL, &again), 0);
	assert_finds(kallsyms_kernel(again), 0x1000, "other");
}

static void an_unusual_reference_is_looked_for_in_the_list(void **state)
{
	_cleanup_(freep) char *path = scratch_path(*state, "kallsyms");
	_cleanup_(kallsyms_freep) struct kallsyms *k = NULL, *again = NULL;
	uint64_t addr;

	scratch_write(path, list);
	assert_int_equal(kallsyms_read_indexed(path, NULL, &k), 0);
	assert_int_equal(kallsyms_read_indexed(path, "f", &again), 0);
	assert_true(kallsyms_reference(again, &addr));
	assert_int_equal(addr, 0x1010);
}

static void without_leave_to_write_the_list_is_read(void **state)
{
	_cleanup_(freep) char *path = scratch_path(*state, "kallsyms");
	_cleanup_(freep) char *in_the_way = scratch_path(*state, "kallsyms.index/x");

	scratch_write(path, list);
	for (int i = 0; i < 2; i++) {
		_cleanup_(kallsyms_freep) struct kallsyms *k = NULL;

		assert_int_equal(kallsyms_read_indexed(path, NULL, &k), 0);
		assert_finds(kallsyms_kernel(k), 0x1010, "f");
	}
}

static void a_type_tells_the_binding(void **state)
{
	static const char bindings[] = "glwwglgl";
	_cleanup_(kallsyms_freep) struct kallsyms *k = parsed("10 T a\n20 t b\n30 W c\n40 w d\n"
							      "50 D e\n60 d f\n70 B g\n80 b h\n",
							      NULL);
	struct symbol_table *t = kallsyms_kernel(k);

	(void)state;
	assert_int_equal(t->index.n, 8);
	for (size_t i = 0; i < 8; i++)
		assert_int_equal(symbol_index_at(&t->index, i).binding, bindings[i]);
}

static void at_most_2048_modules_are_known(void **state)
{
	_cleanup_(freep) char *text = xmalloc(2049 * 32);
	_cleanup_(kallsyms_freep) struct kallsyms *k = NULL;
	const char *name;
	size_t n = 0;

	(void)state;
	for (unsigned i = 1; i <= 2049; i++)
		n += (size_t)sprintf(text + n, "%x t f\t[m%u]\n", 16 * i, i);
	k = parsed(text, NULL);
	assert_finds(kallsyms_module(k, "m1"), 0x10, "f");
	assert_finds(kallsyms_module(k, "m2048"), 0x8000, "f");
	assert_null(kallsyms_module(k, "m2049"));
	assert_non_null(kallsyms_module_at(k, 2047, &name));
	assert_string_equal(name, "m2048");
	assert_null(kallsyms_module_at(k, 2048, &name));
}

static void the_first_of_two_references_counts(void **state)
{
	_cleanup_(kallsyms_freep) struct kallsyms *k =
		parsed("1000 A _text\n2000 T _text\n3000 T _texts\n3100 T _tex\n", "_text");
	uint64_t addr = 0;

	(void)state;
	assert_true(kallsyms_reference(k, &addr));
	assert_int_equal(addr, 0x1000);
}

static void without_a_wanted_reference_there_is_none(void **state)
{
	_cleanup_(kallsyms_freep) struct kallsyms *k = parsed("1000 T _text\n", NULL);
	uint64_t addr = 7;

	(void)state;
	assert_false(kallsyms_reference(k, &addr));
	assert_int_equal(addr, 7);
	assert_true(kallsyms_address(k, "_text", &addr));
	assert_int_equal(addr, 0x1000);
}

static void some_hidden_addresses_do_not_hide_the_others(void **state)
{
	_cleanup_(kallsyms_freep) struct kallsyms *k = parsed("0 T zero\n1000 T f\n", NULL);
	_cleanup_(kallsyms_freep) struct kallsyms *modules = parsed("0 T zero\n1000 t f\t[m]\n",
								    NULL);

	(void)state;
	assert_int_equal(kallsyms_kernel(k)->index.n, 1);
	assert_int_equal(kallsyms_kernel(modules)->index.n, 0);
	assert_finds(kallsyms_module(modules, "m"), 0x1000, "f");
}

static void hidden_data_without_functions_is_no_data(void **state)
{
	static const char text[] = "0 r constant\n0 t $x\n";
	struct kallsyms *k = NULL;

	(void)state;
	assert_int_equal(kallsyms_parse(text, strlen(text), NULL, &k), -ENODATA);
	assert_null(k);
}

static void marks_are_a_dollar_and_one_of_four_letters(void **state)
{
	_cleanup_(kallsyms_freep) struct kallsyms *k = parsed(
		"10 t $x\n20 t $d\n30 t $t\n40 t $a\n50 t $b\n60 t $\n70 t x$\n80 t $a.0\n", NULL);

	(void)state;
	assert_int_equal(kallsyms_kernel(k)->index.n, 3);
	assert_string_equal(symbol_index_at(&kallsyms_kernel(k)->index, 0).name, "$b");
	assert_string_equal(symbol_index_at(&kallsyms_kernel(k)->index, 1).name, "$");
	assert_string_equal(symbol_index_at(&kallsyms_kernel(k)->index, 2).name, "x$");
}

static void a_list_that_is_not_there_is_an_error(void **state)
{
	_cleanup_(freep) char *path = scratch_path(*state, "absent");
	struct kallsyms *k = NULL;

	assert_int_equal(kallsyms_read(path, NULL, &k), -ENOENT);
	assert_int_equal(kallsyms_read_indexed(path, NULL, &k), -ENOENT);
	scratch_write(path, "0 T hidden\n");
	assert_int_equal(kallsyms_read_indexed(path, NULL, &k), -EPERM);
	assert_null(k);
}

/* The reference names are in an indexed list, at 0x1000 and so on. */
static void all_references_are_kept_beside_the_list(void **state)
{
	_cleanup_(freep) char *path = scratch_path(*state, "kallsyms");
	char text[1000] = "";

	for (unsigned i = 0; i < KALLSYMS_REFERENCES; i++)
		sprintf(text + strlen(text), "%x000 A %s\n", i + 1, kallsyms_reference_name(i));
	strcat(text, "9000 T f\n9010 t g\t[one]\n9020 t h\t[two]\n");
	scratch_write(path, text);
	for (int round = 0; round < 2; round++) {
		_cleanup_(kallsyms_freep) struct kallsyms *k = NULL;
		uint64_t addr = 0;
		const char *name;

		assert_int_equal(kallsyms_read_indexed(path, kallsyms_reference_name(5), &k), 0);
		assert_true(kallsyms_reference(k, &addr));
		assert_int_equal(addr, 0x6000);
		for (unsigned i = 0; i < KALLSYMS_REFERENCES; i++) {
			assert_true(kallsyms_address(k, kallsyms_reference_name(i), &addr));
			assert_int_equal(addr, 0x1000 * (i + 1));
		}
		assert_finds(kallsyms_module_at(k, 1, &name), 0x9020, "h");
		assert_string_equal(name, "two");
	}
}

static void a_reference_is_no_address_that_is_known(void **state)
{
	_cleanup_(kallsyms_freep) struct kallsyms *k = parsed("1800 T hidden\n1800 T shown\n",
							      "hidden");
	uint64_t addr = 7;

	(void)state;
	assert_false(kallsyms_address(k, "hidden", &addr));
	assert_int_equal(addr, 7);
	assert_true(kallsyms_reference(k, &addr));
	assert_int_equal(addr, 0x1800);
}

#define IN_SCRATCH(test) cmocka_unit_test_setup_teardown(test, scratch_make, scratch_remove)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(functions_and_data_are_symbols),
		cmocka_unit_test(the_last_of_several_names_is_shown),
		cmocka_unit_test(addresses_are_found_by_name),
		cmocka_unit_test(modules_have_tables_of_their_own),
		cmocka_unit_test(marks_of_code_and_data_are_skipped),
		cmocka_unit_test(lines_that_are_none_are_skipped),
		cmocka_unit_test(hidden_addresses_are_said_to_be_hidden),
		cmocka_unit_test(a_missing_reference_is_told),
		cmocka_unit_test(a_line_is_split_without_copying),
		IN_SCRATCH(what_was_found_is_kept_beside_the_list),
		IN_SCRATCH(a_list_that_changed_is_read_again),
		IN_SCRATCH(an_unusual_reference_is_looked_for_in_the_list),
		IN_SCRATCH(without_leave_to_write_the_list_is_read),
		cmocka_unit_test(a_type_tells_the_binding),
		cmocka_unit_test(at_most_2048_modules_are_known),
		cmocka_unit_test(the_first_of_two_references_counts),
		cmocka_unit_test(without_a_wanted_reference_there_is_none),
		cmocka_unit_test(some_hidden_addresses_do_not_hide_the_others),
		cmocka_unit_test(hidden_data_without_functions_is_no_data),
		cmocka_unit_test(marks_are_a_dollar_and_one_of_four_letters),
		IN_SCRATCH(a_list_that_is_not_there_is_an_error),
		IN_SCRATCH(all_references_are_kept_beside_the_list),
		cmocka_unit_test(a_reference_is_no_address_that_is_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
