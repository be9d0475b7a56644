/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A cell of what a query in SQL gives: its rows need not have one type in a column.
 */
#include <stddef.h>
#include <stdint.h>

enum cell_kind {
	CELL_NULL,
	CELL_NUMBER,
	CELL_REAL,
	CELL_TEXT,
};

/* A cell of a result. The text may have any bytes. */
struct query_value {
	enum cell_kind kind;
	union {
		int64_t number;
		double real;
		struct {
			const char *bytes;
			size_t n;
		} text;
	};
};
