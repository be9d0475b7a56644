/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Sentences about what is wrong with a file, each said once. Private to datafile/.
 */
#include <stddef.h>

struct notes {
	char **items;
	size_t n, room;
};

void notes_done(struct notes *l);

/* Adds a sentence, unless it is there already: files are read twice. */
void notes_add(struct notes *l, const char *format, ...) __attribute__((format(printf, 2, 3)));
