/* SPDX-License-Identifier: MIT */
/* Arm SPE: prints the packets of AUX data for `-D`. */
#include <inttypes.h>

#include "base/cleanup.h"
#include "hwtrace/spe-info.h"
#include "hwtrace/spe-packet.h"
#include "view/dump/trace-line.h"
#include "wire/record.h"

#define BYTES_SHOWN 16

struct dump_arm_spe_bit_name {
	uint64_t bit;
	const char *name;
};

static const struct dump_arm_spe_bit_name events[] = {
	{ SPE_EVENT_EXCEPTION, "EXCEPTION-GEN" },      { SPE_EVENT_RETIRED, "RETIRED" },
	{ SPE_EVENT_L1D_ACCESS, "L1D-ACCESS" },        { SPE_EVENT_L1D_MISS, "L1D-REFILL" },
	{ SPE_EVENT_TLB_ACCESS, "TLB-ACCESS" },        { SPE_EVENT_TLB_WALK, "TLB-REFILL" },
	{ SPE_EVENT_NOT_TAKEN, "NOT-TAKEN" },          { SPE_EVENT_MISPREDICTED, "MISPRED" },
	{ SPE_EVENT_LLC_ACCESS, "LLC-ACCESS" },        { SPE_EVENT_LLC_MISS, "LLC-REFILL" },
	{ SPE_EVENT_REMOTE, "REMOTE-ACCESS" },         { SPE_EVENT_ALIGNMENT, "ALIGNMENT" },
	{ SPE_EVENT_SVE_PARTIAL, "SVE-PARTIAL-PRED" }, { SPE_EVENT_SVE_EMPTY, "SVE-EMPTY-PRED" },
};

static const struct dump_arm_spe_bit_name atomics[] = { { 1 << 2, "AT" },
							{ 1 << 3, "EXCL" },
							{ 1 << 4, "AR" } };
static const struct dump_arm_spe_bit_name sve_load_store[] = { { 1 << 2, "PRED" },
							       { 1 << 7, "SG" } };
static const struct dump_arm_spe_bit_name sve_other[] = { { 1 << 1, "FP" }, { 1 << 2, "PRED" } };

static void dump_arm_spe_print_bits(const struct dump_arm_spe_bit_name *names, size_t n, uint64_t v,
				    FILE *out)
{
	for (size_t i = 0; i < n; i++)
		if (v & names[i].bit)
			fprintf(out, " %s", names[i].name);
}

static void print_load_store(uint64_t v, FILE *out)
{
	static const struct dump_arm_spe_bit_name registers[] = { { 0x00, "GP-REG" },
								  { 0x04, "SIMD-FP" },
								  { 0x10, "UNSPEC-REG" },
								  { 0x30, "NV-SYSREG" } };

	fputs(SPE_OP_STORE(v) ? "ST" : "LD", out);
	if (SPE_OP_IS_ATOMIC(v))
		dump_arm_spe_print_bits(atomics, ARRAY_SIZE(atomics), v, out);
	for (size_t i = 0; i < ARRAY_SIZE(registers); i++)
		if ((v & 0xfe) == registers[i].bit)
			fprintf(out, " %s", registers[i].name);
	if (SPE_OP_IS_SVE_LD_ST(v)) {
		fprintf(out, " EVLEN %u", SPE_OP_VECTOR_LENGTH(v));
		dump_arm_spe_print_bits(sve_load_store, ARRAY_SIZE(sve_load_store), v, out);
	}
}

static void print_other(uint64_t v, FILE *out)
{
	if (SPE_OP_IS_SVE_OTHER(v)) {
		fprintf(out, "SVE-OTHER EVLEN %u", SPE_OP_VECTOR_LENGTH(v));
		dump_arm_spe_print_bits(sve_other, ARRAY_SIZE(sve_other), v, out);
	} else {
		fprintf(out, "OTHER %s", v & 1 ? "COND-SELECT" : "INSN-OTHER");
	}
}

static void print_op(const struct spe_packet *p, FILE *out)
{
	uint64_t v = p->payload;

	switch (p->index) {
	case SPE_OP_OTHER:
		print_other(v, out);
		break;
	case SPE_OP_LOAD_STORE:
		print_load_store(v, out);
		break;
	case SPE_OP_BRANCH:
		fprintf(out, "B%s%s", v & 1 ? " COND" : "", SPE_OP_IS_INDIRECT(v) ? " IND" : "");
		break;
	default:
		fprintf(out, "OP-TYPE 0x%" PRIx64 " (%u)", v, p->index);
	}
}

