/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Where tracefs is, for every command that looks for events there.
 */
struct invocation;

/* By --debugfs-dir, which may be the place itself or that of debugfs. NULL: the usual place. */
char *command_tracing_dir(const struct invocation *inv);
