/* SPDX-License-Identifier: MIT */
#include "capture/control.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/notes.h"

#define COMMAND_MAX 256

struct control {
	int fd, ack_fd;
	bool owned;
	char bytes[512]; /* read and not yet processed: [at, end) */
	size_t at, end;
	char line[COMMAND_MAX]; /* the current command; excess text is dropped */
	size_t length;
};

static const char *const verbs[] = {
	[CONTROL_ENABLE] = "enable",     [CONTROL_DISABLE] = "disable", [CONTROL_EVLIST] = "evlist",
	[CONTROL_SNAPSHOT] = "snapshot", [CONTROL_STOP] = "stop",       [CONTROL_PING] = "ping",
};

/* The program that waits for answers compares five bytes: Linux's perf sends the NUL, too. */
static const char answer[] = "ack\n";

static struct control *control_new(int fd, int ack_fd, bool owned)
{
	struct control *c = xcalloc(1, sizeof(*c));

	c->fd = fd;
	c->ack_fd = ack_fd;
	c->owned = owned;
	return c;
}

int control_open_fds(int fd, int ack_fd, struct control **ret, struct diag *diag)
{
	int bad = fcntl(fd, F_GETFD) < 0                      ? fd
		  : ack_fd >= 0 && fcntl(ack_fd, F_GETFD) < 0 ? ack_fd
							      : -1;

	if (bad >= 0) {
		diag_set(diag, -EBADF, "--control: descriptor %d is not open", bad);
		diag_hint(diag, "Open it in the shell first: exec %d<>ctl.fifo", bad);
		return -EBADF;
	}
	*ret = control_new(fd, ack_fd, false);
	return 0;
}

/*
 * Opens a fifo for reading and writing, so that it is never without a writer and open() does not
 * wait. Anything else is not opened: opening a device may have an effect.
 */
static int control_open_fifo(const char *path, struct diag *diag)
{
	_cleanup_(closep) int found = open(path, O_PATH | O_CLOEXEC);
	_cleanup_(freep) char *link = xasprintf("/proc/self/fd/%d", found);
	int r = found < 0 ? -errno : 0;
	struct stat st;

	if (r >= 0 && fstat(found, &st) == 0 && !S_ISFIFO(st.st_mode))
		r = -ENXIO;
	if (r >= 0) {
		int fd = open(link, O_RDWR | O_NONBLOCK | O_CLOEXEC);

		if (fd >= 0)
			return fd;
		r = -errno;
	}
	if (r == -ENXIO)
		diag_set(diag, r, "--control: '%s' is not a named pipe", path);
	else
		diag_set(diag, r, "--control: cannot open '%s': %s", path, strerror(-r));
	diag_hint(diag, "Make it first: mkfifo %s", path);
	return r;
}

int control_open_fifos(const char *path, const char *ack, struct control **ret, struct diag *diag)
{
	int fd = control_open_fifo(path, diag);
	int ack_fd = fd >= 0 && ack ? control_open_fifo(ack, diag) : -1;

	if (fd >= 0 && ack && ack_fd < 0) {
		close(fd);
		return ack_fd;
	}
	if (fd < 0)
		return fd;
	*ret = control_new(fd, ack_fd, true);
	return 0;
}

void control_free(struct control *c)
{
	if (!c)
		return;
	if (c->owned) {
		closep(&c->fd);
		closep(&c->ack_fd);
	}
	free(c);
}

int control_fd(const struct control *c)
{
	return c->fd;
}

void control_read(struct control *c)
{
	ssize_t n = read(c->fd, c->bytes, sizeof(c->bytes));

	c->at = 0;
	c->end = n > 0 ? (size_t)n : 0;
	if (n > 0 || (n < 0 && (errno == EAGAIN || errno == EINTR)))
		return;
	/* poll() reports a pipe without writers as readable for ever, so it is no longer polled. */
	if (c->owned)
		close(c->fd);
	c->fd = -1;
}

static char *control_trim(char *s)
{
	char *end;

	while (isspace((unsigned char)*s))
		s++;
	end = s + strlen(s);
	while (end > s && isspace((unsigned char)end[-1]))
		*--end = '\0';
	return s;
}

