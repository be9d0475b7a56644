/* SPDX-License-Identifier: MIT */
#include "tools/iostat/root-ports-work.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/number.h"

#define STACK_PREFIX "uncore_iio_"
#define DIE_PREFIX   "die"

#define DOMAIN_MAX 0xffffffff
#define BUS_MAX    0xff

/* No machine has more; a directory may. */
#define PORTS_MAX 4096

void root_port_list_done(struct root_port_list *l)
{
	free(l->items);
	*l = (struct root_port_list){ 0 };
}

static bool iostat_root_ports_hex(const char *text, size_t n, uint64_t max, unsigned *ret)
{
	uint64_t v = 0;

	if (!n || n > 8)
		return false;
	for (size_t i = 0; i < n; i++) {
		char c = (char)tolower((unsigned char)text[i]);

		if (!isxdigit((unsigned char)c))
			return false;
		v = v << 4 | (uint64_t)(isdigit((unsigned char)c) ? c - '0' : c - 'a' + 10);
	}
	*ret = (unsigned)v;
	return v <= max;
}

int root_port_parse(const char *text, size_t length, unsigned *ret_domain, unsigned *ret_bus)
{
	const char *colon = memchr(text, ':', length);
	unsigned domain, bus;

	if (!colon || !iostat_root_ports_hex(text, (size_t)(colon - text), DOMAIN_MAX, &domain) ||
	    !iostat_root_ports_hex(colon + 1, length - (size_t)(colon + 1 - text), BUS_MAX, &bus))
		return -EINVAL;
	*ret_domain = domain;
	*ret_bus = bus;
	return 0;
}

/* The number behind @prefix, which is all that follows it. */
static bool iostat_root_ports_number_of(const char *name, const char *prefix, unsigned *ret)
{
	size_t n = strlen(prefix);
	uint64_t v;

	if (strncmp(name, prefix, n) != 0 || !isdigit((unsigned char)name[n]) ||
	    number_parse(name + n, &v) < 0 || v > UINT16_MAX)
		return false;
	*ret = (unsigned)v;
	return true;
}

static void read_die(struct root_port_list *l, int dir, const char *name, unsigned stack)
{
	_cleanup_(freep) char *text = NULL;
	struct root_port port = { .stack = stack };

	if (l->n < PORTS_MAX && iostat_root_ports_number_of(name, DIE_PREFIX, &port.die) &&
	    file_read_line(dir, name, &text) >= 0 &&
	    root_port_parse(text, strlen(text), &port.domain, &port.bus) >= 0)
		*ARRAY_ADD(l) = port;
}

static void read_stack(struct root_port_list *l, const char *devices, const char *name,
		       unsigned stack)
{
	_cleanup_(freep) char *path = xasprintf("%s/%s", devices, name);
	DIR *dir = opendir(path);

	if (!dir)
		return;
	for (struct dirent *e; (e = readdir(dir));)
		read_die(l, dirfd(dir), e->d_name, stack);
	closedir(dir);
}

static int iostat_root_ports_compare(const void *a, const void *b)
{
	const struct root_port *x = a, *y = b;

	if (x->stack != y->stack)
		return x->stack < y->stack ? -1 : 1;
	return x->die < y->die ? -1 : x->die > y->die;
}

int root_ports_read(const char *devices, struct root_port_list *ret)
{
	struct root_port_list l = { 0 };
	DIR *dir = opendir(devices);
	bool found = false;
	unsigned stack;

	if (!dir)
		return -ENODEV;
	for (struct dirent *e; (e = readdir(dir));) {
		if (!iostat_root_ports_number_of(e->d_name, STACK_PREFIX, &stack))
			continue;
		found = true;
		read_stack(&l, devices, e->d_name, stack);
	}
	closedir(dir);
	if (!l.n)
		return found ? -ENODATA : -ENODEV;
	qsort(l.items, l.n, sizeof(l.items[0]), iostat_root_ports_compare);
	*ret = l;
	return 0;
}
