/* SPDX-License-Identifier: MIT */
#pragma once
/* The browsers that commands show on a terminal. In a build without ncursesw there are none. */
#include <stdbool.h>

struct config;

/*
 * True if a command should open a browser: it was built in, stdin and stdout are a terminal that
 * can position its cursor, and the variable tui.@command of perfconfig does not disable it.
 */
bool tui_is_possible(const struct config *config, const char *command);

/* True if this program has browsers. */
bool tui_is_built_in(void);
