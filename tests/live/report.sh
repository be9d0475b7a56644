#!/bin/sh
# SPDX-License-Identifier: MIT
# Tests of `perf report` with programs whose profile is known: shares of functions, threads and callers, also through a
# pipe, as another user, on a terminal; names of C++ and of code made at run time; its messages about missing names. The
# installed perf's report of our recordings is like ours, and the reverse.
top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d) || exit 1
maps=
# shellcheck disable=SC2086 # a list of files
trap 'rm -rf "$work" $maps' EXIT
chmod 755 "$work"
cd "$work" || exit 1
PERF=${PERF:-$(command -v perf)}
oracle=${ORACLE_PERF:-/usr/bin/perf}
"$oracle" version 2>/dev/null | grep -q 'version 6\.1\.' || oracle=
failed=0

fail() {
	echo "FAILED: $*"
	failed=1
}

build() {
	"${CC:-cc}" -O1 -D_GNU_SOURCE -fno-omit-frame-pointer -fno-optimize-sibling-calls -pthread "$@" \
		"$top/tests/live/report-load.c"
}

build -o load || { echo 'no C compiler'; exit 77; }
perf record -q -o p.data -e cpu-clock:u -F 4000 -g ./load 20000000 || { echo 'cannot record here'; exit 77; }

# share PERF WORDS OPTION...: prints the percentage of the row with these words.
share() {
	program=$1
	words=$2
	shift 2
	"$program" report --stdio -t , -g none "$@" 2>share.err |
		awk -F, -v words="$words" '!/^#/ && index($0, words) { sub("%", "", $1); print $1 + 0; exit }'
}

# near WANTED WORDS OPTION...: checks that the row has that percentage, plus or minus 6.
near() {
	wanted=$1
	shift
	got=$(share "$PERF" "$@")
	awk -v got="${got:--100}" -v wanted="$wanted" \
		'BEGIN { exit !(got > wanted - 6 && got < wanted + 6) }' ||
		fail "$*: ${got:-no row}, not $wanted %"
}

near 60 heavy -i p.data --no-children
near 20 light -i p.data --no-children
near 80 both -i p.data
near 100 main -i p.data -c load -s sym --percentage relative
near 20 helper -i p.data -s comm --no-children
near 75 heavy -i p.data --no-children -c load --percentage relative
near 20 spin -i p.data -c helper --no-children -s sym

# A stack is printed from the caller to the callee.
perf report --stdio -i p.data --no-children -g caller,folded -s sym 2>/dev/null |
	grep -q 'main;both;heavy$' || fail 'no stack main;both;heavy'

# Through a pipe, whose other end is read in time.
perf record -q -o - -e cpu-clock:u -F 4000 -g ./load 20000000 | perf report --stdio -i - --no-children \
	-t , -g none 2>/dev/null >piped
awk -F, '/heavy/ { n = $1 + 0 } END { exit !(n > 54 && n < 66) }' piped || fail "through a pipe:" "$(cat piped)"

# One document, with the same rows.
if command -v python3 >/dev/null; then
	perf report --json -i p.data --no-children -s sym 2>/dev/null | python3 -c '
import json, sys
rows = json.load(sys.stdin)["events"][0]["rows"]
assert any("heavy" in str(r) and 54 < r["overhead"] < 66 for r in rows), rows[:3]
' || fail 'JSON'
fi

# Each perf reads both recordings.
both=
if [ -n "$oracle" ]; then
	# Beside a perf that records with build-ids in mappings, it crashes unless it requests them itself.
	for ids in --no-buildid-cache --buildid-mmap; do
		"$oracle" record -q $ids -o t.data -e cpu-clock:u -F 4000 -g ./load 20000000 2>/dev/null && both='p.data t.data' && break
	done
	[ -n "$both" ] || echo 'skipped: recordings of the installed perf: it cannot record here'
	for data in ${both:-p.data}; do
		ours=$(share "$PERF" heavy -i "$data" --no-children)
		theirs=$(share "$oracle" heavy -i "$data" --no-children)
		[ "${ours:-none}" = "$theirs" ] ||
			fail "$data: heavy has $ours, and with the installed perf $theirs: $(cat share.err)"
	done
fi

# Code made at run time is named by the map that the program left.
perf record -q -o jit.data -e cpu-clock:u -F 4000 ./load 10000000 jit >map
case $? in
77) ;;
0)
	maps=$(cat map)
	got=$(share "$PERF" made_while_running -i jit.data)
	awk -v got="${got:-0}" 'BEGIN { exit !(got > 3) }' || fail "made_while_running has ${got:-no row}"
	# The map must belong to a user with the right to name the code.
	if [ "$(id -u)" = 0 ]; then
		chown 1:1 "$maps"
		[ -z "$(share "$PERF" made_while_running -i jit.data)" ] || fail "another user's map was used"
	fi
	;;
