/* SPDX-License-Identifier: MIT */
#include "cmd/commands.h"

#include <stddef.h>

#include "cli/command.h"

#define COMMAND(name) extern const struct command cmd_##name;
#include "cmd/commands.def"
#undef COMMAND

#define COMMAND(name) &cmd_##name,
const struct command *const commands[] = {
#include "cmd/commands.def"
	NULL,
};
