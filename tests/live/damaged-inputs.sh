#!/bin/sh
# SPDX-License-Identifier: MIT
# Damaged profiles of other tools, stores, hardware traces, archives, recordings in folders and kept files are refused,
# or read as far as possible.
top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
fixtures=$top/tests/fixtures
HOME=$work
export HOME

# KIND:FILE of each input.
set -- "foreign:$fixtures/foreign/cpu.pb.gz" "foreign:$fixtures/foreign/firefox.json" \
	"foreign:$fixtures/foreign/stacks.folded" "trace:$fixtures/intel-pt/pt.data" "trace:$fixtures/coresight/cs.data"
for file in "$fixtures"/aux-traces/*.data; do
	set -- "$@" "trace:$file"
done

perf version --build-options | grep -q 'sqlite3: \[ on' &&
	"$fixtures/fleet/make-store" store.db && set -- "$@" store:store.db pushed:store.db

load='i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done; /bin/true'
perf record -q --threads -o threads.data -e cpu-clock -F 9000 -g -- sh -c "$load" || exit 1
set -- "$@" folder:threads.data

# Archives of one small program, which does not need the libraries of this machine.
mkdir packing
cp "$fixtures/coresight/cs.data" packing/perf.data
perf --buildid-dir packing/cache buildid-cache -a "$fixtures/coresight/root/cs/prog" || exit 1
tar -c -z -f packing/perf.symbols.tar.gz -C packing/cache . || exit 1
tar -c -z -f all.tar.gz -C packing perf.data perf.symbols.tar.gz || exit 1
set -- "$@" archive:all.tar.gz archive:packing/perf.symbols.tar.gz

# The files that perf keeps of debug information and types.
mkdir -p kept/symfs/tmp
cp "$fixtures/types/aarch64.data" kept/perf.data
"$top/tests/live/kept-types.py" "$fixtures/types/symfs/tmp/aarch64" kept/symfs/tmp/aarch64 || exit 1
for words in 'report --stdio -s sym,srcline' 'report --stdio -s sym,type,typeoff' 'annotate --stdio -l'; do
	# shellcheck disable=SC2086
	perf --buildid-dir kept/cache $words --symfs kept/symfs -i kept/perf.data >report || exit 1
done
set -- "$@" kept:kept

# The sanitizers' own tables take terabytes of address space.
unlimited=
! ldd "$(command -v perf)" | grep -q libasan || unlimited=-u
"$top/tests/live/damage-inputs.py" $unlimited ${DAMAGED_SEED:+-s "$DAMAGED_SEED"} ${DAMAGED_KEPT:+-k "$DAMAGED_KEPT"} \
	-n "${DAMAGED_FILES:-400}" "$@"
