/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * perfconfig files: which there are, reading and changing one.
 *
 * $PERF_CONFIG, if set, is the only file (/dev/null: none); otherwise /etc/perfconfig, then
 * ~/.perfconfig, whose values win. A file that belongs neither to the user nor to root is not read:
 * its variables name programs that would be run.
 */

struct config;
struct diag;

enum config_scope {
	CONFIG_SYSTEM,
	CONFIG_USER,
	CONFIG_NAMED, /* $PERF_CONFIG */
};

/* The path of one file, or NULL: $HOME or $PERF_CONFIG is not set. The caller frees it. */
char *config_path(enum config_scope scope);

/*
 * Adds the variables of the file @path to @c; a missing file has none. Fails with @diag set when it
 * cannot be read or has a mistake (the variables before it are kept).
 */
int config_read_file(struct config *c, const char *path, struct diag *diag);

/*
 * Sets @key to @value in the file @path, which is created if need be and replaced in one step.
 * Nothing else in it changes.
 */
int config_write_file(const char *path, const char *key, const char *value, struct diag *diag);
