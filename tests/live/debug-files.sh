#!/bin/sh
# SPDX-License-Identifier: MIT
# A stripped program gets its names from its debug file, wherever that is: beside it, below /usr/lib/debug, in the
# build-id cache, packed within itself, on a debuginfod server.
skip() {
	echo "$1"
	exit 77
}

PERF=${PERF:-$(command -v perf)}
command -v objcopy >/dev/null && command -v strip >/dev/null || skip 'no binutils'
top=$(cd "$(dirname "$0")/../.." && pwd)
. "$top/tests/live/waiting"
dir=$(mktemp -d)
server=
trap 'rm -rf "$dir"; [ -z "$server" ] || kill "$server" 2>/dev/null' EXIT
cd "$dir" || exit 1
HOME=$dir
DEBUGINFOD_CACHE_PATH=$dir/fetched
export HOME DEBUGINFOD_CACHE_PATH
fail=0

cat >load.c <<'END'
static __attribute__((noinline)) unsigned long hidden_function(unsigned long n)
{
	unsigned long sum = 0;

	for (unsigned long i = 0; i < n; i++) {
		sum += i * sum ^ n;
		__asm__ volatile("" ::: "memory");
	}
	return sum;
}

int main(void)
{
	return hidden_function(40000000) == 1;
}
END
"${CC:-cc}" -O1 -g -Wl,--build-id -o full load.c || skip 'no C compiler'
objcopy --only-keep-debug full full.debug
strip -o program full
id=$(readelf -n full | sed -n 's/.*Build ID: //p')
[ ${#id} = 40 ] || skip 'the linker makes no build-ids'
"$PERF" record -q -e cpu-clock -F 2000 -N -o p.data ./program || exit 1

# $1: the case; the rest: options. Checks that hidden_function() has its name.
named() {
	what=$1
	shift
	"$PERF" script -i p.data -F ip,sym,dso "$@" 2>stderr >out
	if grep -q ' hidden_function (' out; then
		[ "$expect" = yes ] || { echo "$what: a name from nowhere"; fail=1; }
	else
		[ "$expect" = no ] || { echo "$what: no name:"; head -n 2 out; cat stderr; fail=1; }
	fi
}

# Does the same with the debuginfod servers $1.
asking() {
	DEBUGINFOD_URLS=$1
	export DEBUGINFOD_URLS
	shift
	named "$@"
}

expect=no
named 'nothing'

expect=yes
objcopy --add-gnu-debuglink=full.debug program linked
cp program saved
mv linked program
named 'debug link'
mkdir .debug
mv full.debug .debug/
named 'debug link to .debug'
mv .debug/full.debug .
rmdir .debug
cp saved program

mkdir -p "root/$dir" "root/usr/lib/debug/.build-id/$(echo "$id" | cut -c1-2)"
cp program "root/$dir/"
cp full.debug "root/usr/lib/debug/.build-id/$(echo "$id" | cut -c1-2)/$(echo "$id" | cut -c3-).debug"
named '/usr/lib/debug by build-id' --symfs root
rm -r root/usr
mkdir -p "root/usr/lib/debug$dir"
cp full.debug "root/usr/lib/debug$dir/program.debug"
named '/usr/lib/debug by path' --symfs root
rm -r root

mkdir -p ".debug/$dir/program/$id" ".debug/.build-id/$(echo "$id" | cut -c1-2)"
cp full.debug ".debug/$dir/program/$id/debug"
ln -s "../..$dir/program/$id" ".debug/.build-id/$(echo "$id" | cut -c1-2)/$(echo "$id" | cut -c3-)"
named 'the build-id cache'
rm -r .debug

# Another program's debug file is not used for this one.
expect=no
sed 's/40000000/50000000/; s/hidden_function/hidden_function_too/' load.c >other.c
"${CC:-cc}" -O1 -g -Wl,--build-id -o other other.c
objcopy --only-keep-debug other wrong.debug
objcopy --add-gnu-debuglink=wrong.debug program linked
mv linked program
named 'a debug link to another build'
cp saved program

expect=yes
if command -v xz >/dev/null && "$PERF" version --build-options | grep -q 'lzma: \[ on'; then
	objcopy --only-keep-debug --strip-debug full mini
	xz -f mini
	objcopy --add-section .gnu_debugdata=mini.xz program packed && mv packed program
	named 'mini-debuginfo'
	cp saved program
fi

"$PERF" version --build-options | grep -q 'debuginfod: \[ on' || exit $fail
mkdir -p "www/buildid/$id"
cp full.debug "www/buildid/$id/debuginfo"
expect=no
asking '' 'no servers'
expect=yes
asking "file://$dir/www" 'a debuginfod server of files'
rm -rf fetched

command -v python3 >/dev/null || exit $fail
python3 -u -m http.server -d www -b 127.0.0.1 0 >server.log 2>&1 &
server=$!
until_true grep -q ' port [0-9]* ' server.log || exit 1
port=$(sed -n 's/.* port \([0-9]*\) .*/\1/p' server.log)
asking "http://127.0.0.1:$port" 'a debuginfod server'
kill "$server"
# The file comes from the cache, although the server is gone.
asking "http://127.0.0.1:$port" 'what a server gave before'
rm -rf fetched
expect=no
asking "http://127.0.0.1:$port" 'a server that is gone'
exit $fail
