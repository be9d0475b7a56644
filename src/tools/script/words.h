/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Classifies the words after the name of a script: arguments of the script, options of `perf
 * record`, and the command to be measured.
 */
#include <stdbool.h>
#include <stddef.h>

struct command;
struct diag;
struct named_script;

struct script_line {
	char **items; /* the texts are borrowed */
	size_t n, room;
};

struct script_words {
	const struct command *recorder; /* `perf record`, set by the caller: defines its options */
	struct script_line arguments;   /* for the script */
	struct script_line record;      /* options and the command, in order */
	bool has_command;
	bool has_target; /* an option selects the threads or CPUs to measure */
};

/*
 * Classifies the words of `perf script NAME words`. The arguments in <> in the script's text come
 * first. A word for an argument in [] is an argument if no program has that name; otherwise it
 * begins the command. "--" ends the arguments. Returns -EINVAL with @diag: a word could be both, or
 * neither, or is an option that `perf record` does not have.
 */
int script_words_live(const struct named_script *s, char *const *words, struct script_words *ret,
		      struct diag *diag);

/*
 * Classifies the words of `perf script record NAME words`. None is for the script. Returns -EINVAL
 * as above.
 */
int script_words_record(const struct named_script *s, char *const *words, struct script_words *ret,
			struct diag *diag);

void script_words_done(struct script_words *w);

void script_line_add(struct script_line *l, const char *word);
void script_line_add_all(struct script_line *l, const struct script_line *other);
