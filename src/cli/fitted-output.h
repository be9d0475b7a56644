/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Output of tables that are wider than many terminals. On a terminal it is kept until it is
 * complete, and then printed in lines that fit (base/squeeze.h). Files and pipes get it unchanged.
 */
#include <stdio.h>

struct invocation;

struct fitted_output {
	FILE *out;        /* destination of the table */
	unsigned columns; /* width of the terminal; 0: it is not one, and nothing is kept */
	/* private: */
	FILE *shown;
	char *kept;
	size_t size;
};

/* Prepares output to @out, which is inv->out, inv->err or a file. */
void fitted_open(struct fitted_output *f, const struct invocation *inv, FILE *out);

/* Prints the kept text, and reports below it if cells did not fit. */
void fitted_close(struct fitted_output *f);
