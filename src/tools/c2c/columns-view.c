/* SPDX-License-Identifier: MIT */
#include "tools/c2c/columns-view.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void c2c_address_print(uint64_t addr, FILE *out)
{
	char text[20];

	snprintf(text, sizeof(text), "0x%" PRIx64, addr);
	fprintf(out, "  %18s", text);
}

size_t c2c_address_spare(uint64_t addr)
{
	char text[20];

	return 18 - (size_t)snprintf(text, sizeof(text), "0x%" PRIx64, addr);
}

static size_t c2c_columns_width_of(const struct c2c_column *c)
{
	return strlen("  ") + c->width - c->spare;
}

static size_t width_of_all(const struct c2c_column *columns, size_t n)
{
	size_t width = 0;

	for (size_t i = 0; i < n; i++)
		width += columns[i].left_out ? 0 : c2c_columns_width_of(&columns[i]);
	return width;
}

static size_t width_with_spare(const struct c2c_column *columns, size_t n)
{
	size_t width = width_of_all(columns, n);

	for (size_t i = 0; i < n; i++)
		width += columns[i].spare;
	return width;
}

size_t c2c_columns_fit(struct c2c_column *columns, size_t n, unsigned terminal_columns)
{
	size_t left_out = 0;
	bool whole = !terminal_columns || width_with_spare(columns, n) <= terminal_columns;

	for (size_t i = 0; whole && i < n; i++)
		columns[i].spare = 0;
	while (!whole && width_of_all(columns, n) > terminal_columns) {
		struct c2c_column *least = NULL;

		for (size_t i = 0; i < n; i++)
			if (!columns[i].left_out && columns[i].rank &&
			    (!least || columns[i].rank >= least->rank))
				least = &columns[i];
		if (!least)
			break;
		least->left_out = true;
		left_out++;
	}
	return left_out;
}

/* True if the cells of @row begin and end at the same places as the columns. */
static bool has_columns(const struct c2c_column *columns, size_t n, const char *row)
{
	size_t at = 0, length = strlen(row);

	for (size_t i = 0; i < n; i++) {
		if (at < length && strncmp(row + at, "  ", 2) != 0)
			return false;
		at += 2 + columns[i].width;
	}
	return true;
}

static void print_cell(const struct c2c_column *c, const char *cell, size_t n, FILE *out)
{
	size_t blanks = strspn(cell, " "), skipped = c->spare;

	if (skipped && blanks >= skipped + 2 && n > skipped) {
		cell += skipped;
		n -= skipped;
	}
	fwrite(cell, 1, n, out);
}

static void c2c_columns_print_row(const struct c2c_column *columns, size_t n, const char *row,
				  FILE *out)
{
	size_t at = 0, length = strlen(row);

	if (!has_columns(columns, n, row)) {
		fputs(row, out);
		return;
	}
	for (size_t i = 0; i < n && at < length; i++) {
		/* The last column may be wider than its title. */
		size_t width = i + 1 < n ? 2 + columns[i].width : length - at;

		if (width > length - at)
			width = length - at;
		if (!columns[i].left_out)
			print_cell(&columns[i], row + at, width, out);
		at += width;
	}
	if (n && columns[n - 1].left_out)
		fputc('\n', out);
}

void c2c_row_begin(struct c2c_row *r)
{
	*r = (struct c2c_row){ 0 };
	r->file = open_memstream(&r->chars, &r->n);
}

void c2c_row_end(struct c2c_row *r, const struct c2c_column *columns, size_t n, FILE *out)
{
	fclose(r->file);
	c2c_columns_print_row(columns, n, r->chars, out);
	free(r->chars);
}

static bool c2c_columns_is_whole(const struct c2c_column *span)
{
	for (size_t i = 0; i < span->n_span; i++)
		if (span[i].left_out || span[i].spare)
			return false;
	return true;
}

static void print_first_titles(const struct c2c_column *columns, size_t n, FILE *out)
{
	for (size_t i = 0; i < n;) {
		const struct c2c_column *c = &columns[i];
		bool whole = c->span && c2c_columns_is_whole(c);

		i += whole ? c->n_span : 1;
		if (c->left_out)
			continue;
		fputs(c == columns ? "" : "  ", out);
		if (whole)
			fputs(c->span, out);
		else
			fprintf(out, "%*s", (int)(c->width - c->spare), c->first ? c->first : "");
	}
}

static void print_titles(const struct c2c_column *columns, size_t n, FILE *out)
{
	fputs("# ", out);
	print_first_titles(columns, n, out);
	fputs("\n# ", out);
	for (size_t i = 0; i < n; i++)
		if (!columns[i].left_out)
			fprintf(out, "%s%*s", i ? "  " : "",
				(int)(columns[i].width - columns[i].spare),
				columns[i].second ? columns[i].second : "");
	fputc('\n', out);
}

void c2c_columns_print(const struct c2c_column *columns, size_t n, FILE *out)
{
	fputs("#\n", out);
	print_titles(columns, n, out);
	fputs("# ", out);
	for (size_t i = 0; i < n; i++) {
		if (columns[i].left_out)
			continue;
		fputs(i ? "  " : "", out);
		for (size_t j = columns[i].spare; j < columns[i].width; j++)
			fputc('.', out);
	}
	fputs("\n#\n", out);
}
