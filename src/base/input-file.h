/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Files that are read because outside data names them: the images of a recording, their debug files
 * and sources, the maps of JIT compilers.
 *
 * A name may lead anywhere. Opening a device can have an effect (it arms /dev/watchdog), opening a
 * FIFO waits, and reading a file of procfs or tracefs can take data away from another reader.
 * Therefore only regular files of ordinary file systems are opened, and the check and the open are
 * of the same file: nobody can swap the path between them.
 */
#include <sys/stat.h>

/*
 * Finds @path without opening it (O_PATH) and checks that it can be opened safely. Its status goes
 * to *@ret, which may be NULL. Returns a descriptor for input_file_reopen(). @flags: O_NOFOLLOW or
 * 0. Errors: those of open(); -ELOOP: a symbolic link, with O_NOFOLLOW; -EINVAL: not a regular
 * file, or one of the kernel's own file systems other than /proc/kcore.
 */
int input_file_find(const char *path, int flags, struct stat *ret);

/*
 * Opens the file that input_file_find() found, for reading. @path is used where /proc is not
 * mounted.
 */
int input_file_reopen(int found, const char *path);

/*
 * Finds and opens the file @name in the open directory @folder; it must not be a symbolic link. Its
 * status goes to *@ret. Returns a descriptor for reading; the errors are those of the two functions
 * above.
 */
int input_file_open_at(int folder, const char *name, struct stat *ret);

/* Does both: finds and opens @path. Returns a descriptor for reading. */
int input_file_open(const char *path);
