/* SPDX-License-Identifier: MIT */
/*
 * PMUs: their type numbers, and their attributes in caps/. Only files for the header are read,
 * because a server has a hundred PMUs with thousands of event files.
 */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/number.h"
#include "capture/host-facts-internal.h"
#include "datafile/features.h"
#include "base/name-list.h"

static void host_facts_pmu_add_mapping(int devices, const char *name, struct features *f)
{
	_cleanup_(freep) char *path = xasprintf("%s/type", name);
	_cleanup_(freep) char *line = NULL;
	uint64_t type;

	if (file_read_line(devices, path, &line) < 0 || number_parse(line, &type) < 0 ||
	    type > UINT32_MAX)
		return;
	struct pmu_mapping *m = ARRAY_ADD(&f->pmu_mappings);
	m->type = (uint32_t)type;
	m->name = xstrdup(name);
}

/* Reads the attributes of a PMU. False: it has none. */
static bool read_caps(int devices, const char *name, struct pmu_caps *ret)
{
	_cleanup_(freep) char *path = xasprintf("%s/caps", name);
	_cleanup_(closep) int dir = openat(devices, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	_cleanup_(name_list_done) struct name_list names = { 0 };

	if (dir < 0 || name_list_read(dir, ".", false, &names) < 0)
		return false;
	for (size_t i = 0; i < names.n; i++) {
		_cleanup_(freep) char *value = NULL;

		if (file_read_line(dir, names.items[i], &value) < 0)
			continue;
		struct pmu_cap *cap = ARRAY_ADD(&ret->caps);
		cap->name = xstrdup(names.items[i]);
		cap->value = TAKE(value);
	}
	return ret->caps.n != 0;
}

/* Adds attributes. The PMU called "cpu" has a feature of its own, which is older. */
static void add_caps(int devices, const char *name, struct features *f)
{
	struct pmu_caps caps = { 0 };

	if (!read_caps(devices, name, &caps))
		return;
	if (!strcmp(name, "cpu")) {
		f->cpu_pmu_caps = caps;
		features_mark(f, FEATURE_CPU_PMU_CAPS);
		return;
	}
	caps.pmu_name = xstrdup(name);
	*ARRAY_ADD(&f->pmu_caps) = caps;
}

/*
 * Adds a PMU of a hybrid machine: those with two kinds of cores have cpu_core and cpu_atom instead
 * of cpu.
 */
static void add_hybrid(int devices, const char *name, struct features *f)
{
	_cleanup_(freep) char *path = xasprintf("%s/cpus", name);
	_cleanup_(freep) char *cpus = NULL;

	if (strncmp(name, "cpu_", 4) != 0 || file_read_line(devices, path, &cpus) < 0)
		return;
	struct hybrid_pmu *h = ARRAY_ADD(&f->hybrid);
	h->pmu_name = xstrdup(name);
	h->cpus = TAKE(cpus);
	features_mark(f, FEATURE_HYBRID_TOPOLOGY);
}

void host_facts_pmus(const char *root, struct features *f)
{
	_cleanup_(freep) char *path = xasprintf("%s/sys/bus/event_source/devices", root);
	_cleanup_(closep) int devices = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	_cleanup_(name_list_done) struct name_list names = { 0 };

	if (devices < 0 || name_list_read(AT_FDCWD, path, true, &names) < 0)
		return;
	for (size_t i = 0; i < names.n; i++) {
		host_facts_pmu_add_mapping(devices, names.items[i], f);
		add_caps(devices, names.items[i], f);
		add_hybrid(devices, names.items[i], f);
	}
	features_mark(f, FEATURE_PMU_MAPPINGS);
	features_mark(f, FEATURE_PMU_CAPS);
}
