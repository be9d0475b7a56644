/* SPDX-License-Identifier: MIT */
/*
 * Whatever the bytes of a profile, `perf report` of it ends, with a report or with a reason: from
 * the file through session, collector and rows to every layout of table and tree. The bytes choose
 * the options.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "cli/config.h"
#include "cmd/commands.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define WORDS_MAX 16

/* Words are apart by one blank. */
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

static const char *choose(const uint8_t *data, size_t size)
{
	unsigned sum = 0;

	for (size_t i = 0; i < size; i++)
		sum = sum * 31 + data[i];
	return lines[sum % (sizeof(lines) / sizeof(lines[0]))];
}

/* Files of this machine are none of the profile's business. */
static int run(const char *path, const char *line, FILE *out, FILE *err)
{
	_cleanup_(config_done) struct config config = { 0 };
	_cleanup_(freep) char *text =
		xasprintf("--stdio -f --symfs /nowhere --kallsyms /dev/null %s", line);
	char *argv[WORDS_MAX + 4] = { 0 }, *save;
	const struct settings s = { .config = &config, .out = out, .err = err, .paginate = -1 };
	size_t n = 0;

	for (char *w = strtok_r(text, " ", &save); w && n < WORDS_MAX;
	     w = strtok_r(NULL, " ", &save))
		argv[n++] = w;
	argv[n++] = (char *)"-i";
	argv[n] = (char *)path;
	return command_run(command_find(commands, "report"), argv, &s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_(closep) int fd = memfd_create("fuzz", MFD_CLOEXEC);
	_cleanup_(freep) char *path = xasprintf("/proc/self/fd/%d", fd), *said = NULL;
	size_t n_said;
	FILE *out = fopen("/dev/null", "w"), *err = open_memstream(&said, &n_said);
	int status;

	if (!out || !err || write(fd, data, size) != (ssize_t)size)
		abort();
	status = run(path, choose(data, size), out, err);
	fclose(out);
	fclose(err);
	if ((status != EXIT_OK && status != EXIT_FAILED && status != EXIT_USAGE) ||
	    (status != EXIT_OK && !n_said))
		abort();
	return 0;
}