static void print_address(const struct spe_packet *p, FILE *out)
{
	uint64_t v = p->payload, address = v & ((UINT64_C(1) << SPE_ADDRESS_BITS) - 1);

	switch (p->index) {
	case SPE_ADDRESS_PC:
	case SPE_ADDRESS_BRANCH:
		fprintf(out, "%s 0x%" PRIx64 " el%u ns=%u", p->index ? "TGT" : "PC", address,
			SPE_ADDRESS_EL(v), SPE_ADDRESS_NS(v));
		break;
	case SPE_ADDRESS_DATA_VIRTUAL:
		fprintf(out, "VA 0x%" PRIx64, v);
		break;
	case SPE_ADDRESS_DATA_PHYSICAL:
		fprintf(out, "PA 0x%" PRIx64 " ns=%u ch=%u pat=%x", address, SPE_ADDRESS_NS(v),
			SPE_ADDRESS_CHECK(v), SPE_ADDRESS_PATTAG(v));
		break;
	default:
		fprintf(out, "ADDR 0x%" PRIx64 " (%u)", v, p->index);
	}
}

static void print_counter(const struct spe_packet *p, FILE *out)
{
	static const char *const names[] = { "TOT", "ISSUE", "XLAT" };

	fprintf(out, "LAT %" PRIu64 " %s", p->payload,
		p->index < ARRAY_SIZE(names) ? names[p->index] : "");
}

static void dump_arm_spe_print_packet(const struct spe_packet *p, FILE *out)
{
	switch (p->type) {
	case SPE_PAD:
		fputs("PAD", out);
		break;
	case SPE_END:
		fputs("END", out);
		break;
	case SPE_TIMESTAMP:
		fprintf(out, "TS %" PRId64, (int64_t)p->payload);
		break;
	case SPE_ADDRESS:
		print_address(p, out);
		break;
	case SPE_COUNTER:
		print_counter(p, out);
		break;
	case SPE_CONTEXT:
		fprintf(out, "CONTEXT 0x%" PRIx64 " el%u", p->payload, p->index + 1u);
		break;
	case SPE_OP_TYPE:
		print_op(p, out);
		break;
	case SPE_EVENTS:
		fputs("EV", out);
		dump_arm_spe_print_bits(events, ARRAY_SIZE(events), p->payload, out);
		break;
	case SPE_DATA_SOURCE:
		fprintf(out, "DATA-SOURCE %" PRId64, (int64_t)p->payload);
		break;
	case SPE_BAD:
		fputs("Bad packet!", out);
		break;
	}
}

/* Prints words of version 2, which 6.1 does not know, in the form of 7.2. */
static void dump_info_word(const char *name, bool is_hex, uint64_t value, FILE *out)
{
	if (is_hex)
		fprintf(out, "  %-19s:%#" PRIx64 "\n", name, value);
	else
		fprintf(out, "  %-19s:%" PRId64 "\n", name, (int64_t)value);
}

static void dump_info_cpus(const struct words *priv, size_t at, FILE *out)
{
	static const struct {
		const char *name;
		bool is_hex;
	} names[SPE_CPU_WORDS] = {
		[SPE_CPU_MAGIC] = { "  Magic", true },
		[SPE_CPU_NUMBER] = { "  CPU #", false },
		[SPE_CPU_N_PARAMETERS] = { "  Num of params", false },
		[SPE_CPU_MIDR] = { "  MIDR", true },
		[SPE_CPU_PMU_TYPE] = { "  PMU Type", false },
		[SPE_CPU_MIN_INTERVAL] = { "  Min Interval", false },
		[SPE_CPU_EVENT_FILTER] = { "  Event Filter", true },
	};
	uint64_t words[SPE_CPU_WORDS];
	size_t n;

	while (spe_info_next_cpu(priv, &at, words, &n))
		for (size_t i = 0; i < n && i < SPE_CPU_WORDS; i++)
			dump_info_word(names[i].name, names[i].is_hex, words[i], out);
}

void dump_arm_spe_info(const struct words *priv, FILE *out)
{
	static const struct trace_word pmu = { "PMU Type", 'd' };
	static const char *const head[] = { "Header version", "Header size", "PMU type v2",
					    "CPU number" };
	struct spe_info info;

	if (spe_info_read(priv, &info) < 0 || !info.has_cpus) {
		if (priv->n)
			dump_trace_word(&pmu, 19, words_get(priv, 0), out);
		return;
	}
	for (size_t i = 0; i < ARRAY_SIZE(head); i++)
		dump_info_word(head[i], false, words_get(priv, i), out);
	dump_info_cpus(priv, info.first_cpu, out);
}

/* Data of a file is mapped, so the alignment of packets counts from the beginning of the file. */
void dump_arm_spe(const uint8_t *data, size_t size, FILE *out)
{
	uint64_t position = (uintptr_t)data;

	fprintf(out, ".\n. ... ARM SPE data: size %#zx bytes\n", size);
	for (size_t at = 0; at < size;) {
		struct spe_packet p = spe_packet_at(data + at, size - at, position + at);

		dump_trace_bytes(data, at, p.size, BYTES_SHOWN, out);
		fputc(' ', out);
		dump_arm_spe_print_packet(&p, out);
		fputc('\n', out);
		at += p.size;
	}
}
