/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Output of tables that are wider than many terminals: on one it is kept until it is complete, and
 * then printed in lines that fit (base/squeeze.h). Files and pipes get it as it is.
 */
#include <stdio.h>

struct invocation;

struct fitted_output {
	FILE *out;        /* where the table is printed to */
	unsigned columns; /* of the terminal; 0: it is none, and nothing is kept */
	/* private: */
	FILE *shown;
	char *kept;
	size_t size;
};

/* For output to @out, which is inv->out, inv->err or a file. */
void fitted_open(struct fitted_output *f, const struct invocation *inv, FILE *out);

/* Prints what was kept, and says below it if cells did not fit. */
void fitted_close(struct fitted_output *f);
