/* SPDX-License-Identifier: MIT */
#include "kernel/drm.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/name-list.h"
#include "base/number.h"

const struct drm_source drm_here = { "/proc", DRM_MAJOR };

/* Drivers write some twenty lines. */
#define FDINFO_MAX (256 << 10)

/*
 * The kinds of keys; if one prefix is the beginning of another, the longer comes first. Values that
 * describe an engine and not a client (its capacity, its frequency, elapsed cycles) are the same in
 * all clients: the maximum is taken, because a sum over clients would have no meaning.
 */
static const struct drm_kind {
	const char *prefix, *brief, *unit;
	bool of_engine;
} kinds[] = {
	{ "drm-engine-capacity-", "Engine capacity", "capacity", true },
	{ "drm-engine-", "Utilization in ns", "ns", false },
	{ "drm-cycles-", "Busy cycles", "cycles", false },
	{ "drm-total-cycles-", "Total busy cycles", "cycles", true },
	{ "drm-maxfreq-", "Maximum frequency", "hz", true },
	{ "drm-total-", "Size of shared and private memory", "bytes", false },
	{ "drm-shared-", "Size of shared memory buffers", "bytes", false },
	{ "drm-resident-", "Size of resident memory buffers", "bytes", false },
	{ "drm-purgeable-", "Size of resident and purgeable memory buffers", "bytes", false },
	{ "drm-active-", "Total memory active in one or more engines", "bytes", false },
};

/* A missing unit means the smallest one. */
static const struct {
	const char *name, *of;
	uint64_t factor;
} units[] = {
	{ "ns", "ns", 1 },
	{ "KiB", "bytes", UINT64_C(1) << 10 },
	{ "MiB", "bytes", UINT64_C(1) << 20 },
	{ "GiB", "bytes", UINT64_C(1) << 30 },
	{ "Hz", "hz", 1 },
	{ "KHz", "hz", 1000 },
	{ "MHz", "hz", 1000000 },
	{ "GHz", "hz", 1000000000 },
};

struct drm_reading {
	const struct drm_source *from;
	struct drm_list *list;
	struct name_list clients; /* clients that were counted */
};

static const struct drm_kind *find_kind(const char *key)
{
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		size_t n = strlen(kinds[i].prefix);

		if (!strncmp(kinds[i].prefix, key, n) && key[n])
			return &kinds[i];
	}
	return NULL;
}

/* Parses "2048 KiB", and converts it to the unit of @k. */
static bool parse_value(const struct drm_kind *k, const char *text, uint64_t *ret)
{
	size_t digits = strspn(text, "0123456789");
	_cleanup_(freep) char *number = xstrndup(text, digits);
	const char *unit = text + digits + strspn(text + digits, " \t");
	uint64_t factor = 1, value;

	if (number_parse(number, &value) < 0)
		return false;
	if (*unit) {
		size_t i = 0;

		while (i < ARRAY_SIZE(units) &&
		       (strcmp(units[i].of, k->unit) != 0 || strcasecmp(units[i].name, unit) != 0))
			i++;
		if (i == ARRAY_SIZE(units))
			return false;
		factor = units[i].factor;
	}
	return !__builtin_mul_overflow(value, factor, ret);
}

/* Finds the next "key:\tvalue" of *@at, which is advanced and modified. False: there is none. */
static bool drm_next_line(char **at, const char **ret_key, const char **ret_value)
{
	char *line, *colon;

	while ((line = strsep(at, "\n"))) {
		size_t n;

		colon = strchr(line, ':');
		if (!colon)
			continue;
		*colon = '\0';
		*ret_key = line;
		*ret_value = colon + 1 + strspn(colon + 1, " \t");
		n = strlen(*ret_value);
		while (n && strchr(" \t\r", (*ret_value)[n - 1]))
			n--;
		((char *)*ret_value)[n] = '\0';
		return true;
	}
	return false;
}

static struct drm_pmu *find_pmu(struct drm_list *l, const char *driver)
{
	_cleanup_(freep) char *name = xasprintf("drm_%s", driver);
	struct drm_pmu *p;

	for (char *c = name; *c; c++)
		*c = isalnum((unsigned char)*c) ? *c : '_';
	for (size_t i = 0; i < l->n; i++)
		if (!strcmp(l->items[i].name, name))
			return &l->items[i];
	p = ARRAY_ADD(l);
	p->name = TAKE(name);
	return p;
}

static struct drm_event *drm_find_event(struct drm_pmu *p, const struct drm_kind *k,
					const char *key)
{
	struct drm_event *e;

	for (size_t i = 0; i < p->n; i++)
		if (!strcmp(p->items[i].name, key))
			return &p->items[i];
	e = ARRAY_ADD(p);
	e->name = xstrdup(key);
	e->brief = k->brief;
	e->unit = k->unit;
	e->config = (unsigned)(p->n - 1);
	return e;
}

static void drm_add_values(struct drm_pmu *p, char *text)
{
	const char *key, *written;

	while (drm_next_line(&text, &key, &written)) {
		const struct drm_kind *k = find_kind(key);
		struct drm_event *e;
		uint64_t value;

		if (!k || !parse_value(k, written, &value))
			continue;
		e = drm_find_event(p, k, key);
		if (!k->of_engine)
			e->value += value;
		else if (value > e->value)
			e->value = value;
	}
}

