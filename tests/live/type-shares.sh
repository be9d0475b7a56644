#!/bin/sh
# SPDX-License-Identifier: MIT
# Most samples of a loop of loads have the type of the loaded data, for every compiler, also where a timer takes the
# samples: thread-local variables, structures that clang splits up, elements of an array, Rust's slices, which are in
# two registers, and the contents of its enums.
skip() {
	echo "$1"
	exit 77
}

PERF=${PERF:-$(command -v perf)}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
home=$HOME # for rustup
HOME=$dir
export HOME
unset DEBUGINFOD_URLS
fail=0

# $1: the program, $2: its function, $3: the type that most of its samples access.
expect() {
	"$PERF" record -q -e cpu-clock:u -F 2000 -N -o "$1.data" "./$1" >/dev/null || exit 1
	share=$("$PERF" report --stdio -q -S "$2" -s type --percentage relative -i "$1.data" 2>/dev/null |
		awk -v type="$3" '{ n = $1; sub(/^ *[^ ]+ +/, ""); sub(/ +$/, ""); if ($0 == type) print int(n) }')
	[ "${share:-0}" -ge 50 ] || {
		echo "$1: ${share:-0}% of $2 access a $3"
		"$PERF" annotate --stdio --code-with-type -i "$1.data" "$2"
		fail=1
	}
}

cat >thread.c <<'END'
__thread struct counts { long n, sum; } counts;

__attribute__((noinline)) long count(long n)
{
	for (; n; n--) {
		counts.sum += ++counts.n;
		__asm__ volatile("" ::: "memory");
	}
	return counts.sum;
}

int main(void)
{
	return count(100000000) == 1;
}
END
"${CC:-cc}" -O2 -g -o thread thread.c || skip 'no C compiler'
expect thread count 'struct counts'
if clang -O2 -g -o thread-clang thread.c 2>/dev/null; then
	expect thread-clang count 'struct counts'
fi

# clang splits a static structure into a variable for each member that is used.
cat >apart.c <<'END'
static struct totals { long n, unused, sum; } totals;
static __thread struct totals own;

__attribute__((noinline)) long count(long n)
{
	for (; n; n--) {
		totals.sum += ++totals.n;
		own.sum += ++own.n;
		__asm__ volatile("" ::: "memory");
	}
	return totals.sum + own.sum;
}

int main(void)
{
	return count(100000000) == 1;
}
END
if clang -O2 -g -o apart apart.c 2>/dev/null; then
	expect apart count 'struct totals'
fi
if clang -O2 -g -gsplit-dwarf -o apart-split apart.c 2>/dev/null; then
	expect apart-split count 'struct totals'
fi

# Elements of 24 bytes: the index is computed in two steps.
cat >elements.c <<'END'
struct step { long from, next, sum; } steps[128];

__attribute__((noinline)) long chase(long n)
{
	long at = 0;

	for (; n; n--)
		at = steps[at].next;
	return at;
}

int main(void)
{
	for (int i = 0; i < 128; i++)
		steps[i].next = (i * 5 + 1) % 128;
	return chase(100000000) == 1;
}
END
"${CC:-cc}" -O2 -g -o elements elements.c || exit 1
expect elements chase 'struct step'

cat >slice.rs <<'END'
pub struct Item {
    key: u64,
    next: usize,
}

#[no_mangle]
#[inline(never)]
pub fn chase(items: &[Item], n: usize) -> u64 {
    let (mut sum, mut at) = (0u64, 0usize);
    for _ in 0..n {
        let item = &items[at];
        sum = sum.wrapping_add(item.key);
        at = item.next;
    }
    sum
}

fn main() {
    let items: Vec<Item> = (0..64).map(|i| Item { key: i, next: ((i * 7 + 1) % 64) as usize }).collect();
    println!("{}", chase(std::hint::black_box(&items), 100_000_000));
}
END
if HOME=$home rustc -O -g -o slice slice.rs 2>/dev/null; then
	expect slice chase 'struct Item'
fi

cat >enum.rs <<'END'
pub struct Node {
    key: u64,
    next: Option<Box<Node>>,
}

#[no_mangle]
#[inline(never)]
pub fn walk(mut at: &Option<Box<Node>>) -> u64 {
    let mut sum = 0u64;
    while let Some(node) = at {
        sum = sum.wrapping_add(node.key);
        at = &node.next;
    }
    sum
}

fn main() {
    let mut list = None;
    for i in 0..1000 {
        list = Some(Box::new(Node { key: i, next: list }));
    }
    let mut sum = 0u64;
    for _ in 0..100_000 {
        sum = sum.wrapping_add(walk(std::hint::black_box(&list)));
    }
    println!("{}", sum);
}
END
if HOME=$home rustc -O -g -o enum enum.rs 2>/dev/null; then
	expect enum walk 'struct Node'
fi

# In unoptimised code, the copy of a parameter that is not the variable itself.
if HOME=$home rustc -g -o slice0 slice.rs 2>/dev/null; then
	"$PERF" record -q -e cpu-clock:u -F 2000 -N -o slice0.data ./slice0 >/dev/null || exit 1
	"$PERF" annotate --stdio --code-with-type -i slice0.data chase >slice0.text 2>/dev/null
	grep -q '# data-type: struct Item +' slice0.text || {
		echo 'slice0: no access to struct Item'
		cat slice0.text
		fail=1
	}
fi

exit $fail
