/* SPDX-License-Identifier: MIT */
/*
 * pmu/terms/ and the bare names of a PMU's own events.
 *
 * A term is, in this order: the name of an event that the PMU's sysfs directory or the vendor's
 * table defines (an alias, which stands for further terms; one per event), a general term (term.h),
 * a format of the PMU (event=, umask=), or on a core's PMU the name of a generic event. General
 * terms are stored first. Formats are then added to the config by OR, those of the alias and the
 * user's alike: `cpu/mem-loads,ldlat=30/` with an alias of ldlat=3 requests 31. Users' scripts have
 * always got that, so it stays.
 */
#include "event/resolve.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/similar.h"
#include "base/text.h"
#include "event/env.h"
#include "event/suggest.h"
#include "event/term.h"
#include "event/vendor.h"
#include "kernel/pmu.h"

/* An event that a PMU's directory or the vendor's table defines, and its definition. */
struct alias {
	const char *name;       /* NULL: there is none */
	const char *definition; /* NULL: it is a generic event */
	const char *unit;
	double scale;
	bool snapshot, per_package;
	const struct event_term *term; /* the term that names it; NULL: the event's own name does */
	struct text_span where;
	struct event_ast terms; /* the definition, parsed */
};

static void alias_done(struct alias *a)
{
	event_ast_done(&a->terms);
}

static bool alias_find(const struct pmu *pmu, const char *name, struct alias *ret)
{
	const struct pmu_alias *own = pmu_alias_find(pmu, name);

	if (own) {
		ret->name = own->name;
		ret->definition = own->terms;
		ret->unit = own->unit;
		ret->scale = own->scale;
		ret->snapshot = own->snapshot;
		ret->per_package = own->per_package;
		return true;
	}

	const struct vendor_table *table = vendor_table_for_pmu(pmu);
	const struct vendor_event *vendor = table ? vendor_event_find(table, name) : NULL;

	if (!vendor)
		return false;
	ret->name = vendor->name;
	ret->definition = vendor->terms;
	ret->unit = vendor->unit ? vendor->unit : "";
	ret->scale = vendor->scale ? vendor->scale : 1.0;
	return true;
}

/* Parses a definition, which is written as it could be typed between slashes. */
static int alias_parse(struct event_resolver *r, struct alias *a)
{
	_cleanup_(freep) char *text = xasprintf("alias/%s/", a->definition);
	_cleanup_(diag_done) struct diag why = { 0 };

	if (event_ast_parse(text, &a->terms, &why) < 0)
		return resolve_wrong(r, -EINVAL, a->where,
				     "the kernel defines this event as '%s', which makes no sense",
				     a->definition);
	return 0;
}

static const struct event_node *alias_node(const struct alias *a)
{
	return a->terms.n ? &a->terms.items[0].items[0] : NULL;
}

/*
 * True if the term may be an alias: a flag, or 1. It may look like a raw code: some PMUs have a
 * `read`.
 */
static bool may_be_alias(const struct event_term *t)
{
	uint64_t raw;

	return (!t->value || !strcmp(t->value, "1")) &&
	       (!term_is_general(t) || raw_event_parse(t->name, &raw));
}

static struct text_span term_span(const struct event_term *t)
{
	struct text_span s = t->name_span;

	if (t->value)
		s.length = t->value_span.at + t->value_span.length - s.at;
	return s;
}

static void resolve_pmu_add_names(struct similar *near, const struct pmu *pmu)
{
	for (size_t i = 0; term_name(i); i++)
		similar_add(near, term_name(i));
	for (size_t i = 0; pmu && i < pmu->n_formats; i++)
		similar_add(near, pmu->formats[i].name);
	for (size_t i = 0; pmu && i < pmu->n_aliases; i++)
		similar_add(near, pmu->aliases[i].name);
}

static void resolve_pmu_hint_terms(struct event_resolver *r, const struct pmu *pmu)
{
	struct text t = TEXT_EMPTY;

	for (size_t i = 0; pmu && i < pmu->n_formats; i++)
		text_addf(&t, "%s ", pmu->formats[i].name);
	for (size_t i = 0; term_name(i); i++)
		text_addf(&t, "%s ", term_name(i));
	diag_hint(r->diag, "Terms here: %.*s", (int)t.length - 1, t.chars);
	text_done(&t);
}

