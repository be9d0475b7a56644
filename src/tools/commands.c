/* SPDX-License-Identifier: MIT */
#include "tools/commands.h"

#include <stddef.h>

#include "cli/command.h"

#define COMMAND(name) extern const struct command cmd_##name;
#include "tools/commands.def"
#undef COMMAND

#define COMMAND(name) &cmd_##name,
const struct command *const commands[] = {
#include "tools/commands.def"
	NULL,
};
