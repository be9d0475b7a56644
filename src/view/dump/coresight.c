/* SPDX-License-Identifier: MIT */
/*
 * CoreSight: prints the recorded registers of each CPU's trace unit, and the packets, in
 * libopencsd's words.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "hwtrace/aux-writes.h"
#include "hwtrace/cs-packets.h"
#include "session/session.h"
#include "view/dump/line.h"
#include "view/dump/trace-line.h"
#include "wire/record.h"

#define VERSION_MAX 1

/* The registers of a kind of trace unit, in their order, and their number in version 0. */
static const char *const etm3_registers[] = { "\tETMCR\t\t\t", "\tETMTRACEIDR\t\t",
					      "\tETMCCER\t\t\t", "\tETMIDR\t\t\t" };
static const char *const etm4_registers[] = {
	"\tTRCCONFIGR\t\t",    "\tTRCTRACEIDR\t\t",
	"\tTRCIDR0\t\t\t",     "\tTRCIDR1\t\t\t",
	"\tTRCIDR2\t\t\t",     "\tTRCIDR8\t\t\t",
	"\tTRCAUTHSTATUS\t\t", "\tTRCDEVARCH              ",
};

static const struct coresight_unit {
	uint64_t magic;
	const char *const *registers;
	size_t n, n_oldest;
} units[] = {
	{ CS_ETM_3_MAGIC, etm3_registers, ARRAY_SIZE(etm3_registers), 4 },
	{ CS_ETM_4_MAGIC, etm4_registers, ARRAY_SIZE(etm4_registers), 7 },
	{ CS_ETE_MAGIC, etm4_registers, ARRAY_SIZE(etm4_registers), 7 },
};

/* The number of words between a unit's magic number and its first register. */
#define UNIT_WORDS 3

/* The words that are still to be printed. */
struct left {
	const struct words *priv;
	size_t at;
	FILE *out;
};

/* Prints the next word. False: there is none left. */
static bool print_next(struct left *l, const char *label)
{
	if (l->at >= l->priv->n)
		return false;
	fprintf(l->out, "%s       %" PRIx64 "\n", label, words_get(l->priv, l->at++));
	return true;
}

static const struct coresight_unit *find_unit(uint64_t magic)
{
	for (size_t i = 0; i < ARRAY_SIZE(units); i++)
		if (units[i].magic == magic)
			return &units[i];
	return NULL;
}

/*
 * Prints a unit. From version 1 on the number of registers is included; there may be more than are
 * known.
 */
static bool print_unit(struct left *l, uint64_t version)
{
	const struct coresight_unit *u = l->at < l->priv->n ? find_unit(words_get(l->priv, l->at))
							    : NULL;
	uint64_t n;

	if (!u) {
		print_next(l, "\tMagic number Unknown\t");
		return false;
	}
	n = u->n_oldest;
	print_next(l, "\tMagic number\t\t");
	print_next(l, "\tCPU\t\t\t");
	if (version && l->at < l->priv->n) {
		n = words_get(l->priv, l->at);
		print_next(l, "\tNR_TRC_PARAMS\t\t");
	}
	for (uint64_t i = 0; i < n; i++) {
		char unknown[64];

		snprintf(unknown, sizeof(unknown), "\tUnknown parameter [%" PRIu64 "]\t",
			 i + UNIT_WORDS);
		if (!print_next(l, i < u->n ? u->registers[i] : unknown))
			return false;
	}
	return true;
}

void dump_coresight_info(const struct words *priv, FILE *out)
{
	struct left l = { priv, 0, out };
	uint64_t version = priv->n ? words_get(priv, 0) : 0;
	uint64_t n = priv->n > 1 ? words_get(priv, 1) & 0xffffffff : 0;

	if (version > VERSION_MAX) {
		fprintf(out, "\tUnknown Header Version = %" PRIx64 ", Version supported <= %x\n",
			version, VERSION_MAX);
		return;
	}
	print_next(&l, "\tHeader version\t\t");
	print_next(&l, "\tPMU type/num cpus\t");
	print_next(&l, "\tSnapshot\t\t");
	for (uint64_t i = 0; i < n; i++)
		if (!print_unit(&l, version))
			break;
}