static int resolve_pmu_unknown_term(struct event_resolver *r, const char *name,
				    struct text_span where, const struct pmu *pmu)
{
	struct similar near = { .typed = name };

	resolve_pmu_add_names(&near, pmu);

	_cleanup_(freep) char *phrase = similar_phrase(&near);

	if (pmu)
		resolve_wrong(r, -EINVAL, where, "unknown term '%s' for pmu '%s'", name, pmu->name);
	else
		resolve_wrong(r, -EINVAL, where, "unknown term '%s'", name);
	if (phrase)
		diag_hint(r->diag, "Did you mean %s?", phrase);
	resolve_pmu_hint_terms(r, pmu);
	return -EINVAL;
}

/* Marks @where for a message that has no place yet. */
static int resolve_pmu_mark(struct event_resolver *r, int error, struct text_span where)
{
	_cleanup_(freep) char *what = TAKE(r->diag->message);
	_cleanup_(freep) char *hint = TAKE(r->diag->hint);

	resolve_wrong(r, error, where, "%s", what ? what : "bad term");
	if (hint)
		diag_hint(r->diag, "%s", hint);
	return error;
}

/*
 * Returns the place to mark: @own, unless the term comes from an alias, whose text was not typed.
 */
static struct text_span resolve_pmu_place(struct text_span own, const struct alias *from)
{
	return from ? from->where : own;
}

/* Makes the first pass. -ENOENT (no message): not a general term. */
static int apply_general(struct event_resolver *r, struct event *e, const struct event_term *t,
			 const struct alias *from)
{
	bool whole = false;
	int result = term_apply(e, t, r->use, &whole, r->diag);

	if (result >= 0 || result == -ENOENT)
		return result;
	return resolve_pmu_mark(r, result,
				resolve_pmu_place(whole ? term_span(t) : t->value_span, from));
}

static uint64_t *attr_word(struct attr *attr, enum pmu_word word)
{
	uint64_t *const words[PMU_WORDS] = {
		[PMU_CONFIG] = &attr->config,
		[PMU_CONFIG1] = &attr->config1,
		[PMU_CONFIG2] = &attr->config2,
		[PMU_CONFIG3] = &attr->config3,
	};

	return words[word];
}

/* Finds a generic event. On a PMU of one kind of cores, it belongs to that kind only. */
static bool generic_find(const struct pmu *pmu, const char *name, struct attr *ret)
{
	const struct named_event *named = named_event_find(name);
	uint64_t config;

	if (!pmu->core)
		return false;
	if (named && named->type == PERF_TYPE_HARDWARE)
		*ret = (struct attr){ .type = named->type, .config = named->config };
	else if (cache_event_parse(name, &config) == 0)
		*ret = (struct attr){ .type = PERF_TYPE_HW_CACHE, .config = config };
	else
		return false;
	return true;
}

static void apply_generic(struct event_resolver *r, struct event *e, const char *name)
{
	struct attr generic;

	generic_find(e->pmu, name, &generic);
	e->attr.type = generic.type;
	e->attr.config |= generic.config;
	if (resolve_core_kinds(r) > 1)
		e->attr.config |= (uint64_t)e->pmu->type << PERF_PMU_TYPE_SHIFT;
}

static int apply_format(struct event_resolver *r, struct event *e, const struct event_term *t,
			const struct alias *from)
{
	const struct pmu_format *f = pmu_format_find(e->pmu, t->name);
	uint64_t value, bits = 0;

	/* A generic event has no bits that the PMU's formats could describe. */
	if (e->attr.type != e->pmu->type)
		return resolve_pmu_unknown_term(r, t->name, t->name_span, NULL);
	if (!f)
		return resolve_pmu_unknown_term(r, t->name, resolve_pmu_place(t->name_span, from),
						e->pmu);
	if (term_number(t, &value, r->diag) < 0)
		return resolve_pmu_mark(r, -EINVAL, resolve_pmu_place(t->value_span, from));
	if (value > pmu_format_max(f))
		return resolve_wrong(r, -EINVAL, resolve_pmu_place(t->value_span, from),
				     "'%s' goes up to %llu on pmu '%s'", t->name,
				     (unsigned long long)pmu_format_max(f), e->pmu->name);
	if (e->pmu->default_config) {
		pmu_format_deposit(f, value, attr_word(&e->attr, f->word));
		return 0;
	}
	pmu_format_deposit(f, value, &bits);
	*attr_word(&e->attr, f->word) |= bits;
	return 0;
}

