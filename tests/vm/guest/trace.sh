# SPDX-License-Identifier: MIT
# `perf trace` by BPF programs on the kernels of the machines: the verifiers of older kernels are stricter.
work=$(mktemp -d)
cd "$work"
perf check -q feature bpf || { echo 'this perf has no BPF programs'; exit 77; }
[ -e /sys/kernel/btf/vmlinux ] || { echo 'this kernel has no BTF'; exit 77; }

perf trace --bpf -o out sh -c 'cat /etc/passwd >/dev/null; exit 3' 2>err || [ $? = 3 ] || { cat err; exit 1; }
[ ! -s err ] || { cat err; exit 1; }
grep -q 'execve(filename: ".*", argv: \["sh", "-c", .*\]' out || { echo 'no execve with strings'; head out; exit 1; }
grep -q 'openat(dfd: CWD, filename: "/etc/passwd"' out || { echo 'no openat of the file'; exit 1; }
grep -q 'read(fd: [0-9]*</etc/passwd>' out || { echo 'no read with the path'; grep read out; exit 1; }
grep -q 'exit_group(' out || { echo 'no exit_group'; exit 1; }
