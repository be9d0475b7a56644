#!/bin/sh
# SPDX-License-Identifier: MIT
# Stacks of Java are unwound in the kernel with names, callers and lines of methods, whichever way they run.
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
javac=$(command -v javac) || { echo 'no javac'; exit 77; }
cp "$top/tests/live/record-java-load.java" Load.java
"$javac" --release 11 -g Load.java >said 2>&1 || { cat said; echo 'javac knows no Java 11'; exit 77; }

# Each virtual machine that is installed.
set --
for java in $(command -v java) /usr/lib/jvm/*/bin/java; do
	java=$(readlink -f "$java")
	"$java" -cp . Load 0 2>/dev/null && case " $* " in
	*" $java "*) ;;
	*) set -- "$@" "$java" ;;
	esac
done
[ $# -gt 0 ] || { echo 'no java of version 11 or newer'; exit 77; }

HOME=$work
export HOME
for java; do
	for mode in -Xint -XX:TieredStopAtLevel=1 -XX:+TieredCompilation; do
		perf record -F 999 -e cpu-clock --call-graph bpf -o java.data -- "$java" -XX:-UsePerfData $mode -cp . Load 3 \
			>/dev/null 2>said || { cat said; fail "$java $mode: cannot record"; continue; }
		if grep -q 'instead of unwound in the kernel' said; then
			cat said
			exit 77
		fi
		perf script -i java.data -F ip,sym,srcline 2>/dev/null |
			python3 "$top/tests/live/record-java.py" 90 >judged || fail "$java $mode: $(tail -n 12 judged)"
	done

	# A process that has been running.
	"$java" -XX:-UsePerfData -cp . Load 6 &
	sleep 2
	perf record -F 999 -e cpu-clock --call-graph bpf -o java.data -p $! sleep 2 >/dev/null 2>said ||
		{ cat said; fail "$java: cannot attach"; }
	wait
	perf script -i java.data -F ip,sym,srcline 2>/dev/null |
		python3 "$top/tests/live/record-java.py" 90 >judged || fail "$java, attached: $(tail -n 12 judged)"
done
exit $failed
