#!/bin/sh
# SPDX-License-Identifier: MIT
# Hardware traces, on a machine without any: PMUs in a stand-in for sysfs, and a preloaded library that opens their
# events as dummies and gives them an AUX area (record-aux-preload.c). The data that the library writes must be in the
# file.
skip() {
	echo "$1"
	exit 77
}

PERF=${PERF:-$(command -v perf)}
[ "$(id -u)" = 0 ] || skip 'only root makes namespaces'
unshare --mount true 2>/dev/null || skip 'namespaces cannot be made here'
"$PERF" record -q -o /dev/null -e dummy true 2>/dev/null || skip 'events cannot be opened here'
# A sanitizer's library must be the first that is loaded, but ours is.
if ldd "$PERF" | grep -q 'lib[at]san'; then
	skip 'does not go with the sanitizers'
fi
top=$(cd "$(dirname "$0")/../.." && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
${CC:-cc} -D_GNU_SOURCE -shared -fPIC -o preload.so "$top/tests/live/record-aux-preload.c" -ldl 2>/dev/null ||
	skip 'no C compiler'
fail=0

pmu() {
	mkdir -p "devices/$1/format" "devices/$1/caps" "devices/$1/sinks"
	echo "$2" >"devices/$1/type"
}
formats() {
	name=$1
	shift
	for f; do echo "${f#*=}" >"devices/$name/format/${f%%=*}"; done
}
for d in /sys/bus/event_source/devices/software /sys/bus/event_source/devices/tracepoint; do
	mkdir -p "devices/${d##*/}"
	cat "$d/type" >"devices/${d##*/}/type"
done
pmu arm_spe_0 1001
formats arm_spe_0 ts_enable=config:0 pa_enable=config:1 min_latency=config2:0-11
echo 256 >devices/arm_spe_0/caps/min_interval
pmu cs_etm 1002
formats cs_etm timestamp=config:28 contextid=config:14 sinkid=config2:0-31
echo 0x1234 >devices/cs_etm/sinks/tmc_etr0
pmu intel_pt 1003
formats intel_pt pt=config:0 cyc=config:1 mtc=config:9 tsc=config:10 noretcomp=config:11 branch=config:13 \
	mtc_period=config:14-17 psb_period=config:24-27
for c in mtc=1 mtc_periods=249 psb_cyc=1 psb_periods=3f; do echo "${c#*=}" >"devices/intel_pt/caps/${c%%=*}"; done

record() {
	rm -f out.data
	unshare --mount sh -c 'mount --bind devices /sys/bus/event_source/devices && exec "$@"' sh \
		env LD_PRELOAD="$dir/preload.so" AUX_HEAD="$head" "$PERF" record -q -o out.data "$@" >log 2>&1
}

# Prints the sizes of the AUX data, sorted, each once.
sizes() {
	"$PERF" script -D -i out.data 2>/dev/null | sed -n 's/.*PERF_RECORD_AUXTRACE size: \(0x[0-9a-f]*\) .*/\1/p' | sort -u
}
wanted() {
	[ "$2" = "$3" ] && return
	echo "$1: expected '$2', not '$3'"
	cat log
	fail=1
}

head=0x123
record -e arm_spe_0// true
wanted 'Arm SPE, padded' 0x128 "$(sizes)"
wanted 'attrs of Arm SPE' 'config: 0x1' "$("$PERF" evlist -v -i out.data | grep -o '^arm_spe_0.*config: 0x1,' | grep -o 'config: 0x1')"
wanted 'the side-band' 1 "$("$PERF" evlist -v -i out.data | grep -c '^dummy:u.*context_switch: 1')"
wanted 'the feature' 1 "$("$PERF" report --header-only -i out.data 2>/dev/null | grep -c 'AUX area data')"
record -e cs_etm/@tmc_etr0/u --per-thread true
wanted 'a sink' 'config2 }: 0x1234' "$("$PERF" evlist -v -i out.data | grep -o 'config2 }: 0x1234')"
record -e intel_pt//u true
wanted 'Intel PT' 'config: 0x300e601' "$("$PERF" evlist -v -i out.data | grep -o 'config: 0x300e601')"
wanted 'its words' 1 "$("$PERF" script -D -i out.data 2>/dev/null | grep -c '^  TSC bit             0x400')"
record -S -e intel_pt//u true
wanted 'no snapshot without a signal' '' "$(sizes)"
record -Se -m ,16 -e intel_pt//u true
wanted 'a snapshot at exit' "$(printf '%#x' $((16 * $(getconf PAGESIZE))))" "$(sizes)"
record -Se0x1000 -e intel_pt//u true
wanted 'a short snapshot' 0x1000 "$(sizes)"
record -e cs_etm/@nowhere/ true && { echo 'a sink that is not there was taken'; fail=1; }
record -e intel_pt/psb_period=15/ true && { echo 'a wrong psb_period was taken'; fail=1; }
grep -q 'Valid values are: 0-5' log || { echo 'valid values are not said'; cat log; fail=1; }
[ -x /usr/bin/perf ] && {
	record -e arm_spe_0// true
	/usr/bin/perf script -D -i out.data 2>/dev/null | grep -q 'ARM SPE data: size 0x128' ||
		{ echo "Linux's perf does not see the data"; fail=1; }
}
exit $fail
