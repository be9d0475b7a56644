/* SPDX-License-Identifier: MIT */
#include "tools/list/catalog-search-model.h"

#include <stdlib.h>
#include <string.h>

#include "base/glob.h"
#include "base/memory.h"
#include "base/name-list.h"
#include "event/catalog.h"
#include "tracepoint/format.h"

void catalog_rows_done(struct catalog_rows *r)
{
	free(r->items);
	*r = (struct catalog_rows){ 0 };
}

static bool list_catalog_search_contains(const char *text, const char *word)
{
	return text && strcasestr(text, word);
}

static bool list_catalog_search_name_has(const struct catalog_entry *e, const char *word)
{
	if (glob_is_pattern(word))
		return glob_matches_any_case(word, e->name) ||
		       (e->alias && glob_matches_any_case(word, e->alias));
	return list_catalog_search_contains(e->name, word) ||
	       list_catalog_search_contains(e->alias, word);
}

static bool has_field(const struct tracepoint_format *f, const char *word)
{
	for (size_t i = 0; f && i < f->n_fields; i++)
		if (!f->fields[i].is_common &&
		    list_catalog_search_contains(f->fields[i].name, word))
			return true;
	return false;
}

static bool list_catalog_search_has(const struct catalog_entry *e, const char *word)
{
	return list_catalog_search_name_has(e, word) ||
	       list_catalog_search_contains(catalog_kind_label(e->kind), word) ||
	       list_catalog_search_contains(e->brief, word) ||
	       list_catalog_search_contains(e->description, word) ||
	       list_catalog_search_contains(e->topic, word) ||
	       list_catalog_search_contains(e->pmu, word) ||
	       list_catalog_search_contains(e->groups, word) ||
	       list_catalog_search_contains(e->image, word) || has_field(e->format, word);
}

static bool has_all(const struct catalog_entry *e, const struct name_list *words,
		    bool (*has_one)(const struct catalog_entry *e, const char *word))
{
	for (size_t i = 0; i < words->n; i++)
		if (!has_one(e, words->items[i]))
			return false;
	return true;
}

static void list_catalog_search_split(const char *typed, struct name_list *ret)
{
	char *copy = xstrdup(typed), *rest = copy;

	for (char *word; (word = strsep(&rest, " \t"));)
		if (*word)
			name_list_add(ret, word);
	free(copy);
}

static void list_catalog_search_add_entries(const struct catalog *c, const struct name_list *words,
					    bool by_name, struct catalog_rows *ret)
{
	for (size_t i = 0; i < c->n; i++) {
		const struct catalog_entry *e = &c->items[i];

		if (has_all(e, words, list_catalog_search_name_has) == by_name &&
		    (by_name || has_all(e, words, list_catalog_search_has)))
			*ARRAY_ADD(ret) = e;
	}
}

void catalog_search(const struct catalog *catalogs, size_t n, const char *typed,
		    struct catalog_rows *ret)
{
	struct name_list words = { 0 };

	list_catalog_search_split(typed, &words);
	ret->n = 0;
	for (size_t i = 0; i < n; i++)
		list_catalog_search_add_entries(&catalogs[i], &words, true, ret);
	for (size_t i = 0; i < n && words.n; i++)
		list_catalog_search_add_entries(&catalogs[i], &words, false, ret);
	name_list_done(&words);
}
