/* SPDX-License-Identifier: MIT */
#include "cli/config.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <strings.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/text.h"
#include "cli/config-parse.h"
#include "cli/config-write.h"

int config_check_key(const char *key, struct diag *diag)
{
	const char *dot = strrchr(key, '.');
	size_t length = strlen(key);

	if (!dot || dot == key || key[0] == '.')
		return diag_mark(diag, -EINVAL, key, 0, length,
				 "a variable is named section.name: '%s' has no section", key);

	size_t at = (size_t)(dot + 1 - key);

	if (!isalpha((unsigned char)dot[1]))
		return diag_mark(diag, -EINVAL, key, at, 1,
				 "the name of a variable begins with a letter: '%s'", key);
	for (; key[at]; at++)
		if (!isalnum((unsigned char)key[at]) && !strchr("-_", key[at]))
			return diag_mark(
				diag, -EINVAL, key, at, 1,
				"the name of a variable has letters, digits, - and _: '%s'", key);
	for (at = 0; key[at] != '.'; at++)
		if (!isalnum((unsigned char)key[at]) && !strchr("-_", key[at]))
			return diag_mark(diag, -EINVAL, key, at, 1,
					 "the name of a section has letters, digits, - and _: '%s'",
					 key);
	if (strchr(key, '\n'))
		return diag_set(diag, -EINVAL, "the name of a section has one line");
	return 0;
}

/* The place of the variable, or else of its section, in the text. The last of several counts. */
struct config_edit_place {
	const char *section, *name;
	bool has_section, has_variable, has_value;
	size_t start, end;   /* the part that the new value replaces */
	size_t section_next; /* the line after the section's last line that is not empty */
};

static int config_edit_locate(const struct config_line *l, void *arg)
{
	struct config_edit_place *p = arg;

	if (strcmp(l->section, p->section)) {
		/* "[a] [b]" on one line: nothing can be added to a here. */
		if (p->has_section && l->next == p->section_next)
			p->has_section = false;
		return 0;
	}
	p->has_section = true;
	p->section_next = l->next;
	if (!l->name || strcasecmp(l->name, p->name))
		return 0;
	p->has_variable = true;
	p->has_value = l->value_start;
	p->start = p->has_value ? l->value_start : l->end;
	p->end = p->has_value ? l->value_end : l->end;
	return 0;
}

/* Ends a last line that has no newline, so that another line can follow. */
static void config_edit_end_line(struct text *t)
{
	if (t->length && t->chars[t->length - 1] != '\n')
		text_add_char(t, '\n');
}

static char *config_edit_rewrite(const char *text, size_t length, const struct config_edit_place *p,
				 const char *value)
{
	struct text t = TEXT_EMPTY;
	size_t rest = length;

	if (p->has_variable) {
		text_add_bytes(&t, text, p->start);
		if (!p->has_value)
			text_add(&t, " = ");
		else if (p->start && text[p->start - 1] == '=')
			text_add_char(&t, ' ');
		config_write_value(&t, value);
		rest = p->end;
	} else {
		rest = p->has_section ? p->section_next : length;
		text_add_bytes(&t, text, rest);
		config_edit_end_line(&t);
		if (!p->has_section)
			config_write_header(&t, p->section);
		config_write_variable(&t, p->name, value);
	}
	text_add_bytes(&t, text + rest, length - rest);
	return text_take(&t);
}

int config_edit(const char *text, size_t length, const char *origin, const char *key,
		const char *value, char **ret, struct diag *diag)
{
	int r = config_check_key(key, diag);

	if (r < 0)
		return r;

	const char *dot = strrchr(key, '.');
	_cleanup_(freep) char *section = config_section(key, (size_t)(dot - key));
	struct config_edit_place place = { .section = section, .name = dot + 1 };

	r = config_parse_lines(text, length, origin, config_edit_locate, &place, diag);
	if (r < 0)
		return r;
	*ret = config_edit_rewrite(text, length, &place, value);
	return 0;
}
