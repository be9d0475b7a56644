/* SPDX-License-Identifier: MIT */
#pragma once
/* Messages about damage in a file, each given once. Private to datafile/. */
#include <stddef.h>

struct damage {
	char **items;
	size_t n, room;
};

void damage_done(struct damage *l);

/* Adds a sentence, unless it is there already, because files are read twice. */
void damage_add(struct damage *l, const char *format, ...) __attribute__((format(printf, 2, 3)));
