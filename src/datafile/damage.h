/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Sentences about what is wrong with a file, each said once. Private to datafile/.
 */
#include <stddef.h>

struct damage {
	char **items;
	size_t n, room;
};

void damage_done(struct damage *l);

/* Adds a sentence, unless it is there already: files are read twice. */
void damage_add(struct damage *l, const char *format, ...) __attribute__((format(printf, 2, 3)));
