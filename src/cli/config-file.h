/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * perfconfig files: their paths, and how they are read and changed.
 *
 * $PERF_CONFIG, if set, is the only file (/dev/null: none); otherwise /etc/perfconfig, then
 * ~/.perfconfig, whose values have priority. A file that belongs neither to the user nor to root is
 * not read, because its variables name programs that would be run.
 */

struct config;
struct diag;

enum config_scope {
	CONFIG_SYSTEM,
	CONFIG_USER,
	CONFIG_NAMED, /* $PERF_CONFIG */
};

/* Returns the path of one file, or NULL: $HOME or $PERF_CONFIG is not set. The caller frees it. */
char *config_path(enum config_scope scope);

/*
 * Adds the variables of the file @path to @c; a missing file has none. Fails with @diag set if the
 * file cannot be read or has an error (the variables before it are kept).
 */
int config_read_file(struct config *c, const char *path, struct diag *diag);

/*
 * Sets @key to @value in the file @path, which is created if necessary and replaced in one step.
 * Nothing else in it changes.
 */
int config_write_file(const char *path, const char *key, const char *value, struct diag *diag);
