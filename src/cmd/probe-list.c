/* SPDX-License-Identifier: MIT */
/* perf probe --list: the probes there are, with what is at their places. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "cli/command.h"
#include "cmd/probe-job.h"
#include "cmd/tracing-dir.h"
#include "dwarf/debug-places.h"
#include "kernel/tracefs.h"
#include "probe/kernel-probes.h"
#include "probe/probe-cache.h"
#include "probe/probe-target.h"
#include "probe/trace-probe.h"
#include "view/probe-list.h"

struct listing {
	struct invocation *inv;
	const struct probe_opts *opts;
	struct probe_target *target; /* of the probe before: they come in order */
	char *target_name;           /* of it; "" for the kernel; NULL: none was opened */
};

static void listing_done(struct listing *l)
{
	probe_target_free(l->target);
	free(l->target_name);
}

/* The image @p is in; NULL: it cannot be read, and the probe is listed as the kernel has it. */
static struct probe_target *target_of(struct listing *l, const struct trace_probe *p)
{
	struct probe_target_options to = probe_target_options_of(
		l->opts, p->is_user ? p->path : NULL, p->is_user ? NULL : p->module);
	const char *name = p->is_user ? p->path : p->module ? p->module : "";
	_cleanup_(diag_done) struct diag ignored = { 0 };

	if (l->target_name && !strcmp(l->target_name, name))
		return l->target;
	probe_target_free(l->target);
	free(l->target_name);
	l->target = NULL;
	l->target_name = xstrdup(name);
	if (probe_target_open(&to, &l->target, &ignored) < 0)
		return NULL;
	return l->target;
}

/* By debug information: function, line and file. */
static bool find_source(struct probe_target *t, uint64_t addr, struct probe_place_words *ret)
{
	_cleanup_(diag_done) struct diag ignored = { 0 };
	struct debug_place place = { 0 };
	struct debug_info *info;

	if (probe_target_debug(t, &info, &ignored) < 0 || !debug_place_at(info, addr, &place) ||
	    !place.name)
		return false;
	*ret = (struct probe_place_words){
		.function = place.linker_name ? place.linker_name : place.name,
		.file = place.file,
		.offset = addr - place.start,
		.line = (int64_t)place.line - place.first_line,
		.has_line = place.starts_line && addr != place.start,
	};
	return true;
}

static bool find_symbol(struct probe_target *t, uint64_t addr, struct probe_place_words *ret)
{
	struct probe_symbol s;

	if (!probe_target_symbol(t, addr, &s))
		return false;
	*ret = (struct probe_place_words){ .function = s.name, .offset = addr - s.addr };
	return true;
}

static void print_one(struct listing *l, const struct trace_probe *p)
{
	struct probe_place_words w = { .function = p->symbol, .offset = p->offset };
	struct probe_target *t = target_of(l, p);
	uint64_t addr;

	if (t && probe_target_address(t, p, &addr) && !find_source(t, addr, &w))
		find_symbol(t, addr, &w);
	probe_list_print(p, &w, l->inv->out);
}

static int list_kernel(struct invocation *inv, const struct probe_opts *o)
{
	_cleanup_(freep) char *dir = command_tracing_dir(inv);
	_cleanup_(tracefs_freep) struct tracefs *fs = NULL;
	_cleanup_(kernel_probes_freep) struct kernel_probes *kernel = NULL;
	_cleanup_(trace_probes_done) struct trace_probes probes = { 0 };
	_cleanup_(listing_done) struct listing l = { .inv = inv, .opts = o };
	_cleanup_(diag_done) struct diag d = { 0 };
	int r = tracefs_open(dir, &fs, &d);

	if (r >= 0) {
		kernel = kernel_probes_new(fs);
		r = kernel_probes_read(kernel, &probes, &d);
	}
	if (r < 0)
		return command_fail(inv, r, &d);
	for (size_t i = 0; i < probes.n; i++)
		if (!*o->list || probe_is_called(&probes.items[i], o->list))
			print_one(&l, &probes.items[i]);
	return EXIT_OK;
}

static int print_image(const char *name, const struct build_id *id,
		       const struct cached_probes *probes, void *arg)
{
	const struct listing *l = arg;
	char text[BUILD_ID_TEXT_MAX];
	bool said = false;

	for (size_t i = 0; i < probes->n; i++) {
		const struct cached_probe *p = &probes->items[i];

		if (*l->opts->list && !probe_is_called(&p->places.items[0], l->opts->list))
			continue;
		if (!said)
			fprintf(l->inv->out, "%s (%s):\n", name, build_id_format(id, text));
		said = true;
		fprintf(l->inv->out, "%s\n", p->text);
	}
	return 0;
}

int probe_list(struct invocation *inv, const struct probe_opts *o)
{
	struct listing l = { .inv = inv, .opts = o };

	if (!o->cache)
		return list_kernel(inv, o);
	probe_cache_for_each(o->buildid_dir, print_image, &l);
	return EXIT_OK;
}
