/* SPDX-License-Identifier: MIT */
#include "measure/origin.h"

#include <version.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/memory.h"
#include "capture/host-facts.h"

/* The kernel limits a command line to a quarter of the stack's limit. */
#define TEXT_MAX (8u << 20)

struct command_line {
	const char **argv; /* the path of the running program, then the words as typed */
	size_t n;
	char *text, *program; /* the memory that argv points into */
};

/* Returns the command line as typed. It is empty if /proc does not show it. */
static struct command_line command_line_typed(void)
{
	struct command_line l = { 0 };
	char program[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", program, sizeof(program) - 1);
	size_t length = 0, room = 0;

	if (file_read(AT_FDCWD, "/proc/self/cmdline", TEXT_MAX, &l.text, &length) < 0)
		return l;
	for (size_t at = 0; at < length; at += strlen(l.text + at) + 1) {
		l.argv = array_reserve(l.argv, &room, l.n + 1, sizeof(*l.argv));
		l.argv[l.n++] = l.text + at;
	}
	if (n > 0 && l.n)
		l.argv[0] = l.program = xstrndup(program, (size_t)n);
	return l;
}

static void command_line_done(struct command_line *l)
{
	free(l->argv);
	free(l->text);
	free(l->program);
	*l = (struct command_line){ 0 };
}

void origin_describe(struct features *f)
{
	_cleanup_(command_line_done) struct command_line line = command_line_typed();
	const struct host_facts_request rq = {
		.root = "",
		.version = PERF_VERSION,
		.argv = line.argv,
		.n_args = line.n,
	};

	host_facts(&rq, f);
}
