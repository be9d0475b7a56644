/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The PMUs that the kernel shows in sysfs (/sys/bus/event_source/devices).
 *
 * pmu_list_open() only reads the directory. A PMU's type, formats and events are read when they are
 * first needed, because a server has a hundred PMUs and `-e cycles` needs none of them. The list
 * owns its PMUs, and they own their formats and aliases; all live until pmu_list_free(). Another
 * root directory represents a different machine (for tests). The -e syntax is not handled here.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "base/cpu-list.h"

struct pmu_list;

/* The attr words to which formats refer. */
enum pmu_word {
	PMU_CONFIG,
	PMU_CONFIG1,
	PMU_CONFIG2,
	PMU_CONFIG3,
	PMU_WORDS,
};

/* The contents of format/NAME: "config:0-7,32-35". */
struct pmu_format {
	char *name;
	enum pmu_word word;
	uint64_t mask; /* the bits of that word, lowest first */
};

/* The file events/NAME, with its .unit, .scale, .snapshot and .per-pkg. */
struct pmu_alias {
	char *name;
	char *terms; /* "event=0xcd,umask=0x1,ldlat=3" */
	char *unit;  /* "" if there is none */
	double scale;
	bool snapshot;
	bool per_package;
};

struct pmu {
	char *name;
	uint32_t type;
	bool core;                  /* a CPU's own counters: cpu, cpu_core, armv8_pmuv3_0, ... */
	bool has_cpus;              /* sysfs has a cpus or cpumask file */
	struct cpu_list cpus;       /* CPUs on which it can be opened; empty without that file */
	unsigned max_precise;       /* caps/max_precise; 0 if unknown */
	uint64_t default_config;    /* the base that terms modify: for intel_pt; else 0 */
	struct pmu_format *formats; /* sorted by name */
	size_t n_formats;
	struct pmu_alias *aliases; /* sorted by name */
	size_t n_aliases;
};

#define PMU_DEVICES "/sys/bus/event_source/devices"

/* Opens the directory @devices. A machine without one has no PMUs, which is not an error. */
struct pmu_list *pmu_list_open(const char *devices);
void pmu_list_free(struct pmu_list *l);
DEFINE_FREEP(pmu_list)

/* Iterate over the names, sorted, without loading: i < pmu_list_count(). */
size_t pmu_list_count(const struct pmu_list *l);
const char *pmu_list_name(const struct pmu_list *l, size_t i);

/* Returns the PMU, read from sysfs now if necessary. NULL if it has no readable type. */
const struct pmu *pmu_list_get(struct pmu_list *l, size_t i);

/* Finds a PMU by exact name, or NULL. */
const struct pmu *pmu_list_find(struct pmu_list *l, const char *name);

/*
 * Returns the next core PMU at or after *@at, and moves *@at beyond it; NULL at the end. Decides by
 * name and by the presence of a `cpus` file, so others are not loaded.
 */
const struct pmu *pmu_list_next_core(struct pmu_list *l, size_t *at);

/*
 * True if @pattern selects the PMU called @name: exactly; as a glob; as the name without a leading
 * "uncore_"; or as that name before a "_N" or "N" instance number (`imc` for uncore_imc_0).
 */
bool pmu_name_matches(const char *name, const char *pattern);

const struct pmu_format *pmu_format_find(const struct pmu *p, const char *name);
/* Finds an alias by name, in upper or lower case, because manuals and sysfs disagree on it. */
const struct pmu_alias *pmu_alias_find(const struct pmu *p, const char *name);

/* Returns the largest value that fits into the format's bits. */
uint64_t pmu_format_max(const struct pmu_format *f);

/* Puts @value into the format's bits of *@word, and replaces the previous value. */
void pmu_format_deposit(const struct pmu_format *f, uint64_t value, uint64_t *word);
