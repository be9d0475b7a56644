/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What commands show on a terminal: the browsers. In a build without ncursesw there are none.
 */
#include <stdbool.h>

struct config;

/*
 * Whether a command is to open a browser: it was built in, stdin and stdout are a terminal that can
 * place its cursor, and the variable tui.@command of perfconfig does not say otherwise.
 */
bool tui_is_possible(const struct config *config, const char *command);

/* Whether this program has browsers at all. */
bool tui_is_built_in(void);
