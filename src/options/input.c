/* SPDX-License-Identifier: MIT */
#include "options/input.h"

#include <sys/stat.h>
#include <unistd.h>

const struct option input_options[] = { OPT_HEADING("Input:"),
					OPT_INPUT(struct input_opts, path),
					OPT_FORCE(struct input_opts, force),
					OPT_FLAG(0, "header", struct input_opts, header,
						 "first show how the profile was made"),
					OPT_FLAG(0, "header-only", struct input_opts, header_only,
						 "show only how the profile was made"),
					OPT_FLAG('I', "show-info", struct input_opts, show_info,
						 "with the header, CPU and NUMA topology too"),
					OPT_DUMP_RAW(struct input_opts, dump_raw),
					OPT_END };

const char *input_path(const char *path)
{
	struct stat st;

	if (path)
		return path;
	return fstat(STDIN_FILENO, &st) == 0 && S_ISFIFO(st.st_mode) ? "-" : "perf.data";
}
