/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What the path of a cgroup tells: systemd and the runtimes of containers name them by rules.
 */
struct text;

/* Appends the innermost service: "web" of /system.slice/web.service/x. Nothing: there is none. */
void cgroup_service(struct text *t, const char *path);

/*
 * Appends the first 12 digits of the innermost container's id, as its runtime shows them. Nothing:
 * there is none.
 */
void cgroup_container(struct text *t, const char *path);
