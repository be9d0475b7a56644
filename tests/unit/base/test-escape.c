/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/cleanup.h"
#include "base/escape.h"
#include "base/text.h"

typedef void escape_fn(struct text *t, const char *s, size_t n);

static void assert_becomes(escape_fn *escape, const char *s, const char *expected)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	escape(&t, s, strlen(s));
	assert_string_equal(t.chars, expected);
}

static void plain_text_stays(void **state)
{
	(void)state;
	assert_becomes(escape_terminal, "cycles:u \\ \"x\"", "cycles:u \\ \"x\"");
	assert_becomes(escape_terminal, "", "");
	assert_becomes(escape_json, "cycles:u", "cycles:u");
}

static void quotes_and_backslashes_inside_of_quotes_are_escaped(void **state)
{
	(void)state;
	assert_becomes(escape_quoted, "a\"b\\c\n", "a\\\"b\\\\c\\n");
	assert_becomes(escape_quoted, "\377\033Zürich", "\\xff\\x1bZürich");
	assert_becomes(escape_quoted, "\xc2\x85\xc2\x85", "\\u0085\\u0085");
}

static void nul_is_short_unless_a_digit_follows(void **state)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	(void)state;
	escape_quoted(&t, "\0\0a\0001\0", 6);
	assert_string_equal(t.chars, "\\0\\0a\\x001\\0");
	text_clear(&t);
	escape_terminal(&t, "\0", 1);
	assert_string_equal(t.chars, "\\x00");
}

/* Tries each byte in each place of a word, because words are read eight bytes at a time. */
static void special_bytes_are_seen_wherever_they_are(void **state)
{
	(void)state;
	for (unsigned byte = 0; byte < 256; byte++)
		for (size_t at = 0; at < 16; at++) {
			_cleanup_(text_done) struct text t = TEXT_EMPTY;
			char s[17] = "0123456789abcdef";
			size_t length;

			s[at] = (char)byte;
			escape_quoted(&t, s, 16);
			length = t.length;
			for (size_t i = 0; i < length; i++)
				assert_in_range(t.chars[i], 0x20, 0x7e);
			if (byte >= 0x20 && byte < 0x7f && byte != '"' && byte != '\\')
				assert_string_equal(t.chars, s);
			else
				assert_true(length > 16);
		}
}

static void real_letters_of_the_world_stay(void **state)
{
	(void)state;
	assert_becomes(escape_terminal, "Zürich → 東京 🐧", "Zürich → 東京 🐧");
	assert_becomes(escape_json, "Zürich → 東京 🐧", "Zürich → 東京 🐧");
}

static void control_characters_do_not_reach_the_terminal(void **state)
{
	(void)state;
	assert_becomes(escape_terminal, "a\033[31mb", "a\\x1b[31mb");
	assert_becomes(escape_terminal, "\n\t\r\b\f", "\\n\\t\\r\\b\\f");
	assert_becomes(escape_terminal, "\001\177", "\\x01\\x7f");
	assert_becomes(escape_terminal,
		       "\xc2\x9b"
		       "31m",
		       "\\u009b31m"); /* CSI as one character */
}

static void lines_keep_their_breaks_and_nothing_else(void **state)
{
	(void)state;
	assert_becomes(escape_lines, "a\033b\n\nc\rd\n", "a\\x1bb\n\nc\\rd\n");
	assert_becomes(escape_lines, "no break\a", "no break\\x07");
	assert_becomes(escape_lines, "", "");
}

static void marks_that_turn_the_text_around_are_shown(void **state)
{
	(void)state;
	assert_becomes(escape_terminal,
		       "a\xe2\x80\xae"
		       "b",
		       "a\\u202eb");
	assert_becomes(escape_terminal,
		       "a\xe2\x81\xa6"
		       "b",
		       "a\\u2066b");
}

static void bytes_that_are_not_utf8_are_shown_one_by_one(void **state)
{
	(void)state;
	assert_becomes(escape_terminal, "\x80\xff", "\\x80\\xff");
	assert_becomes(escape_terminal, "\xc0\xaf", "\\xc0\\xaf");          /* overlong / */
	assert_becomes(escape_terminal, "\xed\xa0\x80", "\\xed\\xa0\\x80"); /* a surrogate */
	assert_becomes(escape_terminal, "\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80");
	assert_becomes(escape_terminal, "\xe2\x80", "\\xe2\\x80"); /* cut off */
	assert_becomes(escape_terminal, "\xf8\x88\x80\x80\x80", "\\xf8\\x88\\x80\\x80\\x80");
}