static struct control_command control_parse(char *line)
{
	size_t n = strcspn(line, " \t");

	for (size_t i = 0; i < ARRAY_SIZE(verbs); i++)
		if (strlen(verbs[i]) == n && !memcmp(line, verbs[i], n))
			return (struct control_command){ (enum control_verb)i,
							 control_trim(line + n) };
	return (struct control_command){ CONTROL_UNKNOWN, line };
}

/* Adds bytes to the line up to its end. False: the end has not arrived yet. */
static bool control_take_line(struct control *c)
{
	while (c->at < c->end) {
		char byte = c->bytes[c->at++];

		if (byte == '\n' || byte == '\0')
			return true;
		if (c->length < sizeof(c->line) - 1)
			c->line[c->length++] = byte;
	}
	return false;
}

/* True if the unfinished line is a whole command already, and not part of a word ("ena"). */
static bool is_verb(const struct control *c)
{
	for (size_t i = 0; i < ARRAY_SIZE(verbs); i++)
		if (strlen(verbs[i]) == c->length && !memcmp(c->line, verbs[i], c->length))
			return true;
	return false;
}

bool control_next(struct control *c, struct control_command *ret)
{
	while (control_take_line(c) || is_verb(c)) {
		char *line;

		c->line[c->length] = '\0';
		c->length = 0;
		line = control_trim(c->line);
		/*
		 * The newline of a command that was executed before the newline arrived leaves an
		 * empty line.
		 */
		if (!*line)
			continue;
		*ret = control_parse(line);
		return true;
	}
	return false;
}

void control_ack(struct control *c)
{
	struct pollfd p = { .fd = c->ack_fd, .events = POLLOUT };

	/*
	 * A full pipe is not waited for, and without a reader (POLLERR) write() would raise
	 * SIGPIPE.
	 */
	if (c->ack_fd < 0 || poll(&p, 1, 0) != 1 || p.revents != POLLOUT)
		return;
	if (write(c->ack_fd, answer, sizeof(answer)) < 0)
		return;
}

/* The command that is being executed. */
struct control_run {
	const struct control_actions *actions;
	void *arg;
	struct notes *notes;
};

static void switch_events(const struct control_run *o, const char *name, bool on)
{
	if (!*name)
		o->actions->switch_all(o->arg, on);
	else if (o->actions->switch_one(o->arg, name, on) < 0)
		notes_add(o->notes, NOTE_WARNING, "--control: no event is called '%s'", name);
	else
		notes_add(o->notes, NOTE_WARNING, "Event %s %s", name, on ? "enabled" : "disabled");
}

static void capture_control_obey(const struct control_run *o, const struct control_command *c)
{
	switch (c->verb) {
	case CONTROL_ENABLE:
	case CONTROL_DISABLE:
		switch_events(o, c->argument, c->verb == CONTROL_ENABLE);
		break;
	case CONTROL_EVLIST:
		o->actions->list(o->arg, c->argument);
		break;
	case CONTROL_SNAPSHOT:
		if (o->actions->snapshot)
			o->actions->snapshot(o->arg);
		else
			notes_add(o->notes, NOTE_WARNING,
				  "--control: 'snapshot' is for perf record");
		break;
	case CONTROL_STOP:
		o->actions->stop(o->arg);
		break;
	case CONTROL_PING:
		break;
	case CONTROL_UNKNOWN:
		notes_add(o->notes, NOTE_WARNING,
			  "--control: '%s' is not a command: enable, disable, evlist, %sping, stop",
			  c->argument, o->actions->snapshot ? "snapshot, " : "");
		break;
	}
}

void control_obey(struct control *c, const struct control_actions *actions, void *arg,
		  struct notes *notes)
{
	const struct control_run o = { actions, arg, notes };
	struct control_command command;

	control_read(c);
	while (control_next(c, &command)) {
		capture_control_obey(&o, &command);
		if (command.verb != CONTROL_UNKNOWN)
			control_ack(c);
	}
}
