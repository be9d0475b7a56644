/* SPDX-License-Identifier: MIT */
#include "cli/config-write.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"

/* True if @s can stand in a header without quotes, where case is folded. */
static bool is_plain_section(const char *s)
{
	for (; *s; s++)
		if (!islower((unsigned char)*s) && !isdigit((unsigned char)*s) &&
		    !strchr("-_.", *s))
			return false;
	return true;
}

void config_write_header(struct text *t, const char *section)
{
	if (is_plain_section(section)) {
		text_addf(t, "[%s]\n", section);
		return;
	}

	size_t base = strcspn(section, ".");

	text_addf(t, "[%.*s \"", (int)base, section);
	for (const char *c = section + base + 1; *c; c++) {
		if (*c == '"' || *c == '\\')
			text_add_char(t, '\\');
		text_add_char(t, *c);
	}
	text_add(t, "\"]\n");
}

static bool needs_quotes(const char *value)
{
	size_t n = strlen(value);

	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)value[i];

		if (c < ' ' || strchr("#;\"\\", c))
			return true;
		/* Runs of blanks would become one, and those at the ends would be dropped. */
		if (c == ' ' && (i == 0 || i + 1 == n || value[i + 1] == ' '))
			return true;
	}
	return false;
}

void config_write_value(struct text *t, const char *value)
{
	static const char codes[] = "\n\t\b\\\"", letters[] = "ntb\\\"";
	bool quoted = needs_quotes(value);

	if (quoted)
		text_add_char(t, '"');
	for (; *value; value++) {
		const char *at = strchr(codes, *value);

		if (at)
			text_addf(t, "\\%c", letters[at - codes]);
		else
			text_add_char(t, *value);
	}
	if (quoted)
		text_add_char(t, '"');
}

void config_write_variable(struct text *t, const char *name, const char *value)
{
	text_addf(t, "\t%s = ", name);
	config_write_value(t, value);
	text_add_char(t, '\n');
}

/*
 * Returns the section of a key. The first word is a section and is folded; the text after its dot
 * is a subsection, which is case-sensitive. But [A.B] is folded as a whole, so "a.b" finds it and
 * "a.B" does not.
 */
char *config_section(const char *s, size_t n)
{
	char *section = xstrndup(s, n);

	for (char *c = section; *c && *c != '.'; c++)
		*c = (char)tolower((unsigned char)*c);
	return section;
}
