/* SPDX-License-Identifier: MIT */
#include "tools/mem/samples-view.h"

#include <inttypes.h>

#include "session/machine.h"
#include "symbol/symbol.h"
#include "symbol/symbolizer.h"
#include "wire/sample.h"

void memory_samples_title(const struct memory_samples_view *v, FILE *out)
{
	fprintf(out, "# PID, TID, IP, ADDR, %s%sLOCAL WEIGHT, DSRC, SYMBOL\n",
		v->phys_data ? "PHYS ADDR, " : "", v->data_page_size ? "DATA PAGE SIZE, " : "");
}

static void mem_samples_print_page_size(uint64_t size, FILE *out)
{
	static const char units[] = "BKMGTPE";
	size_t unit = 0;

	if (!size) {
		fputs("N/A", out);
		return;
	}
	for (; size / 1024 > 1; size /= 1024)
		unit++;
	fprintf(out, "%" PRIu64 "%c", size, units[unit]);
}

void memory_sample_print(const struct memory_samples_view *v, const struct sample *s,
			 const struct location *at, FILE *out)
{
	const char *sep = v->separator;

	fprintf(out, "%" PRId32 "%s%" PRId32 "%s0x%" PRIx64 "%s0x%" PRIx64 "%s", (int32_t)s->pid,
		sep, (int32_t)s->tid, sep, s->ip, sep, s->addr, sep);
	if (v->phys_data)
		fprintf(out, "0x%016" PRIx64 "%s", s->phys_addr, sep);
	if (v->data_page_size) {
		mem_samples_print_page_size(s->data_page_size, out);
		fputs(sep, out);
	}
	fprintf(out, "%" PRIu64 "%s0x%" PRIx64 "%s%s:%s\n", s->weight, sep, s->data_src, sep,
		at->map && at->map->image ? image_long_name(at->map->image) : "???",
		at->sym ? at->sym->name : "???");
}
