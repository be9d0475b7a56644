/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Markers of programs (sdt_PROVIDER:NAME) and cached probes that an event text names, made probes
 * of the kernel for as long as a measurement needs them.
 *
 * Who attaches holds back the signals that would end it (capture/signals.h), or the probes stay.
 */
#include <stddef.h>

#include "base/cleanup.h"

struct attached_probes;
struct diag;
struct event_env;

/*
 * Gives each name of @texts (what follows -e, @n of them) that is no event yet, but known to the
 * build-id cache in @buildid_dir, a probe; of names with globs only those of markers. *@ret removes
 * them again; NULL: there was nothing to do. Nothing stays behind where it fails. -ENOENT: a marker
 * is not known (@diag has similar names); -EACCES: only root may. A text that is none is left to
 * event_list_parse(), which says what is wrong with it.
 */
int probes_attach(const char *const *texts, size_t n, const char *buildid_dir,
		  struct event_env *env, struct attached_probes **ret, struct diag *diag);

/* Removes what was added; not what another measurement has begun to use. The events are closed. */
void attached_probes_free(struct attached_probes *a);
DEFINE_FREEP(attached_probes)
