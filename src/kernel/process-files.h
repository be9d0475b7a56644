/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Files as another process sees them: in a container it has its own root directory and its own
 * number. Only a process that is still alive can be used.
 */
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Returns the mount namespace of @pid, 0 for this process; 0 if it is not known. */
uint64_t process_mount_ns(int pid);

/*
 * Returns the path to the file @path of process @pid: "/proc/PID/root" and @path if it lives in
 * another mount namespace than this process; else NULL. The caller frees it.
 */
char *process_path(int pid, const char *path);

/* Finds the effective user of process @pid. False: it has ended. */
bool process_user(int pid, uid_t *ret);

/* Returns the number of process @pid in its own namespace; @pid if it has ended. */
int process_inner_pid(int pid);
