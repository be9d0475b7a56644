#!/bin/sh
# SPDX-License-Identifier: MIT
# A perf that a group may run with capabilities (setcap) does not pass them on to scripts, to libraries of filters or to
# BPF programs of users. The advice for making such a perf is run as it stands.
[ "$(id -u)" = 0 ] || { echo "only root can give capabilities"; exit 77; }
command -v setcap >/dev/null || { echo "no setcap"; exit 77; }
command -v setpriv >/dev/null || { echo "no setpriv"; exit 77; }
program=$(command -v perf)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"
cd "$work" || exit 1
failed=0
fail() {
	echo "FAILED: $*"
	failed=1
}

cp "$program" lent
# The rights are those of the advice, which is about a program in another place.
chown root:65534 lent && chmod 750 lent
setcap cap_perfmon,cap_sys_ptrace,cap_bpf=ep lent 2>err || { echo "no capabilities on this file system: $(cat err)"; exit 77; }
as_member() {
	setpriv --reuid 65534 --regid 65534 --clear-groups "$@"
}
as_member ./lent version >/dev/null 2>err || { echo "such a file cannot be run here: $(cat err)"; exit 77; }
! setpriv --reuid 12345 --regid 12345 --clear-groups sh -c "./lent version" >/dev/null 2>&1 || fail "others may run it"

perf record -q -e cpu-clock -o perf.data true 2>/dev/null
chmod 644 perf.data
cat >rights.py <<'PY'
def trace_end():
    for line in open("/proc/self/status"):
        if line.startswith(("CapEff", "CapPrm")):
            print(line.split()[1])
PY
if perf check feature -q libpython 2>/dev/null; then
	as_member ./lent script -f -i perf.data -s rights.py >out 2>err
	[ "$(sort -u out)" = 0000000000000000 ] || { fail "a script has capabilities:"; cat out err; }
fi
cat >filter.c <<'C'
#include <stdio.h>
#include <string.h>
struct perf_dlfilter_sample;
__attribute__((constructor)) static void look(void)
{
	char line[256];
	FILE *f = fopen("/proc/self/status", "r");

	while (f && fgets(line, sizeof(line), f))
		if (!strncmp(line, "CapEff:", 7))
			fprintf(stderr, "%s", line + 8);
}
int filter_event(void *data, const struct perf_dlfilter_sample *sample, void *ctx)
{
	return 0;
}
C
"${CC:-cc}" -shared -fPIC -o filter.so filter.c || exit 1
for how in "--dlfilter ./filter.so" "--list-dlfilters"; do
	# shellcheck disable=SC2086
	as_member ./lent script -f -i perf.data $how >/dev/null 2>err
	! grep -q '[1-9a-f]' err || ! grep -qE '^[0-9a-f]{16}$' err || { fail "$how has capabilities:"; cat err; }
done

echo 'int x;' >own.c
as_member ./lent record -e ./own.c -o /dev/null true 2>err
grep -q "for root only" err || { fail "a user's BPF program was taken:"; cat err; }
exit $failed
