/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The static probes of a program, as definitions for the kernel's uprobe_events, in the file
 * `probes` of a cache entry, where `perf list` and `perf probe` find them: two lines each,
 *
 *	%sdt_PROVIDER:NAME=NAME
 *	p:sdt_PROVIDER/NAME PATH:0xOFFSET[(0xSEMAPHORE)] arg1=%x0:u64
 */

struct text;

/* The largest such file that is read. */
#define SDT_PROBES_SIZE_MAX (4 << 20)

/*
 * Appends the text of such a file to @out: the probes in @known (may be ""), and those of the
 * program called @name, whose file is @path (NULL: it has none). Programs with the same build-id,
 * under several paths, share a file.
 */
void sdt_probes_add(const char *known, const char *name, const char *path, struct text *out);

/*
 * Adds the probes of that program to the file `probes` in the directory @entry, which is made, even
 * if it stays empty. Callers may ignore errors.
 */
int sdt_probes_store(const char *entry, const char *name, const char *path);
