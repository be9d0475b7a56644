/* SPDX-License-Identifier: MIT */
#pragma once
/* The place of tracefs, for every command that looks for events there. */
struct invocation;

/*
 * Returns the directory given by --debugfs-dir, which may name tracefs itself or debugfs. NULL: the
 * usual place.
 */
char *command_tracing_dir(const struct invocation *inv);
