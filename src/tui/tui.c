/* SPDX-License-Identifier: MIT */
#include "tui/tui.h"

#include <config.h>
#include <stdio.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "cli/config.h"
#include "cli/terminal.h"
#include "tui/screen.h"

bool tui_is_built_in(void)
{
	return HAVE_NCURSES;
}

bool tui_is_possible(const struct config *config, const char *command)
{
	_cleanup_(freep) char *key = xasprintf("tui.%s", command);
	bool wanted = true;

	/* A value that is not a boolean is rejected where variables are checked, not here. */
	if (config_get_bool(config, key, &wanted, NULL) < 0)
		wanted = true;
	return wanted && tui_is_built_in() && isatty(STDIN_FILENO) &&
	       terminal_understands(stdout) && screen_knows_terminal();
}
