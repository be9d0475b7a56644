/* SPDX-License-Identifier: MIT */
#include "probe/probe-cache.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/glob.h"
#include "base/memory.h"
#include "base/output-file.h"
#include "base/text.h"
#include "symbol/buildid/cache.h"
#include "symbol/buildid/sdt-probes.h"

bool probe_is_called(const struct trace_probe *p, const char *pattern)
{
	const char *colon = strchr(pattern, ':');
	_cleanup_(freep) char *group = colon ? xstrndup(pattern, (size_t)(colon - pattern)) : NULL;

	return (!group || glob_matches(group, p->group)) &&
	       glob_matches(colon ? colon + 1 : pattern, p->event);
}

static void cached_probe_done(struct cached_probe *p)
{
	free(p->text);
	trace_probes_done(&p->places);
}

void cached_probes_done(struct cached_probes *l)
{
	for (size_t i = 0; i < l->n; i++)
		cached_probe_done(&l->items[i]);
	free(l->items);
	*l = (struct cached_probes){ 0 };
}

/*
 * True if the line defines a probe of a program. Its place begins with a path: `p:sdt_x/y
 * /bin/x:0x800`.
 */
static bool is_user_line(const char *line)
{
	const char *place = strchr(line, ' ');

	return place && place[1] == '/';
}

static void probe_cache_add_place(struct cached_probe *p, const char *line)
{
	struct trace_probe place = { 0 };

	if (trace_probe_parse(line, is_user_line(line), &place) < 0)
		return;
	*trace_probes_add(&p->places) = place;
}

/* Removes headings without a place. */
static void drop_empty(struct cached_probes *l)
{
	if (l->n && !l->items[l->n - 1].places.n)
		cached_probe_done(&l->items[--l->n]);
}

void cached_probes_parse(const char *text, struct cached_probes *ret)
{
	*ret = (struct cached_probes){ 0 };
	for (size_t n; *text; text += n + (text[n] == '\n')) {
		n = strcspn(text, "\n");

		_cleanup_(freep) char *line = xstrndup(text, n);

		if (*line == '%' || *line == '#') {
			drop_empty(ret);

			struct cached_probe *p = ARRAY_ADD(ret);

			p->text = xstrdup(line + 1);
			p->is_marker = *line == '%';
		} else if (ret->n) {
			probe_cache_add_place(&ret->items[ret->n - 1], line);
		}
	}
	drop_empty(ret);
}

static char *cached_probes_text(const struct cached_probes *l)
{
	struct text t = TEXT_EMPTY;

	for (size_t i = 0; i < l->n; i++) {
		const struct cached_probe *p = &l->items[i];

		text_addf(&t, "%c%s\n", p->is_marker ? '%' : '#', p->text);
		for (size_t j = 0; j < p->places.n; j++) {
			_cleanup_(freep) char *line = trace_probe_text(&p->places.items[j]);

			text_addf(&t, "%s\n", line);
		}
	}
	return text_take(&t);
}

void probe_cache_read(const char *dir, const struct build_id *id, struct cached_probes *ret)
{
	_cleanup_(freep) char *path = buildid_cache_find(dir, id, "probes"), *text = NULL;

	*ret = (struct cached_probes){ 0 };
	if (path && file_read(AT_FDCWD, path, SDT_PROBES_SIZE_MAX, &text, NULL) >= 0)
		cached_probes_parse(text, ret);
}

struct probe_cache_walk {
	const char *dir;
	cached_image_fn *fn;
	void *arg;
};

static int probe_cache_visit(const struct build_id *id, void *arg)
{
	const struct probe_cache_walk *w = arg;
	_cleanup_(freep) char *name = buildid_cache_origin(w->dir, id);
	_cleanup_(cached_probes_done) struct cached_probes probes = { 0 };

	if (!name)
		return 0;
	probe_cache_read(w->dir, id, &probes);
	return probes.n ? w->fn(name, id, &probes, w->arg) : 0;
}

