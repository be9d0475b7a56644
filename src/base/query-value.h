/* SPDX-License-Identifier: MIT */
#pragma once
/* A cell in the result of an SQL query: the rows of a column need not have the same type. */
#include <stddef.h>
#include <stdint.h>

enum cell_kind {
	CELL_NULL,
	CELL_NUMBER,
	CELL_REAL,
	CELL_TEXT,
};

/* A cell of a result. The text may contain any bytes. */
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
