/* SPDX-License-Identifier: MIT */
#include "cmd/opt/verbosity.h"

const struct option verbosity_options[] = {
	OPT_COUNT('v', "verbose", struct verbosity_opts, verbose, "say more; -vv says still more"),
	OPT_FLAG('q', "quiet", struct verbosity_opts, quiet, "print no warnings and no messages"),
	OPT_END
};
