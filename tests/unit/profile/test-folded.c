/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/folded-line.h"
#include "base/memory.h"
#include "base/text.h"
#include "profile/folded.h"

struct fixture {
	struct folded_facts facts;
	struct flame *flame;
	bool may_compare, reverse;
};

static int set_up(void **state)
{
	static struct fixture f;

	f = (struct fixture){ .may_compare = true };
	*state = &f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	flame_free(f->flame);
	return 0;
}

/* Reads @n bytes of @text, @step at a time. */
static void read_steps(struct fixture *f, const char *text, size_t n, size_t step)
{
	_cleanup_(folded_reader_freep) struct folded_reader *r = folded_reader_new(
		flame_builder_new("all"), FLAME_AFTER, f->may_compare, f->reverse);
	_cleanup_(flame_builder_freep) struct flame_builder *b = NULL;

	for (size_t i = 0; i < n; i += step)
		folded_reader_take(r, text + i, n - i < step ? n - i : step);
	b = folded_reader_end(r, &f->facts);
	f->flame = flame_builder_finish(b, f->facts.is_comparison);
}

static void read_text(struct fixture *f, const char *text)
{
	read_steps(f, text, strlen(text), SIZE_MAX / 2);
}

static const struct flame_box *box_called(const struct fixture *f, const char *name)
{
	for (size_t i = 0; i < f->flame->n; i++)
		if (!strcmp(f->flame->boxes[i].name, name))
			return &f->flame->boxes[i];
	return NULL;
}

static uint64_t total_of(const struct fixture *f, const char *name)
{
	const struct flame_box *b = box_called(f, name);

	assert_non_null(b);
	return b->value[FLAME_AFTER].total;
}

static void check_refused(struct fixture *f, const char *text, const char *why)
{
	read_text(f, text);
	assert_int_equal(f->facts.n_lines, 1);
	assert_int_equal(f->facts.n_bad, 1);
	assert_int_equal(f->facts.first_bad, 2);
	assert_string_equal(f->facts.why, why);
	assert_int_equal(f->flame->boxes[0].value[FLAME_AFTER].total, 1);
}

static void lines_are_stacks_with_counts(void **state)
{
	struct fixture *f = *state;

	read_text(f, "sh;main;read 3\nsh;main 2\ncat;operator new(unsigned long) 1\n");
	assert_int_equal(f->facts.n_lines, 3);
	assert_int_equal(f->facts.n_bad, 0);
	assert_false(f->facts.is_comparison);
	assert_true(f->facts.has_functions);
	assert_int_equal(total_of(f, "all"), 6);
	assert_int_equal(total_of(f, "main"), 5);
	assert_int_equal(box_called(f, "main")->value[FLAME_AFTER].self, 2);
	assert_int_equal(total_of(f, "operator new(unsigned long)"), 1);
	assert_int_equal(box_called(f, "sh")->kind, FLAME_TASK);
	assert_int_equal(box_called(f, "main")->kind, FLAME_USER);
}

static void bytes_may_come_in_any_pieces(void **state)
{
	struct fixture *f = *state;
	const char *text = "sh;main;read 3\r\n\n# remark 1\nsh;main 2";

	for (size_t step = 1; step < 8; step++) {
		read_steps(f, text, strlen(text), step);
		assert_int_equal(f->facts.n_lines, 2);
		assert_int_equal(f->facts.n_bad, 0);
		assert_int_equal(total_of(f, "main"), 5);
		flame_free(f->flame);
		f->flame = NULL;
	}
}

static void suffixes_tell_kinds(void **state)
{
	struct fixture *f = *state;

	read_text(f, "sh;f;sys_read_[k] 1\nsh;f;g_[i] 1\nsh;f;Lfoo_[j] 1\nsh;f;up_[w] 1\n"
		     "sh;f;[libc.so] 1\nsh;f;_[k] 1\n");
	assert_int_equal(box_called(f, "sys_read")->kind, FLAME_KERNEL);
	assert_int_equal(box_called(f, "g")->kind, FLAME_INLINED);
	assert_int_equal(box_called(f, "Lfoo")->kind, FLAME_JIT);
	assert_int_equal(box_called(f, "up")->kind, FLAME_WAKER);
	assert_int_equal(box_called(f, "[libc.so]")->kind, FLAME_UNKNOWN);
	assert_non_null(box_called(f, "_[k]"));
	assert_string_equal(folded_suffix(FLAME_KERNEL), "_[k]");
	assert_string_equal(folded_suffix(FLAME_USER), "");
}

static void two_counts_in_all_lines_are_a_comparison(void **state)
{
	struct fixture *f = *state;

	read_text(f, "sh;a 1 3\nsh;b 5 0\n");
	assert_true(f->facts.is_comparison);
	assert_int_equal(total_of(f, "a"), 3);
	assert_int_equal(box_called(f, "a")->value[FLAME_BEFORE].total, 1);
	assert_int_equal(box_called(f, "b")->value[FLAME_BEFORE].total, 5);
	assert_int_equal(total_of(f, "b"), 0);
}

