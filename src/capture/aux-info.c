/* SPDX-License-Identifier: MIT */
#include "capture/aux-info.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include "base/bytes.h"
#include "base/cleanup.h"
#include "base/cpu-list.h"
#include "base/file.h"
#include "base/text.h"
#include "capture/aux-plan.h"
#include "capture/ring.h"
#include "event/event.h"
#include "kernel/pmu.h"

/* CoreSight: the kind of trace unit that the words of a CPU describe. */
#define ETM_VERSION  1
#define ETM_3_MAGIC  0x3030303030303030ULL
#define ETM_4_MAGIC  0x4040404040404040ULL
#define ETE_MAGIC    0x5050505050505050ULL
#define ETE_ARCH_ID  0x5a13
#define ETM_TRACE_ID 0x10

/* Returns the number in a file of the PMU's folder, or 0. */
__attribute__((format(printf, 3, 4))) static uint64_t number_in(const struct aux_info *i, int base,
								const char *format, ...)
{
	_cleanup_(text_done) struct text path = TEXT_EMPTY;
	_cleanup_(freep) char *line = NULL;
	char file[64];
	va_list args;

	va_start(args, format);
	vsnprintf(file, sizeof(file), format, args);
	va_end(args);
	text_addf(&path, "%s/%s/%s", i->target->devices, i->event->pmu->name, file);
	if (file_read_line(AT_FDCWD, path.chars, &line) < 0)
		return 0;
	return strtoull(line, NULL, base);
}

static uint64_t format_bits(const struct aux_info *i, const char *name)
{
	const struct pmu_format *f = pmu_format_find(i->event->pmu, name);

	return f && f->word == PMU_CONFIG ? f->mask : 0;
}

static void aux_info_add_clock(const struct aux_info *i, struct bytes *out)
{
	const struct ring_clock none = { 0 }, *c = i->clock ? i->clock : &none;

	bytes_u64(out, c->shift);
	bytes_u64(out, c->mult);
	bytes_u64(out, c->zero);
	bytes_u64(out, c->has_zero);
}

/*
 * Finds the ratio between ticks of the TSC and those of the crystal, which MTC packets count: CPUID
 * 0x15.
 */
static void crystal_ratio(uint32_t *ret_n, uint32_t *ret_d)
{
	*ret_n = *ret_d = 0;
#if defined(__x86_64__)
	uint32_t ecx, edx;

	__get_cpuid_count(0x15, 0, ret_d, ret_n, &ecx, &edx);
#endif
}

/* Appends the filter, terminated and padded to words; nothing if there is none. */
static void aux_info_add_filter(const struct aux_info *i, struct bytes *out)
{
	const char *filter = i->event->filter ? i->event->filter : "";
	size_t length = strlen(filter);

	bytes_u64(out, length);
	if (!length)
		return;
	bytes_add(out, filter, length);
	bytes_zero(out, sizeof(uint64_t) - length % sizeof(uint64_t));
}

static void add_intel_pt(const struct aux_info *i, struct bytes *out)
{
	uint32_t n, d;

	crystal_ratio(&n, &d);
	bytes_u64(out, i->event->pmu->type);
	aux_info_add_clock(i, out);
	bytes_u64(out, format_bits(i, "tsc"));
	bytes_u64(out, format_bits(i, "noretcomp"));
	bytes_u64(out, i->switches_of_all ? 3 : i->switches ? 2 : 0);
	bytes_u64(out, i->plan->snapshots);
	bytes_u64(out, i->target->per_cpu);
	bytes_u64(out, format_bits(i, "mtc"));
	bytes_u64(out, format_bits(i, "mtc_period"));
	bytes_u64(out, n);
	bytes_u64(out, d);
	bytes_u64(out, format_bits(i, "cyc"));
	bytes_u64(out, number_in(i, 10, "max_nonturbo_ratio"));
	aux_info_add_filter(i, out);
	bytes_u64(out, number_in(i, 10, "caps/event_trace"));
}

static void add_intel_bts(const struct aux_info *i, struct bytes *out)
{
	bytes_u64(out, i->event->pmu->type);
	aux_info_add_clock(i, out);
	bytes_u64(out, i->plan->snapshots);
}

