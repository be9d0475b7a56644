#!/bin/sh
# SPDX-License-Identifier: MIT
# Sensors of /sys/class/hwmon as events: two chips that exist only for this test.
[ "$(id -u)" = 0 ] || { echo "needs root to mount another /sys/class"; exit 77; }
unshare -m true 2>/dev/null || { echo "mounts cannot be made here"; exit 77; }

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
mkdir "$work/class"
cat >"$work/inside" <<'EOF'
mount --make-rprivate / && mount -t tmpfs none "$1/class" || exit 77
class=$1/class
for c in /sys/class/*; do ln -s "$(readlink -f "$c")" "$class/${c##*/}"; done
rm -f "$class/hwmon"
mkdir "$class/hwmon" "$class/hwmon/hwmon0" "$class/hwmon/hwmon1"
put() { echo "$2" >"$class/hwmon/$1"; }
put hwmon0/name coretemp
put hwmon0/temp1_input 45500
put hwmon0/temp1_label 'Package id 0'
put hwmon0/temp1_crit 100000
put hwmon1/name nct6775
put hwmon1/temp1_input -5000
put hwmon1/fan1_input 1200
put hwmon1/power1_input 5000000
mount --bind "$class" /sys/class || exit 77
perf list --raw-dump hwmon; echo
perf list hwmon | sed 's/ *$//'
perf stat -x, -e temp1,hwmon1/fan1/,power1,temp_package_id_0 true 2>&1
rm "$class/hwmon/hwmon1/fan1_input"
perf stat -x, -e power1 -I 50 --interval-count 2 2>&1 | cut -d, -f2-4
EOF
cat >"$work/wanted" <<'EOF'
temp_package_id_0 fan1 power1 temp1 

hwmon:
  temp_package_id_0 OR temp1
       [Temperature in unit coretemp named Package id 0. crit=100'C. Unit:
        hwmon_coretemp]
  fan1
       [Fan in unit nct6775 named fan1. Unit: hwmon_nct6775]
  power1
       [Power use in unit nct6775 named power1. Unit: hwmon_nct6775]
  temp1
       [Temperature in unit nct6775 named temp1. Unit: hwmon_nct6775]
45.50,'C,hwmon_coretemp/temp1/,1,100.00,,
-5.00,'C,hwmon_nct6775/temp1/,1,100.00,,
1200,rpm,hwmon1/fan1/,1,100.00,,
5.00,W,power1,1,100.00,,
45.50,'C,temp_package_id_0,1,100.00,,
5.00,W,power1
5.00,W,power1
EOF
unshare -m sh "$work/inside" "$work" >"$work/got" 2>&1
status=$?
[ $status = 77 ] && { echo "another /sys/class cannot be mounted here"; exit 77; }
diff "$work/wanted" "$work/got"
