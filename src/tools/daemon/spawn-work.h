/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Starting a `perf record` that cannot outlive the daemon.
 */
#include <stddef.h>
#include <sys/types.h>

struct daemon_spawn {
	const char *program; /* our own path */
	int folder;          /* to work in */
	int output;          /* for what it prints */
	char *const *words;  /* behind "record --control=fifo:control,ack" */
	size_t n_words;
};

/* Returns its pid, or a negative errno. That the program could not be run, its status tells: 127.
 */
pid_t daemon_spawn(const struct daemon_spawn *how);
