#!/bin/bash
# SPDX-License-Identifier: MIT
# The Debian package is complete, depends on what it needs, and lintian has no complaints.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
fail() { echo "$*"; exit 1; }

deb=$(echo "$BUILD"/packages/perf_*.deb)
[ -f "$deb" ] || fail "there is no $deb: ./dev package"
dpkg-deb -x "$deb" "$dir/root"
for file in usr/bin/perf usr/share/man/man1/perf.1.gz usr/share/man/man1/perf-report.1.gz \
	usr/share/bash-completion/completions/perf usr/share/zsh/site-functions/_perf \
	usr/share/fish/vendor_completions.d/perf.fish usr/include/perf/perf_dlfilter.h \
	usr/lib/python3/dist-packages/perf.abi3.so usr/lib/python3/dist-packages/perf.pyi \
	usr/libexec/perf-core/scripts/python/flamegraph.py usr/libexec/perf-core/tests/shell/record_report.sh \
	usr/share/doc/perf/copyright usr/share/doc/perf/CHANGELOG.md.gz; do
	[ -f "$dir/root/$file" ] || fail "the package has no $file"
done

# Linked libraries are dependencies; libraries that are loaded at run time are not.
depends=$(dpkg-deb -f "$deb" Depends)
for name in libc6 libelf1 libdw1 zlib1g; do
	grep -qE "(^| )$name(t64)? " <<<"$depends" || fail "no dependency on $name: $depends"
done
! grep -qE 'llvm|python|sqlite' <<<"$depends" || fail "too many dependencies: $depends"
grep -q libsqlite3-0 <<<"$(dpkg-deb -f "$deb" Recommends)" || fail "libraries that are loaded are not recommended"

# The program runs unchanged, and its version is that of the package.
version=$("$dir/root/usr/bin/perf" version)
version=${version#perf version }
[[ $(dpkg-deb -f "$deb" Version) == "${version%.g*}"* ]] || fail "the package is not of version $version"
[ "$("$dir/root/usr/bin/perf" --exec-path)" = "$dir/root/usr/libexec/perf-core" ] || fail "scripts are not found"

command -v lintian >/dev/null || { echo "lintian is not installed"; exit 77; }
chmod 755 "$dir"
lintian --allow-root --fail-on error,warning "$deb" 2>&1 || fail "lintian complains"
