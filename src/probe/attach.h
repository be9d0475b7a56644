/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Sets probes for the markers of programs (sdt_PROVIDER:NAME) and the cached probes that an event
 * text names. They exist for as long as a measurement needs them.
 *
 * The caller holds back the signals that would end the process (capture/signals.h); otherwise the
 * probes would stay in the kernel.
 */
#include <stddef.h>

#include "base/cleanup.h"

struct attached_probes;
struct diag;
struct event_env;

/*
 * Sets a probe for each name in @texts (the arguments of -e, @n of them) that is not an event yet,
 * but is in the build-id cache in @buildid_dir. Globs match markers only. *@ret removes the probes
 * again; NULL: there was nothing to do. On failure no probe is left. -ENOENT: a marker is not known
 * (@diag has similar names); -EACCES: only root may set probes. Texts with other mistakes are left
 * to event_list_parse(), which explains them.
 */
int probes_attach(const char *const *texts, size_t n, const char *buildid_dir,
		  struct event_env *env, struct attached_probes **ret, struct diag *diag);

/*
 * Removes the probes that were set, except those that another measurement uses by now. The events
 * must be closed first.
 */
void attached_probes_free(struct attached_probes *a);
DEFINE_FREEP(attached_probes)
