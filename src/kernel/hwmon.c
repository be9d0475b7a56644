/* SPDX-License-Identifier: MIT */
#include "kernel/hwmon.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/name-list.h"
#include "base/number.h"
#include "base/text.h"

/* Drivers number from 0 or 1 on; no chip has this many. */
#define NUMBER_MAX 999

/* Documentation/hwmon/sysfs-interface.rst: power and energy are in millionths. */
static const struct hwmon_kind {
	const char *name, *what, *unit;
	double scale;
	unsigned number;
} kinds[] = {
	{ "curr", "Current", "A", 1e-3, 2 },
	{ "energy", "Cumulative energy use", "J", 1e-6, 3 },
	{ "fan", "Fan", "rpm", 1, 4 },
	{ "humidity", "Humidity", "%", 1e-3, 5 },
	{ "in", "Voltage", "V", 1e-3, 6 },
	{ "power", "Power use", "W", 1e-6, 8 },
	{ "temp", "Temperature", "'C", 1e-3, 10 },
};

static char *hwmon_read_line(const char *root, const char *device, const char *file)
{
	_cleanup_(freep) char *path = xasprintf("%s/%s/%s", root, device, file);
	char *line = NULL;

	return file_read_line(AT_FDCWD, path, &line) < 0 ? NULL : line;
}

/*
 * Parses the name of an input: "temp12_input" is number 12 of the kind temp. NULL: something else.
 */
static const struct hwmon_kind *parse_input(const char *file, unsigned *ret_number)
{
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		size_t n = strlen(kinds[i].name), digits;
		unsigned long number;

		if (strncmp(file, kinds[i].name, n) != 0)
			continue;
		digits = strspn(file + n, "0123456789");
		if (!digits || strcmp(file + n + digits, "_input") != 0)
			continue;
		number = strtoul(file + n, NULL, 10);
		if (digits > 4 || number > NUMBER_MAX)
			return NULL;
		*ret_number = (unsigned)number;
		return &kinds[i];
	}
	return NULL;
}

/* Makes a name from a label: "Package id 0" of temp1 is temp_package_id_0. */
static char *name_by_label(const struct hwmon_kind *k, const char *label)
{
	char *name = xasprintf("%s_%s", k->name, label);

	for (char *c = name; *c; c++)
		*c = isalnum((unsigned char)*c) ? (char)tolower((unsigned char)*c) : '_';
	return name;
}

/* Adds the limits of the value, if the driver gives them. */
static void add_limits(struct text *t, const char *root, const char *device,
		       const struct hwmon_kind *k, unsigned number)
{
	static const char *const limits[] = { "cap", "crit", "emergency", "lcrit",
					      "max", "min",  "rated_max", "rated_min" };
	bool any = false;

	for (size_t i = 0; i < ARRAY_SIZE(limits); i++) {
		_cleanup_(freep) char *file = xasprintf("%s%u_%s", k->name, number, limits[i]);
		_cleanup_(freep) char *line = hwmon_read_line(root, device, file);
		int64_t value;

		if (!line || number_parse_signed(line, &value) < 0)
			continue;
		text_addf(t, "%s%s=%g%s", any ? ", " : " ", limits[i], (double)value * k->scale,
			  k->unit);
		any = true;
	}
}

static void add_input(struct hwmon *h, const char *root, const char *chip,
		      const struct hwmon_kind *k, unsigned number)
{
	_cleanup_(freep) char *label_file = xasprintf("%s%u_label", k->name, number);
	_cleanup_(freep) char *label = hwmon_read_line(root, h->directory, label_file);
	_cleanup_(freep) char *plain = xasprintf("%s%u", k->name, number);
	struct hwmon_event *e = ARRAY_ADD(h);
	struct text brief = TEXT_EMPTY;

	text_addf(&brief, "%s in unit %s named %s.", k->what, chip,
		  label && *label ? label : plain);
	add_limits(&brief, root, h->directory, k, number);
	e->file = xasprintf("%s/%s/%s%u_input", root, h->directory, k->name, number);
	e->brief = text_take(&brief);
	e->unit = k->unit;
	e->scale = k->scale;
	e->config = k->number << 16 | number;
	if (label && *label) {
		e->name = name_by_label(k, label);
		e->alias = TAKE(plain);
	} else {
		e->name = TAKE(plain);
	}
}

static int hwmon_by_name(const void *a, const void *b)
{
	return strcmp(((const struct hwmon_event *)a)->name, ((const struct hwmon_event *)b)->name);
}

static void read_device(const char *root, const char *directory, struct hwmon_list *l)
{
	_cleanup_(freep) char *path = xasprintf("%s/%s", root, directory);
	_cleanup_(freep) char *chip = hwmon_read_line(root, directory, "name");
	_cleanup_(name_list_done) struct name_list files = { 0 };
	struct hwmon *h;

	if (!chip || !*chip || name_list_read(AT_FDCWD, path, false, &files) < 0)
		return;
	h = ARRAY_ADD(l);
	h->directory = xstrdup(directory);
	h->pmu = xasprintf("hwmon_%s", chip);
	for (char *c = h->pmu; *c; c++)
		*c = isalnum((unsigned char)*c) ? *c : '_';
	for (size_t i = 0; i < files.n; i++) {
		unsigned number;
		const struct hwmon_kind *k = parse_input(files.items[i], &number);

		if (k)
			add_input(h, root, chip, k, number);
	}
	if (h->n)
		qsort(h->items, h->n, sizeof(h->items[0]), hwmon_by_name);
}

void hwmon_list_read(const char *root, struct hwmon_list *ret)
{
	_cleanup_(name_list_done) struct name_list names = { 0 };

	*ret = (struct hwmon_list){ 0 };
	if (name_list_read(AT_FDCWD, root, false, &names) < 0)
		return;
	name_list_sort(&names);
	for (size_t i = 0; i < names.n; i++)
		if (!strncmp(names.items[i], "hwmon", 5))
			read_device(root, names.items[i], ret);
}

void hwmon_list_done(struct hwmon_list *l)
{
	for (size_t i = 0; i < l->n; i++) {
		struct hwmon *h = &l->items[i];

		for (size_t j = 0; j < h->n; j++) {
			free(h->items[j].name);
			free(h->items[j].alias);
			free(h->items[j].file);
			free(h->items[j].brief);
		}
		free(h->items);
		free(h->directory);
		free(h->pmu);
	}
	free(l->items);
	*l = (struct hwmon_list){ 0 };
}
