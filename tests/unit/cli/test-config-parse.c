/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/text.h"
#include "cli/config-parse.h"

/* Appends each line as "section|name|value" and a newline; headers as "section". */
static int note(const struct config_line *l, void *arg)
{
	struct text *t = arg;

	if (l->name)
		text_addf(t, "%s|%s|%s\n", l->section, l->name, l->value);
	else
		text_addf(t, "[%s]\n", l->section);
	return 0;
}

static void assert_reads(const char *text, const char *expected)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;
	_cleanup_(diag_done) struct diag d = { 0 };

	assert_int_equal(config_parse_lines(text, strlen(text), "f", note, &t, &d), 0);
	assert_string_equal(t.chars, expected);
}

/* Checks that @text is refused, and that the mistake is marked at @offset in its line. */
static void assert_refused(const char *text, const char *message, size_t offset)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;
	_cleanup_(diag_done) struct diag d = { 0 };

	assert_int_equal(config_parse_lines(text, strlen(text), "f", note, &t, &d), -EINVAL);
	assert_string_equal(d.message, message);
	assert_int_equal(d.offset, offset);
	assert_true(d.offset + d.length <= strlen(d.excerpt));
}

static void an_empty_file_has_nothing(void **state)
{
	(void)state;
	assert_reads("", "");
	assert_reads("\n \t\n# c\n; c\n   # c", "");
}

static void variables_belong_to_the_section_above(void **state)
{
	(void)state;
	assert_reads("[core]\n\ta = 1\n b=2\n[report]\nc\t=\t3", "[core]\ncore|a|1\ncore|b|2\n"
								 "[report]\nreport|c|3\n");
}

static void sections_fold_and_subsections_do_not(void **state)
{
	(void)state;
	assert_reads("[CoRe]\nA=1", "[core]\ncore|A|1\n");
	assert_reads("[Sub \"Na me\"]", "[sub.Na me]\n");
	assert_reads("[sub   \"a\\\"b\\\\c\"]", "[sub.a\"b\\c]\n");
	assert_reads("[A.B]", "[a.b]\n");
	assert_reads("[my_sec-1]", "[my_sec-1]\n");
}

static void a_header_may_be_followed_by_a_variable(void **state)
{
	(void)state;
	assert_reads("[a] x = 1 # c\n[b]# c", "[a]\na|x|1\n[b]\n");
}

static void blanks_in_values_are_tidied(void **state)
{
	(void)state;
	assert_reads("[a]\nx =   p   q\t\tr  \n", "[a]\na|x|p q r\n");
	assert_reads("[a]\nx = \"  p   q  \"  \n", "[a]\na|x|  p   q  \n");
	assert_reads("[a]\nx = \"b\"c\"d e\"  f # g", "[a]\na|x|bcd e f\n");
}

static void comments_end_values_but_not_in_quotes(void **state)
{
	(void)state;
	assert_reads("[a]\nx = 1 # two\ny = 1;two\nz = \"# ;\" ;c", "[a]\na|x|1\na|y|1\na|z|# ;\n");
}

static void escapes_stand_for_what_they_say(void **state)
{
	(void)state;
	assert_reads("[a]\nx = p\\tq\\nr\\\\s\\\"t\\bu", "[a]\na|x|p\tq\nr\\s\"t\bu\n");
}

static void a_backslash_continues_the_line(void **state)
{
	(void)state;
	assert_reads("[a]\nx = p\\\n  q\ny = 1", "[a]\na|x|p q\na|y|1\n");
	assert_reads("[a]\nx = p\\\r\nq", "[a]\na|x|pq\n");
	assert_reads("[a]\nx = \"p\\\n  q\"", "[a]\na|x|p  q\n");
}

static void a_name_alone_is_true(void **state)
{
	(void)state;
	assert_reads("[a]\nx\ny # c\nz", "[a]\na|x|true\na|y|true\na|z|true\n");
}

static void an_empty_value_is_empty(void **state)
{
	(void)state;
	assert_reads("[a]\nx =\ny = \"\"\nz = # c", "[a]\na|x|\na|y|\na|z|\n");
}

static void files_from_other_systems_are_read(void **state)
{
	(void)state;
	assert_reads("\xef\xbb\xbf[a]\r\n\tx = 1\r\n\r\n", "[a]\na|x|1\n");
}