/*
 * True if the client has been counted. Its number is unique within its device, which is named by
 * its PCI address, or by its minor number if it is not on a PCI bus. A client without a number
 * counts separately.
 */
static bool drm_is_counted(struct drm_reading *r, const char *device, const char *client)
{
	_cleanup_(freep) char *name = NULL;

	if (!client)
		return false;
	name = xasprintf("%s %s", device, client);
	for (size_t i = 0; i < r->clients.n; i++)
		if (!strcmp(r->clients.items[i], name))
			return true;
	name_list_add(&r->clients, name);
	return false;
}

static void read_client(struct drm_reading *r, int dir, const char *fd, unsigned minor_number)
{
	_cleanup_(freep) char *path = xasprintf("fdinfo/%s", fd),
			      *device = xasprintf("minor %u", minor_number);
	_cleanup_(freep) char *text = NULL, *copy = NULL;
	const char *key, *value, *driver = NULL, *client = NULL, *pdev = NULL;
	char *at;

	if (file_read(dir, path, FDINFO_MAX, &text, NULL) < 0)
		return;
	at = copy = xstrdup(text);
	while (drm_next_line(&at, &key, &value)) {
		if (!strcmp(key, "drm-driver"))
			driver = value;
		else if (!strcmp(key, "drm-client-id"))
			client = value;
		else if (!strcmp(key, "drm-pdev"))
			pdev = value;
	}
	if (!driver || !*driver || drm_is_counted(r, pdev ? pdev : device, client))
		return;
	drm_add_values(find_pmu(r->list, driver), text);
}

static int drm_by_number(const void *a, const void *b)
{
	long x = atol(*(char *const *)a), y = atol(*(char *const *)b);

	return x < y ? -1 : x > y;
}

static void read_process(struct drm_reading *r, const char *task)
{
	_cleanup_(freep) char *path = xasprintf("%s/%s", r->from->proc, task);
	_cleanup_(closep) int dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	_cleanup_(name_list_done) struct name_list fds = { 0 };

	if (dir < 0 || name_list_read(dir, "fd", false, &fds) < 0)
		return;
	r->list->processes++;
	if (fds.n)
		qsort(fds.items, fds.n, sizeof(fds.items[0]), drm_by_number);
	for (size_t i = 0; i < fds.n; i++) {
		_cleanup_(freep) char *link = xasprintf("fd/%s", fds.items[i]);
		struct stat st;

		if (fstatat(dir, link, &st, 0) == 0 && S_ISCHR(st.st_mode) &&
		    major(st.st_rdev) == r->from->major)
			read_client(r, dir, fds.items[i], minor(st.st_rdev));
	}
}

static void drm_read_all(struct drm_reading *r)
{
	_cleanup_(name_list_done) struct name_list names = { 0 };

	if (name_list_read(AT_FDCWD, r->from->proc, true, &names) < 0 || !names.n)
		return;
	qsort(names.items, names.n, sizeof(names.items[0]), drm_by_number);
	for (size_t i = 0; i < names.n; i++)
		if (isdigit((unsigned char)names.items[i][0]))
			read_process(r, names.items[i]);
}

static int pmu_by_name(const void *a, const void *b)
{
	return strcmp(((const struct drm_pmu *)a)->name, ((const struct drm_pmu *)b)->name);
}

static int event_by_name(const void *a, const void *b)
{
	return strcmp(((const struct drm_event *)a)->name, ((const struct drm_event *)b)->name);
}

void drm_list_read(const struct drm_source *from, const pid_t *tasks, size_t n_tasks,
		   struct drm_list *ret)
{
	struct drm_reading r = { .from = from, .list = ret };

	*ret = (struct drm_list){ 0 };
	if (!tasks)
		drm_read_all(&r);
	for (size_t i = 0; tasks && i < n_tasks; i++) {
		_cleanup_(freep) char *name = xasprintf("%d", (int)tasks[i]);

		read_process(&r, name);
	}
	name_list_done(&r.clients);
	if (ret->n)
		qsort(ret->items, ret->n, sizeof(ret->items[0]), pmu_by_name);
	for (size_t i = 0; i < ret->n; i++)
		if (ret->items[i].n)
			qsort(ret->items[i].items, ret->items[i].n, sizeof(struct drm_event),
			      event_by_name);
}

void drm_list_done(struct drm_list *l)
{
	for (size_t i = 0; i < l->n; i++) {
		struct drm_pmu *p = &l->items[i];

		for (size_t j = 0; j < p->n; j++)
			free(p->items[j].name);
		free(p->items);
		free(p->name);
	}
	free(l->items);
	*l = (struct drm_list){ 0 };
}

uint64_t drm_list_value(const struct drm_list *l, const char *pmu, const char *key)
{
	for (size_t i = 0; i < l->n; i++) {
		const struct drm_pmu *p = &l->items[i];

		for (size_t j = 0; j < p->n && !strcmp(p->name, pmu); j++)
			if (!strcmp(p->items[j].name, key))
				return p->items[j].value;
	}
	return 0;
}
