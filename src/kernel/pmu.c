/* SPDX-License-Identifier: MIT */
#include "kernel/pmu.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/bisect.h"
#include "base/cleanup.h"
#include "base/file.h"
#include "base/glob.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/name-list.h"

/*
 * The data known about one directory so far; the members after `name` are filled in when they are
 * needed.
 */
struct pmu_slot {
	char *name;
	bool type_read, type_valid;
	uint32_t type;
	struct pmu *pmu;
};

struct pmu_list {
	int fd; /* descriptor of the directory; -1: there is none */
	struct pmu_slot *slots;
	size_t n;
};

static void pmu_free(struct pmu *p)
{
	if (!p)
		return;
	for (size_t i = 0; i < p->n_formats; i++)
		free(p->formats[i].name);
	for (size_t i = 0; i < p->n_aliases; i++) {
		free(p->aliases[i].name);
		free(p->aliases[i].terms);
		free(p->aliases[i].unit);
	}
	free(p->formats);
	free(p->aliases);
	cpu_list_done(&p->cpus);
	free(p->name);
	free(p);
}

struct pmu_list *pmu_list_open(const char *devices)
{
	_cleanup_(name_list_done) struct name_list names = { 0 };
	struct pmu_list *l = xcalloc(1, sizeof(*l));

	l->fd = open(devices, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (l->fd < 0 || name_list_read(l->fd, ".", false, &names) < 0)
		return l;
	name_list_sort(&names);
	l->n = names.n;
	l->slots = xcalloc(names.n ? names.n : 1, sizeof(l->slots[0]));
	for (size_t i = 0; i < names.n; i++)
		l->slots[i].name = TAKE(names.items[i]);
	return l;
}

void pmu_list_free(struct pmu_list *l)
{
	if (!l)
		return;
	for (size_t i = 0; i < l->n; i++) {
		pmu_free(l->slots[i].pmu);
		free(l->slots[i].name);
	}
	free(l->slots);
	closep(&l->fd);
	free(l);
}

size_t pmu_list_count(const struct pmu_list *l)
{
	return l->n;
}

const char *pmu_list_name(const struct pmu_list *l, size_t i)
{
	return l->slots[i].name;
}

/* Returns the first line of @dir/@file without blanks at its end; NULL if it cannot be read. */
static char *pmu_read_attribute(int fd, const char *dir, const char *file)
{
	_cleanup_(freep) char *path = xasprintf("%s/%s", dir, file);
	char *line;

	if (file_read_line(fd, path, &line) < 0)
		return NULL;

	size_t n = strlen(line);

	while (n && strchr(" \t\r", line[n - 1]))
		line[--n] = '\0';
	return line;
}

static bool read_u32(int fd, const char *dir, const char *file, uint32_t *ret)
{
	_cleanup_(freep) char *line = pmu_read_attribute(fd, dir, file);
	uint64_t value;

	if (!line || number_parse(line, &value) < 0 || value > UINT32_MAX)
		return false;
	*ret = (uint32_t)value;
	return true;
}

static bool slot_type(const struct pmu_list *l, struct pmu_slot *s)
{
	if (!s->type_read) {
		s->type_read = true;
		s->type_valid = read_u32(l->fd, s->name, "type", &s->type);
	}
	return s->type_valid;
}

/*
 * True for a core PMU: only a CPU's own PMU has a file of this name; others that are bound to CPUs
 * have a cpumask.
 */
static bool slot_is_core(const struct pmu_list *l, const struct pmu_slot *s)
{
	_cleanup_(freep) char *path = xasprintf("%s/cpus", s->name);

	return strcmp(s->name, "cpu") == 0 || faccessat(l->fd, path, F_OK, 0) == 0;
}

/* Parses "config", "config1", ...: returns the length of the word's name, or 0. */
static size_t word_parse(const char *s, enum pmu_word *ret)
{
	static const char *const words[PMU_WORDS] = {
		[PMU_CONFIG] = "config",
		[PMU_CONFIG1] = "config1",
		[PMU_CONFIG2] = "config2",
		[PMU_CONFIG3] = "config3",
	};
	size_t n = strcspn(s, ":");

	for (enum pmu_word w = 0; w < PMU_WORDS; w++)
		if (strlen(words[w]) == n && memcmp(s, words[w], n) == 0) {
			*ret = w;
			return n;
		}
	return 0;
}

/* Parses "config:0-7,32-35": a list of bits has the format of a list of CPUs. */
static bool format_parse(const char *s, struct pmu_format *ret)
{
	_cleanup_(cpu_list_done) struct cpu_list bits = { 0 };
	struct pmu_format f = { 0 };
	size_t n = word_parse(s, &f.word);

	if (!n || s[n] != ':' || cpu_list_parse(s + n + 1, &bits) < 0 || !bits.n)
		return false;
	for (size_t i = 0; i < bits.n; i++) {
		if (bits.items[i] >= 64)
			return false;
		f.mask |= 1ULL << bits.items[i];
	}
	*ret = f;
	return true;
}

static void load_formats(int fd, struct pmu *p)
{
	_cleanup_(name_list_done) struct name_list names = { 0 };
	_cleanup_(freep) char *dir = xasprintf("%s/format", p->name);

	if (name_list_read(fd, dir, false, &names) < 0)
		return;
	name_list_sort(&names);
	p->formats = xcalloc(names.n ? names.n : 1, sizeof(p->formats[0]));
	for (size_t i = 0; i < names.n; i++) {
		_cleanup_(freep) char *line = pmu_read_attribute(fd, dir, names.items[i]);
		struct pmu_format *f = &p->formats[p->n_formats];

		if (!line || !format_parse(line, f))
			continue;
		f->name = TAKE(names.items[i]);
		p->n_formats++;
	}
}

/* The files that describe another file of events/. */
static const char suffixes[][10] = { ".unit", ".scale", ".snapshot", ".per-pkg" };

static bool is_suffixed(const char *name)
{
	size_t n = strlen(name);

	for (size_t i = 0; i < ARRAY_SIZE(suffixes); i++) {
		size_t m = strlen(suffixes[i]);

		if (n > m && strcmp(name + n - m, suffixes[i]) == 0)
			return true;
	}
	return false;
}

/*
 * Parses a scale. The kernel writes "2.3283064365386962890625e-10" whatever the user's locale is.
 */
static double scale_parse(const char *s)
{
	locale_t c = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
	char *end;

	if (!c)
		return 1;

	double scale = strtod_l(s, &end, c);

	freelocale(c);
	return end != s && !*end && isfinite(scale) ? scale : 1;
}

/*
 * Reads a file that describes @alias, if the directory has it: each failed open would cost a call.
 */
static char *read_suffix(int fd, const char *dir, const struct name_list *names, const char *alias,
			 const char *suffix)
{
	_cleanup_(freep) char *name = xasprintf("%s%s", alias, suffix);

	return name_list_contains(names, name) ? pmu_read_attribute(fd, dir, name) : NULL;
}

static bool read_flag(int fd, const char *dir, const struct name_list *names, const char *alias,
		      const char *suffix)
{
	_cleanup_(freep) char *line = read_suffix(fd, dir, names, alias, suffix);

	return line && strcmp(line, "0") != 0;
}

static bool load_alias(int fd, const char *dir, const struct name_list *names, const char *name,
		       struct pmu_alias *ret)
{
	char *terms = pmu_read_attribute(fd, dir, name);

