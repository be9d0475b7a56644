/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The names of variables that perfconfig files may have, so that a typing mistake is noticed when
 * it is stored.
 */
#include <stdbool.h>

enum config_use {
	CONFIG_USED,      /* this perf heeds it */
	CONFIG_ELSEWHERE, /* Linux's perf does, this one has no use for it */
	CONFIG_UNKNOWN,
};

enum config_use config_use_of(const char *key);

/* What was probably meant: "'a' or 'b'"; NULL: nothing is near. The caller frees it. */
char *config_similar_names(const char *key);
