#!/bin/sh
# SPDX-License-Identifier: MIT
# drm events: three clients of two drivers, in two processes, which exist only for this test.
[ "$(id -u)" = 0 ] || { echo "needs root to mount another /proc/PID/fd"; exit 77; }
unshare -m -p -f true 2>/dev/null || { echo "mounts cannot be made here"; exit 77; }

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cat >"$work/inside" <<'EOF2'
mount --make-rprivate / && mount -t proc proc /proc && mount -t tmpfs none "$1" || exit 77
cd "$1" && mknod render c 226 128 || exit 77
fake() {
	mkdir -p "$1/fd" "$1/fdinfo" && mount --bind "$1/fd" "/proc/$2/fd" &&
		mount --bind "$1/fdinfo" "/proc/$2/fdinfo" || exit 77
}
client() { # process, descriptor, driver, number, ns, KiB
	ln -s "$PWD/render" "$1/fd/$2"
	printf 'pos:\t0\ndrm-driver:\t%s\ndrm-client-id:\t%s\ndrm-engine-render:\t%s ns\n' \
		"$3" "$4" "$5" >"$1/fdinfo/$2"
	printf 'drm-maxfreq-gt0:\t1100 MHz\ndrm-total-memory0:\t%s KiB\n' "$6" >>"$1/fdinfo/$2"
}
sleep 60 & one=$!
sleep 60 & two=$!
perf stat -e drm-engine-render true 2>&1 | head -1
fake one $one; fake two $two
client one 3 i915 7 1000 2
client one 4 i915 7 1000 2
client two 3 i915 7 1000 2
client two 4 i915 8 300 1
client two 5 xe 9 40000 4
perf list --unit drm_i915 | sed 's/ *$//'
perf list --unit drm_xe --raw-dump drm-engine; echo
perf stat -a -x, -e drm-engine-render,drm-maxfreq-gt0,drm_i915/drm-total-memory0/ true 2>&1
perf stat -p $one -x, -e drm_i915/drm-engine-render/ true 2>&1
perf stat -p $one,$two -x, -e drm_i915/drm-engine-render/ true 2>&1
perf stat -p $one,$two --per-thread -x, -e drm_i915/drm-total-memory0/ true 2>&1 | sed "s/-$one,/-one,/; s/-$two,/-two,/"
perf stat -a -x, -I 50 --interval-count 2 -e drm_xe/drm-engine-render/ 2>&1 | cut -d, -f2-4
perf stat -x, -e drm_xe/drm-engine-render/ true 2>&1 | cut -d, -f1-3
perf stat -x, -I 1000 -e drm_xe/drm-engine-render/ true 2>&1 | cut -d, -f2-4
perf stat -x, -e drm_i915/drm-engine-rendr/ -a true 2>&1 | tail -1
perf stat -x, -e drm_xe/drm-engine-render/ -G / -a true 2>&1
perf record -o /dev/null -e drm_xe/drm-engine-render/ true 2>&1
kill $one $two
EOF2
cat >"$work/wanted" <<'EOF2'
perf stat: event syntax error: no process has a DRM device (GPU) open whose driver tells what it uses

drm:
  drm-engine-render
       [Utilization in ns. Unit: drm_i915]
  drm-maxfreq-gt0
       [Maximum frequency. Unit: drm_i915]
  drm-total-memory0
       [Size of shared and private memory. Unit: drm_i915]
drm-engine-render 
1300,ns,drm_i915/drm-engine-render/,1,100.00,,
40000,ns,drm_xe/drm-engine-render/,1,100.00,,
1100000000,hz,drm_i915/drm-maxfreq-gt0/,1,100.00,,
1100000000,hz,drm_xe/drm-maxfreq-gt0/,1,100.00,,
3072,bytes,drm_i915/drm-total-memory0/,1,100.00,,
1000,ns,drm_i915/drm-engine-render/,1,100.00,,
1300,ns,drm_i915/drm-engine-render/,1,100.00,,
sleep-two,3072,bytes,drm_i915/drm-total-memory0/,1,100.00,,
sleep-one,2048,bytes,drm_i915/drm-total-memory0/,1,100.00,,
40000,ns,drm_xe/drm-engine-render/
40000,ns,drm_xe/drm-engine-render/
perf stat: warning: drm events are read from /proc while processes run, and this one has ended: use -I, or -a to see all processes
<not counted>,ns,drm_xe/drm-engine-render/
<not counted>,ns,drm_xe/drm-engine-render/
Did you mean 'drm-engine-render'?
perf stat: 'drm_xe/drm-engine-render/' cannot be counted for a cgroup: drivers tell what processes use, for -p or -a
perf record: 'drm_xe/drm-engine-render/' has no samples: it is a value that is read
perf stat -I 1000 -e drm_xe/drm-engine-render/ prints it each second.
EOF2
mkdir "$work/root"
unshare -m -p -f sh "$work/inside" "$work/root" >"$work/got" 2>&1
status=$?
[ $status = 77 ] && { echo "another /proc cannot be mounted here"; exit 77; }
diff "$work/wanted" "$work/got"
