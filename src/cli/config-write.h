/* SPDX-License-Identifier: MIT */
#pragma once
/* Writes the parts of a perfconfig file as text that cli/config-parse.h reads back. */
#include <stddef.h>

struct text;

/* Appends "[core]" or "[sub "Name"]" and a newline. */
void config_write_header(struct text *t, const char *section);

/* Appends a tab, "name = value" and a newline. */
void config_write_variable(struct text *t, const char *name, const char *value);

/* Appends a value, in quotes where the grammar requires them. */
void config_write_value(struct text *t, const char *value);

/*
 * Returns the section named by @n characters of a key, folded as a header is. The caller frees it.
 */
char *config_section(const char *s, size_t n);
