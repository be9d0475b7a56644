# SPDX-License-Identifier: MIT
# A probe that exists in the kernel is an event like any other.
cd /sys/kernel/tracing
echo 'p:probe/open_file do_sys_openat2' >kprobe_events
trap 'echo >kprobe_events' EXIT
perf list 'probe:*' | tee /dev/stderr | grep -qE '^ +probe:open_file +\[Tracepoint event\]$'