static bool is_parameter(const struct event_term *t)
{
	return t->value && !strcmp(t->value, "?");
}

static const struct event_term *find_term(const struct event_node *node, const char *name)
{
	for (size_t i = 0; i < node->n_terms; i++)
		if (!strcmp(node->terms[i].name, name))
			return &node->terms[i];
	return NULL;
}

/* Checks event=?, for which the user must give a value (PARAMETERIZED EVENTS in perf-list(1)). */
static int check_parameter(struct event_resolver *r, const struct event_node *node,
			   const struct event_term *t, struct text_span where)
{
	const struct event_term *given = find_term(node, t->name);

	if (given && !is_parameter(given))
		return 0;
	return resolve_wrong(r, -EINVAL, given ? given->value_span : where,
			     "this event needs a value for '%s': add %s=N", t->name, t->name);
}

/* Makes one pass over the alias's terms, then the user's. */
typedef int apply_fn(struct event_resolver *r, struct event *e, const struct event_term *t,
		     const struct alias *from);

static int resolve_pmu_apply_all(struct event_resolver *r, struct event *e,
				 const struct event_node *node, const struct alias *alias,
				 bool general)
{
	const struct event_node *terms = alias_node(alias);
	apply_fn *apply = general ? apply_general : apply_format;
	int result = 0;

	for (size_t i = 0; terms && i < terms->n_terms && result >= 0; i++) {
		const struct event_term *t = &terms->terms[i];

		if (is_parameter(t))
			result = check_parameter(r, node, t, alias->where);
		else if (general || !term_is_general(t))
			result = apply(r, e, t, alias);
		if (general && result == -ENOENT)
			result = 0;
	}
	for (size_t i = 0; i < node->n_terms && result >= 0; i++) {
		const struct event_term *t = &node->terms[i];

		if (t == alias->term || (!general && term_is_general(t)))
			continue;
		result = apply(r, e, t, NULL);
		if (general && result == -ENOENT)
			result = 0;
	}
	return result;
}

int resolve_terms(struct event_resolver *r, struct event *e, const struct event_node *node)
{
	int result = 0;

	for (size_t i = 0; i < node->n_terms && result >= 0; i++) {
		const struct event_term *t = &node->terms[i];

		/*
		 * Linux's perf passes terms with an @ to the PMU's driver; there are no drivers
		 * here.
		 */
		result = t->name[0] == '@' ? -ENOENT : apply_general(r, e, t, NULL);
		if (result == -ENOENT)
			result = resolve_pmu_unknown_term(r, t->name, t->name_span, NULL);
	}
	return result;
}

static void take_alias_facts(struct event *e, const struct alias *a)
{
	free(e->unit);
	e->unit = xstrdup(a->unit);
	e->scale = a->scale;
	e->snapshot = a->snapshot;
	e->per_package = a->per_package;
}

/* Finds the one term that is an alias, or a generic event's name. -EINVAL: there are two. */
static int find_alias_term(struct event_resolver *r, const struct event_node *node,
			   const struct pmu *pmu, struct alias *ret)
{
	for (size_t i = 0; i < node->n_terms; i++) {
		const struct event_term *t = &node->terms[i];
		struct alias found = { .term = t, .where = t->name_span };
		struct attr generic;

		if (!may_be_alias(t) || pmu_format_find(pmu, t->name))
			continue;
		if (!alias_find(pmu, t->name, &found) && !t->value &&
		    generic_find(pmu, t->name, &generic))
			found.name = t->name;
		if (!found.name)
			continue;
		if (ret->name)
			return resolve_wrong(r, -EINVAL, t->name_span,
					     "'%s' and '%s' are two events", ret->name, found.name);
		*ret = found;
	}
	return 0;
}

/* Adds an event of a PMU. @own: the event's name is itself the alias. */
static int resolve_pmu_add_event(struct event_resolver *r, const struct event_node *node,
				 const struct pmu *pmu, bool own)
{
	_cleanup_(alias_done) struct alias alias = { .where = node->name_span };
	struct event *e = resolve_add(r, pmu->type, pmu->default_config);
	int result = 0;

	e->pmu = pmu;
	if (own)
		alias_find(pmu, node->name, &alias);
	else
		result = find_alias_term(r, node, pmu, &alias);
	if (result >= 0 && alias.definition) {
		take_alias_facts(e, &alias);
		result = alias_parse(r, &alias);
	}
	if (result >= 0)
		result = resolve_pmu_apply_all(r, e, node, &alias, true);
	if (result >= 0 && alias.name && !alias.definition)
		apply_generic(r, e, alias.name);
	return result < 0 ? result : resolve_pmu_apply_all(r, e, node, &alias, false);
}

