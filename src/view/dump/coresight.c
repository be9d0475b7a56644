/* SPDX-License-Identifier: MIT */
/* CoreSight: what is recorded of each CPU's trace unit. Packets are not taken apart. */
#include <inttypes.h>

#include "base/cleanup.h"
#include "view/dump/trace-line.h"
#include "wire/record.h"

#define ETM_3_MAGIC 0x3030303030303030ULL
#define ETM_4_MAGIC 0x4040404040404040ULL
#define ETE_MAGIC   0x5050505050505050ULL

#define VERSION_MAX 1

/* The registers of a kind of trace unit, in their order, and how many there were in version 0. */
static const char *const etm3_registers[] = { "\tETMCR\t\t\t", "\tETMTRACEIDR\t\t",
					      "\tETMCCER\t\t\t", "\tETMIDR\t\t\t" };
static const char *const etm4_registers[] = {
	"\tTRCCONFIGR\t\t",    "\tTRCTRACEIDR\t\t",
	"\tTRCIDR0\t\t\t",     "\tTRCIDR1\t\t\t",
	"\tTRCIDR2\t\t\t",     "\tTRCIDR8\t\t\t",
	"\tTRCAUTHSTATUS\t\t", "\tTRCDEVARCH              ",
};

static const struct unit {
	uint64_t magic;
	const char *const *registers;
	size_t n, n_oldest;
} units[] = {
	{ ETM_3_MAGIC, etm3_registers, ARRAY_SIZE(etm3_registers), 4 },
	{ ETM_4_MAGIC, etm4_registers, ARRAY_SIZE(etm4_registers), 7 },
	{ ETE_MAGIC, etm4_registers, ARRAY_SIZE(etm4_registers), 7 },
};

/* What comes between a unit's magic number and its first register. */
#define UNIT_WORDS 3

/* The words that are left to print. */
struct left {
	const struct words *priv;
	size_t at;
	FILE *out;
};

/* false: there is no word left. */
static bool print_next(struct left *l, const char *label)
{
	if (l->at >= l->priv->n)
		return false;
	fprintf(l->out, "%s       %" PRIx64 "\n", label, words_get(l->priv, l->at++));
	return true;
}

static const struct unit *find_unit(uint64_t magic)
{
	for (size_t i = 0; i < ARRAY_SIZE(units); i++)
		if (units[i].magic == magic)
			return &units[i];
	return NULL;
}

/* From version 1 on the number of registers is there; there may be more than are known. */
static bool print_unit(struct left *l, uint64_t version)
{
	const struct unit *u = l->at < l->priv->n ? find_unit(words_get(l->priv, l->at)) : NULL;
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

void dump_coresight(const uint8_t *data, size_t size, FILE *out)
{
	(void)data;
	fprintf(out, "\n. ... CoreSight Trace data: size %#zx bytes\n", size);
}
