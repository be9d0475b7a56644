/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Probes that are known by name without being set: the markers of programs that `perf buildid-cache
 * --add` noted (symbol/buildid/sdt-probes.h), and the probes that `perf probe --cache --add` kept.
 * They are in the file `probes` of an image's entry in the build-id cache, with a line for each
 * place:
 *
 *	%sdt_PROVIDER:NAME=NAME				a marker
 *	p:sdt_PROVIDER/NAME PATH:0xOFFSET[(0xSEMAPHORE)] ARGUMENTS
 *	#[GROUP:EVENT=]POINT ARGUMENTS			a probe as its user wrote it
 *	p:GROUP/EVENT PATH:0xOFFSET ARGUMENTS
 *
 * @dir is the root of the cache (symbol/buildid/cache.h); NULL: there is none.
 */
#include <stdbool.h>
#include <stddef.h>

#include "elf/build-id.h"
#include "probe/trace-probe.h"

struct diag;

struct cached_probe {
	char *text; /* the first line without its first character: "sdt_app:tick=tick" */
	bool is_marker;
	struct trace_probes places; /* with their groups and names; at least one */
};

struct cached_probes {
	struct cached_probe *items;
	size_t n, room;
};

void cached_probes_done(struct cached_probes *l);

/* Reads the text of such a file. Lines that are no definition are skipped. */
void cached_probes_parse(const char *text, struct cached_probes *ret);

/* Reads the probes that are kept for the image with build-id @id; none, if they cannot be read. */
void probe_cache_read(const char *dir, const struct build_id *id, struct cached_probes *ret);

/*
 * Calls @fn for each image that has probes, in the order of build-ids, until it returns non-zero.
 * That value is returned. @name: "/usr/bin/x", "[kernel.kallsyms]".
 */
typedef int cached_image_fn(const char *name, const struct build_id *id,
			    const struct cached_probes *probes, void *arg);
int probe_cache_for_each(const char *dir, cached_image_fn *fn, void *arg);

/*
 * True if the group and the name of @p match @pattern: "[GROUP:]EVENT", where either may be a glob.
 */
bool probe_is_called(const struct trace_probe *p, const char *pattern);

/*
 * Appends the places of all probes that match @pattern (see probe_is_called()) to @out: those of
 * @program, or those of all images if that is NULL. A program that is not in the cache is added to
 * it. Programs that have changed since they were cached are left out. -ENOENT with @diag: there is
 * none; the message names similar ones, and says how markers become known.
 */
int probe_cache_find(const char *dir, const char *program, const char *pattern,
		     struct trace_probes *out, struct diag *diag);

/*
 * Stores the @n @probes, the translation of the user's definition @text, for the image @name with
 * build-id @id. Replaces the probes that were stored for the same text.
 */
int probe_cache_store(const char *dir, const char *name, const struct build_id *id,
		      const char *text, const struct trace_probe *probes, size_t n,
		      struct diag *diag);

/*
 * Removes all probes that match @pattern, of the image @name or of all images, and calls @each for
 * each of them. Returns how many there were.
 */
int probe_cache_remove(const char *dir, const char *name, const char *pattern,
		       void (*each)(void *arg, const struct cached_probe *p), void *arg);
