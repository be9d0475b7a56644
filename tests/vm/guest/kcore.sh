# SPDX-License-Identifier: MIT
# record --kcore: the kernel's code and symbols lie beside the data, and readers take them from there.
[ -r /proc/kcore ] || {
	echo "the kernel has no /proc/kcore"
	exit 77
}
work=$(mktemp -d)
cd "$work"
reference=/usr/bin/perf

perf record -q --kcore -a -e cpu-clock -F 500 -o k.data sh -c 'i=0; while [ $i -lt 20 ]; do cat /proc/self/maps >maps; i=$((i+1)); done'
for file in data kcore_dir/kcore kcore_dir/kallsyms kcore_dir/modules; do
	[ -s k.data/$file ] || { echo "k.data/$file is not there"; exit 1; }
done

# The same rows of the kernel as with the installed perf, whose names come from the same list.
perf report -i k.data --stdio -s sym 2>err | grep -v '^#' >ours
[ "$(grep -c '\[k\]' ours)" -gt 5 ] || { echo "no functions of the kernel"; cat ours err; exit 1; }
if [ -x $reference ]; then
	grep '\[k\]' ours >kernel
	$reference report -i k.data --stdio -s sym 2>/dev/null | grep '\[k\]' | diff - kernel || exit 1
fi

# Without the running kernel's files the recording is enough.
: >empty
mount --bind empty /proc/kallsyms
trap 'umount /proc/kallsyms' EXIT
perf report -i k.data --stdio -s sym 2>err | grep -v '^#' | diff ours - || exit 1
name=$(awk '/\[k\]/ { print $NF; exit }' ours)
perf annotate -i k.data --stdio -s "$name" 2>err | grep -q '[0-9a-f]: ' || { echo "no code of $name"; cat err; exit 1; }
