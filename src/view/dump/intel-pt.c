/* SPDX-License-Identifier: MIT */
/* Intel PT: prints each packet. */
#include <inttypes.h>

#include "base/cleanup.h"
#include "hwtrace/intel-pt-info.h"
#include "hwtrace/intel-pt-packet.h"
#include "view/dump/line.h"
#include "view/dump/trace-line.h"
#include "wire/record.h"

#define COLUMNS     16
#define INFO_WIDTH  20
#define PADDED_SIZE 8 /* padding after a packet is shown with it, up to this size */

/* The words of AUXTRACE_INFO, in their order. */
static const struct trace_word info_words[] = {
	[PT_INFO_PMU_TYPE] = { "PMU Type", 'd' },
	[PT_INFO_TIME_SHIFT] = { "Time Shift", 'u' },
	[PT_INFO_TIME_MULT] = { "Time Muliplier", 'u' }, /* scripts expect this spelling */
	[PT_INFO_TIME_ZERO] = { "Time Zero", 'u' },
	[PT_INFO_CAP_TIME_ZERO] = { "Cap Time Zero", 'd' },
	[PT_INFO_TSC_BIT] = { "TSC bit", 'x' },
	[PT_INFO_NORETCOMP_BIT] = { "NoRETComp bit", 'x' },
	[PT_INFO_HAVE_SWITCHES] = { "Have sched_switch", 'd' },
	[PT_INFO_SNAPSHOT] = { "Snapshot mode", 'd' },
	[PT_INFO_PER_CPU] = { "Per-cpu maps", 'd' },
	[PT_INFO_MTC_BIT] = { "MTC bit", 'x' },
	[PT_INFO_MTC_FREQ_BITS] = { "MTC freq bits", 'x' },
	[PT_INFO_TSC_CTC_N] = { "TSC:CTC numerator", 'u' },
	[PT_INFO_TSC_CTC_D] = { "TSC:CTC denominator", 'u' },
	[PT_INFO_CYC_BIT] = { "CYC bit", 'x' },
	[PT_INFO_MAX_RATIO] = { "Max non-turbo ratio", 'u' },
	[PT_INFO_FILTER_LENGTH] = { "Filter string len.", 'u' },
};

void dump_intel_pt_info(const struct words *priv, FILE *out)
{
	struct pt_info info;
	size_t n = 0;

	if (pt_info_read(priv, &info) >= 0)
		n = info.n_words;
	for (size_t i = 0; i < n && i < ARRAY_SIZE(info_words); i++)
		dump_trace_word(&info_words[i], INFO_WIDTH, info.word[i], out);
	if (!n || !info.filter)
		return;
	fprintf(out, "  %-*s", INFO_WIDTH, "Filter string");
	dump_text(out, info.filter);
	fputc('\n', out);
	if (info.has_event_trace)
		fprintf(out, "  %-*s%d\n", INFO_WIDTH, "Cap Event Trace", info.event_trace);
}

/* Prints TNT, the oldest branch first. */
static void dump_intel_pt_print_branches(const struct pt_packet *p, FILE *out)
{
	fputs("TNT ", out);
	for (uint32_t i = p->count; i > 0; i--)
		fputc(p->payload >> (i - 1) & 1 ? 'T' : 'N', out);
	fprintf(out, " (%u)", p->count);
}

static void print_ip(const char *name, const struct pt_packet *p, FILE *out)
{
	if (p->ip_bytes)
		fprintf(out, "%s 0x%" PRIx64, name, p->payload);
	else
		fprintf(out, "%s no ip", name);
}

static void dump_intel_pt_print_power(const struct pt_packet *p, FILE *out)
{
	uint64_t v = p->payload;

	if (p->kind == PT_PWRE)
		fprintf(out, "PWRE 0x%" PRIx64 " HW:%u CState:%u Sub-CState:%u", v,
			(unsigned)(v >> 7 & 1), (unsigned)(v >> 12 & 15), (unsigned)(v >> 8 & 15));
	else if (p->kind == PT_PWRX)
		fprintf(out, "PWRX 0x%" PRIx64 " Last CState:%u Deepest CState:%u Wake Reason 0x%x",
			v, (unsigned)(v >> 4 & 15), (unsigned)(v & 15), (unsigned)(v >> 8 & 15));
	else
		fprintf(out, "MWAIT 0x%" PRIx64 " Hints 0x%x Extensions 0x%x", v,
			(unsigned)(v & 0xff), (unsigned)(v >> 32 & 3));
}

