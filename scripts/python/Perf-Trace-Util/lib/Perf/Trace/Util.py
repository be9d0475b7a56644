# SPDX-License-Identifier: MIT
#
# Util: small helpers for scripts: times, statistics, names of system calls and of errors.
#
# syscall_name() of this file needs the audit module of Python. Script.syscall_name() of the file
# beside it asks perf and needs nothing; use that in new scripts.

import errno
import os

FUTEX_WAIT = 0
FUTEX_WAKE = 1
FUTEX_PRIVATE_FLAG = 128
FUTEX_CLOCK_REALTIME = 256
FUTEX_CMD_MASK = ~(FUTEX_PRIVATE_FLAG | FUTEX_CLOCK_REALTIME)

NSECS_PER_SEC = 1000000000


def avg(total, n):
    return total / n


def nsecs(secs, nsecs):
    """Returns seconds and nanoseconds as nanoseconds."""
    return secs * NSECS_PER_SEC + nsecs


def nsecs_secs(nsecs):
    """Returns nanoseconds as seconds (a float)."""
    return nsecs / NSECS_PER_SEC


def nsecs_nsecs(nsecs):
    """Returns the nanoseconds beyond whole seconds."""
    return nsecs % NSECS_PER_SEC


def nsecs_str(nsecs):
    """Returns a tuple of one text. Scripts rely on the tuple, so it stays one."""
    return ("%5u.%09u" % (nsecs_secs(nsecs), nsecs_nsecs(nsecs)),)


def add_stats(dict, key, value):
    """Adds value to dict[key] = (min, max, average, count). The average is the running one that
    weighs the newest value by one half."""
    if key not in dict:
        dict[key] = (value, value, value, 1)
        return
    low, high, average, count = dict[key]
    dict[key] = (min(low, value), max(high, value), (average + value) / 2, count + 1)


def clear_term():
    print("\x1b[H\x1b[2J")


audit_package_warned = False

try:
    import audit

    machine_to_id = {
        'x86_64': audit.MACH_86_64,
        'alpha': audit.MACH_ALPHA,
        'ia64': audit.MACH_IA64,
        'ppc': audit.MACH_PPC,
        'ppc64': audit.MACH_PPC64,
        'ppc64le': audit.MACH_PPC64LE,
        's390': audit.MACH_S390,
        's390x': audit.MACH_S390X,
        'i386': audit.MACH_X86,
        'i586': audit.MACH_X86,
        'i686': audit.MACH_X86,
    }
    for machine, constant in (('armeb', 'MACH_ARMEB'), ('aarch64', 'MACH_AARCH64')):
        if hasattr(audit, constant):
            machine_to_id[machine] = getattr(audit, constant)
    machine_id = machine_to_id[os.uname()[4]]
except Exception:
    if not audit_package_warned:
        audit_package_warned = True
        print("Install the audit-libs-python package to get syscall names.\n"
              "For example:\n  # apt-get install python-audit (Ubuntu)"
              "\n  # yum install audit-libs-python (Fedora)"
              "\n  etc.\n")


def syscall_name(id):
    """Returns the name of a system call of this machine; its number if the audit module is
    missing."""
    try:
        return audit.audit_syscall_to_name(id, machine_id)
    except Exception:
        return str(id)


def strerror(nr):
    """Returns ENOENT for 2 and for -2."""
    return errno.errorcode.get(abs(nr), "Unknown %d errno" % nr)
