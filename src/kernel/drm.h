/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The use of GPUs by processes, as DRM drivers show it in /proc/PID/fdinfo (the kernel's
 * Documentation/gpu/drm-usage-stats.rst). Each key of a driver is an event that `perf stat` reads;
 * no counter is involved.
 *
 * A client is one open file of a DRM device. It may have several descriptors, in several processes,
 * and counts once.
 */
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* The major number of the character devices below /dev/dri (include/uapi/linux/major.h). */
#define DRM_MAJOR 226

/* The place in which clients are searched. */
struct drm_source {
	const char *proc; /* "/proc" */
	unsigned major;   /* DRM_MAJOR */
};

/* The source on this machine. */
extern const struct drm_source drm_here;

struct drm_event {
	char *name; /* the key: "drm-engine-render" */
	const char *brief, *unit;
	unsigned config; /* in the order in which keys occur, for `perf list --details` */
	uint64_t value;  /* in @unit: the sum over clients, or the maximum (see drm.c) */
};

struct drm_pmu {
	char *name; /* "drm_i915", from the driver */
	struct drm_event *items;
	size_t n, room;
};

struct drm_list {
	struct drm_pmu *items;
	size_t n, room;
	size_t processes; /* number of processes whose files could be read */
};

/*
 * Reads all drivers that the processes or threads @tasks have open (NULL: all processes), with
 * their keys and values, both sorted by name. Unreadable or invalid data is skipped. The caller
 * calls drm_list_done().
 */
void drm_list_read(const struct drm_source *from, const pid_t *tasks, size_t n_tasks,
		   struct drm_list *ret);
void drm_list_done(struct drm_list *l);

/* Returns the value of @key of the PMU @pmu; 0 if no process has it open. */
uint64_t drm_list_value(const struct drm_list *l, const char *pmu, const char *key);
