/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Files as another process sees them: in a container it has a root directory and a number of its
 * own. Only a process that is still alive can be asked.
 */
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* The mount namespace of @pid, 0 for this process; 0 if it is not known. */
uint64_t process_mount_ns(int pid);

/*
 * The way to the file @path of process @pid: "/proc/PID/root" and @path if it lives in another
 * mount namespace than this process; else NULL. The caller frees it.
 */
char *process_path(int pid, const char *path);

/* The effective user of process @pid. False: it is gone. */
bool process_user(int pid, uid_t *ret);

/* The number that process @pid has in its own namespace; @pid if it is gone. */
int process_inner_pid(int pid);
