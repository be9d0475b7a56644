/* SPDX-License-Identifier: MIT */
#include "cli/colour.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "cli/terminal.h"

/* Returns the enum colour_when that @word names, or -1. */
static int colour_find_word(const char *word)
{
	static const char *const words[] = {
		[COLOUR_AUTO] = "auto",
		[COLOUR_ALWAYS] = "always",
		[COLOUR_NEVER] = "never",
	};

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (!strcmp(word, words[i]))
			return (int)i;
	return -1;
}

bool colour_is_word(const char *word)
{
	return colour_find_word(word) >= 0;
}

int colour_set(void *field, const struct option *o, const char *value, bool negated,
	       struct diag *diag)
{
	int when = negated ? COLOUR_NEVER : colour_find_word(value);

	if (when < 0)
		return diag_set(diag, -EINVAL,
				"option `%s' expects auto, always or never, not '%s'", o->name,
				value);
	*(enum colour_when *)field = (enum colour_when)when;
	return 0;
}

bool colour_wanted(enum colour_when when, FILE *f)
{
	const char *no = getenv("NO_COLOR");

	if (when != COLOUR_AUTO)
		return when == COLOUR_ALWAYS;
	return !(no && *no) && terminal_understands(f);
}

const char *colour_code(bool on, enum colour c)
{
	static const char *const codes[] = {
		[COLOUR_OFF] = "\033[m",
		[COLOUR_BOLD] = "\033[1m",
		[COLOUR_RED] = "\033[31m",
	};

	return on ? codes[c] : "";
}
