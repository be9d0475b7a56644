/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Manual pages: finds ours and shows them with man(1).
 *
 * A page is beside the program in a build (docs/man/perf-list.1) or in the manual's directory of
 * the installation. Pages of other programs with the same name, such as Linux's perf, are never
 * shown.
 */

/*
 * Shows the page @name ("perf-list"). -ENOENT: there is no such page; -ENOPKG: there is no man(1);
 * -EIO: man(1) failed.
 */
int manual_show(const char *name);
