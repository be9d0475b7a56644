/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes the rows of a server's answer: they are the same whether they come at once or in pieces,
 * and are the same after they are written and read again.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "store/tab-rows.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define COLUMNS 3

static int write_row(void *arg, const struct tab_cell *cells)
{
	for (int i = 0; i < COLUMNS; i++) {
		if (!cells[i].text)
			tab_writer_null(arg);
		else
			tab_writer_text(arg, cells[i].text);
	}
	tab_writer_end_row(arg);
	return 0;
}

static int read_rows(const char *bytes, size_t n, size_t piece, struct tab_writer *w)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(tab_reader_done) struct tab_reader reader;
	int r = 0;

	tab_reader_init(&reader, COLUMNS, write_row, w);
	for (size_t at = 0; at < n && r >= 0; at += piece)
		r = tab_reader_add(&reader, bytes + at, n - at < piece ? n - at : piece, &diag);
	if (r >= 0)
		r = tab_reader_end(&reader, &diag);
	if (r < 0 && !diag.message)
		abort();
	return r;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_(tab_writer_done) struct tab_writer whole = TAB_WRITER_EMPTY;
	_cleanup_(tab_writer_done) struct tab_writer pieces = TAB_WRITER_EMPTY;
	_cleanup_(tab_writer_done) struct tab_writer again = TAB_WRITER_EMPTY;
	size_t piece = size ? 1 + data[0] % 16 : 1;
	int r = read_rows((const char *)data, size, size + 1, &whole);

	if (read_rows((const char *)data, size, piece, &pieces) != r ||
	    strcmp(whole.rows.chars, pieces.rows.chars))
		abort();
	if (read_rows(whole.rows.chars, whole.rows.length, piece, &again) < 0 ||
	    strcmp(whole.rows.chars, again.rows.chars))
		abort();
	return 0;
}