/* Returns the name of a trace's units. A recording has only one kind. */
static const char *name_of_units(const struct cs_info *info)
{
	switch (info->n_units ? info->units[0].magic : 0) {
	case CS_ETM_3_MAGIC:
		return cs_unit_is_ptm(&info->units[0]) ? "PTM " : "ETMV3 ";
	case CS_ETM_4_MAGIC:
		return "ETMV4I ";
	case CS_ETE_MAGIC:
		return "ETE ";
	default:
		return "";
	}
}

static void dump_coresight_print_packet(void *arg, const char *line)
{
	size_t n = strlen(line);

	fprintf(arg, "\t%s%s", line, n && line[n - 1] == '\n' ? "" : "\n");
}

/* The state from one record to the next. */
struct coresight_dump {
	struct cs_packets packets;
	struct aux_writes writes;
};

void coresight_dump_free(struct coresight_dump *c)
{
	if (!c)
		return;
	cs_packets_done(&c->packets);
	aux_writes_done(&c->writes);
	free(c);
}

/* Prints a range of the trace: @size bytes at @from of the record's data. */
static void print_stretch(const struct dump_line *l, size_t from, size_t size, bool is_raw)
{
	struct cs_packets *p = &l->dump->coresight->packets;
	const struct cs_stretch s = {
		.is_raw = is_raw,
		.cpu = l->r.auxtrace.cpu,
		.index = l->r.auxtrace.offset + from,
		.bytes = l->rec->raw.payload + from,
		.n = size,
	};

	fprintf(l->out, "\n. ... CoreSight %sTrace data: size %#zx bytes\n",
		name_of_units(&p->info), size);
	if (cs_packets_print(p, &s, dump_coresight_print_packet, l->out) == -ENOMEM)
		fputs("\t(not decoded: the decoders of all trace units would take too much "
		      "memory)\n",
		      l->out);
}

static void use_recorded_ids(const struct session *s, struct cs_info *info)
{
	uint64_t id;

	for (size_t i = 0; i < info->n_units; i++)
		if (session_trace_hw_id(s, info->units[i].cpu, &id))
			info->units[i].id = id & 0x7f;
}

/* Updates the units and the AUX records. Those of a stream become known one by one. */
static struct coresight_dump *coresight_dump_update(struct dump *d)
{
	struct cs_info info = { 0 };
	struct words words;
	size_t n;
	const struct aux_write *w = session_trace_writes(d->session, &n);

	if (!d->coresight)
		d->coresight = xcalloc(1, sizeof(*d->coresight));
	aux_writes_add(&d->coresight->writes, w, n);
	if (session_trace_info(d->session, &words) == AUXTRACE_CS_ETM &&
	    cs_info_read(&words, &info) >= 0)
		use_recorded_ids(d->session, &info);
	cs_packets_set_units(&d->coresight->packets, &info);
	cs_info_done(&info);
	return d->coresight;
}

/* Prints the ranges that begin in the record, or all of it if there are none. */
void dump_coresight(const struct dump_line *l)
{
	const struct coresight_dump *c = coresight_dump_update(l->dump);
	const struct record_auxtrace *a = &l->r.auxtrace;
	uint64_t size = l->rec->raw.payload_size;
	size_t n = 0, i = 0;
	const struct aux_write *w = aux_writes_from(&c->writes, a->cpu, a->tid, a->offset, &n);

	for (; i < n && w[i].offset - a->offset < size; i++) {
		uint64_t from = w[i].offset - a->offset;

		print_stretch(l, from, w[i].size < size - from ? w[i].size : size - from,
			      w[i].flags & PERF_AUX_FLAG_CORESIGHT_RAW);
	}
	if (!i)
		print_stretch(l, 0, size, false);
}
