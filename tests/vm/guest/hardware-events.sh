# SPDX-License-Identifier: MIT
# A machine with a PMU lists the generic hardware events.
case $(ls /sys/bus/event_source/devices) in
*armv8* | *cpu*) ;;
*)
	echo "qemu has no counters of $(uname -m)"
	exit 77
	;;
esac
perf list hw | tee /dev/stderr | grep -qE '^ +(cpu-cycles OR cycles|cycles OR cpu-cycles) +\[Hardware event\]$'
