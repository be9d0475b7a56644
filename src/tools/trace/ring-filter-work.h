/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Filters of the kernel for the tracepoints raw_syscalls:*, so that calls that nobody wants do not
 * come into the ring buffers.
 */
struct id_list;
struct trace_selection;

/*
 * The condition for @s, of 64-bit programs of this machine, and that it is none of the processes
 * @left_out; NULL: none is needed, or it would be longer than the kernel takes. The caller frees
 * it. Calls that it lets through are still to be looked at.
 */
char *trace_ring_filter(const struct trace_selection *s, const struct id_list *left_out);

/* "common_pid != 1 && common_pid != 2"; NULL: nobody is left out. The caller frees it. */
char *trace_pid_filter(const struct id_list *left_out);
