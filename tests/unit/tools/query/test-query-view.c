/* SPDX-License-Identifier: MIT */
#include "tools/query/query-view.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/query-value.h"

#define TEXT(s)                                                                                    \
	{                                                                                          \
		.kind = CELL_TEXT, .text = { s, sizeof(s) - 1 }                                    \
	}
#define NUMBER(n)                                                                                  \
	{                                                                                          \
		.kind = CELL_NUMBER, .number = n                                                   \
	}

static const char *const names[] = { "name", "n" };

/* Returns the output for two rows. The caller frees it. */
static char *printed(const struct query_view_options *o, const struct query_value *first,
		     const struct query_value *second)
{
	char *text = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&text, &size);
	struct query_view *v = query_view_new(f, o);

	query_view_begin(v, names, 2);
	query_view_row(v, first);
	query_view_row(v, second);
	query_view_end(v);
	query_view_free(v);
	fclose(f);
	return text;
}

static void check(const struct query_view_options *o, const char *expected)
{
	static const struct query_value first[] = { TEXT("a\033b"), NUMBER(-5) };
	static const struct query_value second[] = { TEXT("x,\"y\"\n"), { .kind = CELL_NULL } };
	char *text = printed(o, first, second);

	assert_string_equal(text, expected);
	free(text);
}

static void tables_are_aligned_and_escaped(void **state)
{
	(void)state;
	check(&(struct query_view_options){ .format = QUERY_TABLE },
	      "name     n\n-------  --\na\\x1bb   -5\nx,\"y\"\\n\n");
	check(&(struct query_view_options){ .format = QUERY_TABLE, .no_header = true },
	      "a\\x1bb   -5\nx,\"y\"\\n\n");
}

/* Returns the line below the titles for texts of these lengths. The caller frees it. */
static char *line_of(size_t columns, size_t n, const size_t *lengths)
{
	static const char *const titles[] = { "a", "b", "c", "d", "e" };
	struct query_value values[5] = { 0 };
	struct query_view *v;
	char *text = NULL, *line;
	size_t size = 0, most = 0;
	FILE *f = open_memstream(&text, &size);

	for (size_t i = 0; i < n; i++)
		most = most > lengths[i] ? most : lengths[i];
	line = calloc(1, most + 1);
	memset(line, 'x', most);
	for (size_t i = 0; i < n; i++) {
		values[i].kind = CELL_TEXT;
		values[i].text.bytes = line;
		values[i].text.n = lengths[i];
	}
	v = query_view_new(f, &(struct query_view_options){ .columns = columns });
	query_view_begin(v, titles, n);
	query_view_row(v, values);
	query_view_end(v);
	query_view_free(v);
	fclose(f);
	free(line);
	line = strdup(strchr(text, '\n') + 1);
	*strchr(line, '\n') = '\0';
	free(text);
	return line;
}

static void check_widths(size_t columns, size_t n, const size_t *lengths, const size_t *widths)
{
	char *line = line_of(columns, n, lengths), *at = line;

	for (size_t i = 0; widths[i]; i++) {
		if (i)
			at += strspn(at, " ");
		assert_int_equal(strspn(at, "-"), widths[i]);
		at += widths[i];
	}
	assert_string_equal(at, "");
	free(line);
}

static void the_widest_texts_are_cut_first(void **state)
{
	(void)state;
	check_widths(100, 3, (size_t[]){ 20, 90, 30 }, (size_t[]){ 20, 46, 30, 0 });
	check_widths(76, 3, (size_t[]){ 20, 90, 30 }, (size_t[]){ 20, 26, 26, 0 });
	check_widths(75, 3, (size_t[]){ 20, 90, 30 }, (size_t[]){ 20, 25, 26, 0 });
	check_widths(60, 3, (size_t[]){ 20, 90, 30 }, (size_t[]){ 18, 19, 19, 0 });
	check_widths(40, 3, (size_t[]){ 20, 90, 30 }, (size_t[]){ 12, 12, 12, 0 });
	check_widths(39, 3, (size_t[]){ 20, 90, 30 }, (size_t[]){ 12, 12, 0 });
	check_widths(40, 3, (size_t[]){ 5, 90, 5 }, (size_t[]){ 5, 26, 5, 0 });
	check_widths(100, 5, (size_t[]){ 1000000, 1000000, 1000000, 1000000, 1000000 },
		     (size_t[]){ 18, 18, 18, 19, 19, 0 });
}

static void narrow_terminals_cut_texts_before_columns_go(void **state)
{
	static const struct query_value first[] = { TEXT("a_function_with_a_long_name"),
						    NUMBER(1) };
	static const struct query_value second[] = { TEXT("main"), NUMBER(1234567890) };
	char *text = printed(&(struct query_view_options){ .columns = 30 }, first, second);

	(void)state;
	assert_string_equal(text, "name                n\n"
				  "------------------  ----------\n"
				  "a_function_with_..           1\n"
				  "main                1234567890\n");
	free(text);
	text = printed(&(struct query_view_options){ .columns = 20 }, first, second);
	assert_string_equal(text, "name\n"
				  "------------\n"
				  "a_function..\n"
				  "main\n"
				  "1 more column is shown on a wider terminal, or in a pipe.\n");
	free(text);
}

static void csv_keeps_bytes_but_on_a_terminal(void **state)
{
	(void)state;
	check(&(struct query_view_options){ .format = QUERY_CSV },
	      "name,n\na\033b,-5\n\"x,\"\"y\"\"\n\",\n");
	check(&(struct query_view_options){ .format = QUERY_CSV, .is_terminal = true },
	      "name,n\na\\x1bb,-5\n\"x,\"\"y\"\"\\n\",\n");
}

static void json_escapes_what_it_must(void **state)
{
	(void)state;
	check(&(struct query_view_options){ .format = QUERY_JSON },
	      "[\n\t{\"name\": \"a\\u001bb\", \"n\": -5},\n"
	      "\t{\"name\": \"x,\\\"y\\\"\\n\", \"n\": null}\n]\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tables_are_aligned_and_escaped),
		cmocka_unit_test(the_widest_texts_are_cut_first),
		cmocka_unit_test(narrow_terminals_cut_texts_before_columns_go),
		cmocka_unit_test(csv_keeps_bytes_but_on_a_terminal),
		cmocka_unit_test(json_escapes_what_it_must),
	};

	return cmocka_run_group_tests_name("view/query", tests, NULL, NULL);
}
