/* SPDX-License-Identifier: MIT */
/* Resolves probes with debug information. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/glob.h"
#include "base/memory.h"
#include "base/name-list.h"
#include "base/text.h"
#include "dwarf/debug-info.h"
#include "dwarf/debug-places.h"
#include "probe/debug-alias.h"
#include "probe/explain-function.h"
#include "probe/explain-place.h"
#include "probe/line-pattern.h"
#include "probe/probe-def.h"
#include "probe/resolve-internal.h"
#include "probe/source-path.h"
#include "probe/trace-probe.h"
#include "symbol/text-files.h"

/* Finds lines by their text; keeps the file that was read last. */
struct resolve_debug_lines {
	const struct probe_def *def;
	const char *source; /* -s, or NULL */
	struct text_files *files;
	const char *path; /* the compiler's name for the file */
	const struct text_file *file;
	const char *missing; /* the source file that could not be read; or NULL */
};

static const struct text_file *open_source(struct resolve_debug_lines *l, const char *path)
{
	_cleanup_(freep) char *found = source_path_find(path, NULL, l->source);

	return found ? text_files_find(l->files, found) : NULL;
}

static int line_matches(void *arg, const char *file, const char *path, uint32_t line)
{
	struct resolve_debug_lines *l = arg;
	size_t length;

	if (!l->path || strcmp(l->path, path) != 0) {
		l->path = path;
		l->file = open_source(l, path);
	}
	if (!l->file) {
		l->missing = file;
		return -ENOENT;
	}

	const char *chars = text_file_line(l->file, line, &length);
	_cleanup_(freep) char *text = xstrndup(chars, length);

	return line_pattern_matches(l->def->point.pattern, text);
}

/*
 * Returns the point to look up. In unoptimised code, variables have no location before the prologue
 * has ended, so in programs the body is probed then.
 */
static struct debug_point point_of(const struct resolving *r, struct resolve_debug_lines *lines)
{
	const struct probe_point *p = &r->def->point;
	bool is_user = probe_target_kind(r->target) == PROBE_PROGRAM;

	return (struct debug_point){
		.function = p->function,
		.file = p->file,
		.matches = p->pattern ? line_matches : NULL,
		.matches_arg = lines,
		.has_line = p->has_line,
		.line = p->line,
		.only_real = p->is_return || r->options->no_inlines,
		.wants_body = is_user && resolve_wants_variables(r->def) && !p->offset,
	};
}

/*
 * Returns the function after which events of patterns and lines are named: the one in whose source
 * they stand, even if it was inlined.
 */
static const char *event_function(const struct resolving *r, const struct debug_place *place)
{
	const char *typed = r->def->point.function;

	if (typed && !glob_is_pattern(typed))
		return NULL;
	return place->scope_name ? place->scope_name : place->name;
}

static void note_prologue(struct resolving *r, const struct debug_places *l)
{
	for (size_t i = 0; i < l->n; i++) {
		if (!l->items[i].body)
			continue;
		text_addf(r->notes,
			  "Target program is compiled without optimization. Skipping prologue.\n"
			  "Probe on address %#llx to force probing at the function entry.\n\n",
			  (unsigned long long)l->items[i].start);
		return;
	}
}

static int resolve_debug_add_places(struct resolving *r, struct debug_info *info,
				    const struct debug_places *l, struct diag *diag)
{
	int e = 0;

	note_prologue(r, l);
	for (size_t i = 0; e >= 0 && i < l->n; i++) {
		const struct debug_place *place = &l->items[i];
		struct resolved_point at = {
			.addr = place->addr,
			.is_link = true,
			.function = event_function(r, place),
		};

		e = resolving_add(r, &at, diag);
		if (e > 0)
			e = resolving_args(r, info, place, diag);
	}
	if (e < 0)
		return e;
	return r->out->n > r->first ? 0 : resolving_refused(r, diag);
}

/*
 * True if the function may be only a symbol. Functions written in assembly have symbols, but no
 * DWARF.
 */
static bool may_be_symbol(const struct resolving *r)
{
	const struct probe_point *p = &r->def->point;

	return p->function && !p->file && !p->has_line && !p->pattern &&
	       !resolve_wants_variables(r->def);
}

static int resolve_debug_no_source(const struct resolve_debug_lines *l, struct diag *diag)
{
	diag_set(diag, -ENOENT, "the source file '%s', in which the text of lines is, is not here",
		 l->missing);
	diag_hint(diag, "-s DIR says where the sources are");
	return -ENOENT;
}

/* Tries the names under which the debug information has the function. */
static int find_aliases(struct resolving *r, struct debug_info *info, struct debug_point point,
			struct debug_places *ret)
{
	_cleanup_(name_list_done) struct name_list names = { 0 };
	int found = -ENOENT;

	debug_alias_find(r->target, info, point.function, &names);
	for (size_t i = 0; i < names.n; i++) {
		point.function = names.items[i];
		if (debug_places_find(info, &point, ret) >= 0)
			found = 0;
	}
	return found;
}

