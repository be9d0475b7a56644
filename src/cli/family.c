/* SPDX-License-Identifier: MIT */
#include "cli/family.h"

#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/similar.h"
#include "base/text.h"
#include "cli/command.h"

/* The least length of an abbreviation of a word. */
#define LETTERS_MIN 3

const char *family_word(const struct command *subcommand)
{
	const char *blank = strrchr(subcommand->name, ' ');

	return blank ? blank + 1 : subcommand->name;
}

const struct command *family_find(const struct command *family, const char *word)
{
	size_t n = strlen(word);

	for (const struct command *const *c = family->subcommands; *c; c++)
		if (!strcmp(family_word(*c), word))
			return *c;
	for (const struct command *const *c = family->subcommands; *c && n >= LETTERS_MIN; c++)
		if (!strncmp(family_word(*c), word, n))
			return *c;
	return NULL;
}

int family_refuse(const struct command *family, const char *word, struct diag *diag)
{
	struct similar near = { .typed = word ? word : "" };
	_cleanup_(text_done) struct text words = TEXT_EMPTY;
	_cleanup_(freep) char *phrase = NULL;

	for (const struct command *const *c = family->subcommands; *c; c++) {
		similar_add(&near, family_word(*c));
		text_addf(&words, "%s%s", words.length ? ", " : "", family_word(*c));
	}
	phrase = similar_phrase(&near);
	if (word)
		diag_set(diag, -EINVAL, "'%s' is not a subcommand of perf %s", word, family->name);
	else
		diag_set(diag, -EINVAL, "what to do is missing");
	if (phrase)
		diag_hint(diag, "Did you mean %s?", phrase);
	diag_hint(diag, "There are: %s", words.chars);
	return -EINVAL;
}

void family_print_words(const struct command *family, FILE *out)
{
	for (const struct command *const *c = family->subcommands; c && *c; c++)
		fprintf(out, "%s ", family_word(*c));
	fputc('\n', out);
}

void family_print_help(const struct command *family, FILE *out)
{
	for (const struct command *const *c = family->subcommands; *c; c++)
		fprintf(out, "    %-21s %s\n", family_word(*c), (*c)->summary);
}
