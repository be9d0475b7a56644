/* SPDX-License-Identifier: MIT */
#include "view/c2c/columns.h"

#include <inttypes.h>

void c2c_address_print(uint64_t addr, FILE *out)
{
	char text[20];

	snprintf(text, sizeof(text), "0x%" PRIx64, addr);
	fprintf(out, "  %18s", text);
}

static void print_titles(const struct c2c_column *columns, size_t n, FILE *out)
{
	fputs("# ", out);
	for (size_t i = 0; i < n;) {
		const struct c2c_column *c = &columns[i];

		fputs(i ? "  " : "", out);
		if (c->span)
			fputs(c->span, out);
		else
			fprintf(out, "%*s", (int)c->width, c->first ? c->first : "");
		i += c->span ? c->n_span : 1;
	}
	fputs("\n# ", out);
	for (size_t i = 0; i < n; i++)
		fprintf(out, "%s%*s", i ? "  " : "", (int)columns[i].width,
			columns[i].second ? columns[i].second : "");
	fputc('\n', out);
}

void c2c_columns_print(const struct c2c_column *columns, size_t n, FILE *out)
{
	fputs("#\n", out);
	print_titles(columns, n, out);
	fputs("# ", out);
	for (size_t i = 0; i < n; i++) {
		fputs(i ? "  " : "", out);
		for (size_t j = 0; j < columns[i].width; j++)
			fputc('.', out);
	}
	fputs("\n#\n", out);
}
