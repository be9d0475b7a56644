/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The variables of perfconfig files, in memory.
 *
 * The format is git's: [section] and [section "Sub"] headers, `name = value` lines, # and ;
 * comments, double quotes, backslash escapes and continued lines. Section names are folded to lower
 * case, subsection names are not. A variable is addressed as "section.name" or "section.Sub.name",
 * and a later value replaces an earlier one. Everything here is pure; files are in
 * cli/config-file.h.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct diag;

/* A file with more variables is rejected, because lookups are linear. */
#define CONFIG_ITEMS_MAX 4096

struct config_item {
	char *section; /* "core", "sub.Name" */
	char *name;    /* as written; compared without case */
	char *value;
	char *origin;          /* the file, and the place in it */
	unsigned line, column; /* place of the value */
};

/*
 * The variables. Items of one section are adjacent; sections and items are in the order of their
 * first occurrence.
 */
struct config {
	struct config_item *items;
	size_t n, room;
};

void config_done(struct config *c);

/* Adds all variables of @from to @c. */
void config_copy(struct config *c, const struct config *from);

/*
 * Adds the variables of @text; @origin is the file's name for messages. -EINVAL with @diag pointing
 * at "file:line"; the variables before the error are kept then.
 */
int config_parse(struct config *c, const char *text, size_t length, const char *origin,
		 struct diag *diag);

/* Returns the value of @key, or NULL. Borrowed. */
const char *config_get(const struct config *c, const char *key);
const struct config_item *config_find(const struct config *c, const char *key);

/*
 * Read the value of @key with a type: 1 if set, 0 if not (*@ret is untouched), -EINVAL with @diag
 * naming file and line if it has another type.
 */
int config_get_bool(const struct config *c, const char *key, bool *ret, struct diag *diag);
int config_get_uint(const struct config *c, const char *key, uint64_t *ret, struct diag *diag);

/* Reports that the value of @key, which is set, is invalid, and adds @hint. Returns -EINVAL. */
int config_refuse(const struct config *c, const char *key, const char *hint, struct diag *diag);

/* Parses true, yes, on, 1 or false, no, off, 0 and "". -EINVAL: neither. */
int config_parse_bool(const char *value, bool *ret);

/* Checks that @key has the form section.name. -EINVAL with @diag otherwise. */
int config_check_key(const char *key, struct diag *diag);

/*
 * Returns the @text of a file with @key set to @value: in its place if it was there, else at the
 * end of its section. Everything else is unchanged, including comments. Fails as config_parse()
 * does; a file with an error is left for its owner to correct. The caller frees *@ret.
 */
int config_edit(const char *text, size_t length, const char *origin, const char *key,
		const char *value, char **ret, struct diag *diag);