/* Moves @p to where the probe stands: to an offset in the function, or after the prologue. */
static int move_place(const struct resolving *r, struct debug_info *info, struct debug_place *p,
		      struct diag *diag)
{
	uint64_t offset = r->def->point.offset;

	if (offset && !debug_place_reaches(info, p, p->addr + offset))
		return diag_set(diag, -ENOENT, "%s+%llu is outside of '%s'", r->def->point.function,
				(unsigned long long)offset, p->name);
	p->addr = p->body ? p->body : p->addr + offset;
	return 0;
}

static int find_point(struct resolving *r, struct debug_info *info, struct debug_places *ret,
		      struct diag *diag)
{
	_cleanup_(text_files_freep) struct text_files *files =
		text_files_new(&(struct text_files_options){ 0 });
	struct resolve_debug_lines lines = { .def = r->def,
					     .source = r->options->source,
					     .files = files };
	struct debug_point point = point_of(r, &lines);
	int e = debug_places_find(info, &point, ret);

	if (e >= 0)
		return e;
	e = lines.missing ? resolve_debug_no_source(&lines, diag)
			  : explain_place(info, &point, e, diag);
	/*
	 * If only registers are requested, all symbols of that name are probed, as Linux's perf
	 * does.
	 */
	if (e != -ENOENT || !point.function || (r->def->n_args && may_be_symbol(r)))
		return e;
	return find_aliases(r, info, point, ret) < 0 ? e : 0;
}

static int resolve_debug_find_places(struct resolving *r, struct debug_info *info,
				     struct debug_places *ret, struct diag *diag)
{
	size_t first = ret->n;
	int e = find_point(r, info, ret, diag);

	for (size_t i = first; i < ret->n && e >= 0; i++)
		e = move_place(r, info, &ret->items[i], diag);
	return e;
}

static int resolve_debug_stop(void *arg, const struct debug_function *f)
{
	(void)arg, (void)f;
	return 1;
}

/*
 * Reports the error and marks a part of the definition, which the debug information's own error
 * does not.
 */
static int resolve_debug_explain(struct resolving *r, struct debug_info *info, int error,
				 struct diag *diag)
{
	const struct probe_point *p = &r->def->point;
	bool is_known = p->function &&
			debug_info_functions(info, p->function, resolve_debug_stop, NULL) > 0;

	if (error == -ENOENT && is_known && r->options->no_inlines && may_be_symbol(r)) {
		diag_set(diag, error,
			 "'%s' has no code of its own: it is inlined wherever it is called",
			 p->function);
		diag_hint(diag, "Leave --no-inlines out to probe those places");
	} else if (error == -ENOENT && p->function && !is_known) {
		explain_function(r->target, p->function, diag);
	}
	if (!diag->excerpt && diag->message) {
		diag->excerpt = xstrdup(r->def->text);
		diag->offset = p->where.at;
		diag->length = p->where.length;
	}
	return error;
}

static int by_symbols_instead(struct resolving *r, struct debug_info *info, int error,
			      struct diag *diag)
{
	_cleanup_(diag_done) struct diag other = { 0 };
	int e = resolve_by_symbols(r, &other);

	if (e == -ENOENT)
		return resolve_debug_explain(r, info, error, diag);
	if (e < 0) {
		diag_done(diag);
		*diag = other;
		other = (struct diag){ 0 };
	}
	return e;
}

/*
 * Refuses too many places. A function that is inlined in very many places may also have an
 * out-of-line copy to probe.
 */
static int too_many(struct resolving *r, size_t n, int error)
{
	_cleanup_(diag_done) struct diag other = { 0 };

	if (!may_be_symbol(r) || resolve_by_symbols(r, &other) < 0)
		return error;
	text_addf(r->notes, "Too many( > %zu) probe point found.\n",
		  r->options->max_probes ? r->options->max_probes : (size_t)128);
	text_addf(r->notes,
		  "Inlined copies are left out; with them there are %zu: --max-probes %zu\n", n, n);
	return 0;
}

int resolve_by_debug(struct resolving *r, struct debug_info *info, struct diag *diag)
{
	_cleanup_(debug_places_done) struct debug_places places = { 0 };
	int e = resolve_debug_find_places(r, info, &places, diag);

	if (e == -ENOENT && may_be_symbol(r))
		return by_symbols_instead(r, info, e, diag);
	if (e < 0)
		return resolve_debug_explain(r, info, e, diag);
	e = resolving_check_count(r, places.n, diag);
	if (e < 0)
		return too_many(r, places.n, e);
	return resolve_debug_add_places(r, info, &places, diag);
}

int probe_places(const struct probe_def *d, struct probe_target *t, struct debug_info *info,
		 const struct resolve_options *o, struct debug_places *ret, struct diag *diag)
{
	struct resolving r = { .def = d, .target = t, .options = o };
	int e = resolve_debug_find_places(&r, info, ret, diag);

	return e < 0 ? resolve_debug_explain(&r, info, e, diag) : 0;
}
