/* SPDX-License-Identifier: MIT */
/* Prints the machine: its names, CPUs, caches, memory and PMUs. */
#include <inttypes.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/escape.h"
#include "base/size-text.h"
#include "base/text.h"
#include "view/header/line.h"

static void print_named(FILE *out, const char *title, const char *text)
{
	fprintf(out, "# %s : ", title);
	header_text(out, text);
	fputc('\n', out);
}

void header_hostname(const struct features *f, FILE *out)
{
	print_named(out, "hostname", f->hostname);
}

void header_osrelease(const struct features *f, FILE *out)
{
	print_named(out, "os release", f->os_release);
}

void header_arch(const struct features *f, FILE *out)
{
	print_named(out, "arch", f->arch);
}

void header_cpudesc(const struct features *f, FILE *out)
{
	print_named(out, "cpudesc", f->cpu_desc);
}

void header_cpuid(const struct features *f, FILE *out)
{
	print_named(out, "cpuid", f->cpu_id);
}

void header_nrcpus(const struct features *f, FILE *out)
{
	fprintf(out, "# nrcpus online : %u\n# nrcpus avail : %u\n", f->cpus_online,
		f->cpus_available);
}

void header_total_mem(const struct features *f, FILE *out)
{
	fprintf(out, "# total memory : %" PRIu64 " kB\n", f->total_mem_kb);
}

static void print_siblings(FILE *out, const char *title, const struct string_list *lists)
{
	for (size_t i = 0; i < lists->n; i++)
		print_named(out, title, lists->items[i]);
}

void header_cpu_topology(const struct features *f, FILE *out)
{
	const uint32_t *die = f->cpu_topology.die_id;

	print_siblings(out, "sibling sockets", &f->cpu_topology.sockets);
	print_siblings(out, "sibling dies   ", &f->cpu_topology.dies);
	print_siblings(out, "sibling threads", &f->cpu_topology.threads);
	if (!f->cpu_topology.n_cpus)
		fputs("# Core ID and Socket ID information is not available\n", out);
	for (size_t i = 0; i < f->cpu_topology.n_cpus; i++) {
		fprintf(out, "# CPU %zu: Core ID %d, ", i, (int)f->cpu_topology.core_id[i]);
		if (die)
			fprintf(out, "Die ID %d, ", (int)die[i]);
		fprintf(out, "Socket ID %d\n", (int)f->cpu_topology.socket_id[i]);
	}
}

void header_numa_topology(const struct features *f, FILE *out)
{
	for (size_t i = 0; i < f->numa_nodes.n; i++) {
		const struct numa_node *node = &f->numa_nodes.items[i];

		fprintf(out,
			"# node%u meminfo  : total = %" PRIu64 " kB, free = %" PRIu64
			" kB\n# node%u cpu list : ",
			node->node, node->mem_total_kb, node->mem_free_kb, node->node);
		header_text(out, node->cpus);
		fputc('\n', out);
	}
}

void header_pmu_mappings(const struct features *f, FILE *out)
{
	if (!f->pmu_mappings.n) {
		fputs("# pmu mappings: not available\n", out);
		return;
	}
	fputs("# pmu mappings: ", out);
	for (size_t i = 0; i < f->pmu_mappings.n; i++) {
		fputs(i ? ", " : "", out);
		header_text(out, f->pmu_mappings.items[i].name);
		fprintf(out, " = %u", f->pmu_mappings.items[i].type);
	}
	fputc('\n', out);
}

void header_cache(const struct features *f, FILE *out)
{
	fputs("# CPU cache info:\n", out);
	for (size_t i = 0; i < f->caches.list.n; i++) {
		const struct cache_desc *c = &f->caches.list.items[i];
		_cleanup_(text_done) struct text type = TEXT_EMPTY, size = TEXT_EMPTY;

		escape_terminal(&type, c->type, strlen(c->type));
		escape_terminal(&size, c->size, strlen(c->size));
		fprintf(out, "#  L%u %-15s %8s [", c->level, type.chars, size.chars);
		header_text(out, c->cpu_map);
		fputs("]\n", out);
	}
}

/* Prints the numbers of the blocks as ranges, "0,2,4-15". Returns the number of blocks. */
static uint64_t print_blocks(FILE *out, const struct memory_node *m)
{
	const char *comma = "";
	uint64_t count = 0, last;

	for (uint64_t i = 0; i < m->n_bits; i = last + 1) {
		last = i;
		if (!(m->words[i / 64] >> i % 64 & 1))
			continue;
		while (last + 1 < m->n_bits && m->words[(last + 1) / 64] >> (last + 1) % 64 & 1)
			last++;
		count += last - i + 1;
		if (!out)
			continue;
		fprintf(out, "%s%" PRIu64, comma, i);
		if (last > i)
			fprintf(out, "-%" PRIu64, last);
		comma = ",";
	}
	return count;
}

void header_mem_topology(const struct features *f, FILE *out)
{
	char size[SIZE_TEXT_MAX];

	fprintf(out, "# memory nodes (nr %zu, block size 0x%" PRIx64 "):\n",
		f->mem_topology.nodes.n, f->mem_topology.block_size);
	for (size_t i = 0; i < f->mem_topology.nodes.n; i++) {
		const struct memory_node *m = &f->mem_topology.nodes.items[i];

		fprintf(out, "# %4" PRIu64 " [%s]: ", m->node,
			size_text(print_blocks(NULL, m) * f->mem_topology.block_size, size));
		print_blocks(out, m);
		fputc('\n', out);
	}
}

static void print_caps(FILE *out, const char *pmu, const struct pmu_caps *caps)
{
	fputs("# ", out);
	header_text(out, pmu);
	fputs(" pmu capabilities: ", out);
	for (size_t i = 0; i < caps->caps.n; i++) {
		fputs(i ? ", " : "", out);
		header_text(out, caps->caps.items[i].name);
		fputc('=', out);
		header_text(out, caps->caps.items[i].value);
	}
	fputs(caps->caps.n ? "\n" : "not available\n", out);
}

void header_cpu_pmu_caps(const struct features *f, FILE *out)
{
	print_caps(out, "cpu", &f->cpu_pmu_caps);
}

void header_pmu_caps(const struct features *f, FILE *out)
{
	for (size_t i = 0; i < f->pmu_caps.n; i++)
		print_caps(out, f->pmu_caps.items[i].pmu_name, &f->pmu_caps.items[i]);
}

void header_hybrid_topology(const struct features *f, FILE *out)
{
	fputs("# hybrid cpu system:\n", out);
	for (size_t i = 0; i < f->hybrid.n; i++) {
		fputs("# ", out);
		header_text(out, f->hybrid.items[i].pmu_name);
		fputs(" cpu list : ", out);
		header_text(out, f->hybrid.items[i].cpus);
		fputc('\n', out);
	}
}
