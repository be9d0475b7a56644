/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The processes that show or pass on our output. If the whole system is traced, each line would
 * make them call the system again, and so make more lines.
 *
 *	perf trace -a | grep open		grep reads our pipe, sshd holds grep's terminal
 *
 * Followed are pipes (who reads what we write into) and terminals (who holds the other side of the
 * pseudo-terminal: sshd, tmux, a terminal emulator), and what these write into in turn. A socket
 * ends the search.
 */
#include <stddef.h>

struct id_list;

/*
 * Adds to @ret ourselves and the processes that what is written to @fds comes to.
 * Processes whose descriptors we may not see are left out. @root stands before /proc; "" for this
 * machine.
 */
void trace_loop_find(const char *root, const int *fds, size_t n, struct id_list *ret);
