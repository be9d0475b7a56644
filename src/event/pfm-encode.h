/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The only file that includes libpfm4's headers, whose perf_event_attr has the same names as
 * wire/attr.h. Private to event/.
 */
#include <stdbool.h>
#include <stdint.h>

#include <config.h>

/* The cure when libpfm4 cannot be asked. */
#if HAVE_LIBPFM
#define PFM_HINT "install the package libpfm4 (Fedora: libpfm)"
#else
#define PFM_HINT "install libpfm4-dev and build again"
#endif

struct pfm_encoding {
	uint32_t type;
	uint64_t config, config1, config2;
	unsigned precise;
	bool exclude_user, exclude_kernel, exclude_hv, exclude_host, exclude_guest;
};

/*
 * Gives the encoding of @event for the kernel. On failure *@ret_why is a static sentence:
 * -EOPNOTSUPP (built without libpfm4, it is not installed, or it cannot start), -ENOENT (no such
 * event on this machine), -EINVAL.
 */
int pfm_encode(const char *event, struct pfm_encoding *ret, const char **ret_why);

/* An event of a PMU of this machine. The texts belong to libpfm4; descriptions may be NULL. */
struct pfm_name {
	const char *pmu, *pmu_description;
	const char *event, *description;
	const char *unit_mask, *unit_mask_description; /* NULL: the event alone */
};

typedef void pfm_name_fn(void *arg, const struct pfm_name *name);

/*
 * Calls @fn for each event, and then for each of its unit masks, in libpfm4's order. Some of these
 * names cannot be encoded, because their event needs a unit mask. -EOPNOTSUPP with *@ret_why as for
 * pfm_encode().
 */
int pfm_for_each(pfm_name_fn *fn, void *arg, const char **ret_why);