static void nul_bytes_are_bytes_like_others(void **state)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	(void)state;
	escape_terminal(&t, "a\0b", 3);
	assert_string_equal(t.chars, "a\\x00b");
	text_clear(&t);
	escape_json(&t, "a\0b", 3);
	assert_string_equal(t.chars, "a\\u0000b");
}

static void json_strings_are_what_json_wants(void **state)
{
	(void)state;
	assert_becomes(escape_json, "\"\\", "\\\"\\\\");
	assert_becomes(escape_json, "\n\t\r\b\f", "\\n\\t\\r\\b\\f");
	assert_becomes(escape_json, "\033\177", "\\u001b\\u007f");
	/* C1 controls, and marks of direction. */
	assert_becomes(escape_json, "\302\233", "\\u009b");
	assert_becomes(escape_json, "\342\200\256", "\\u202e");
	assert_becomes(escape_json, "\330\234", "\\u061c");
	assert_becomes(escape_json,
		       "a\xff"
		       "b",
		       "a\\ufffdb");
}

static void markup_is_text_in_xml(void **state)
{
	(void)state;
	assert_becomes(escape_xml, "operator<<(\"a\" & 'b')",
		       "operator&lt;&lt;(&quot;a&quot; &amp; &#39;b&#39;)");
	assert_becomes(escape_xml, "]]></title><script>", "]]&gt;&lt;/title&gt;&lt;script&gt;");
	assert_becomes(escape_xml, "Zürich → 東京 🐧", "Zürich → 東京 🐧");
	assert_becomes(escape_xml, "&amp;", "&amp;amp;");
}

static void what_xml_cannot_hold_is_shown(void **state)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	(void)state;
	assert_becomes(escape_xml, "a\033[31m\n\001\177", "a\\x1b[31m\\n\\x01\\x7f");
	assert_becomes(escape_xml, "\xef\xbf\xbe\xef\xbf\xbf", "\\ufffe\\uffff");
	assert_becomes(escape_xml, "\xef\xbf\xbd", "\xef\xbf\xbd");
	assert_becomes(escape_xml, "\xed\xa0\x80\xff", "\\xed\\xa0\\x80\\xff");
	assert_becomes(escape_xml, "\xe2\x80\xae<", "\\u202e&lt;");
	escape_xml(&t, "a\0b", 3);
	assert_string_equal(t.chars, "a\\x00b");
}

static void only_bytes_that_are_not_utf8_are_replaced(void **state)
{
	(void)state;
	assert_becomes(escape_not_utf8, "a\n\x1b \xc3\xbc", "a\n\x1b \xc3\xbc");
	assert_becomes(escape_not_utf8, "\xff\xe2\x86z", "\\xff\\xe2\\x86z");
	assert_becomes(escape_not_utf8, "", "");
}

static void columns_are_characters_not_bytes(void **state)
{
	(void)state;
	assert_int_equal(escape_columns("abc", 3), 3);
	assert_int_equal(escape_columns("\xc3\xbc\xe2\x86\x92", 5), 2);
	assert_int_equal(escape_columns("", 0), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(plain_text_stays),
		cmocka_unit_test(quotes_and_backslashes_inside_of_quotes_are_escaped),
		cmocka_unit_test(nul_is_short_unless_a_digit_follows),
		cmocka_unit_test(special_bytes_are_seen_wherever_they_are),
		cmocka_unit_test(real_letters_of_the_world_stay),
		cmocka_unit_test(control_characters_do_not_reach_the_terminal),
		cmocka_unit_test(lines_keep_their_breaks_and_nothing_else),
		cmocka_unit_test(marks_that_turn_the_text_around_are_shown),
		cmocka_unit_test(bytes_that_are_not_utf8_are_shown_one_by_one),
		cmocka_unit_test(nul_bytes_are_bytes_like_others),
		cmocka_unit_test(json_strings_are_what_json_wants),
		cmocka_unit_test(markup_is_text_in_xml),
		cmocka_unit_test(what_xml_cannot_hold_is_shown),
		cmocka_unit_test(only_bytes_that_are_not_utf8_are_replaced),
		cmocka_unit_test(columns_are_characters_not_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
