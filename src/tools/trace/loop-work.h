/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Finds the processes that show or pass on our output. If the whole system is traced, each line
 * would make them call the system again, and so make more lines.
 *
 *	perf trace -a | grep open		grep reads our pipe, sshd holds grep's terminal
 *
 * The search follows pipes (to the processes that read from them) and terminals (to the processes
 * that hold the other side of the pseudo-terminal: sshd, tmux, a terminal emulator), and the
 * channels into which these write. A socket ends the search.
 */
#include <stddef.h>

struct id_list;

/*
 * Adds to @ret this process and the processes that receive the data written to @fds. Processes
 * whose descriptors are hidden from us are omitted. @root is a prefix for /proc; "" for this
 * machine.
 */
void trace_loop_find(const char *root, const int *fds, size_t n, struct id_list *ret);
