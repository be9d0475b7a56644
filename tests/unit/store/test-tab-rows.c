/* SPDX-License-Identifier: MIT */
#include "store/tab-rows.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/diag.h"

/* Appends a row as it came: cells in brackets, a line each. */
static int note_row(void *arg, const struct tab_cell *cells)
{
	struct text *t = arg;

	for (int i = 0; i < 2; i++) {
		text_add_char(t, '[');
		if (cells[i].text)
			text_add_bytes(t, cells[i].text, cells[i].length);
		else
			text_add(t, "NULL");
		text_add_char(t, ']');
	}
	text_add_char(t, '\n');
	return 0;
}

/* Reads rows of two columns, in pieces of @piece bytes. */
static int read_rows(const char *bytes, size_t piece, struct text *ret, struct diag *diag)
{
	struct tab_reader reader;
	size_t n = strlen(bytes);
	int r = 0;

	tab_reader_init(&reader, 2, note_row, ret);
	for (size_t at = 0; at < n && r >= 0; at += piece)
		r = tab_reader_add(&reader, bytes + at, n - at < piece ? n - at : piece, diag);
	if (r >= 0)
		r = tab_reader_end(&reader, diag);
	tab_reader_done(&reader);
	return r;
}

static void check_rows(const char *bytes, const char *wanted)
{
	static const size_t pieces[] = { 1, 2, 7, 1000 };

	for (size_t i = 0; i < sizeof(pieces) / sizeof(pieces[0]); i++) {
		struct text rows = TEXT_EMPTY;
		struct diag diag = { 0 };

		assert_int_equal(read_rows(bytes, pieces[i], &rows, &diag), 0);
		assert_string_equal(rows.chars, wanted);
		text_done(&rows);
		diag_done(&diag);
	}
}

static void check_refused(const char *bytes, const char *wanted)
{
	struct text rows = TEXT_EMPTY;
	struct diag diag = { 0 };

	assert_int_equal(read_rows(bytes, 1000, &rows, &diag), -EBADMSG);
	assert_string_equal(diag.message, wanted);
	text_done(&rows);
	diag_done(&diag);
}

static void rows_are_read_in_pieces_that_end_anywhere(void **state)
{
	(void)state;
	check_rows("", "");
	check_rows("1\ta\n-2\tb c\n", "[1][a]\n[-2][b c]\n");
	check_rows("\t\n\tx\nx\t\n", "[][]\n[][x]\n[x][]\n");
}

static void escapes_become_what_they_stand_for(void **state)
{
	(void)state;
	check_rows("a\\tb\t\\\\N\\n\n", "[a\tb][\\N\n]\n");
	check_rows("\\N\t\\N\n", "[NULL][NULL]\n");
	check_rows("\\'\\r\\b\\f\\v\\a\t\\\\\\\\\n", "['\r\b\f\v\a][\\\\]\n");
}

static void damaged_rows_are_refused(void **state)
{
	(void)state;
	check_refused("1\n", "the server's answer is damaged: row 1 has too few columns");
	check_refused("1\t2\n\n", "the server's answer is damaged: row 2 has too few columns");
	check_refused("1\t2\t3\n", "the server's answer is damaged: row 1 has too many columns");
	check_refused(
		"1\t\\q\n",
		"the server's answer is damaged: row 1 has a backslash with nothing to escape");
	check_refused(
		"1\t2\\\n",
		"the server's answer is damaged: row 1 has a backslash with nothing to escape");
	check_refused(
		"\\Nx\t2\n",
		"the server's answer is damaged: row 1 has a backslash with nothing to escape");
	check_refused("1\t2\n3\t4",
		      "the server's answer is damaged: row 1 is followed by one that is cut off");
}

static void a_line_without_end_is_not_collected_forever(void **state)
{
	static char piece[1 << 20];
	struct text rows = TEXT_EMPTY;
	struct diag diag = { 0 };
	struct tab_reader reader;
	int r = 0;

	(void)state;
	memset(piece, 'x', sizeof(piece));
	tab_reader_init(&reader, 2, note_row, &rows);
	for (int i = 0; i < 17 && r >= 0; i++)
		r = tab_reader_add(&reader, piece, sizeof(piece), &diag);
	assert_int_equal(r, -EBADMSG);
	tab_reader_done(&reader);
	text_done(&rows);
	diag_done(&diag);
}

static int stop(void *arg, const struct tab_cell *cells)
{
	(void)cells;
	++*(int *)arg;
	return -ECANCELED;
}

static void whoever_takes_rows_may_end_it(void **state)
{
	struct diag diag = { 0 };
	struct tab_reader reader;
	int n = 0;

	(void)state;
	tab_reader_init(&reader, 1, stop, &n);
	assert_int_equal(tab_reader_add(&reader, "1\n2\n", 4, &diag), -ECANCELED);
	assert_int_equal(n, 1);
	tab_reader_done(&reader);
}

static void cells_are_numbers_or_not(void **state)
{
	int64_t n = 7;

	(void)state;
	assert_int_equal(tab_cell_number(&(struct tab_cell){ "-9223372036854775808", 20 }, &n), 0);
	assert_true(n == INT64_MIN);
	assert_int_equal(tab_cell_number(&(struct tab_cell){ "", 0 }, &n), -EBADMSG);
	assert_int_equal(tab_cell_number(&(struct tab_cell){ "1x", 2 }, &n), -EBADMSG);
	assert_int_equal(tab_cell_number(&(struct tab_cell){ "1\0", 2 }, &n), -EBADMSG);
	assert_int_equal(tab_cell_number(&(struct tab_cell){ NULL, 0 }, &n), -EBADMSG);
	assert_int_equal(tab_cell_number(&(struct tab_cell){ "9223372036854775808", 19 }, &n),
			 -EBADMSG);
	assert_true(n == INT64_MIN);
}

static void what_is_written_has_no_bare_tabs_and_ends(void **state)
{
	struct tab_writer w = TAB_WRITER_EMPTY;

	(void)state;
	tab_writer_text(&w, "a\tb\\c\nd\re\bf\fg\vh\a");
	tab_writer_number(&w, INT64_MIN);
	tab_writer_end_row(&w);
	tab_writer_text(&w, "");
	tab_writer_null(&w);
	tab_writer_end_row(&w);
	tab_writer_text(&w, "\\N");
	tab_writer_text(&w, "\xff'\x80");
	tab_writer_end_row(&w);
	assert_string_equal(w.rows.chars, "a\\tb\\\\c\\nd\\re\\bf\\fg\\vh\a\t-9223372036854775808\n"
					  "\t\\N\n"
					  "\\\\N\t\\\\xff'\\\\x80\n");
	assert_int_equal(w.n_rows, 3);
	check_rows(w.rows.chars, "[a\tb\\c\nd\re\bf\fg\vh\a][-9223372036854775808]\n[][NULL]\n"
				 "[\\N][\\xff'\\x80]\n");
	tab_writer_clear(&w);
	assert_int_equal(w.rows.length, 0);
	tab_writer_done(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_are_read_in_pieces_that_end_anywhere),
		cmocka_unit_test(escapes_become_what_they_stand_for),
		cmocka_unit_test(damaged_rows_are_refused),
		cmocka_unit_test(a_line_without_end_is_not_collected_forever),
		cmocka_unit_test(whoever_takes_rows_may_end_it),
		cmocka_unit_test(cells_are_numbers_or_not),
		cmocka_unit_test(what_is_written_has_no_bare_tabs_and_ends),
	};

	return cmocka_run_group_tests_name("sql/tab-rows", tests, NULL, NULL);
}
