#!/bin/sh
# SPDX-License-Identifier: MIT
# shellcheck disable=SC2016 # $retval is a word of perf
# Functions of C++ can be probed by their source names, as perf probe -F shows them.
command -v c++ >/dev/null || { echo 'c++ is not installed'; exit 77; }
perf=${PERF:-build/perf}
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
c++ -g -O0 -o "$dir/load" "$(dirname "$0")/probe-names-load.cc" || exit 1
"$perf" probe -x "$dir/load" -F 2>/dev/null | grep -q '^shop::Box::get$' ||
	{ echo 'names are not demangled in this build'; exit 77; }
fail=0

# expect DEFINITION SYMBOL EVENT [ARGUMENTS]: checks that the probe is at the linker's SYMBOL (with arguments it is
# after the prologue, so the place is not compared), with this name and these arguments' names.
expect() {
	said=$("$perf" probe -x "$dir/load" -D "$1" 2>"$dir/err")
	at=$(nm "$dir/load" | awk -v s="$2" '$3 == s { sub(/^0+/, "", $1); print $1 }')
	[ -z "${4:-}" ] || at=
	case $said in
	*:probe_load/"$3 $dir/load:0x$at"*"${4:-}"*) return ;;
	esac
	echo "$1: expected $3 at $2 ($at) ${4:-}, got: $said"
	cat "$dir/err"
	fail=1
}

expect 'shop::get' _ZN4shop3getEi shop_get
expect 'shop::get%return ret=$retval' _ZN4shop3getEi shop_get__return 'ret=$retval'
expect 'shop::Box::get k this->value' _ZNK4shop3Box3getEi shop_Box_get k=
expect 'e=shop::Box::get' _ZNK4shop3Box3getEi e
expect 'shop::Box::~Box' _ZN4shop3BoxD1Ev shop_Box_Box
expect 'shop::Box::operator+' _ZN4shop3BoxplEi shop_Box_operator
expect 'shop::Box::add<int>' _ZN4shop3Box3addIiEET_S2_ shop_Box_add_int
expect 'over(double)' _Z4overd over_double
expect '"shop::Box::get(int) const"' _ZNK4shop3Box3getEi shop_Box_get_int_const
expect _Z4overd _Z4overd _Z4overd

n=$("$perf" probe -x "$dir/load" -D 'shop::*' 2>/dev/null | wc -l)
[ "$n" = 6 ] || { echo "shop::*: 6 functions, got $n"; fail=1; }
# Only two of them have a variable of that name.
n=$("$perf" probe -x "$dir/load" -D 'shop::* k' 2>/dev/null | wc -l)
[ "$n" = 2 ] || { echo "shop::* k: 2 functions, got $n"; fail=1; }
said=$("$perf" probe -x "$dir/load" -D 'shop::nosuch' 2>&1) && { echo "shop::nosuch: $said"; fail=1; }
exit $fail