static void mistakes_are_told_with_line_and_place(void **state)
{
	(void)state;
	assert_refused("x = 1", "f:1: a variable before the first [section]", 0);
	assert_refused("[a]\n\n  1 = 2", "f:3: expected a [section], a `name = value' or a comment",
		       2);
	assert_refused("[a]\nx y", "f:2: expected = here", 2);
	assert_refused("[a]\nx.y = 1", "f:2: expected = here", 1);
	assert_refused("[a]\nx = \"p\ny = 1", "f:2: this value lacks its closing quote", 6);
	assert_refused("[a]\nx = \\q", "f:2: unknown escape: use \\n, \\t, \\b, \\\\ or \\\"", 5);
	assert_refused("[a]\nx = \\", "f:2: a backslash at the end of the file", 5);
	assert_refused("[a]\nx = 1\\\n", "f:3: a line to be continued, but the file ends", 0);
	assert_refused("[a\n", "f:1: this header has no ]", 2);
	assert_refused("[", "f:1: this header has no ]", 1);
	assert_refused("[]", "f:1: this section has no name", 1);
	assert_refused("[.a]", "f:1: this section has no name", 3);
	assert_refused("[ a ]", "f:1: a section's name has letters, digits, - _ and .", 1);
	assert_refused("[a b]", "f:1: a subsection is written in quotes: [section \"Name\"]", 3);
	assert_refused("[a \"b]\n", "f:1: this header has no end", 6);
	assert_refused("[a \"b\" x]", "f:1: expected ] here", 6);
}

static void a_nul_byte_is_a_mistake(void **state)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;
	_cleanup_(diag_done) struct diag d = { 0 };

	(void)state;
	assert_int_equal(config_parse_lines("[a]\nx = \0", 9, "f", note, &t, &d), -EINVAL);
	assert_string_equal(d.message, "f:2: a NUL byte");
	diag_done(&d);
	assert_int_equal(config_parse_lines("\0", 1, "f", note, &t, &d), -EINVAL);
}

struct spans {
	size_t value_start, value_end, end, next;
};

static int keep_spans(const struct config_line *l, void *arg)
{
	*(struct spans *)arg = (struct spans){ l->value_start, l->value_end, l->end, l->next };
	return 0;
}

static void a_line_tells_where_its_parts_are(void **state)
{
	static const char text[] = "[a]\n\tname = \"v w\"  # c\n# after\n";
	_cleanup_(diag_done) struct diag d = { 0 };
	struct spans s;

	(void)state;
	assert_int_equal(config_parse_lines(text, strlen(text), "f", keep_spans, &s, &d), 0);
	assert_memory_equal(text + s.value_start, "\"v w\"", 5);
	assert_int_equal(s.value_end - s.value_start, 5);
	assert_memory_equal(text + s.end - 4, "name", 4);
	assert_memory_equal(text + s.next, "# after", 7);
}

static int refuse(const struct config_line *l, void *arg)
{
	(void)l, (void)arg;
	return -EXDEV;
}

static void a_reader_may_stop_the_parse(void **state)
{
	_cleanup_(diag_done) struct diag d = { 0 };

	(void)state;
	assert_int_equal(config_parse_lines("[a]", 3, "f", refuse, NULL, &d), -EXDEV);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_empty_file_has_nothing),
		cmocka_unit_test(variables_belong_to_the_section_above),
		cmocka_unit_test(sections_fold_and_subsections_do_not),
		cmocka_unit_test(a_header_may_be_followed_by_a_variable),
		cmocka_unit_test(blanks_in_values_are_tidied),
		cmocka_unit_test(comments_end_values_but_not_in_quotes),
		cmocka_unit_test(escapes_stand_for_what_they_say),
		cmocka_unit_test(a_backslash_continues_the_line),
		cmocka_unit_test(a_name_alone_is_true),
		cmocka_unit_test(an_empty_value_is_empty),
		cmocka_unit_test(files_from_other_systems_are_read),
		cmocka_unit_test(mistakes_are_told_with_line_and_place),
		cmocka_unit_test(a_nul_byte_is_a_mistake),
		cmocka_unit_test(a_line_tells_where_its_parts_are),
		cmocka_unit_test(a_reader_may_stop_the_parse),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
