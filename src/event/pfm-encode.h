/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The one place that sees libpfm4's headers, whose perf_event_attr has the same names as
 * wire/attr.h. Private to event/.
 */
#include <stdbool.h>
#include <stdint.h>

struct pfm_encoding {
	uint32_t type;
	uint64_t config, config1, config2;
	unsigned precise;
	bool exclude_user, exclude_kernel, exclude_hv, exclude_host, exclude_guest;
};

/*
 * What @event asks of the kernel. On failure *@ret_why is a static sentence: -EOPNOTSUPP (built
 * without libpfm4, or it cannot start), -ENOENT (no such event on this machine), -EINVAL.
 */
int pfm_encode(const char *event, struct pfm_encoding *ret, const char **ret_why);
