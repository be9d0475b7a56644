#!/bin/sh
# SPDX-License-Identifier: MIT
# Every function of a stack has been called by the next one, wherever the program is interrupted, and no caller appears
# twice: in hand-written code without CFI, in stripped programs, in musl's C library, in Go and OCaml programs, and
# after calls that never return. The calls between the functions are known.
top=$(cd "$(dirname "$0")/../.." && pwd)
here=$top/tests/live
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
fail=0
run=0

# Prints the names of each stack, innermost first, as a line; an entry with the same address as the previous one is
# TWICE. OCaml numbers its functions.
stacks() {
	perf script --no-inline -i p.data -F ip,sym 2>/dev/null | sed 's/ \[unknown\]$/ ?/; s/\.abi0$//; s/\(Ml\.[a-z]*\)_[0-9]*$/\1/' |
		awk -v RS= '{ line = ""; for (i = 2; i <= NF; i += 2) line = line " " (i > 2 && $(i - 1) == $(i - 3) ? "TWICE " : "") $i; print line }' |
		sed 's/@[^ ]*//g'
}

# Prints what is wrong with the stacks that have $3: $1 has callee:caller pairs, and $2 the ends of stacks.
judge() {
	awk -v callers="$1" -v root="$2" -v through="$3" '
		BEGIN { n = split(callers, pairs, " "); for (i = 1; i <= n; i++) { split(pairs[i], p, ":"); is[p[1], p[2]] = known[p[1]] = 1 } }
		index($0 " ", " " through " ") == 0 { next }
		/TWICE/ { print "a frame appears twice: " $0; next }
		$NF !~ root { print "ends early: " $0; next }
		{ for (i = 1; i < NF; i++) if (known[$i] && !is[$i, $(i + 1)]) print $i " is not called by " $(i + 1) ": " $0 }
		{ whole++ }
		END { if (whole < 50) print "only " whole + 0 " whole stacks" }'
}

# Records ./load, which is $1, with $5..., and judges by pairs, root and through.
check() {
	name=$1 pairs=$2 root=$3 through=$4
	shift 4
	perf record -q -e cpu-clock:u -F 5000 -o p.data "$@" ./load >/dev/null 2>&1 || { echo 'cannot record here'; exit 77; }
	# After a handler the kernel reports the contents of the link register on arm64, whatever it is. Go's morestack
	# changes to another stack, which no CFI describes.
	case $* in
	-g) stacks | grep -v sigreturn ;;
	*) stacks ;;
	esac | grep -vF runtime.morestack | judge "$pairs" "$root" "$through" >wrong
	run=$((run + 1))
	[ -s wrong ] || return
	echo "$name, $*: $(wc -l <wrong)"
	head -5 wrong
	fail=1
}

cc=${CC:-cc}
if $cc -O1 -fno-omit-frame-pointer -o load "$here/known-callers-noreturn.c" 2>/dev/null; then
	for how in '-g' '--call-graph dwarf'; do
		# shellcheck disable=SC2086 # words
		check 'calls that never return' 'spin:caller caller:middle middle:main' . main $how
		perf report -i p.data --stdio --no-children -g caller,folded -s sym 2>/dev/null |
			sed -n '/% .*;/s/.*% //p' | grep -v 'caller;spin' | grep ';spin' && fail=1
		perf script -i p.data -F ip,sym 2>/dev/null | grep after_ && fail=1
	done
fi
if $cc -O2 -o load "$here/known-callers-load.c" "$here/known-callers-$(uname -m).S" 2>/dev/null; then
	asm='leaf:framed leaf:unframed leaf:busy_fp framed:unframed framed:caller unframed:busy_fp unframed:caller busy_fp:caller caller:main'
	for unwind in now later; do
		check 'without CFI' "$asm" '^_start$' main --call-graph dwarf --unwind $unwind
	done
	strip load
	check stripped '' '^([?]|_start)$' __libc_start_call_main --call-graph dwarf --unwind later
fi
if command -v musl-gcc >/dev/null && musl-gcc -O2 -static -o load "$here/known-callers-musl.c" 2>/dev/null; then
	check musl 'hot:caller caller:main' '^(_start.*|libc_start_main_stage2)$' main --call-graph dwarf,32768 --unwind later
fi
if command -v go >/dev/null && GOCACHE=$dir/cache GO111MODULE=off go build -o load "$here/known-callers.go" 2>/dev/null; then
	# Go makes preempted functions appear to have called asyncPreempt, which CFI does not describe.
	export GODEBUG=asyncpreemptoff=1
	go='main.hot:main.caller main.sum:main.caller main.caller:main.main main.main:runtime.main runtime.duffzero:main.hot runtime.duffzero:main.caller'
	# x86_64 has no link register: a function without a frame of its own hides its caller from the kernel.
	[ "$(uname -m)" = x86_64 ] || check Go "$go" '^runtime[.](main|goexit)$' main.main -g
	check Go "$go" '^runtime[.]goexit$' main.main --call-graph dwarf --unwind later
fi
# From version 5 on, C functions have a stack of their own.
case $(ocamlopt -version 2>/dev/null) in
4.*)
	cp "$here/known-callers.ml" "$here/known-callers-stub.c" . && mv known-callers.ml ml.ml
	if ocamlopt -o load ml.ml known-callers-stub.c >/dev/null 2>&1; then
		case $(uname -m) in
		x86_64) ml_caller=Ml.caller ;; # caml_c_call jumps
		*) ml_caller=caml_c_call ;;
		esac
		check OCaml "work:ml_mark ml_mark:$ml_caller" '^_start$' ml_mark --call-graph dwarf --unwind later
	fi
	;;
esac
[ $run -gt 0 ] || { echo 'no such program can be built here'; exit 77; }
exit $fail
