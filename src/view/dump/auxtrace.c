/* SPDX-License-Identifier: MIT */
/* Prints records about hardware traces, and their data. */
#include <inttypes.h>

#include "base/cleanup.h"
#include "view/dump/line.h"
#include "view/dump/trace-line.h"

static const struct trace_dump {
	dump_trace_info_fn *info;
	dump_trace_fn *data;
	dump_line_fn *record; /* used instead, if it needs more than the data */
} dumps[] = {
	[AUXTRACE_INTEL_PT] = { dump_intel_pt_info, dump_intel_pt, NULL },
	[AUXTRACE_CS_ETM] = { dump_coresight_info, NULL, dump_coresight },
	[AUXTRACE_INTEL_BTS] = { dump_intel_bts_info, dump_intel_bts, NULL },
	[AUXTRACE_ARM_SPE] = { dump_arm_spe_info, dump_arm_spe, NULL },
};

static const struct trace_dump *dump_auxtrace_find_dump(uint32_t type)
{
	return type < ARRAY_SIZE(dumps) && dumps[type].info ? &dumps[type] : NULL;
}

void dump_trace_word(const struct trace_word *w, int width, uint64_t value, FILE *out)
{
	fprintf(out, "  %-*s", width, w->label);
	switch (w->conversion) {
	case 'x':
		fprintf(out, "%#" PRIx64 "\n", value);
		break;
	case 'd':
		fprintf(out, "%" PRId64 "\n", (int64_t)value);
		break;
	default:
		fprintf(out, "%" PRIu64 "\n", value);
	}
}

void dump_trace_bytes(const uint8_t *bytes, size_t at, size_t n, size_t columns, FILE *out)
{
	fprintf(out, ".  %08zx: ", at);
	for (size_t i = 0; i < n; i++)
		fprintf(out, " %02x", bytes[at + i]);
	for (size_t i = n; i < columns; i++)
		fputs("   ", out);
}

void dump_auxtrace_info(const struct dump_line *l)
{
	const struct trace_dump *d = dump_auxtrace_find_dump(l->r.auxtrace_info.type);

	fprintf(l->out, " type: %u\n", l->r.auxtrace_info.type);
	if (d)
		d->info(&l->r.auxtrace_info.priv, l->out);
}

void dump_auxtrace(const struct dump_line *l)
{
	const struct record_auxtrace *a = &l->r.auxtrace;
	const struct trace_dump *d = dump_auxtrace_find_dump(l->dump->trace_type);

	fprintf(l->out,
		" size: %#" PRIx64 "  offset: %#" PRIx64 "  ref: %#" PRIx64
		"  idx: %u  tid: %d  cpu: %d\n",
		a->size, a->offset, a->reference, a->idx, (int)a->tid, (int)a->cpu);
	if (!d || (!l->rec->raw.payload && a->size))
		return;
	if (d->record)
		d->record(l);
	else
		d->data(l->rec->raw.payload, l->rec->raw.payload_size, l->out);
}
