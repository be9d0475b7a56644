/* SPDX-License-Identifier: MIT */
/* Finds markers and cached probes by name. */
#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/name-list.h"
#include "base/similar.h"
#include "base/text.h"
#include "elf/file.h"
#include "kernel/kernel-notes.h"
#include "probe/probe-cache.h"
#include "symbol/buildid/cache.h"
#include "symbol/buildid/sdt-probes.h"

struct probe_cache_find_search {
	const char *dir, *program, *pattern;
	struct trace_probes *out;
	struct name_list names; /* all existing names, for a suggestion */
	char *changed;          /* a program that had a match, but has changed since */
};

static void probe_cache_find_search_done(struct probe_cache_find_search *s)
{
	name_list_done(&s->names);
	free(s->changed);
}

/*
 * True if the program is still the one that @p was made for. Offsets of another build would put a
 * breakpoint into the middle of an instruction.
 */
static bool probe_cache_find_is_current(const struct trace_probe *p, const struct build_id *id)
{
	struct build_id now;
	int r = p->is_user  ? elf_build_id_read(p->path, &now)
		: p->module ? build_id_of_module(p->module, &now)
			    : build_id_of_kernel(&now);

	return r >= 0 && build_id_equal(&now, id);
}

static void probe_cache_find_add_copy(struct trace_probes *out, const struct trace_probe *p)
{
	_cleanup_(freep) char *line = trace_probe_text(p);
	struct trace_probe copy = { 0 };

	if (trace_probe_parse(line, p->is_user, &copy) >= 0)
		*trace_probes_add(out) = copy;
}

/*
 * Takes those places of @p that are in the wanted program as it is now. If @id is NULL, it takes
 * all places.
 */
static void take_places(struct probe_cache_find_search *s, const struct cached_probe *p,
			const struct build_id *id)
{
	for (size_t i = 0; i < p->places.n; i++) {
		const struct trace_probe *place = &p->places.items[i];

		if (s->program && (!place->is_user || strcmp(place->path, s->program)))
			continue;
		if (!id || probe_cache_find_is_current(place, id)) {
			probe_cache_find_add_copy(s->out, place);
		} else if (!s->changed) {
			s->changed = xstrdup(place->is_user  ? place->path
					     : place->module ? place->module
							     : "the kernel");
		}
	}
}

static void take_probes(struct probe_cache_find_search *s, const struct cached_probes *l,
			const struct build_id *id, bool markers)
{
	for (size_t i = 0; i < l->n; i++) {
		const struct cached_probe *p = &l->items[i];
		const struct trace_probe *first = &p->places.items[0];
		_cleanup_(freep) char *name = xasprintf("%s:%s", first->group, first->event);

		if (p->is_marker && !markers)
			continue;
		name_list_add(&s->names, name);
		if (probe_is_called(first, s->pattern))
			take_places(s, p, id);
	}
}

static int probe_cache_find_take_image(const char *name, const struct build_id *id,
				       const struct cached_probes *probes, void *arg)
{
	(void)name;
	take_probes(arg, probes, id, true);
	return 0;
}

/*
 * Reads markers from the program itself. The cache may lack them, or may have those of an older
 * build.
 */
static void search_program(struct probe_cache_find_search *s)
{
	_cleanup_(cached_probes_done) struct cached_probes markers = { 0 }, kept = { 0 };
	_cleanup_(text_done) struct text t = TEXT_EMPTY;
	struct build_id id;

	sdt_probes_add("", s->program, s->program, &t);
	cached_probes_parse(t.chars, &markers);
	take_probes(s, &markers, NULL, true);
	if (!s->dir || elf_build_id_read(s->program, &id) < 0)
		return;
	buildid_cache_add_from(s->dir, s->program, s->program, &id);
	probe_cache_read(s->dir, &id, &kept);
	take_probes(s, &kept, &id, false);
}

static int probe_cache_find_explain(const struct probe_cache_find_search *s, struct diag *diag)
{
	struct similar near = { .typed = s->pattern };

	if (s->changed) {
		diag_set(diag, -ENOENT, "'%s' is no longer the one that '%s' was noted for",
			 s->changed, s->pattern);
		diag_hint(diag, "Note what it has now: perf buildid-cache --add %s", s->changed);
		return -ENOENT;
	}
	for (size_t i = 0; i < s->names.n; i++)
		similar_add(&near, s->names.items[i]);

	_cleanup_(freep) char *phrase = similar_phrase(&near);

	if (s->program)
		diag_set(diag, -ENOENT, "'%s' has no marker '%s'", s->program, s->pattern);
	else if (s->dir)
		diag_set(diag, -ENOENT, "no marker or probe '%s' is known in %s", s->pattern,
			 s->dir);
	else
		diag_set(diag, -ENOENT, "no marker '%s' is known, as the cache is turned off",
			 s->pattern);
	if (phrase)
		diag_hint(diag, "Did you mean %s?", phrase);
	if (s->program)
		diag_hint(diag, "Markers are those of its section .note.stapsdt: readelf -n %s",
			  s->program);
	else
		diag_hint(diag, "'perf buildid-cache --add PROGRAM' adds the markers of a program; "
				"'perf list sdt' lists them.");
	return -ENOENT;
}

int probe_cache_find(const char *dir, const char *program, const char *pattern,
		     struct trace_probes *out, struct diag *diag)
{
	_cleanup_(probe_cache_find_search_done) struct probe_cache_find_search s = {
		.dir = dir, .program = program, .pattern = pattern, .out = out
	};
	_cleanup_(freep) char *real = program ? realpath(program, NULL) : NULL;
	size_t before = out->n;

	if (real)
		s.program = real;
	if (program)
		search_program(&s);
	else
		probe_cache_for_each(dir, probe_cache_find_take_image, &s);
	return out->n > before ? 0 : probe_cache_find_explain(&s, diag);
}
