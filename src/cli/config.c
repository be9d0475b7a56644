/* SPDX-License-Identifier: MIT */
#include "cli/config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "cli/config-parse.h"
#include "cli/config-write.h"

static void item_done(struct config_item *i)
{
	free(i->section);
	free(i->name);
	free(i->value);
	free(i->origin);
}

void config_done(struct config *c)
{
	for (size_t i = 0; i < c->n; i++)
		item_done(&c->items[i]);
	free(c->items);
	*c = (struct config){ 0 };
}

/* Inserts an empty item after the last one of @section, where a listing expects it. */
static struct config_item *config_insert(struct config *c, const char *section)
{
	size_t at = c->n;

	while (at > 0 && strcmp(c->items[at - 1].section, section))
		at--;
	at = at ? at : c->n;
	c->items = array_reserve(c->items, &c->room, c->n + 1, sizeof(c->items[0]));
	memmove(&c->items[at + 1], &c->items[at], (c->n - at) * sizeof(c->items[0]));
	c->n++;
	return &c->items[at];
}

static struct config_item *cli_config_find(const struct config *c, const char *section,
					   const char *name)
{
	for (size_t i = 0; i < c->n; i++) {
		struct config_item *item = &c->items[i];

		if (!strcmp(item->section, section) && !strcasecmp(item->name, name))
			return item;
	}
	return NULL;
}

/* Sets one variable; the strings of @from are copied. */
static void config_set(struct config *c, const struct config_item *from)
{
	struct config_item *item = cli_config_find(c, from->section, from->name);

	if (item)
		item_done(item);
	else
		item = config_insert(c, from->section);
	*item = (struct config_item){
		.section = xstrdup(from->section),
		.name = xstrdup(from->name),
		.value = xstrdup(from->value),
		.origin = xstrdup(from->origin),
		.line = from->line,
		.column = from->column,
	};
}

void config_copy(struct config *c, const struct config *from)
{
	for (size_t i = 0; i < from->n; i++)
		config_set(c, &from->items[i]);
}

struct adding {
	struct config *config;
	const char *origin;
	struct diag *diag;
};

static int config_add(const struct config_line *l, void *arg)
{
	struct adding *a = arg;

	if (!l->name)
		return 0;
	if (a->config->n == CONFIG_ITEMS_MAX)
		return diag_set(a->diag, -E2BIG, "%s:%u: more than %d variables", a->origin,
				l->line, CONFIG_ITEMS_MAX);
	config_set(a->config, &(struct config_item){
				      .section = (char *)l->section,
				      .name = (char *)l->name,
				      .value = (char *)l->value,
				      .origin = (char *)a->origin,
				      .line = l->line,
				      .column = l->column,
			      });
	return 0;
}

int config_parse(struct config *c, const char *text, size_t length, const char *origin,
		 struct diag *diag)
{
	return config_parse_lines(text, length, origin, config_add,
				  &(struct adding){ c, origin, diag }, diag);
}

/*
 * Finds an item. "sub.Name.x" is x of sub.Name; sections are folded to lower case up to the
 * subsection.
 */
const struct config_item *config_find(const struct config *c, const char *key)
{
	const char *dot = strrchr(key, '.');

	if (!dot)
		return NULL;

	_cleanup_(freep) char *section = config_section(key, (size_t)(dot - key));

	return cli_config_find(c, section, dot + 1);
}

const char *config_get(const struct config *c, const char *key)
{
	const struct config_item *item = config_find(c, key);

	return item ? item->value : NULL;
}

int config_parse_bool(const char *value, bool *ret)
{
	static const char *const yes[] = { "true", "yes", "on", "1" };
	static const char *const no[] = { "false", "no", "off", "0", "" };

	for (size_t i = 0; i < ARRAY_SIZE(yes); i++) {
		if (!strcasecmp(value, yes[i])) {
			*ret = true;
			return 0;
		}
	}
	for (size_t i = 0; i < ARRAY_SIZE(no); i++) {
		if (!strcasecmp(value, no[i])) {
			*ret = false;
			return 0;
		}
	}
	return -EINVAL;
}

static int config_wrong(const struct config_item *item, const char *expected, struct diag *diag)
{
	return diag_set(diag, -EINVAL, "%s:%u: %s.%s is %s, not '%s'", item->origin, item->line,
			item->section, item->name, expected, item->value);
}

int config_get_bool(const struct config *c, const char *key, bool *ret, struct diag *diag)
{
	const struct config_item *item = config_find(c, key);

	if (!item)
		return 0;
	return config_parse_bool(item->value, ret) < 0 ? config_wrong(item, "true or false", diag)
						       : 1;
}

int config_get_uint(const struct config *c, const char *key, uint64_t *ret, struct diag *diag)
{
	const struct config_item *item = config_find(c, key);

	if (!item)
		return 0;
	return number_parse(item->value, ret) < 0 ? config_wrong(item, "a number", diag) : 1;
}

int config_refuse(const struct config *c, const char *key, const char *hint, struct diag *diag)
{
	const struct config_item *item = config_find(c, key);

	diag_set(diag, -EINVAL, "%s:%u: '%s' is not a value for %s", item->origin, item->line,
		 item->value, key);
	diag_hint(diag, "%s", hint);
	return -EINVAL;
}
