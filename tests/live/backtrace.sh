#!/bin/sh
# SPDX-License-Identifier: MIT
# Hundreds of stacks in python3, the C compiler, a Rust program with threads and a C++ program with exceptions and
# signals equal those that libgcc's unwinder finds at the same moment, unwound while recording and afterwards.
top=$(cd "$(dirname "$0")/../.." && pwd)
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
fail=0

"${CC:-cc}" -O2 -fPIC -shared -o backtrace-preload.so "$top/tests/live/backtrace-preload.c" -ldl &&
	"${CXX:-c++}" -O2 -g -o load "$top/tests/live/debug-load.cc" || {
	echo 'no C and C++ compilers'
	exit 77
}
cat >load.py <<'END'
import json, re
def deep(n, f): return f() if n == 0 else deep(n - 1, f)
for i in range(40):
    texts = [json.dumps({"a": [i] * 9}) for i in range(60)]
    deep(8, lambda: sorted(texts, key=lambda s: re.sub("[0-9]", "x", json.dumps(s))))
END

perf record -q -e syscalls:sys_enter_getppid -o p.data true 2>err || {
	echo "cannot sample a system call here: $(head -n 1 err)"
	exit 77
}

# NAME EVERY COMMAND...
check() {
	name=$1 every=$2
	shift 2
	for when in later now; do
		mkdir "$name-$when"
		BACKTRACE_EVERY=$every BACKTRACE_DIR="$dir/$name-$when" \
			perf record -q -m 32M -e syscalls:sys_enter_getppid --call-graph dwarf,32768 --unwind=$when \
			-o p.data env LD_PRELOAD="$dir/backtrace-preload.so" "$@" >/dev/null 2>&1 ||
			{ echo "$name: cannot record"; fail=1; continue; }
		"$top/tests/live/backtrace.py" p.data "$name-$when" >out || { echo "$name, unwound $when:"; cat out; fail=1; }
	done
}

cat >load.rs <<'END'
use std::collections::HashMap;
fn deep(n: u32, f: &dyn Fn() -> usize) -> usize { if n == 0 { f() } else { deep(n - 1, f) + 1 } }
fn words(n: usize) -> usize {
    let mut m: HashMap<String, Vec<usize>> = HashMap::new();
    for i in 0..n { m.entry(format!("k{}", i % 7)).or_default().push(i); }
    let mut v: Vec<_> = m.into_iter().collect();
    v.sort_by(|a, b| a.0.to_uppercase().cmp(&b.0.to_uppercase()));
    v.len()
}
fn main() {
    let t: Vec<_> = (0..2).map(|_| std::thread::spawn(|| deep(9, &|| words(300)))).collect();
    println!("{}", t.into_iter().map(|t| t.join().unwrap()).sum::<usize>() + deep(3, &|| words(300)));
}
END

check c++ 1 ./load 40
! rustc -O -g -o rust-load load.rs 2>/dev/null || check rust 9 ./rust-load
! command -v python3 >/dev/null || check python3 400 python3 load.py
check compiler 300 "${CC:-cc}" -O2 -c -o /dev/null "$top/tests/live/backtrace-preload.c"
exit $fail
