#!/bin/sh
# SPDX-License-Identifier: MIT
# The tables of system calls agree with this machine: the numbers of <asm/unistd.h>, and the names
# and widths of arguments in the kernel's own tracepoints (events/syscalls).
skip() {
	echo "$1"
	exit 77
}

top=$(cd "$(dirname "$0")/../.." && pwd)
events=/sys/kernel/tracing/events/syscalls
[ -r "$events/sys_enter_read/format" ] || skip 'the tracepoints of system calls cannot be read'
echo '#include <asm/unistd.h>' | "${CC:-cc}" -E -dM - >/dev/null 2>&1 || skip 'no headers'
python3 "$top/tests/live/syscall-tables.py" "$top/data/syscalls" "$events"
