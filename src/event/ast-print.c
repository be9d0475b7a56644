/* SPDX-License-Identifier: MIT */
#include "event/ast.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

/* Values that the grammar would end early are quoted; the parser knows three kinds of quotes. */
static void print_value(const char *value, struct text *t)
{
	bool plain = true;

	for (const char *c = value; *c && plain; c++)
		plain = isalnum((unsigned char)*c) || strchr("_-.*?[]!:%@", *c);
	if (plain)
		text_add(t, value);
	else if (!strchr(value, '\''))
		text_addf(t, "'%s'", value);
	else if (!strchr(value, '"'))
		text_addf(t, "\"%s\"", value);
	else
		text_addf(t, "\\'%s\\'", value);
}

static void print_terms(const struct event_node *node, struct text *t)
{
	text_add_char(t, '/');
	for (size_t i = 0; i < node->n_terms; i++) {
		text_addf(t, "%s%s", i ? "," : "", node->terms[i].name);
		if (!node->terms[i].value)
			continue;
		text_add_char(t, '=');
		print_value(node->terms[i].value, t);
	}
	text_add_char(t, '/');
}

static void print_what(const struct event_node *node, struct text *t)
{
	switch (node->syntax) {
	case EVENT_SYNTAX_WORD:
	case EVENT_SYNTAX_PMU:
	case EVENT_SYNTAX_BPF:
		text_add(t, node->name);
		break;
	case EVENT_SYNTAX_TRACEPOINT:
		text_addf(t, "%s:%s", node->system, node->name);
		break;
	case EVENT_SYNTAX_NUMERIC:
		text_addf(t, "%" PRIu64 ":0x%" PRIx64, node->type, node->config);
		break;
	case EVENT_SYNTAX_BREAKPOINT:
		text_addf(t, "mem:0x%" PRIx64, node->address);
		if (node->breakpoint_size)
			text_addf(t, "/%" PRIu64, node->breakpoint_size);
		if (node->access)
			text_addf(t, ":%s", node->access);
		break;
	}
}

void event_node_print(const struct event_node *node, struct text *t)
{
	print_what(node, t);
	if (node->slashes)
		print_terms(node, t);
	if (node->modifiers)
		text_addf(t, "%s%s", node->slashes ? "" : ":", node->modifiers);
}

static void print_item(const struct event_item *item, struct text *t)
{
	if (item->group)
		text_addf(t, "%s{", item->group_name ? item->group_name : "");
	for (size_t i = 0; i < item->n; i++) {
		if (i)
			text_add_char(t, ',');
		event_node_print(&item->items[i], t);
	}
	if (item->group)
		text_add_char(t, '}');
	if (item->modifiers)
		text_addf(t, ":%s", item->modifiers);
}

void event_ast_print(const struct event_ast *ast, struct text *t)
{
	for (size_t i = 0; i < ast->n; i++) {
		if (i)
			text_add_char(t, ',');
		print_item(&ast->items[i], t);
	}
}