/*
 * Adds the event on all PMUs that the name selects as a glob or prefix. Those that cannot count the
 * event are skipped, as long as one can. -ENOENT (no message): it selects none.
 */
static int add_matching(struct event_resolver *r, const struct event_node *node)
{
	struct pmu_list *pmus = event_env_pmus(r->env);
	size_t first = r->list->n;
	int result = -ENOENT;

	for (size_t i = 0; i < pmu_list_count(pmus); i++) {
		const struct pmu *pmu = NULL;

		if (pmu_name_matches(pmu_list_name(pmus, i), node->name) &&
		    event_env_wants_unit(r->env, pmu_list_name(pmus, i)))
			pmu = pmu_list_get(pmus, i);
		if (!pmu)
			continue;
		result = resolve_pmu_add_event(r, node, pmu, false);
		if (result < 0)
			resolve_drop_last(r);
	}
	if (r->list->n == first)
		return result;
	diag_done(r->diag);
	return 0;
}

/* Explains why a PMU of a hardware trace is missing, which its name does not show. */
static bool explain_trace_pmu(const char *name, struct diag *diag)
{
	static const struct {
		const char *name, *why;
	} traces[] = {
		{ "intel_pt", "Intel's processors have it from Broadwell on, if the kernel has "
			      "CONFIG_PERF_EVENTS_INTEL_PT; AMD, Arm and most virtual machines do "
			      "not have it. Recordings of other "
			      "machines can be read here." },
		{ "intel_bts", "Intel's processors have it, if the kernel has "
			       "CONFIG_CPU_SUP_INTEL; AMD, Arm and virtual machines do not have "
			       "it. Recordings of other machines can be read here." },
		{ "arm_spe_0",
		  "Arm's processors may have it from ARMv8.2 on, if the kernel has "
		  "CONFIG_ARM_SPE_PMU (module arm_spe_pmu) and the firmware allows it; virtual "
		  "machines do not have it. Recordings of other machines can be read here." },
		{ "cs_etm",
		  "Arm's processors may have it, if the kernel has CONFIG_CORESIGHT_SOURCE_ETM4X "
		  "(module coresight_etm4x) and the firmware describes it; virtual machines do not "
		  "have it. Recordings of other machines can be read here." },
	};

	for (size_t i = 0; i < ARRAY_SIZE(traces); i++)
		if (!strcmp(traces[i].name, name)) {
			diag_hint(diag, "%s", traces[i].why);
			return true;
		}
	return false;
}

int resolve_pmu(struct event_resolver *r, const struct event_node *node)
{
	const struct pmu *exact = pmu_list_find(event_env_pmus(r->env), node->name);
	int result = exact ? resolve_pmu_add_event(r, node, exact, false) : add_matching(r, node);

	if (result == -ENOENT)
		result = resolve_alias(r, node);
	if (result != -ENOENT)
		return result;
	resolve_wrong(r, -ENOENT, node->name_span, "this machine has no PMU '%s'", node->name);
	if (!explain_trace_pmu(node->name, r->diag))
		suggest_pmu(r->env, node->name, r->diag);
	return -ENOENT;
}

int resolve_alias(struct event_resolver *r, const struct event_node *node)
{
	struct pmu_list *pmus = event_env_pmus(r->env);
	size_t first = r->list->n;
	int result = 0;

	for (size_t i = 0; i < pmu_list_count(pmus) && result >= 0; i++) {
		const struct pmu *pmu = pmu_list_get(pmus, i);
		struct alias found = { 0 };

		if (!pmu || !alias_find(pmu, node->name, &found) ||
		    (!pmu->core && !event_env_wants_unit(r->env, pmu->name)))
			continue;
		result = resolve_pmu_add_event(r, node, pmu, true);
		if (result >= 0 && pmu->core)
			resolve_core_name(r, r->list->items[r->list->n - 1], node);
	}
	return result < 0 || r->list->n > first ? result : -ENOENT;
}
