/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Runs a command of perf on a file of any bytes: it must end, with success or with an error
 * message.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "cli/command.h"
#include "cli/config.h"
#include "tools/commands.h"

#define COMMAND_WORDS_MAX 16

struct fuzzed_command {
	const char *name;
	const char *options; /* separated by one blank */
	const char *last;    /* a word after the file's name, or NULL */
};

/* Runs the command with options that keep it from reading files of this machine. */
static inline int fuzz_run(const struct fuzzed_command *c, const char *path, FILE *out, FILE *err)
{
	_cleanup_(config_done) struct config config = { 0 };
	_cleanup_(freep) char *text = xasprintf("--force --symfs /nowhere --kallsyms /dev/null %s",
						c->options);
	char *argv[COMMAND_WORDS_MAX + 4] = { 0 }, *save;
	const struct settings s = {
		.commands = commands, .config = &config, .out = out, .err = err, .paginate = -1
	};
	size_t n = 0;

	for (char *w = strtok_r(text, " ", &save); w && n < COMMAND_WORDS_MAX;
	     w = strtok_r(NULL, " ", &save))
		argv[n++] = w;
	argv[n++] = (char *)"-i";
	argv[n++] = (char *)path;
	argv[n] = (char *)c->last;
	return command_run(command_find(commands, c->name), argv, &s);
}

static inline void fuzz_command(const struct fuzzed_command *c, const uint8_t *data, size_t size)
{
	_cleanup_(closep) int fd = memfd_create("fuzz", MFD_CLOEXEC);
	_cleanup_(freep) char *path = xasprintf("/proc/self/fd/%d", fd), *said = NULL;
	size_t n_said;
	FILE *out = fopen("/dev/null", "w"), *err = open_memstream(&said, &n_said);
	int status;

	if (!out || !err || write(fd, data, size) != (ssize_t)size)
		abort();
	status = fuzz_run(c, path, out, err);
	fclose(out);
	fclose(err);
	if ((status != EXIT_OK && status != EXIT_FAILED && status != EXIT_USAGE) ||
	    (status != EXIT_OK && !n_said))
		abort();
}

/* Returns a number below @n: the same bytes give the same number. */
static inline size_t fuzz_choose(const uint8_t *data, size_t size, size_t n)
{
	unsigned sum = 0;

	for (size_t i = 0; i < size; i++)
		sum = sum * 31 + data[i];
	return sum % n;
}