static void names_may_end_in_a_number(void **state)
{
	struct fixture *f = *state;

	read_text(f, "sh;[JIT] tid 9 3\nsh;a 1\n");
	assert_false(f->facts.is_comparison);
	assert_int_equal(total_of(f, "[JIT] tid 9"), 3);
}

static void a_side_of_a_comparison_has_one_count(void **state)
{
	struct fixture *f = *state;

	f->may_compare = false;
	read_text(f, "sh;[JIT] tid 9 3\n");
	assert_int_equal(total_of(f, "[JIT] tid 9"), 3);
}

static void stacks_may_be_reversed(void **state)
{
	struct fixture *f = *state;

	f->reverse = true;
	read_text(f, "sh;a;b 2\nsh;c;b 1\n");
	assert_int_equal(box_called(f, "b")->depth, 1);
	assert_int_equal(total_of(f, "b"), 3);
	assert_int_equal(box_called(f, "sh")->kind, FLAME_TASK);
}

static void decimals_are_rounded(void **state)
{
	struct fixture *f = *state;

	read_text(f, "sh;a 1.5\nsh;b 2.49\n");
	assert_int_equal(total_of(f, "a"), 2);
	assert_int_equal(total_of(f, "b"), 2);
}

static void frames_without_a_name_are_passed_over(void **state)
{
	struct fixture *f = *state;

	read_text(f, ";;sh;;a; 2\n");
	assert_int_equal(f->flame->n, 3);
	assert_int_equal(total_of(f, "a"), 2);
}

static void a_line_without_a_count_is_left_out(void **state)
{
	check_refused(*state, "a 1\nsh;main\n", "it does not end in a count");
}

static void a_count_must_be_a_number(void **state)
{
	check_refused(*state, "a 1\nsh;main -3\n", "it does not end in a count");
}

static void a_count_must_not_be_absurd(void **state)
{
	check_refused(*state, "a 1\nsh;main 99999999999999999999\n", "it does not end in a count");
}

static void a_number_is_not_rounded_at_a_bare_point(void **state)
{
	check_refused(*state, "a 1\nsh;main 3.\n", "it does not end in a count");
}

static void a_count_needs_a_stack(void **state)
{
	check_refused(*state, "a 1\n17\n", "it does not end in a count");
}

static void a_stack_needs_a_name(void **state)
{
	check_refused(*state, "a 1\n;; 17\n", "it names no function");
}

static void a_nul_byte_is_refused(void **state)
{
	struct fixture *f = *state;
	static const char text[] = "a 1\nb\0c 2\n";

	read_steps(f, text, sizeof(text) - 1, 100);
	assert_int_equal(f->facts.n_bad, 1);
	assert_string_equal(f->facts.why, "it has a NUL byte");
}

static void overlong_lines_are_passed_over(void **state)
{
	struct fixture *f = *state;
	size_t n = FOLDED_LINE_MAX + 100;
	_cleanup_(freep) char *text = xmalloc(n);

	memset(text, 'x', n);
	memcpy(text, "a 1\n", 4);
	memcpy(text + n - 7, "\nb 2\nc", 6);
	text[n - 1] = ' ';
	for (size_t step = 1000; step <= n; step *= 2000) {
		read_steps(f, text, n, step);
		assert_int_equal(f->facts.n_lines, 2);
		assert_int_equal(f->facts.n_bad, 2);
		assert_int_equal(f->facts.first_bad, 2);
		assert_string_equal(f->facts.why, "it is too long");
		flame_free(f->flame);
		f->flame = NULL;
	}
}

static void sums_do_not_overflow(void **state)
{
	struct fixture *f = *state;

	read_text(f, "a;x 18446744073709551615\na;y 18446744073709551615\n");
	assert_true(total_of(f, "a") == UINT64_MAX);
	assert_true(total_of(f, "all") == UINT64_MAX);
}

static void names_in_lines_are_harmless(void **state)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	(void)state;
	folded_name_add(&t, "a;b\nc d", false);
	assert_string_equal(t.chars, "a:b\\nc d");
	text_clear(&t);
	folded_name_add(&t, "a b", true);
	assert_string_equal(t.chars, "a_b");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(lines_are_stacks_with_counts),
		TEST(bytes_may_come_in_any_pieces),
		TEST(suffixes_tell_kinds),
		TEST(two_counts_in_all_lines_are_a_comparison),
		TEST(names_may_end_in_a_number),
		TEST(a_side_of_a_comparison_has_one_count),
		TEST(stacks_may_be_reversed),
		TEST(decimals_are_rounded),
		TEST(frames_without_a_name_are_passed_over),
		TEST(a_line_without_a_count_is_left_out),
		TEST(a_count_must_be_a_number),
		TEST(a_count_must_not_be_absurd),
		TEST(a_number_is_not_rounded_at_a_bare_point),
		TEST(a_count_needs_a_stack),
		TEST(a_stack_needs_a_name),
		TEST(a_nul_byte_is_refused),
		TEST(overlong_lines_are_passed_over),
		TEST(sums_do_not_overflow),
		TEST(names_in_lines_are_harmless),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
