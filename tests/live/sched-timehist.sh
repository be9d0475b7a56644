#!/bin/sh
# SPDX-License-Identifier: MIT
# `perf sched timehist` prints the same as the installed perf 6.1, for recordings of both.
work=$(mktemp -d) || exit 1
cd "$work" || exit 1
failed=0
trap 'rm -rf "$work"' EXIT

[ "$(id -u)" = 0 ] || { echo 'needs root'; exit 77; }
theirs=/usr/bin/perf
case $("$theirs" --version 2>/dev/null) in
*' 6.1'*) ;;
*) echo "needs perf 6.1 as $theirs"; exit 77 ;;
esac

# Forks, programs that follow one another, threads that wake each other, and sleeps.
cat >load.sh <<'SCRIPT'
for i in 1 2 3 4 5; do
	ls / >/dev/null
	sh -c 'true; true' | cat
	sleep 0.01
done
/usr/bin/perf bench sched pipe -l 500 >/dev/null
SCRIPT

perf sched record -m 4M -o ours.data sh load.sh >/dev/null 2>err || { cat err; echo 'cannot record'; exit 77; }
# Recordings of other users, with build-ids in mappings, may crash perf 6.1.
for _ in 1 2 3 4 5; do
	if "$theirs" sched record -m 4M -o theirs.data sh load.sh >/dev/null 2>err; then
		break
	fi
	rm -f theirs.data
done
[ -e theirs.data ] || { cat err; echo 'the installed perf cannot record here'; exit 77; }

# same OPTION...: checks that both print the same for both recordings.
same() {
	for data in ours.data theirs.data; do
		"$theirs" sched timehist -i $data "$@" >want 2>/dev/null
		perf sched timehist -i $data "$@" >got 2>err || { cat err; failed=1; }
		cmp -s want got || {
			echo "FAILED: timehist $* of $data: $(diff want got | head -6)"
			failed=1
		}
	done
}

same
same -MVwn --state
same -s
same -s -M --state
same -S -C 0
same -I
same -I -s
same -n --no-call-graph
exit $failed
