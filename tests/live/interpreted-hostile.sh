#!/bin/sh
# SPDX-License-Identifier: MIT
# Runtimes of interpreted languages whose memory is not what it should be: a program with the symbols of Python that
# lies (interpreted-hostile.c), and runtimes over whose memory somebody writes while they run. The recording ends, takes
# limited time and memory, and shows no name on which a terminal would act.
top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0

fail() {
	echo "FAILED: $*"
	failed=1
}

perf check -q feature bpf || { echo 'this perf has no BPF programs'; exit 77; }
perf record -e cpu-clock --call-graph bpf -o try.data true >/dev/null 2>said || { cat said; exit 77; }
! grep -q 'instead of unwound in the kernel' said || { cat said; exit 77; }
"${CC:-cc}" --version >/dev/null 2>&1 || { echo 'no C compiler'; exit 77; }

HOME=$work
export HOME
check() {
	python3 "$top/tests/live/interpreted-hostile.py" "$@"
}

"${CC:-cc}" -O1 -pthread -o hostile "$top/tests/live/interpreted-hostile.c" || exit 1
for mode in honest cycle itself kernel-frame kernel-code kernel-text far-members members-at-the-end long-name \
	endless-name endless-lines endless-code escapes surrogates reversed many noise described; do
	check "$mode" ./hostile "$mode" 1 || fail "$mode"
	case $mode in
	honest | cycle | kernel-frame)
		grep -q 'app.py:honest' shown || fail "$mode: no name"
		;;
	escapes)
		grep -q 'EVIL' shown || fail "$mode: no name"
		! grep -q "$(printf '\033\[31m')" .debug/interpreted/python/*/elf || fail 'an escape is in the image'
		;;
	esac
done

# Somebody writes over the memory of these. They may well die of it.
"${CC:-cc}" -O1 -o noise "$top/tests/live/interpreted-noise.c" || exit 1
cat >load.js <<'END'
function inner(n) { let t = 0; for (let i = 0; i < n; i++) t += Math.sqrt(i); return t; }
class Server { run() { return inner(2000) + JSON.stringify([1, 2, 3]).length; } }
for (const s = new Server(); ;) s.run();
END
cat >Load.java <<'END'
public class Load {
	static double inner(int n) { double t = 0; for (int i = 0; i < n; i++) t += Math.sqrt(i); return t; }
	public static void main(String[] a) {
		for (double t = 0; ; ) { Runnable r = () -> inner(5000); r.run(); t += inner(100); }
	}
}
END
cat >load.py <<'END'
import json
def inner(n): return sum(i * i for i in range(n))
class Server:
    def run(self): return inner(500) + len(json.dumps(list(range(50))))
while True: Server().run()
END
for runtime in 'python3 load.py' 'node load.js' 'java Load.java'; do
	command -v "${runtime%% *}" >/dev/null || continue
	for seed in 1 2; do
		# shellcheck disable=SC2086 # a command and its argument
		check "${runtime%% *} with noise" ./noise $seed $runtime || fail "$runtime, seed $seed"
	done
done
exit $failed
