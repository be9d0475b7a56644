#!/bin/sh
# SPDX-License-Identifier: MIT
# Lines and inlined functions equal those of addr2line, for every form and place of the debug information.
skip() {
	echo "$1"
	exit 77
}

here=$(cd "$(dirname "$0")" && pwd)
PERF=${PERF:-$(command -v perf)}
command -v addr2line >/dev/null && command -v objcopy >/dev/null || skip 'no binutils'
command -v python3 >/dev/null || skip 'no python3'
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
HOME=$dir
export HOME
fail=0

cat >load.c <<'END'
static inline __attribute__((always_inline)) unsigned long mix(unsigned long x)
{
	x ^= x >> 7;
	x *= 0x9e3779b97f4a7c15ul;
	return x ^ x >> 32;
}

static inline __attribute__((always_inline)) unsigned long twice(unsigned long x)
{
	unsigned long y = mix(x);

	return mix(y + 1);
}

__attribute__((noinline)) unsigned long work(unsigned long n)
{
	unsigned long sum = 0;

	for (unsigned long i = 0; i < n; i++) {
		sum += twice(i ^ sum);
		if (sum & 1)
			sum += mix(sum);
	}
	return sum;
}

int main(void)
{
	return work(10000000) == 1;
}
END
"${CC:-cc}" -O2 -g -fno-omit-frame-pointer -o plain load.c || skip 'no C compiler'

# $1: the description; $2: the program; $3: the file that addr2line reads, if it is another.
check() {
	"$PERF" record -q -e cpu-clock:u -F 4000 -g -o "$1.data" "./$2" || { fail=1; return; }
	"$PERF" script -i "$1.data" --inline -F ip,sym,srcline >"$1.txt" 2>stderr || { cat stderr; fail=1; }
	python3 "$here/lines.py" "$1" "${3:-$2}" <"$1.txt" || fail=1
}

# $1: the description; the rest: the compiler's command. Forms that the compiler does not support are left out.
build() {
	name=$1
	shift
	"$@" -O2 -fno-omit-frame-pointer -o "$name" load.c 2>/dev/null && check "$name" "$name"
}

check plain plain
build dwarf-4 "${CC:-cc}" -gdwarf-4
build dwarf-5 "${CC:-cc}" -gdwarf-5
build packed "${CC:-cc}" -g -gz
build lto "${CC:-cc}" -g -flto
build clang clang -gdwarf-4

# addr2line of binutils 2.40 finds no inlined functions in split DWARF, so it reads the debug information of the same
# code unsplit.
"${CC:-cc}" -O2 -g -gsplit-dwarf -fno-omit-frame-pointer -o split load.c 2>/dev/null &&
	objcopy -O binary -j .text plain plain.text && objcopy -O binary -j .text split split.text
if cmp -s plain.text split.text; then
	check split split plain
	if timeout 5 llvm-dwp -e split -o split.dwp 2>/dev/null; then
		rm -- *.dwo
		check package split plain
	fi
fi

objcopy --only-keep-debug plain separate.debug
strip -o separate plain
objcopy --add-gnu-debuglink=separate.debug separate
check separate separate

if command -v dwz >/dev/null; then
	cp dwarf-4 shared-1
	cp dwarf-4 shared-2
	dwz -m common.debug shared-1 shared-2 2>/dev/null && [ -s common.debug ] &&
		check shared shared-1
fi
exit $fail
