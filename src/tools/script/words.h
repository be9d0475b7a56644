/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The words behind the name of a script, told apart: arguments of the script, options of `perf
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
	const struct command *recorder; /* `perf record`, set by the caller: which options it has */
	struct script_line arguments;   /* for the script */
	struct script_line record;      /* options and the command, in order */
	bool has_command;
	bool has_target; /* an option says which threads or CPUs are measured */
};

/*
 * Of `perf script NAME words`. What is in <> in the script's text comes first. A word that its text
 * has in [] is an argument if no program is called so; another one begins the command. "--" ends
 * the arguments. -EINVAL with @diag: a word is both, or neither, or an option that `perf record`
 * does not have.
 */
int script_words_live(const struct named_script *s, char *const *words, struct script_words *ret,
		      struct diag *diag);

/* Of `perf script record NAME words`: none is for the script. -EINVAL as above. */
int script_words_record(const struct named_script *s, char *const *words, struct script_words *ret,
			struct diag *diag);

void script_words_done(struct script_words *w);

void script_line_add(struct script_line *l, const char *word);
void script_line_add_all(struct script_line *l, const struct script_line *other);
