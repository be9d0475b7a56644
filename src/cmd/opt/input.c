/* SPDX-License-Identifier: MIT */
#include "cmd/opt/input.h"

#include <sys/stat.h>
#include <unistd.h>

const struct option input_options[] = {
	OPT_HEADING("Input:"),
	OPT_STRING('i', "input", struct input_opts, path, "file",
		   "profile to read (default: perf.data; - is standard input)"),
	OPT_FLAG('f', "force", struct input_opts, force, "read files of other owners too"),
	OPT_FLAG(0, "header", struct input_opts, header, "first show how the profile was made"),
	OPT_FLAG(0, "header-only", struct input_opts, header_only,
		 "show only how the profile was made"),
	OPT_FLAG('I', "show-info", struct input_opts, show_info,
		 "with the header, CPU and NUMA topology too"),
	OPT_FLAG('D', "dump-raw-trace", struct input_opts, dump_raw,
		 "dump every record, as bytes too"),
	OPT_END
};

const char *input_path(const char *path)
{
	struct stat st;

	if (path)
		return path;
	return fstat(STDIN_FILENO, &st) == 0 && S_ISFIFO(st.st_mode) ? "-" : "perf.data";
}