/*
 * Returns the bits of attr.config in the layout of the trace unit's own register (cs_etm of the
 * kernel).
 */
static uint64_t etm4_config(uint64_t config)
{
	static const struct {
		uint8_t from, to;
	} bits[] = {
		{ 12, 4 },  /* cycacc: cycle counts */
		{ 14, 6 },  /* contextid1 */
		{ 15, 7 },  /* contextid2: VMID */
		{ 15, 15 }, /* the VMID is that of EL2 */
		{ 28, 11 }, /* timestamp */
		{ 29, 12 }, /* retstack */
	};
	uint64_t v = 0;

	for (size_t i = 0; i < ARRAY_SIZE(bits); i++)
		v |= (config >> bits[i].from & 1) << bits[i].to;
	return v;
}

static void aux_info_add_etm4(const struct aux_info *i, unsigned cpu, uint64_t idr0,
			      struct bytes *out)
{
	uint64_t arch = number_in(i, 16, "cpu%u/mgmt/trcdevarch", cpu);
	bool is_ete = (arch & 0xffff) == ETE_ARCH_ID;

	bytes_u64(out, is_ete ? ETE_MAGIC : ETM_4_MAGIC);
	bytes_u64(out, cpu);
	bytes_u64(out, is_ete ? 8 : 7);
	bytes_u64(out, etm4_config(i->event->attr.config));
	bytes_u64(out, ETM_TRACE_ID + 2 * cpu);
	bytes_u64(out, idr0);
	bytes_u64(out, number_in(i, 16, "cpu%u/trcidr/trcidr1", cpu));
	bytes_u64(out, number_in(i, 16, "cpu%u/trcidr/trcidr2", cpu));
	bytes_u64(out, number_in(i, 16, "cpu%u/trcidr/trcidr8", cpu));
	bytes_u64(out, number_in(i, 16, "cpu%u/mgmt/trcauthstatus", cpu));
	if (is_ete)
		bytes_u64(out, arch);
}

static void aux_info_add_etm3(const struct aux_info *i, unsigned cpu, struct bytes *out)
{
	bytes_u64(out, ETM_3_MAGIC);
	bytes_u64(out, cpu);
	bytes_u64(out, 4);
	bytes_u64(out, i->event->attr.config);
	bytes_u64(out, ETM_TRACE_ID + 2 * cpu);
	bytes_u64(out, number_in(i, 16, "cpu%u/mgmt/etmccer", cpu));
	bytes_u64(out, number_in(i, 16, "cpu%u/mgmt/etmidr", cpu));
}

static void add_etm(const struct aux_info *i, struct bytes *out)
{
	bytes_u64(out, ETM_VERSION);
	bytes_u64(out, (uint64_t)i->event->pmu->type << 32 | i->cpus->n);
	bytes_u64(out, i->plan->snapshots);
	for (size_t n = 0; n < i->cpus->n; n++) {
		unsigned cpu = i->cpus->items[n];
		uint64_t idr0 = number_in(i, 16, "cpu%u/trcidr/trcidr0", cpu);

		if (idr0)
			aux_info_add_etm4(i, cpu, idr0, out);
		else
			aux_info_add_etm3(i, cpu, out);
	}
}

static void add_arm_spe(const struct aux_info *i, struct bytes *out)
{
	bytes_u64(out, i->event->pmu->type);
	bytes_u64(out, i->target->per_cpu);
}

void aux_info_add(const struct aux_info *i, struct bytes *out)
{
	static void (*const adds[])(const struct aux_info *, struct bytes *) = {
		[AUXTRACE_INTEL_PT] = add_intel_pt,
		[AUXTRACE_INTEL_BTS] = add_intel_bts,
		[AUXTRACE_CS_ETM] = add_etm,
		[AUXTRACE_ARM_SPE] = add_arm_spe,
	};
	_cleanup_(bytes_done) struct bytes words = { 0 };
	struct record r = { .header.type = PERF_RECORD_AUXTRACE_INFO };

	adds[i->plan->type](i, &words);
	r.auxtrace_info.type = i->plan->type;
	r.auxtrace_info.priv =
		(struct words){ .bytes = words.data, .n = words.n / 8, .swap = false };
	(void)record_encode(&r, NULL, out);
}
