#!/bin/sh
# SPDX-License-Identifier: MIT
# Stacks that are unwound in the kernel have the functions of JavaScript in Node: their names, their shares of the time,
# their order, also in a recursion, and lines inside of them; whether the program is started or runs already.
top=$(cd "$(dirname "$0")/../.." && pwd)
command -v node >/dev/null || { echo 'no node'; exit 77; }
[ "$(id -u)" = 0 ] || { echo 'needs root'; exit 77; }
perf check -q feature bpf || { echo 'built without BPF'; exit 77; }
case $(node -p process.versions.v8) in
	10.2.* | 11.3.* | 12.4.* | 13.6.*) ;;
	*) echo "the objects of V8 $(node -p process.versions.v8) are not known"; exit 77 ;;
esac
dir=$(mktemp -d) || exit 1
pid=
cleanup() {
	[ -z "$pid" ] || kill -KILL "$pid" 2>/dev/null
	rm -rf "$dir"
}
trap cleanup EXIT
cd "$dir" || exit 1
load=$top/tests/live/record-node.js
fail=0

# One line for each sample: its functions, innermost first.
stacks() {
	perf script -i p.data -F ip,sym 2>/dev/null | awk '
		NF { $1 = ""; sub(/\+0x.*/, ""); s = s ";" substr($0, 2) }
		!NF { if (s != "") print s ";"; s = "" }' >stacks
}

# Checks that the program's functions are there, and their shares and order.
check() {
	stacks
	awk -v name="$1" '
		/;record-node.js:(heavy|light);/ { all++ }
		/;record-node.js:heavy;/ { heavy++ }
		/;\[unread\];/ { unread++ }
		/;record-node.js:(heavy|light);(record-node.js:descend;)+record-node.js:main;record-node.js:\(top level\);/ {
			if (gsub(/;record-node.js:descend/, "&") == 4)
				whole++
		}
		/^;(record-node.js:work;)?record-node.js:spin;record-node.js:(heavy|light);/ { inner++ }
		END {
			if (all < 100) {
				printf "%s: only %d of %d samples have the functions\n", name, all, NR
				exit 1
			}
			if (heavy < all * 0.6 || heavy > all * 0.88)
				printf "%s: heavy() has %d of %d samples\n", name, heavy, all
			else if (whole < all * 0.9)
				printf "%s: only %d of %d samples have all callers in order\n", name, whole, all
			else if (inner < all * 0.7)
				printf "%s: only %d of %d samples are in the functions called\n", name, inner, all
			else if (unread > NR * 0.05)
				printf "%s: %d samples have functions without names\n", name, unread
			else
				exit 0
			exit 1
		}' stacks || {
		fail=1
		sort stacks | uniq -c | sort -rn | head -5
	}
}

# Checks that the lines of the function $1 are from $2 to $3.
check_lines() {
	perf script -i p.data -F ip,sym,srcline 2>/dev/null | awk -v name="record-node.js:$1" -v first="$2" -v last="$3" '
		wanted { n++; split($1, part, ":"); if (part[1] != "record-node.js" || part[2] < first || part[2] > last) bad = $0 }
		{ wanted = $2 == name }
		END {
			if (n && bad == "")
				exit 0
			printf "%s: %d lines, among them %s\n", name, n, bad
			exit 1
		}' || fail=1
}

# line PATTERN: prints the number of the line in the program.
line() {
	awk -v p="$1" 'index($0, p) { print NR; exit }' "$load"
}

perf record -q -F 999 --call-graph bpf -o p.data node "$load" 2500 >out 2>&1 || { cat out; exit 1; }
check 'started'
check_lines heavy "$(line 'heavy() {')" "$(line '30);')"
check_lines work "$(line 'work(n)')" "$(line 'return x')"
check_lines descend "$(line 'descend(server, depth)')" "$(line 'server.light();')"

node "$load" 6000 &
pid=$!
sleep 1
perf record -q -F 999 --call-graph bpf -o p.data -p $pid sleep 2 >out 2>&1 || { cat out; exit 1; }
check 'attached'
exit $fail
