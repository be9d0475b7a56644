/* SPDX-License-Identifier: MIT */
#include "capture/cpu-watch.h"

#include <linux/netlink.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/notes.h"
#include "kernel/topology.h"

/*
 * The least time between two checks if the kernel sends no messages, however often the caller
 * wakes.
 */
#define EACH_NS 1000000000

/* The multicast group of the kernel's own messages; udev's is another one. */
#define GROUP_KERNEL 1

/*
 * Returns a socket that receives the kernel's messages about its devices, or -1. Network namespaces
 * of users receive none.
 */
static int cpu_watch_listen(void)
{
	struct sockaddr_nl group = { .nl_family = AF_NETLINK, .nl_groups = GROUP_KERNEL };
	int fd = socket(AF_NETLINK, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC,
			NETLINK_KOBJECT_UEVENT);

	if (fd >= 0 && bind(fd, (struct sockaddr *)&group, sizeof(group)) < 0)
		closep(&fd);
	return fd;
}

void cpu_watch_begin(struct cpu_watch *w, const char *system)
{
	_cleanup_(diag_done) struct diag ignored = { 0 };

	*w = (struct cpu_watch){ .system = system, .fd = cpu_watch_listen() };
	(void)topology_online(system, &w->before, &ignored);
}

void cpu_watch_done(struct cpu_watch *w)
{
	cpu_list_done(&w->before);
	cpu_list_done(&w->came);
	cpu_list_done(&w->went);
	closep(&w->fd);
}

static int cpu_watch_compare_cpus(const void *a, const void *b)
{
	const unsigned *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static void cpu_watch_add(struct cpu_list *to, unsigned cpu)
{
	if (cpu_list_contains(to, cpu))
		return;
	*ARRAY_ADD(to) = cpu;
	qsort(to->items, to->n, sizeof(to->items[0]), cpu_watch_compare_cpus);
}

/* Adds the items of @some that are not in @others. The lists are sorted. */
static void cpu_watch_add_missing(struct cpu_list *to, const struct cpu_list *some,
				  const struct cpu_list *others)
{
	for (size_t i = 0; i < some->n; i++)
		if (!cpu_list_contains(others, some->items[i]))
			cpu_watch_add(to, some->items[i]);
}

/* Processes one message: "offline@/devices/system/cpu/cpu3", and variables. */
static void cpu_watch_take(struct cpu_watch *w, const char *message)
{
	unsigned cpu;

	if (sscanf(message, "online@/devices/system/cpu/cpu%5u", &cpu) == 1) {
		if (!cpu_list_contains(&w->before, cpu))
			cpu_watch_add(&w->came, cpu);
	} else if (sscanf(message, "offline@/devices/system/cpu/cpu%5u", &cpu) == 1) {
		if (cpu_list_contains(&w->before, cpu))
			cpu_watch_add(&w->went, cpu);
	}
}

/* Processes all messages that have arrived; those of other processes are dropped. */
static void cpu_watch_hear(struct cpu_watch *w)
{
	struct sockaddr_nl from = { 0 };
	socklen_t size = sizeof(from);
	char message[256];
	ssize_t n;

	while ((n = recvfrom(w->fd, message, sizeof(message) - 1, 0, (struct sockaddr *)&from,
			     &size)) >= 0) {
		message[n] = '\0';
		if (!from.nl_pid)
			cpu_watch_take(w, message);
		size = sizeof(from);
	}
}

void cpu_watch_look(struct cpu_watch *w, uint64_t now_ns)
{
	_cleanup_(diag_done) struct diag ignored = { 0 };
	_cleanup_(cpu_list_done) struct cpu_list now = { 0 };

	if (w->fd >= 0)
		cpu_watch_hear(w);
	if (now_ns < w->next_ns || !w->before.n)
		return;
	w->next_ns = now_ns == UINT64_MAX ? 0 : now_ns + EACH_NS;
	if (topology_online(w->system, &now, &ignored) < 0)
		return;
	cpu_watch_add_missing(&w->came, &now, &w->before);
	cpu_watch_add_missing(&w->went, &w->before, &now);
}

static void cpu_watch_tell_list(const struct cpu_list *l, const char *what, struct notes *notes)
{
	_cleanup_(freep) char *text = l->n ? cpu_list_format(l) : NULL;
	struct diag d = { 0 };

	if (!text)
		return;
	diag_set(&d, 0, "CPU%s %s %s", l->n > 1 ? "s" : "", text, what);
	diag_hint(&d, "Begin anew to measure all CPUs that are online now.");
	notes_take(notes, NOTE_WARNING, &d);
}

void cpu_watch_tell(const struct cpu_watch *w, struct notes *notes)
{
	cpu_watch_tell_list(&w->came, "came online meanwhile, and what ran there was not measured",
			    notes);
	cpu_watch_tell_list(&w->went, "went offline meanwhile, and was not measured from then on",
			    notes);
}
