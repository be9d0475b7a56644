#!/bin/bash
# SPDX-License-Identifier: MIT
# Every command line of the tutorial runs, in its order, and gives the results that the tutorial describes.
set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
dir=$(mktemp -d)
trap 'pkill -P $$; rm -rf "$dir"' EXIT
fail() { echo "$*"; exit 1; }

cp -r "$top/examples/tutorial" "$dir/examples"
cd "$dir/examples" || exit 1
for program in g++ gcc make; do
	command -v $program >/dev/null || { echo "there is no $program"; exit 77; }
done
if ldd "$(command -v perf)" | grep -q 'lib[at]san'; then
	echo 'does not go with the sanitizers: it is about time'
	exit 77
fi
# The sudo in the tutorial is meant for its readers.
mkdir "$dir/bin"
printf '#!/bin/sh\nexec "$@"\n' >"$dir/bin/sudo"
chmod +x "$dir/bin/sudo"
PATH=$dir/bin:$PATH

# The expected output of a command, by a word of the command.
expected() {
	case $1 in
	*srcline*server*|*server.data*srcline*) echo 'server.c:2[01]' ;;
	*srcline*) echo 'words.cc:1[34]' ;;
	*'-g caller'*) echo 'Catalogue::put' ;;
	*'-s comm'*) echo cc1plus ;;
	*'trace -s'*) echo fsync ;;
	*'--folded --wall'*) echo 'fsync' ;;
	*'sched latency'*) echo cc1plus ;;
	*'report -i node.data'*) echo 'primes.js:.*Prime' ;;
	*) echo . ;;
	esac
}

n=0
while IFS= read -r line; do
	command=${line#?'$ '}
	case $command in
	*node*) command -v node >/dev/null || continue ;;
	*off-cpu*|*--wall*|*sched*|*timechart*|*trace*|*syscalls*)
		[ "$(id -u)" = 0 ] || continue ;;
	esac
	n=$((n + 1))
	# A service continues to run; all other commands end.
	if [[ $command == *'&' ]]; then
		bash -c "exec ${command%&}" >/dev/null 2>&1 &
		while [ ! -S server.socket ]; do sleep 0.05; done
		sleep 0.2
		continue
	fi
	bash -c "$command" >out 2>err </dev/null || { cat out err; fail "'$command' ends with $?"; }
	if [[ $command == *'>'* ]]; then
		file=${command##*> }
		grep -q '</svg>' "$file" || fail "'$command' makes no picture"
	elif [[ $command == *report* || $command == *trace* || $command == *script* || $command == *latency* ]]; then
		grep -q -- "$(expected "$command")" out err || { head -50 out; fail "'$command' has no '$(expected "$command")'"; }
	fi
done < <(grep -P '^\t\$ ' "$top/docs/tutorial.md")
[ "$n" -gt 10 ] || fail "only $n commands were run"
