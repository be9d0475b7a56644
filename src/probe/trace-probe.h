/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A probe in the kernel's form: a line of kprobe_events or uprobe_events
 * (Documentation/trace/kprobetrace.rst, uprobetracer.rst), in both directions.
 *
 *	p:probe/tcp_sendmsg _text+9363872 size=%x2:u64
 *	r:probe_libc/malloc__return /usr/lib/libc.so.6:0x82f20 arg1=$retval
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct trace_arg {
	char *name;  /* NULL: the kernel names it arg1, arg2, ... */
	char *value; /* "%x2", "+8(%sp)", "@sym+4", "$retval" */
	char *type;  /* "u64", "string", "b3@0/32", "x32[4]"; NULL: the kernel's default */
};

struct trace_probe {
	char *group, *event;
	bool is_return;
	unsigned max_active; /* for a return probe; 0: the kernel's choice */
	bool is_user;
	char *path;   /* the program's path, if @is_user */
	char *module; /* "ext4", or NULL: the kernel itself */
	char *symbol; /* NULL: @offset is an address or an offset in the file */
	uint64_t offset;
	uint64_t counter; /* offset in the file of a marker's semaphore; 0: none */
	struct trace_arg *args;
	size_t n_args, args_room;
	/* For display and for `-l`; not part of the line. */
	char *where; /* the probed place: "tcp_sendmsg:81", or NULL */
};

struct trace_probes {
	struct trace_probe *items;
	size_t n, room;
};

void trace_probe_done(struct trace_probe *p);
void trace_probes_done(struct trace_probes *l);
struct trace_probe *trace_probes_add(struct trace_probes *l); /* a new one, all zero */
struct trace_arg *trace_probe_add_arg(struct trace_probe *p);

/* Returns the line, without a newline. The caller frees it. */
char *trace_probe_text(const struct trace_probe *p);

/* Parses a line of the kernel. -EINVAL: it is not a probe. */
int trace_probe_parse(const char *line, bool is_user, struct trace_probe *ret);
