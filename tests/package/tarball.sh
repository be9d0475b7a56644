#!/bin/bash
# SPDX-License-Identifier: MIT
# The tarball runs in a folder of a system that has only glibc, as root and as nobody, and requires no newer glibc than
# that of 2016.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
chmod 755 "$dir"
fail() { echo "$*"; exit 1; }

tarball=$(echo "$BUILD"/packages/perf-*.tar.xz)
why=$(sed -n 's/.*Message: no tarball: //p' "$BUILD/meson-logs/meson-log.txt")
[ -z "$why" ] || { echo "$why"; exit 77; }
[ -f "$tarball" ] || fail "there is no $tarball: ./dev package"
mkdir "$dir/moved here"
tar -C "$dir/moved here" -xf "$tarball"
home=$(echo "$dir/moved here"/perf-*)
newest=$(objdump -T "$home"/bin/perf "$home"/lib/python3/perf.abi3.so |
	grep -oE 'GLIBC_[0-9.]+[0-9]' | sort -Vu | tail -n 1)
[ "$(printf '%s\n' "$newest" GLIBC_2.24 | sort -V | tail -n 1)" = GLIBC_2.24 ] || fail "$newest is needed"

# All files are found relative to the program.
[ "$("$home/bin/perf" --exec-path)" = "$home/libexec/perf-core" ] || fail "scripts are not found"
[ "$("$home/bin/perf" --html-path)" = "$home/share/perf/html" ] || fail "--html-path is not below the folder"
"$home/bin/perf" script --list | grep -q syscall-counts || fail "no script is listed"
"$home/bin/perf" test list | grep -q 'agree on a known program' || fail "shell tests are not found"
"$home/bin/perf" help report >"$dir/page" 2>&1 </dev/null || fail "no manual page: $(cat "$dir/page")"
grep -q SYNOPSIS "$dir/page" || fail "this is no manual page: $(head "$dir/page")"
PYTHONPATH="$home/lib/python3" python3 -c 'import perf; print(perf.__version__)' >"$dir/version" ||
	fail "the Python module cannot be loaded"
[ "perf version $(cat "$dir/version")" = "$("$home/bin/perf" version)" ] || fail "the module is of another version"

# The bundled libraries are named, with their licences.
grep -q '^elfutils .*(libdw-dev): LGPL-3+' "$home/share/doc/perf/licences/LINKED" || fail "libdw is not named"
[ -s "$home/share/doc/perf/licences/libdw" ] || fail "the licence of libdw is not there"

[ "$(id -u)" = 0 ] && unshare -m true 2>/dev/null || { echo "only root can make another root"; exit 77; }
root=$dir/root
ldd "$home/bin/perf" | grep -oE '/[^ ]+' | while read -r library; do
	install -D "$(realpath "$library")" "$root$library"
done
"$TOP/packaging/try-in-root" "$root" "$tarball" || fail "it does not run in an empty root"
