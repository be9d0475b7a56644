/* SPDX-License-Identifier: MIT */
#include "tools/test/workload.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/memory.h"
#include "cli/command.h"
#include "tools/test/workload/workload.h"

int test_workload_list(const struct invocation *inv)
{
	for (const struct test_workload *const *w = test_workloads; *w; w++)
		fprintf(inv->out, "%s\n", (*w)->name);
	return EXIT_OK;
}

/* The FIFOs of `perf record --control`, of which we are the other end. */
struct control {
	int command, ack; /* -1: none */
};

static void control_close(struct control *c)
{
	closep(&c->command);
	closep(&c->ack);
}

static int test_workload_open_fifo(const char *path, int flags, struct diag *diag)
{
	int fd = open(path, flags | O_CLOEXEC);

	if (fd >= 0)
		return fd;
	diag_set(diag, -errno, "cannot open '%s': %s", path, strerror(errno));
	diag_hint(diag, "It is the FIFO of 'perf record -D -1 --control=fifo:%s', made by mkfifo.",
		  path);
	return -errno;
}

/* @text is fifo:COMMANDS[,ACKS]. */
static int control_open(struct control *c, const char *text, struct diag *diag)
{
	_cleanup_(freep) char *copy = NULL;
	char *acks, *commands;

	if (strncmp(text, "fifo:", 5) || !text[5])
		return diag_set(diag, -EINVAL, "'%s' is not fifo:ctl-fifo[,ack-fifo]", text);
	copy = xstrdup(text + 5);
	acks = copy;
	commands = strsep(&acks, ",");
	c->command = test_workload_open_fifo(commands, O_WRONLY, diag);
	if (c->command < 0)
		return c->command;
	if (acks)
		c->ack = test_workload_open_fifo(acks, O_RDONLY, diag);
	return c->ack < 0 && acks ? c->ack : 0;
}

static int control_say(const struct control *c, const char *word, struct diag *diag)
{
	char answer[16] = "";
	int r = c->command < 0 ? 0 : file_write(c->command, word, strlen(word));

	if (r < 0)
		return diag_set(diag, r, "cannot reach the recording: %s", strerror(-r));
	if (c->ack >= 0 &&
	    (read(c->ack, answer, sizeof(answer) - 1) < 3 || strncmp(answer, "ack", 3)))
		return diag_set(diag, -EPROTO, "the recording did not answer 'ack'");
	return 0;
}

static int tools_test_workload_run(const struct test_workload *w, const char *control,
				   const double *numbers, struct diag *diag)
{
	_cleanup_(control_close) struct control c = { .command = -1, .ack = -1 };
	int r = control ? control_open(&c, control, diag) : 0;

	if (r >= 0)
		r = control_say(&c, "enable\n", diag);
	if (r >= 0)
		r = w->run(numbers);
	return r < 0 ? r : control_say(&c, "disable\n", diag);
}

/* A plain decimal: no exponent, no sign. */
static bool test_workload_parse_number(const char *text, const struct test_workload_number *n,
				       double *ret)
{
	size_t digits = strspn(text, n->is_whole ? "0123456789" : "0123456789.");
	char *end;

	if (!digits || text[digits])
		return false;
	*ret = strtod(text, &end);
	return !*end && *ret >= n->least && *ret <= n->most;
}

/* The words behind the name: as many numbers as the workload has, or fewer. */
static int test_workload_take_numbers(const struct invocation *inv, const struct test_workload *w,
				      double *ret, struct diag *diag)
{
	for (size_t i = 0; i < WORKLOAD_NUMBERS_MAX; i++)
		ret[i] = w->numbers[i].usual;
	for (int i = 0; i < inv->argc; i++) {
		const struct test_workload_number *n =
			i < WORKLOAD_NUMBERS_MAX && w->numbers[i].what ? &w->numbers[i] : NULL;

		if (!n)
			return diag_set(diag, -EINVAL, "'%s' is too much for %s", inv->argv[i],
					w->name);
		if (test_workload_parse_number(inv->argv[i], n, &ret[i]))
			continue;
		diag_set(diag, -EINVAL, "'%s' is not a number of %s", inv->argv[i], n->what);
		diag_hint(diag, "A number from %.0f to %.0f.", n->least, n->most);
		return -EINVAL;
	}
	return 0;
}

int test_workload_run(const struct invocation *inv, const char *name, const char *control)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	const struct test_workload *w = test_workload_find(name);
	double numbers[WORKLOAD_NUMBERS_MAX];
	int r;

	if (!w) {
		diag_set(&diag, -ENOENT, "there is no workload '%s'", name);
		diag_hint(&diag, "'perf test --list-workloads' lists them.");
		return command_fail(inv, -ENOENT, &diag);
	}
	if (test_workload_take_numbers(inv, w, numbers, &diag) < 0)
		return command_usage(inv, &diag);
	r = tools_test_workload_run(w, control, numbers, &diag);
	return r < 0 ? command_fail(inv, r, &diag) : EXIT_OK;
}
