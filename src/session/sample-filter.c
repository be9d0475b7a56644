/* SPDX-License-Identifier: MIT */
#include "session/sample-filter.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "base/cpu-list.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/number.h"
#include "session/machine.h"
#include "symbol/symbolizer.h"

struct name_set {
	char **items; /* sorted */
	size_t n, room;
};

struct sample_filter {
	struct sample_filter_request wanted;
	struct name_set comms, symbols, dsos;
	struct {
		uint64_t *items; /* those in symbols that are hexadecimal numbers */
		size_t n, room;
	} addrs;
};

static void name_set_done(struct name_set *s)
{
	for (size_t i = 0; i < s->n; i++)
		free(s->items[i]);
	free(s->items);
}

void sample_filter_free(struct sample_filter *f)
{
	if (!f)
		return;
	name_set_done(&f->comms);
	name_set_done(&f->symbols);
	name_set_done(&f->dsos);
	free(f->addrs.items);
	free(f);
}

static int sample_filter_by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool name_set_has(const struct name_set *s, const char *name)
{
	return name && bsearch(&name, s->items, s->n, sizeof(*s->items), sample_filter_by_name);
}

static void sample_filter_add_words(struct name_set *s, const char *list, const char *between)
{
	for (const char *at = list; *at;) {
		size_t n = strcspn(at, between);

		if (n)
			*ARRAY_ADD(s) = xstrndup(at, n);
		at += n + !!at[n];
	}
}

#define FILE_PREFIX   "file://"
#define LIST_FILE_MAX (16 << 20)

static int sample_filter_add_list(struct name_set *s, const char *list, struct diag *diag)
{
	_cleanup_(freep) char *lines = NULL;
	int r;

	if (!list)
		return 0;
	if (!strncmp(list, FILE_PREFIX, strlen(FILE_PREFIX))) {
		list += strlen(FILE_PREFIX);
		r = file_read(AT_FDCWD, list, LIST_FILE_MAX, &lines, NULL);
		if (r < 0)
			return diag_set(diag, r, "cannot read the list '%s': %s", list,
					strerror(-r));
		sample_filter_add_words(s, lines, "\n");
	} else {
		sample_filter_add_words(s, list, ",");
	}
	qsort(s->items, s->n, sizeof(*s->items), sample_filter_by_name);
	return 0;
}

int sample_filter_new(const struct sample_filter_request *wanted, struct sample_filter **ret,
		      struct diag *diag)
{
	_cleanup_(sample_filter_freep) struct sample_filter *f = xcalloc(1, sizeof(*f));
	int r;

	f->wanted = *wanted;
	r = sample_filter_add_list(&f->comms, wanted->comms, diag);
	if (r >= 0)
		r = sample_filter_add_list(&f->symbols, wanted->symbols, diag);
	if (r >= 0)
		r = sample_filter_add_list(&f->dsos, wanted->dsos, diag);
	if (r < 0)
		return r;
	for (size_t i = 0; i < f->symbols.n; i++) {
		uint64_t addr;

		if (number_parse_hex(f->symbols.items[i], &addr) >= 0)
			*ARRAY_ADD(&f->addrs) = addr;
	}
	*ret = TAKE(f);
	return 0;
}

static bool sample_filter_has_id(const int *ids, size_t n, uint32_t id)
{
	for (size_t i = 0; i < n; i++)
		if ((uint32_t)ids[i] == id)
			return true;
	return !n;
}

static bool in_spans(const struct sample_filter_request *w, uint64_t time)
{
	for (size_t i = 0; i < w->n_spans; i++)
		if (time >= w->spans[i].from_ns && time <= w->spans[i].to_ns)
			return true;
	return !w->n_spans || !time;
}

bool sample_filter_has_moments(const struct sample_filter *f)
{
	return f->wanted.n_spans || (f->wanted.cpus && f->wanted.cpus->n);
}

bool sample_filter_passes_moment(const struct sample_filter *f, uint64_t time, uint32_t cpu)
{
	const struct sample_filter_request *w = &f->wanted;

	return in_spans(w, time) && (!w->cpus || !w->cpus->n || cpu_list_contains(w->cpus, cpu));
}

bool sample_filter_passes_task(const struct sample_filter *f, uint32_t pid, uint32_t tid)
{
	const struct sample_filter_request *w = &f->wanted;

	return sample_filter_has_id(w->pids, w->n_pids, pid) &&
	       sample_filter_has_id(w->tids, w->n_tids, tid);
}

bool sample_filter_passes_mode(const struct sample_filter *f, uint16_t misc)
{
	enum address_mode mode = address_mode_of(misc);

	if (mode == ADDRESS_GUEST_KERNEL || mode == ADDRESS_GUEST_USER)
		return !f->wanted.without_guests;
	return !f->wanted.without_host;
}

bool sample_filter_passes_comm(const struct sample_filter *f, const char *comm)
{
	return !f->comms.n || name_set_has(&f->comms, comm);
}

bool sample_filter_has_places(const struct sample_filter *f)
{
	return f->symbols.n || f->dsos.n;
}

static bool passes_symbol(const struct sample_filter *f, const struct location *loc)
{
	if (!f->symbols.n || (loc->sym && name_set_has(&f->symbols, loc->sym->name)))
		return true;
	for (size_t i = 0; i < f->addrs.n; i++) {
		uint64_t addr = f->addrs.items[i];

		if (loc->addr == addr ||
		    (loc->addr > addr && loc->addr - addr < f->wanted.addr_range))
			return true;
		/* This compares with the start of the function, at run time. */
		if (loc->sym && loc->addr - (loc->image_addr - loc->sym->start) == addr)
			return true;
	}
	return false;
}

bool sample_filter_has_images(const struct sample_filter *f)
{
	return f->dsos.n;
}

bool sample_filter_passes_image(const struct sample_filter *f, const struct location *loc)
{
	if (!f->dsos.n)
		return true;
	return loc->map && loc->map->image &&
	       (name_set_has(&f->dsos, image_long_name(loc->map->image)) ||
		name_set_has(&f->dsos, image_short_name(loc->map->image)));
}

bool sample_filter_passes_place(const struct sample_filter *f, const struct location *loc)
{
	return sample_filter_passes_image(f, loc) && passes_symbol(f, loc);
}

const char *sample_filter_only_name(const char *list)
{
	return list && *list && !strchr(list, ',') && strncmp(list, "file://", 7) ? list : NULL;
}
