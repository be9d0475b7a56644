/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes `perf report` with profiles of any bytes: it ends, with a report or with an error message.
 * The bytes pass through session, collector and rows to every layout of table and tree. They also
 * choose the options.
 */
#include "base/cleanup.h"
#include "command.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Words are separated by one blank. */
static const char *const lines[] = {
	"",
	"--no-children",
	"-s comm,dso -n",
	"-s sym,cpu,pid,time -g none",
	"-g caller --no-children -s comm",
	"--no-children -g fractal,0",
	"--no-children -g flat",
	"--no-children -g folded,count",
	"-g callee --percent-limit 1",
	"-G --max-stack 3",
	"--hierarchy",
	"--hierarchy -s dso,sym --no-children",
	"--group -t ,",
	"--json",
	"-s trace",
	"-s trace_fields,parent",
	"-b",
	"--mem-mode",
	"-s addr,weight,socket,cgroup,transaction,ins_lat",
	"-F overhead_sys,overhead_us,sample,period,sym",
	"-U -c x --percentage relative",
	"--stats",
	"--tasks",
	"--mmaps",
	"-T",
	"-D",
	"-v --header -I",
	"--time 10%-50% -s comm",
	"--ignore-callees a --parent b -x",
	"--total-cycles",
	"--branch-history",
	"-w 3,3 -q",
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_(freep) char *options =
		xasprintf("--stdio %s", lines[fuzz_choose(data, size, ARRAY_SIZE(lines))]);

	fuzz_command(&(struct fuzzed_command){ .name = "report", .options = options }, data, size);
	return 0;
}
