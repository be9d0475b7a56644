# SPDX-License-Identifier: MIT
# System calls where the kernel is not the developer's: BPF programs are accepted, every call is there, and 32-bit
# programs have their own numbers and structs.
work=$(mktemp -d)
cd "$work"
perf check -q feature bpf || { echo 'this perf has no BPF programs'; exit 77; }
[ -e /sys/kernel/btf/vmlinux ] || { echo 'this kernel has no BTF'; exit 77; }

# The verifiers of older kernels are stricter.
perf trace --bpf -o out sh -c 'cat /etc/passwd >/dev/null; exit 3' 2>err || [ $? = 3 ] || { cat err; exit 1; }
[ ! -s err ] || { cat err; exit 1; }
grep -q 'execve(filename: ".*", argv: \["sh", "-c", .*\]' out || { echo 'no execve with strings'; head out; exit 1; }
grep -q 'openat(dfd: CWD, filename: "/etc/passwd"' out || { echo 'no openat of the file'; exit 1; }
grep -q 'read(fd: [0-9]*</etc/passwd>' out || { echo 'no read with the path'; grep read out; exit 1; }
grep -q 'exit_group(' out || { echo 'no exit_group'; exit 1; }

perf trace -o calls true 2>said || { cat said; exit 1; }
[ ! -s said ] || { echo "it says:"; cat said; exit 1; }
grep -q ' execve(filename: "[^"]*/true", argv: \["true"\]' calls || { cat calls; exit 1; }
grep -q ' exit_group() *= ?$' calls || { tail calls; exit 1; }

perf trace -e write -o writes dd if=/dev/zero of=/dev/null bs=512 count=5000 2>/dev/null
[ "$(grep -c ' write(fd: 1.* = 512$' writes)" -eq 5000 ] || { wc -l writes; tail -n 3 writes; exit 1; }

perf trace -s -o summary dd if=/dev/zero of=/dev/null bs=512 count=5000 2>/dev/null
grep -qE '^ +read +500[0-9] ' summary || { cat summary; exit 1; }

# A program of 32 bits: open("/etc/hostname"), write("hello\n"), exit(7).
case $(uname -m) in
x86_64)
	cat >small.S <<'S'
	.globl _start
_start:	mov $5, %eax
	mov $path, %ebx
	xor %ecx, %ecx
	int $0x80
	mov $4, %eax
	mov $1, %ebx
	mov $text, %ecx
	mov $6, %edx
	int $0x80
	mov $1, %eax
	mov $7, %ebx
	int $0x80
path:	.asciz "/etc/hostname"
text:	.asciz "hello\n"
S
	gcc -m32 -nostdlib -static -o small small.S
	;;
aarch64)
	# Header, one segment, and the code as words, because there is no compiler for this machine.
	python3 - <<'P'
import struct
code = [0xe3a07005, 0xe28f0028, 0xe3a01000, 0xef000000,              # open
        0xe3a07004, 0xe3a00001, 0xe28f1024, 0xe3a02006, 0xef000000,  # write
        0xe3a07001, 0xe3a00007, 0xef000000]                          # exit
text = struct.pack("<12I", *code) + b"\0" * 4 + b"/etc/hostname\0\0\0" + b"hello\n\0\0"
base, size = 0x10000, 84 + len(text)
elf = b"\x7fELF\1\1\1" + b"\0" * 9 + struct.pack("<HHIIIIIHHHHHH", 2, 40, 1, base + 84, 52, 0, 0x5000200, 52, 32, 1, 0, 0, 0)
elf += struct.pack("<8I", 1, 0, base, base, size, size, 5, 0x10000)
open("small", "wb").write(elf + text)
P
	chmod +x small
	;;
esac
status=0
./small >/dev/null || status=$?
[ $status -eq 7 ] || {
	echo "the kernel does not run 32-bit programs: $status"
	exit 77
}
perf trace -o small.calls ./small >/dev/null 2>&1 || :
for line in ' open(filename: "/etc/hostname"' ' write(fd: 1</dev/null>, buf: "\?hello\\n"\?, count: 6) *= 6' ' exit(error_code: 7) *= ?'; do
	grep -q "$line" small.calls || { echo "not there: $line"; cat small.calls; exit 1; }
done
