/* SPDX-License-Identifier: MIT */
#include "tools/iostat/iostat-work.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/number.h"
#include "kernel/pmu.h"

/* The unit of an event: a word of 4 bytes. */
#define BYTES_PER_COUNT 4
#define BYTES_PER_MB    (1 << 20)

/*
 * DATA_REQ_OF_CPU (0x83) and DATA_REQ_BY_CPU (0xc0) of Intel's uncore manuals, for all parts of a
 * stack (ch_mask) and all kinds of requests (fc_mask): umask 1 counts writes, umask 4 counts reads.
 */
static const struct {
	unsigned event, umask;
} events[IOSTAT_KINDS] = {
	[IOSTAT_INBOUND_READ] = { 0x83, 0x04 },
	[IOSTAT_INBOUND_WRITE] = { 0x83, 0x01 },
	[IOSTAT_OUTBOUND_READ] = { 0xc0, 0x04 },
	[IOSTAT_OUTBOUND_WRITE] = { 0xc0, 0x01 },
};

int iostat_ports(const char *devices, struct root_port_list *ret, struct diag *diag)
{
	int r = root_ports_read(devices ? devices : PMU_DEVICES, ret);

	if (r == -ENODEV) {
		diag_set(diag, r, "this machine has no PMU uncore_iio_*, which counts I/O traffic");
		diag_hint(diag, "Intel's servers have it from Skylake on, with the module "
				"intel_uncore; virtual machines, AMD and Arm have none. perf stat "
				"-e block:* and perf trace show I/O of any machine.");
	} else if (r == -ENODATA) {
		diag_set(diag, r,
			 "the kernel does not tell which ports the PMUs uncore_iio_* count");
		diag_hint(diag, "Linux 5.11 or newer does, on servers that it knows.");
	}
	return r;
}

static bool iostat_is_named(const struct root_port *p, const char *text)
{
	for (const char *word = text; *word;) {
		size_t n = strcspn(word, ",");
		unsigned domain, bus;

		if (root_port_parse(word, n, &domain, &bus) >= 0 && domain == p->domain &&
		    bus == p->bus)
			return true;
		word += n + (word[n] == ',');
	}
	return false;
}

static bool has_port(const struct root_port_list *l, unsigned domain, unsigned bus)
{
	for (size_t i = 0; i < l->n; i++)
		if (l->items[i].domain == domain && l->items[i].bus == bus)
			return true;
	return false;
}

static int iostat_check(const struct root_port_list *l, const char *text, struct diag *diag)
{
	for (const char *word = text;;) {
		size_t n = strcspn(word, ","), at = (size_t)(word - text);
		unsigned domain, bus;

		if (root_port_parse(word, n, &domain, &bus) < 0)
			return diag_mark(diag, -EINVAL, text, at, n,
					 "a port is a domain and a bus, as 0000:17");
		if (!has_port(l, domain, bus)) {
			diag_mark(diag, -ENODEV, text, at, n, "there is no root port %04x:%02x",
				  domain, bus);
			diag_hint(diag, "'perf iostat list' lists them.");
			return -ENODEV;
		}
		if (!word[n])
			return 0;
		word += n + 1;
	}
}

int iostat_select(struct root_port_list *l, const char *text, struct diag *diag)
{
	size_t n = 0;
	int r = iostat_check(l, text, diag);

	if (r < 0)
		return r;
	for (size_t i = 0; i < l->n; i++)
		if (iostat_is_named(&l->items[i], text))
			l->items[n++] = l->items[i];
	l->n = n;
	return 0;
}

void iostat_events_done(struct iostat_events *e)
{
	for (size_t i = 0; i < e->n; i++)
		free(e->items[i]);
	free(e->items);
}

/* The name of an event, by which iostat_rows() recognizes it. */
#define EVENT_NAME "iio-%u-%u"

static void iostat_add_stack(struct iostat_events *e, unsigned stack)
{
	for (unsigned i = 0; i < IOSTAT_KINDS; i++)
		*ARRAY_ADD(e) = xasprintf("uncore_iio_%u/event=%#x,umask=%#x,ch_mask=0xf,"
					  "fc_mask=0x7,name=" EVENT_NAME "/",
					  stack, events[i].event, events[i].umask, stack, i);
}

void iostat_request(const struct root_port_list *l, struct count_request *rq,
		    struct iostat_events *ret)
{
	*ret = (struct iostat_events){ 0 };
	for (size_t i = 0; i < l->n; i++)
		if (!i || l->items[i].stack != l->items[i - 1].stack)
			iostat_add_stack(ret, l->items[i].stack);
	for (size_t i = 0; i < ret->n; i++)
		event_words_add(&rq->events, EVENT_WORD_EVENT, ret->items[i]);
	rq->target.all_cpus = true;
	rq->aggregate = (struct aggregate_request){ .given = true, .over = STAT_DIE };
}

static bool iostat_is_before(const struct stat_unit *a, const struct stat_unit *b)
{
	return a->socket != b->socket ? a->socket < b->socket : a->die < b->die;
}

/* Returns the number of the die of @unit. Dies are numbered through all sockets. */
static unsigned iostat_die_of(const struct stat_table *t, const struct stat_unit *unit)
{
	unsigned n = 0;

	for (size_t i = 0; i < t->n_rows; i++) {
		bool is_new = t->rows[i].unit && iostat_is_before(t->rows[i].unit, unit);

		for (size_t j = 0; j < i && is_new; j++)
			is_new = !t->rows[j].unit ||
				 iostat_is_before(t->rows[j].unit, t->rows[i].unit) ||
				 iostat_is_before(t->rows[i].unit, t->rows[j].unit);
		n += is_new;
	}
	return n;
}

static void iostat_take(const struct stat_table *t, const struct stat_row *row,
			const struct root_port_list *l, struct iostat_row *ret)
{
	unsigned stack, kind, die;

	if (!row->unit || sscanf(row->event->name, EVENT_NAME, &stack, &kind) != 2 ||
	    kind >= IOSTAT_KINDS || row->state != STAT_COUNTED)
		return;
	die = iostat_die_of(t, row->unit);
	for (size_t i = 0; i < l->n; i++) {
		if (l->items[i].stack != stack || l->items[i].die != die)
			continue;
		ret[i].is_counted[kind] = true;
		ret[i].mb[kind] = row->count * BYTES_PER_COUNT / BYTES_PER_MB;
	}
}

void iostat_rows(const struct stat_table *t, const struct root_port_list *l, struct iostat_row *ret)
{
	for (size_t i = 0; i < l->n; i++)
		ret[i] = (struct iostat_row){ .port = l->items[i] };
	for (size_t i = 0; i < t->n_rows; i++)
		iostat_take(t, &t->rows[i], l, ret);
}

#define STACK_PREFIX "uncore_iio_"
#define DIE_PREFIX   "die"

#define DOMAIN_MAX 0xffffffff
#define BUS_MAX    0xff

/* No machine has more ports, but a directory given by the user may. */
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

/* Parses the number after @prefix, which must be the rest of @name. */
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
