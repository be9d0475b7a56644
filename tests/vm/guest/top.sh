# SPDX-License-Identifier: MIT
# perf top names the running code, with its share, by a counter of the hardware and by the clock; and it ends by a
# signal.
top=$PWD
. "$top/tests/live/waiting"
work=$(mktemp -d)
cd "$work"
cc=$(command -v cc || command -v gcc) || { echo 'no C compiler'; exit 77; }
"$cc" -O1 -fno-omit-frame-pointer -o load "$top/tests/live/top-load.c"
mkfifo hold
./load <hold &
load=$!
exec 3>hold
trap 'exec 3>&-; rm -rf "$work"' EXIT

# shows OPTION...: checks that the busiest function has about its share among the program's functions. An emulated
# machine may take only a small number of samples, many of them in its kernel.
shows() {
	perf top --stdio -d 5 "$@" >page 2>err 3>&- &
	top_pid=$!
	until_true grep -qE '%.*spin_ten' page || { cat page err; exit 1; }
	kill -INT $top_pid
	wait $top_pid || { echo "top $*: status $?"; cat err; exit 1; }
	share=$(awk '/PerfTop:/ { all = sixty = 0 } / spin_[a-z]+$/ { all += $1 } / spin_sixty$/ { sixty = $1 }
		END { print all ? int(100 * sixty / all) : 0 }' page)
	[ "$share" -ge 40 ] && [ "$share" -le 80 ] || { echo "top $*: spin_sixty has '$share' %"; cat page; exit 1; }
}

shows -p $load -e cpu-clock -F 200
shows -p $load -F 200
