/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A made-up machine for tests that resolve events: sysfs PMUs and tracepoints in a directory of its
 * own, the events that were resolved on it last, and the error message.
 *
 * machine_open() and machine_close() are a test's setup and teardown; *state is the machine. Files
 * are added before the first event is resolved, because sysfs is read only once.
 */
#include <errno.h>
#include <stdbool.h>

#include "base/memory.h"
#include "event/env.h"
#include "event/event.h"
#include "marked.h"
#include "kernel/fake-tree.h"

struct machine {
	void *root;
	struct event_env *env;
	struct event_list events;
	struct diag diag;
};

static inline int machine_open(void **state)
{
	struct machine *m = xcalloc(1, sizeof(*m));

	*state = m;
	/* An unknown CPU, so that no vendor's table is used. */
	setenv("PERF_CPUID", "nobody-0-0-0", 1);
	if (fake_tree_open(&m->root) < 0)
		return -1;
	fake_file(m->root, "devices/software/type", "1\n");
	fake_file(m->root, "tracing/events/", "");
	return 0;
}

static inline int machine_close(void **state)
{
	struct machine *m = *state;
	int r = fake_tree_close(&m->root);

	event_list_done(&m->events);
	event_env_free(m->env);
	diag_done(&m->diag);
	free(m);
	return r;
}

/* "cpu/format/event" */
static inline void machine_device(struct machine *m, const char *path, const char *text)
{
	_cleanup_(freep) char *full = xasprintf("devices/%s", path);

	fake_file(m->root, full, text);
}

/* "sched/sched_switch" */
static inline void machine_tracepoint(struct machine *m, const char *path, unsigned id)
{
	_cleanup_(freep) char *full = xasprintf("tracing/events/%s/id", path);
	_cleanup_(freep) char *text = xasprintf("%u\n", id);

	fake_file(m->root, full, text);
}

static inline struct event_env *machine_env(struct machine *m)
{
	if (!m->env) {
		_cleanup_(freep) char *devices = xasprintf("%s/devices", (char *)m->root);
		_cleanup_(freep) char *tracing = xasprintf("%s/tracing", (char *)m->root);

		m->env = event_env_new(devices, tracing);
	}
	return m->env;
}

/* One more -e. */
static inline int machine_append(struct machine *m, const char *text, enum event_use use)
{
	diag_done(&m->diag);
	return event_list_parse(&m->events, text, machine_env(m), use, &m->diag);
}

/* Returns the events of @text, which must be valid, and of nothing else. */
static inline struct event **machine_events(struct machine *m, const char *text, size_t n)
{
	event_list_done(&m->events);

	int r = machine_append(m, text, EVENT_USE_SAMPLING);

	if (r < 0)
		fail_msg("%s: %s", text, m->diag.message);
	if (m->diag.message)
		fail_msg("%s: is accepted, but '%s'", text, m->diag.message);
	if (m->events.n != n)
		fail_msg("%s: %zu events, not %zu", text, m->events.n, n);
	return m->events.items;
}

static inline const struct event *machine_event(struct machine *m, const char *text)
{
	return machine_events(m, text, 1)[0];
}

/* Checks that @text is refused with @error, with the mark and words of marked.h. */
static inline void machine_refuses(struct machine *m, const char *text, int error, const char *mark,
				   const char *words)
{
	int r;

	event_list_done(&m->events);
	r = machine_append(m, text, EVENT_USE_SAMPLING);
	if (r != error)
		fail_msg("%s: %d, not %d", text, r, error);
	assert_marked(&m->diag, text, mark, words);
	assert_int_equal(m->events.n, 0);
}

/* Adds the PMU of a server with one kind of cores, as in Intel's sysfs. */
static inline void machine_add_cpu(struct machine *m)
{
	machine_device(m, "cpu/type", "4\n");
	machine_device(m, "cpu/format/event", "config:0-7\n");
	machine_device(m, "cpu/format/umask", "config:8-15\n");
	machine_device(m, "cpu/format/inv", "config:23\n");
	machine_device(m, "cpu/format/cmask", "config:24-31\n");
	machine_device(m, "cpu/format/ldlat", "config1:0-15\n");
	machine_device(m, "cpu/events/cpu-cycles", "event=0x3c\n");
	machine_device(m, "cpu/events/mem-loads", "event=0xcd,umask=0x1,ldlat=3\n");
	machine_device(m, "cpu/events/mem-stores", "event=0xd0,umask=0x82\n");
}

/* Adds the PMUs of a machine with two kinds of cores. */
static inline void machine_add_hybrid(struct machine *m)
{
	machine_device(m, "cpu_atom/type", "10\n");
	machine_device(m, "cpu_atom/cpus", "4-7\n");
	machine_device(m, "cpu_atom/format/event", "config:0-7\n");
	machine_device(m, "cpu_atom/events/mem-stores", "event=0xd0,umask=0x6\n");
	machine_device(m, "cpu_atom/format/umask", "config:8-15\n");
	machine_device(m, "cpu_core/type", "4\n");
	machine_device(m, "cpu_core/cpus", "0-3\n");
	machine_device(m, "cpu_core/format/event", "config:0-7\n");
	machine_device(m, "cpu_core/format/umask", "config:8-15\n");
	machine_device(m, "cpu_core/events/mem-stores", "event=0xd0,umask=0x82\n");
	machine_device(m, "cpu_core/events/slots", "event=0x0,umask=0x4\n");
}
