/* SPDX-License-Identifier: MIT */
#include "kernel/machine-fact.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/cpu-list.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/name-list.h"
#include "base/number.h"
#include "kernel/topology.h"

static int machine_fact_read_number(const char *root, const char *path, uint64_t *ret)
{
	_cleanup_(freep) char *whole = xasprintf("%s%s", root, path);
	_cleanup_(freep) char *line = NULL;

	if (file_read_line(AT_FDCWD, whole, &line) < 0 || number_parse(line, ret) < 0)
		return -ENOENT;
	return 0;
}

/* Looks for the table that describes persistent memory. */
static int read_pmem(const char *root, uint64_t *ret)
{
	_cleanup_(freep) char *path = xasprintf("%s/sys/firmware/acpi/tables/NFIT", root);

	*ret = access(path, F_OK) == 0;
	return 0;
}

static int machine_fact_read_cpus(const char *root, const char *list, uint64_t *ret)
{
	_cleanup_(freep) char *path = xasprintf("%s/sys/devices/system/cpu/%s", root, list);
	_cleanup_(freep) char *line = NULL;
	_cleanup_(cpu_list_done) struct cpu_list cpus = { 0 };

	if (file_read_line(AT_FDCWD, path, &line) < 0 || cpu_list_parse(line, &cpus) < 0)
		return -ENOENT;
	*ret = cpus.n;
	return 0;
}

static bool same_package(const struct cpu_place *a, const struct cpu_place *b)
{
	return a->socket == b->socket;
}

static bool same_die(const struct cpu_place *a, const struct cpu_place *b)
{
	return same_package(a, b) && a->die == b->die;
}

static bool same_core(const struct cpu_place *a, const struct cpu_place *b)
{
	return same_die(a, b) && a->cluster == b->cluster && a->core == b->core;
}

static bool tells_die(const struct cpu_place *p)
{
	return p->die >= 0;
}

static bool tells_all(const struct cpu_place *p)
{
	(void)p;
	return true;
}

/* Counts the different places of the CPUs for which @tells is true. */
static int count_places(const char *root, bool (*tells)(const struct cpu_place *p),
			bool (*same)(const struct cpu_place *a, const struct cpu_place *b),
			uint64_t *ret)
{
	_cleanup_(freep) char *system = xasprintf("%s" SYSTEM_DEVICES, root);
	_cleanup_(topology_done) struct topology t = { 0 };
	_cleanup_(diag_done) struct diag ignored = { 0 };
	uint64_t n = 0;

	if (topology_read(system, &t, &ignored) < 0)
		return -ENOENT;
	for (size_t i = 0; i < t.n; i++) {
		bool known = !tells(&t.items[i]);

		for (size_t j = 0; j < i && !known; j++)
			known = same(&t.items[i], &t.items[j]);
		n += !known;
	}
	*ret = n;
	return 0;
}

/*
 * Reads whether threads share a core. Kernels before 4.19 do not report it; there it is derived
 * from the number of cores.
 */
static int read_smt(const char *root, uint64_t *ret)
{
	uint64_t cores, cpus;

	if (machine_fact_read_number(root, "/sys/devices/system/cpu/smt/active", ret) >= 0)
		return 0;
	if (count_places(root, tells_all, same_core, &cores) < 0 ||
	    machine_fact_read_cpus(root, "online", &cpus) < 0)
		return -ENOENT;
	*ret = cpus > cores;
	return 0;
}

/* Reads PMMIR_EL1.SLOTS, which the driver of the core's PMU shows. */
static int machine_fact_read_slots(const char *root, uint64_t *ret)
{
	_cleanup_(freep) char *devices = xasprintf("%s/sys/bus/event_source/devices", root);
	_cleanup_(name_list_done) struct name_list pmus = { 0 };

	if (name_list_read(AT_FDCWD, devices, true, &pmus) < 0)
		return -ENOENT;
	for (size_t i = 0; i < pmus.n; i++) {
		_cleanup_(freep) char *path =
			xasprintf("/sys/bus/event_source/devices/%s/caps/slots", pmus.items[i]);

		if (machine_fact_read_number(root, path, ret) >= 0)
			return 0;
	}
	return -ENOENT;
}

/* Reads the frequency from "model name : Intel(R) Xeon(R) CPU E5-2680 v4 @ 2.40GHz". */
static int read_tsc(const char *root, uint64_t *ret)
{
	_cleanup_(freep) char *path = xasprintf("%s/proc/cpuinfo", root);
	_cleanup_(closep) int fd = open(path, O_RDONLY | O_CLOEXEC);
	char text[1024];
	ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);
	const char *at, *end;
	double ghz;

	if (n < 0)
		return -ENOENT;
	text[n] = '\0';
	at = strstr(text, " @ ");
	end = at ? strstr(at, "GHz") : NULL;
	if (!end || end - at > 12)
		return -ENOENT;
	ghz = strtod(at + 3, NULL);
	if (!(ghz > 0 && ghz < 100))
		return -ENOENT;
	*ret = (uint64_t)(ghz * 1000 + 0.5) * 1000000;
	return 0;
}

static int read_revision(const char *root, uint64_t *ret)
{
	uint64_t midr;

	if (machine_fact_read_number(
		    root, "/sys/devices/system/cpu/cpu0/regs/identification/midr_el1", &midr) < 0)
		return -ENOENT;
	*ret = (midr >> 16 & 0xf0) | (midr & 0xf);
	return 0;
}

enum machine_fact machine_fact_find(const char *name)
{
	static const char *const names[MACHINE_FACTS] = {
		[MACHINE_HAS_PMEM] = "has_pmem",
		[MACHINE_NUM_CORES] = "num_cores",
		[MACHINE_NUM_CPUS] = "num_cpus",
		[MACHINE_NUM_CPUS_ONLINE] = "num_cpus_online",
		[MACHINE_NUM_DIES] = "num_dies",
		[MACHINE_NUM_PACKAGES] = "num_packages",
		[MACHINE_SLOTS] = "slots",
		[MACHINE_SMT_ON] = "smt_on",
		[MACHINE_SYSTEM_TSC_FREQ] = "system_tsc_freq",
		[MACHINE_REVISION] = "revision",
	};
	int i = 0;

	while (i < MACHINE_FACTS && strcmp(names[i], name) != 0)
		i++;
	return (enum machine_fact)i;
}

int machine_fact_read(const char *root, enum machine_fact fact, uint64_t *ret)
{
	switch (fact) {
	case MACHINE_HAS_PMEM:
		return read_pmem(root, ret);
	case MACHINE_NUM_CORES:
		return count_places(root, tells_all, same_core, ret);
	case MACHINE_NUM_CPUS:
		return machine_fact_read_cpus(root, "present", ret);
	case MACHINE_NUM_CPUS_ONLINE:
		return machine_fact_read_cpus(root, "online", ret);
	case MACHINE_NUM_DIES:
		return count_places(root, tells_die, same_die, ret);
	case MACHINE_NUM_PACKAGES:
		return count_places(root, tells_all, same_package, ret);
	case MACHINE_SLOTS:
		return machine_fact_read_slots(root, ret);
	case MACHINE_SMT_ON:
		return read_smt(root, ret);
	case MACHINE_SYSTEM_TSC_FREQ:
		return read_tsc(root, ret);
	case MACHINE_REVISION:
		return read_revision(root, ret);
	case MACHINE_FACTS:
		break;
	}
	return -ENOENT;
}
