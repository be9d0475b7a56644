/* SPDX-License-Identifier: MIT */
#include "cli/fitted-output.h"

#include <stdlib.h>

#include "base/cleanup.h"
#include "base/squeeze.h"
#include "base/text.h"
#include "cli/command.h"

void fitted_open(struct fitted_output *f, const struct invocation *inv, FILE *out)
{
	*f = (struct fitted_output){ .shown = out, .columns = command_columns(inv, out) };
	f->out = f->columns ? open_memstream(&f->kept, &f->size) : NULL;
	if (!f->out) {
		f->out = out;
		f->columns = 0;
	}
}

void fitted_close(struct fitted_output *f)
{
	_cleanup_(text_done) struct text fits = TEXT_EMPTY;
	size_t left_out;

	if (!f->columns)
		return;
	fclose(f->out);
	left_out = text_add_squeezed(&fits, f->kept, f->columns);
	if (left_out)
		text_addf(&fits, "%zu more %s shown on a wider terminal, or in a pipe.\n", left_out,
			  left_out == 1 ? "column is" : "columns are");
	fputs(fits.chars, f->shown);
	free(f->kept);
}
