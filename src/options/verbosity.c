/* SPDX-License-Identifier: MIT */
#include "options/verbosity.h"

const struct option verbosity_options[] = { OPT_COUNT('v', "verbose", struct verbosity_opts,
						      verbose, "say more; -vv says still more"),
					    OPT_QUIET(struct verbosity_opts, quiet), OPT_END };
