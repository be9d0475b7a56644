#!/bin/sh
# SPDX-License-Identifier: MIT
# The stacks of samples equal those that gdb and eu-stack find in the same process, stopped: in a leaf, under recursion,
# in a signal handler (where eu-stack goes astray on aarch64), in a thread; and in a leaf without a frame. Only the
# functions of our own program are compared.
top=$(cd "$(dirname "$0")/../.." && pwd)
. "$top/tests/live/waiting"
command -v gdb >/dev/null || command -v eu-stack >/dev/null || { echo 'neither gdb nor eu-stack'; exit 77; }
dir=$(mktemp -d) || exit 1
pid=
cleanup() {
	[ -z "$pid" ] || kill -KILL "$pid" 2>/dev/null
	rm -rf "$dir"
}
trap cleanup EXIT
cd "$dir" || exit 1
fail=0

build() {
	"${CC:-cc}" -O1 -fno-omit-frame-pointer -fno-optimize-sibling-calls -pthread "$@" "$top/tests/live/stacks-load.c"
}
build -o load && build -DBARE -o bare || { echo 'no C compiler'; exit 77; }

# Reduces names, the innermost first, to those of the load, as one line.
own() {
	grep -xE 'stay|middle|recurse|handler|thread|main' | tr '\n' ' '
}

by_gdb() {
	gdb -q -batch -nx -p "$pid" -ex "thread apply all bt" 2>/dev/null |
		awk '/^#0/ { n++ } /^#/ { name = $2 ~ /^0x/ ? $4 : $2; if (name == "stay") in_it = n; if (n == in_it) print name }' | own
}

by_eu_stack() {
	eu-stack -p "$pid" 2>/dev/null |
		awk '/^TID/ { n++ } /^#/ { if ($3 == "stay") in_it = n; if (n == in_it) print $3 }' | own
}

# Prints all stacks that were sampled; there should be one.
by_perf() {
	perf script -i p.data -F ip,sym 2>/dev/null | awk 'NF >= 2 { print $2 } !NF { print "" }' |
		awk -v RS= '{ gsub("\n", " "); print }' | sort -u | while read -r line; do
		echo "$line" | tr ' ' '\n' | own
		echo
	done | sort -u
}

by_report() {
	perf report --stdio -i p.data --no-children -g callee,folded -s sym 2>/dev/null |
		sed -n 's/^[0-9.]*% //p' | while read -r line; do
		echo "$line" | tr ';' '\n' | own
		echo
	done | sort -u
}

# without_the_leafs_caller: filters names in one line to those that frame pointers of x86_64 give for a leaf that stores
# no frame record: the kernel reads the frame pointer, which is still its caller's. On aarch64 perf looks into the link
# register.
without_the_leafs_caller() {
	if [ "$(uname -m)" = x86_64 ]; then sed 's/^stay middle /stay /'; else cat; fi
}

# compare PROGRAM HOW FILTER OPTION...: checks that its sampled stacks are those of the tools, after FILTER.
compare() {
	program=$1
	how=$2
	filter=$3
	shift 3
	./"$program" "$how" &
	pid=$!
	"$top/tests/live/until-ran" $pid 30
	perf record -q "$@" -e cpu-clock:u -F 999 -o p.data -p $pid -- "$top/tests/live/until-ran" $pid 50 || { echo 'cannot record here'; exit 77; }
	kill -STOP $pid
	by_perf >sampled
	by_report >reported
	for tool in gdb eu_stack; do
		command -v "$(echo $tool | tr _ -)" >/dev/null || continue
		[ "$tool$how" != eu_stackhandler ] || continue
		wanted=$(by_$tool | $filter)
		[ -n "$wanted" ] || { echo "$tool cannot trace here"; exit 77; }
		for what in sampled reported; do
			[ "$(cat $what)" = "$wanted" ] || {
				echo "$program $how $*: $what:"
				cat $what
				echo "$tool: $wanted"
				fail=1
			}
		done
	done
	kill -KILL $pid
	wait $pid 2>/dev/null
	pid=
}

for how in leaf recursion deep handler thread; do
	compare load $how cat -g
done
compare bare leaf cat --call-graph dwarf
compare bare leaf without_the_leafs_caller -g
exit $fail