int probe_cache_for_each(const char *dir, cached_image_fn *fn, void *arg)
{
	return buildid_cache_for_each(dir, probe_cache_visit,
				      &(struct probe_cache_walk){ dir, fn, arg });
}

static int write_image(const char *dir, const char *name, const struct build_id *id,
		       const struct cached_probes *probes)
{
	_cleanup_(freep) char *entry = buildid_cache_entry(dir, name, id);
	_cleanup_(freep) char *path = xasprintf("%s/probes", entry);
	_cleanup_(freep) char *text = cached_probes_text(probes);

	return output_file_replace(path, text, strlen(text), 0644);
}

/* Makes the cache entry of the image, which must exist before probes are stored in it. */
static int probe_cache_make_entry(const char *dir, const char *name, const struct build_id *id)
{
	if (*name == '[')
		return buildid_cache_add(dir, name, id, BUILDID_CACHE_KERNEL);
	return buildid_cache_add_from(dir, name, name, id);
}

/* Copies the places, because the cached probe outlives the one it was made from. */
static void copy_places(struct cached_probe *to, const struct trace_probe *probes, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		_cleanup_(freep) char *line = trace_probe_text(&probes[i]);

		probe_cache_add_place(to, line);
	}
}

static struct cached_probe *probe_cache_find_text(struct cached_probes *l, const char *text)
{
	for (size_t i = 0; i < l->n; i++)
		if (!l->items[i].is_marker && !strcmp(l->items[i].text, text))
			return &l->items[i];
	return NULL;
}

int probe_cache_store(const char *dir, const char *name, const struct build_id *id,
		      const char *text, const struct trace_probe *probes, size_t n,
		      struct diag *diag)
{
	_cleanup_(cached_probes_done) struct cached_probes all = { 0 };
	_cleanup_(freep) char *origin = NULL;
	int r = dir ? probe_cache_make_entry(dir, name, id) : -ENOENT;

	if (r < 0)
		return diag_set(diag, r, "the probe cannot be kept in the cache%s%s: %s",
				dir ? " " : "", dir ? dir : "",
				dir ? strerror(-r) : "it is turned off");
	origin = buildid_cache_origin(dir, id);
	probe_cache_read(dir, id, &all);

	struct cached_probe *p = probe_cache_find_text(&all, text);

	if (p) {
		trace_probes_done(&p->places);
		p->places = (struct trace_probes){ 0 };
	} else {
		p = ARRAY_ADD(&all);
		p->text = xstrdup(text);
	}
	copy_places(p, probes, n);
	r = write_image(dir, origin ? origin : name, id, &all);
	return r < 0 ? diag_set(diag, r, "cannot write to the cache %s: %s", dir, strerror(-r)) : 0;
}

struct removal {
	const char *dir, *name, *pattern;
	void (*each)(void *arg, const struct cached_probe *p);
	void *arg;
	int removed;
};

static int remove_from(const char *name, const struct build_id *id,
		       const struct cached_probes *probes, void *arg)
{
	struct removal *r = arg;
	struct cached_probes rest = { 0 };
	int before = r->removed;

	if (r->name && strcmp(r->name, name))
		return 0;
	for (size_t i = 0; i < probes->n; i++) {
		const struct cached_probe *p = &probes->items[i];

		if (!probe_is_called(&p->places.items[0], r->pattern)) {
			*ARRAY_ADD(&rest) = *p;
			continue;
		}
		r->each(r->arg, p);
		r->removed++;
	}

	int result = r->removed > before ? write_image(r->dir, name, id, &rest) : 0;

	free(rest.items);
	return result;
}

int probe_cache_remove(const char *dir, const char *name, const char *pattern,
		       void (*each)(void *arg, const struct cached_probe *p), void *arg)
{
	struct removal r = { dir, name, pattern, each, arg, 0 };
	int result = probe_cache_for_each(dir, remove_from, &r);

	return result < 0 ? result : r.removed;
}
