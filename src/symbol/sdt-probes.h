/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The static probes of a program, as definitions for the kernel's uprobe_events, in the file
 * `probes` of a cache entry, where `perf list` and `perf probe` find them: two lines each,
 *
 *	%sdt_PROVIDER:NAME=NAME
 *	p:sdt_PROVIDER/NAME PATH:0xOFFSET[(0xSEMAPHORE)] arg1=%x0:u64
 */

/*
 * Writes the file `probes` into the directory @entry: of the program called @name that lies at
 * @path; empty if it has none or @path is NULL. An error costs only the probes.
 */
int sdt_probes_store(const char *entry, const char *name, const char *path);
