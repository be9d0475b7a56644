/* SPDX-License-Identifier: MIT */
#include "tools/script/words.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/memory.h"
#include "cli/command.h"
#include "cli/script-catalog.h"

void script_line_add(struct script_line *l, const char *word)
{
	*ARRAY_ADD(l) = (char *)word;
}

void script_line_add_all(struct script_line *l, const struct script_line *other)
{
	for (size_t i = 0; i < other->n; i++)
		script_line_add(l, other->items[i]);
}

void script_words_done(struct script_words *w)
{
	free(w->arguments.items);
	free(w->record.items);
}

static size_t script_words_count(char *const *words)
{
	size_t n = 0;

	while (words[n])
		n++;
	return n;
}

static int refuse_help(struct diag *diag)
{
	diag_set(diag, -EINVAL, "a script by name has no help of its own");
	diag_hint(diag, "`perf script --list' shows its arguments, `perf record -h' the options.");
	return -EINVAL;
}

/*
 * Counts the leading @words that are options of @record, with their values and a "--". Returns
 * -EINVAL with @diag if one is not such an option.
 */
static int count_options(const struct command *record, char *const *words, size_t *ret,
			 struct diag *diag)
{
	size_t n = script_words_count(words);
	_cleanup_(freep) char **copy = xcalloc(n + 1, sizeof(*copy));
	_cleanup_(freep) void *opts = xcalloc(1, record->opts_size);
	struct option_line line = { 0 };
	int r;

	if (record->defaults)
		memcpy(opts, record->defaults, record->opts_size);
	if (n)
		memcpy(copy, words, n * sizeof(*copy));
	r = option_parse(record->options, opts, copy, OPTION_STOP_POSITIONAL, &line, diag);
	if (record->done)
		record->done(opts);
	if (r > 0)
		return refuse_help(diag);
	*ret = n - (size_t)line.argc;
	return r;
}

/* True for -p 1, -p1, --pid=1 and similar options, which replace -a. */
static bool is_target(const char *word)
{
	static const char *const letters = "aptu";
	static const char *const names[] = { "--all-cpus", "--pid", "--tid", "--uid" };

	if (word[0] == '-' && word[1] != '-')
		return word[1] && strchr(letters, word[1]);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!strncmp(word, names[i], strlen(names[i])))
			return true;
	return false;
}

/* Moves the options from *@words to @w. True if a "--" ended them. */
static int take_options(char *const **words, struct script_words *w, struct diag *diag)
{
	size_t n = 0;
	int r = count_options(w->recorder, *words, &n, diag);

	if (r < 0)
		return r;
	for (size_t i = 0; i < n; i++) {
		w->has_target |= is_target((*words)[i]);
		script_line_add(&w->record, (*words)[i]);
	}
	*words += n;
	return n && !strcmp((*words)[-1], "--");
}

static void take_command(char *const *words, struct script_words *w)
{
	w->has_command |= *words != NULL;
	for (; *words; words++)
		script_line_add(&w->record, *words);
}

static int refuse_missing(const struct named_script *s, struct diag *diag)
{
	diag_set(diag, -EINVAL, "%s needs arguments: %s", s->name, s->arguments);
	diag_hint(diag, "perf script %s %s [record options] [command]", s->name, s->arguments);
	return -EINVAL;
}

static int script_words_refuse_both(const struct named_script *s, const char *word,
				    struct diag *diag)
{
	diag_set(diag, -EINVAL, "'%s' is an argument of %s and a program", word, s->name);
	diag_hint(diag, "As an argument: perf script record %s, then perf script report %s %s",
		  s->name, s->name, word);
	diag_hint(diag, "As the program to be measured: perf script %s -- %s", s->name, word);
	return -EINVAL;
}

static int refuse_neither(const struct named_script *s, const char *word, struct diag *diag)
{
	diag_set(diag, -EINVAL, "'%s' is not a program that could be measured", word);
	if (*s->arguments)
		diag_hint(diag,
			  "As an argument of the script (%s): perf script record %s, then perf "
			  "script report %s %s",
			  s->arguments, s->name, s->name, word);
	if (access(word, F_OK) >= 0)
		diag_hint(diag, "As a recording: perf script -i %s report %s", word, s->name);
	return -EINVAL;
}

/* Takes all words except the command, which begins at *@words afterwards. */
static int script_words_take_arguments(const struct named_script *s, char *const **words,
				       struct script_words *w, struct diag *diag)
{
	for (;;) {
		int r = take_options(words, w, diag);
		const char *word = **words;

		if (r < 0)
			return r;
		if (r > 0 || !word)
			return 0;

		bool is_program = file_is_program(word),
		     is_argument = named_script_takes_word(s, word);

		if (is_argument && is_program)
			return script_words_refuse_both(s, word, diag);
		if (!is_argument && !is_program)
			return refuse_neither(s, word, diag);
		if (is_program)
			return 0;
		script_line_add(&w->arguments, word);
		(*words)++;
	}
}

int script_words_live(const struct named_script *s, char *const *words, struct script_words *ret,
		      struct diag *diag)
{
	bool top = named_script_is_top(s);
	size_t required = named_script_required(s);
	int r = 0;

	for (; *words && strcmp(*words, "--") != 0 && (top || required); words++) {
		script_line_add(&ret->arguments, *words);
		required -= required > 0;
	}
	if (required)
		return refuse_missing(s, diag);
	if (top && *words)
		script_line_add(&ret->record, *words++);
	else if (!top)
		r = script_words_take_arguments(s, &words, ret, diag);
	take_command(words, ret);
	return r;
}

int script_words_record(const struct named_script *s, char *const *words, struct script_words *ret,
			struct diag *diag)
{
	int r = take_options(&words, ret, diag);

	if (r < 0)
		return r;
	if (*words && !r && !file_is_program(*words))
		return refuse_neither(s, *words, diag);
	take_command(words, ret);
	return 0;
}
