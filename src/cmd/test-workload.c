/* SPDX-License-Identifier: MIT */
#include "cmd/test-workload.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/number.h"
#include "cli/command.h"
#include "workload/workload.h"

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

static int open_fifo(const char *path, int flags, struct diag *diag)
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
	c->command = open_fifo(commands, O_WRONLY, diag);
	if (c->command < 0)
		return c->command;
	if (acks)
		c->ack = open_fifo(acks, O_RDONLY, diag);
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

static int run(const struct test_workload *w, const char *control, unsigned seconds,
	       struct diag *diag)
{
	_cleanup_(control_close) struct control c = { .command = -1, .ack = -1 };
	int r = control ? control_open(&c, control, diag) : 0;

	if (r >= 0)
		r = control_say(&c, "enable\n", diag);
	if (r >= 0)
		r = w->run(seconds);
	return r < 0 ? r : control_say(&c, "disable\n", diag);
}

int test_workload_run(const struct invocation *inv, const char *name, const char *control)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	const struct test_workload *w = test_workload_find(name);
	uint64_t seconds = 1;
	int r;

	if (!w) {
		diag_set(&diag, -ENOENT, "there is no workload '%s'", name);
		diag_hint(&diag, "'perf test --list-workloads' lists them.");
		return command_fail(inv, -ENOENT, &diag);
	}
	if (inv->argc > 1 ||
	    (inv->argc && (number_parse(inv->argv[0], &seconds) < 0 || seconds > 1000000))) {
		diag_set(&diag, -EINVAL, "'%s' is no number of seconds", inv->argv[inv->argc - 1]);
		return command_usage(inv, &diag);
	}
	r = run(w, control, (unsigned)seconds, &diag);
	return r < 0 ? command_fail(inv, r, &diag) : EXIT_OK;
}