/* Prints blocks of the machine's state (PEBS through PT), and events. */
static void dump_intel_pt_print_block(const struct pt_packet *p, FILE *out)
{
	switch (p->kind) {
	case PT_BBP:
		fprintf(out, "BBP SZ %u-byte Type 0x%" PRIx64, p->count, p->payload);
		break;
	case PT_BIP:
		fprintf(out, "BIP ID 0x%02x Value 0x%" PRIx64, p->count, p->payload);
		break;
	case PT_CFE:
		fprintf(out, "CFE IP:%u Type 0x%02x Vector 0x%" PRIx64, p->has_ip, p->count,
			p->payload);
		break;
	case PT_EVD:
		fprintf(out, "EVD Type 0x%02x Payload 0x%" PRIx64, p->count, p->payload);
		break;
	default:
		fprintf(out, "BEP IP:%u", p->has_ip);
	}
}

static void print_mode(const struct pt_packet *p, FILE *out)
{
	if (p->kind == PT_MODE_EXEC)
		fprintf(out, "MODE.Exec IF:%u %" PRIu64, p->count, p->payload);
	else
		fprintf(out, "MODE.TSX TXAbort:%u InTX:%u", (unsigned)(p->payload >> 1 & 1),
			(unsigned)(p->payload & 1));
}

static void dump_intel_pt_print_packet(const struct pt_packet *p, FILE *out)
{
	static const char *const names[PT_PACKET_KINDS] = {
		[PT_PAD] = "PAD",         [PT_TIP_PGD] = "TIP.PGD", [PT_TIP_PGE] = "TIP.PGE",
		[PT_TIP] = "TIP",         [PT_FUP] = "FUP",         [PT_TSC] = "TSC",
		[PT_MTC] = "MTC",         [PT_CYC] = "CYC",         [PT_CBR] = "CBR",
		[PT_VMCS] = "VMCS",       [PT_PSB] = "PSB",         [PT_PSBEND] = "PSBEND",
		[PT_OVF] = "OVF",         [PT_MNT] = "MNT",         [PT_TRACESTOP] = "TraceSTOP",
		[PT_PTWRITE] = "PTWRITE", [PT_EXSTOP] = "EXSTOP",
	};

	switch (p->kind) {
	case PT_TNT:
		dump_intel_pt_print_branches(p, out);
		break;
	case PT_TIP_PGD:
	case PT_TIP_PGE:
	case PT_TIP:
	case PT_FUP:
		print_ip(names[p->kind], p, out);
		break;
	case PT_TSC:
	case PT_MTC:
	case PT_CYC:
	case PT_CBR:
	case PT_VMCS:
	case PT_MNT:
		fprintf(out, "%s 0x%" PRIx64, names[p->kind], p->payload);
		break;
	case PT_PTWRITE:
		fprintf(out, "PTWRITE 0x%" PRIx64 " IP:%u", p->payload, p->has_ip);
		break;
	case PT_EXSTOP:
		fprintf(out, "EXSTOP IP:%u", p->has_ip);
		break;
	case PT_TMA:
		fprintf(out, "TMA CTC 0x%" PRIx64 " FC 0x%x", p->payload, p->count);
		break;
	case PT_PIP:
		fprintf(out, "PIP 0x%" PRIx64 " (NR=%u)", p->payload, p->count);
		break;
	case PT_MODE_EXEC:
	case PT_MODE_TSX:
		print_mode(p, out);
		break;
	case PT_PWRE:
	case PT_PWRX:
	case PT_MWAIT:
		dump_intel_pt_print_power(p, out);
		break;
	case PT_BBP:
	case PT_BIP:
	case PT_BEP:
	case PT_CFE:
	case PT_EVD:
		dump_intel_pt_print_block(p, out);
		break;
	default:
		fputs(names[p->kind], out);
	}
}

/*
 * Returns the number of bytes that are shown together with the packet: the packet and the padding
 * after it.
 */
static size_t padded_size(const uint8_t *bytes, size_t size, size_t packet)
{
	size_t n = packet;

	while (n < PADDED_SIZE && n < size && !bytes[n])
		n++;
	return n;
}

void dump_intel_pt(const uint8_t *data, size_t size, FILE *out)
{
	enum pt_block block = PT_NO_BLOCK;
	struct pt_packet p;

	fprintf(out, ".\n. ... Intel Processor Trace data: size %zu bytes\n", size);
	for (size_t at = 0, n; at < size; at += n) {
		bool is_packet = pt_packet_decode(data + at, size - at, &block, &p) >= 0;

		n = is_packet ? padded_size(data + at, size - at, p.size) : 1;
		dump_trace_bytes(data, at, n, COLUMNS, out);
		fputc(' ', out);
		if (is_packet)
			dump_intel_pt_print_packet(&p, out);
		else
			fputs("Bad packet!", out);
		fputc('\n', out);
	}
}