*) fail 'cannot record code that is made' ;;
esac
if command -v node >/dev/null; then
	cat >mix.js <<'END'
function mixing(n) { let s = 0; for (let i = 0; i < n; i++) s = (s * 31 + i) | 0; return s; }
for (let i = 0; i < 20; i++) mixing(4e6);
console.log("/tmp/perf-" + process.pid + ".map");
END
	perf record -q -o node.data -e cpu-clock -F 2000 node --perf-basic-prof mix.js >map
	maps="$maps $(cat map)"
	rm -f isolate-*.log
	got=$(share "$PERF" mixing -i node.data -s sym)
	awk -v got="${got:-0}" 'BEGIN { exit !(got > 20) }' || fail "node: mixing has ${got:-no row}"
fi

# C++ names are those of c++filt; -v shows parameters, --no-demangle shows neither.
if command -v "${CXX:-c++}" >/dev/null && command -v c++filt >/dev/null; then
	cat >names.cc <<'END'
namespace shop {
template <typename T> struct basket {
	T sum = 0;
	__attribute__((noinline)) void add(T n) { for (T i = 0; i < n; i++) sum = sum + i * volatile_one; }
	volatile T volatile_one = 1;
};
}
int main() { shop::basket<long> b; b.add(30000000); return b.sum == 1; }
END
	"${CXX:-c++}" -O1 -o names names.cc && perf record -q -o cc.data -e cpu-clock:u -F 2000 ./names
	mangled=$(nm names | awk '/3add/ { print $3; exit }')
	[ -n "$(share "$PERF" "$(c++filt -p "$mangled")" -i cc.data)" ] || fail "no row of $(c++filt -p "$mangled")"
	[ -n "$(share "$PERF" "$(c++filt "$mangled")" -v -i cc.data)" ] || fail "no row of $(c++filt "$mangled")"
	[ -n "$(share "$PERF" "$mangled" --no-demangle -i cc.data)" ] || fail "no row of $mangled"
fi

# Rust names are those of the source, without the compiler's digest.
cat >names.rs <<'END'
mod shop {
    #[inline(never)]
    pub fn add(n: u64) -> u64 {
        (0..n).fold(0, |sum, i| std::hint::black_box(sum + i))
    }
}
fn main() {
    std::process::exit((shop::add(60000000) == 1) as i32);
}
END
if command -v rustc >/dev/null && rustc -O -o names-rs names.rs 2>/dev/null; then
	perf record -q -o rs.data -e cpu-clock:u -F 2000 ./names-rs
	near 100 '[.] names::shop::add' -i rs.data -s sym
	! perf report --stdio -i rs.data 2>/dev/null | grep -q 'add::h[0-9a-f]' || fail 'a Rust name has its digest'
fi

# If names are missing, a message gives the reason, on stderr and after the report.
build -s -Wl,--build-id=0x1234 -o stripped
perf record -q -o s.data -e cpu-clock:u -F 2000 ./stripped 5000000
perf report --stdio -i s.data >out 2>err
grep -q "^no symbols found in .*, maybe install a debug package? .*: it is stripped" err || fail 'not told that it is stripped:' "$(cat err)"
! grep -q 'no symbols' out || fail 'told on stdout'
rm stripped
perf report --stdio -i s.data 2>&1 >/dev/null | grep -q "^no symbols found in .*stripped" || fail 'not told that it is gone'

# A user reads their own recording; that of another user only with -f.
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
	mkdir other && chown 65534:65534 other
	cp load other/
	(
		cd other || exit 1
		HOME=$PWD
		export HOME
		as='setpriv --reuid=65534 --regid=65534 --clear-groups'
		chmod 644 ../p.data
		if $as "$PERF" record -q -o o.data -e cpu-clock:u -F 2000 -g ./load 5000000 2>err; then
			$as "$PERF" report --stdio -i o.data --no-children 2>/dev/null | grep -q heavy
		else
			grep -q paranoid err
		fi
	) || fail 'as nobody'
	chown 1 p.data
	! perf report --stdio -i p.data >/dev/null 2>err || fail "another user's profile is read"
	grep -q -e -f err || fail 'it is not said how:' "$(cat err)"
	perf report --stdio -f -i p.data 2>/dev/null | grep -q heavy || fail '-f does not help'
	chown 0 p.data
fi

# On a terminal the output goes through the pager; a reader that leaves early is not an error.
if command -v python3 >/dev/null; then
	python3 -c 'import pty, sys; sys.exit(pty.spawn(["/bin/sh", "-c", sys.argv[1]]) >> 8)' \
		"PERF_PAGER='sed s/^/paged:/' '$PERF' report --stdio -i p.data" </dev/null >out
	grep -q '^paged:.*heavy' out || fail 'no pager:' "$(head -n 5 out)"
fi
perf report --stdio -i p.data 2>err | head -n 1 >/dev/null
! grep -qi 'pipe\|error' err || fail 'a reader that leaves:' "$(cat err)"
exit $failed