	if (!terms)
		return false;

	_cleanup_(freep) char *scale = read_suffix(fd, dir, names, name, ".scale");
	char *unit = read_suffix(fd, dir, names, name, ".unit");

	*ret = (struct pmu_alias){
		.name = xstrdup(name),
		.terms = terms,
		.unit = unit ? unit : xstrdup(""),
		.scale = scale ? scale_parse(scale) : 1,
		.snapshot = read_flag(fd, dir, names, name, ".snapshot"),
		.per_package = read_flag(fd, dir, names, name, ".per-pkg"),
	};
	return true;
}

static void load_aliases(int fd, struct pmu *p)
{
	_cleanup_(name_list_done) struct name_list names = { 0 };
	_cleanup_(freep) char *dir = xasprintf("%s/events", p->name);

	if (name_list_read(fd, dir, false, &names) < 0)
		return;
	name_list_sort(&names);
	p->aliases = xcalloc(names.n ? names.n : 1, sizeof(p->aliases[0]));
	for (size_t i = 0; i < names.n; i++)
		if (!is_suffixed(names.items[i]) &&
		    load_alias(fd, dir, &names, names.items[i], &p->aliases[p->n_aliases]))
			p->n_aliases++;
}

/*
 * Reads `cpus` (core) or `cpumask` (the CPUs that count for a package). An invalid file counts as a
 * missing one.
 */
static void load_cpus(int fd, struct pmu *p)
{
	_cleanup_(freep) char *line = pmu_read_attribute(fd, p->name, "cpus");

	if (!line)
		line = pmu_read_attribute(fd, p->name, "cpumask");
	p->has_cpus = line && cpu_list_parse(line, &p->cpus) >= 0;
}

static uint64_t read_hex(int fd, const char *dir, const char *file)
{
	_cleanup_(freep) char *line = pmu_read_attribute(fd, dir, file);

	return line ? strtoull(line, NULL, 16) : 0;
}

/*
 * Returns the highest of @valid, a bit for each value, that is not above @wanted; 0 is always
 * valid.
 */
static uint64_t nearest_period(uint64_t valid, unsigned wanted)
{
	while (wanted && !(valid >> wanted & 1))
		wanted--;
	return wanted;
}

static void pmu_set_default(struct pmu *p, const char *format, uint64_t value)
{
	const struct pmu_format *f = pmu_format_find(p, format);

	if (f && f->word == PMU_CONFIG && value <= pmu_format_max(f))
		pmu_format_deposit(f, value, &p->default_config);
}

/*
 * Sets the default of Intel PT (perf-intel-pt(1), "config terms"): times by TSC and, if the CPU has
 * them, MTC packets; branches; and PSB packets every 16 KiB.
 */
static void load_default_config(int fd, struct pmu *p)
{
	if (strcmp(p->name, "intel_pt"))
		return;
	pmu_set_default(p, "pt", 1);
	pmu_set_default(p, "tsc", 1);
	pmu_set_default(p, "branch", 1);
	if (read_hex(fd, p->name, "caps/mtc")) {
		uint64_t periods = read_hex(fd, p->name, "caps/mtc_periods");

		pmu_set_default(p, "mtc", 1);
		pmu_set_default(p, "mtc_period", nearest_period(periods, 3));
		if (read_hex(fd, p->name, "caps/psb_cyc"))
			pmu_set_default(
				p, "psb_period",
				nearest_period(read_hex(fd, p->name, "caps/psb_periods"), 3));
	}
}

const struct pmu *pmu_list_get(struct pmu_list *l, size_t i)
{
	struct pmu_slot *s = &l->slots[i];

	if (s->pmu || !slot_type(l, s))
		return s->pmu;

	struct pmu *p = xcalloc(1, sizeof(*p));
	uint32_t precise = 0;

	p->name = xstrdup(s->name);
	p->type = s->type;
	p->core = slot_is_core(l, s);
	load_cpus(l->fd, p);
	if (read_u32(l->fd, p->name, "caps/max_precise", &precise))
		p->max_precise = precise;
	load_formats(l->fd, p);
	load_default_config(l->fd, p);
	load_aliases(l->fd, p);
	s->pmu = p;
	return p;
}

const struct pmu *pmu_list_find(struct pmu_list *l, const char *name)
{
	size_t at = BISECT(i, l->n, strcmp(l->slots[i].name, name) < 0);

	return at < l->n && !strcmp(l->slots[at].name, name) ? pmu_list_get(l, at) : NULL;
}

const struct pmu *pmu_list_next_core(struct pmu_list *l, size_t *at)
{
	while (*at < l->n) {
		size_t i = (*at)++;

		if (slot_is_core(l, &l->slots[i]) && pmu_list_get(l, i))
			return l->slots[i].pmu;
	}
	return NULL;
}

/* True if @name is @pattern, or @pattern and an instance number: "imc_0", "imc0" for "imc". */
static bool is_instance_of(const char *name, const char *pattern)
{
	size_t n = strlen(pattern);

	if (!n || strncmp(name, pattern, n) != 0)
		return false;
	if (!name[n])
		return true;

	const char *number = name + n + (name[n] == '_');

	return *number && !number[strspn(number, "0123456789")];
}

bool pmu_name_matches(const char *name, const char *pattern)
{
	static const char uncore[] = "uncore_";
	bool short_too = strncmp(name, uncore, strlen(uncore)) == 0;
	const char *stem = short_too ? name + strlen(uncore) : name;

	if (glob_is_pattern(pattern))
		return glob_matches(pattern, name) || glob_matches(pattern, stem);
	return is_instance_of(name, pattern) || is_instance_of(stem, pattern);
}

const struct pmu_format *pmu_format_find(const struct pmu *p, const char *name)
{
	for (size_t i = 0; i < p->n_formats; i++)
		if (strcmp(p->formats[i].name, name) == 0)
			return &p->formats[i];
	return NULL;
}

const struct pmu_alias *pmu_alias_find(const struct pmu *p, const char *name)
{
	for (size_t i = 0; i < p->n_aliases; i++)
		if (!strcasecmp(p->aliases[i].name, name))
			return &p->aliases[i];
	return NULL;
}

uint64_t pmu_format_max(const struct pmu_format *f)
{
	unsigned bits = (unsigned)__builtin_popcountll(f->mask);

	return bits >= 64 ? UINT64_MAX : (1ULL << bits) - 1;
}

void pmu_format_deposit(const struct pmu_format *f, uint64_t value, uint64_t *word)
{
	*word &= ~f->mask;
	for (uint64_t left = f->mask; left; left &= left - 1, value >>= 1)
		if (value & 1)
			*word |= left & -left;
}
