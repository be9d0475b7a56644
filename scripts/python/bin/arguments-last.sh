# SPDX-License-Identifier: MIT
#
# Read by NAME-report files: words before the first option are arguments of the script and are moved
# after the options, which are for perf script. So `cat -i FILE` and `-i FILE cat` mean the same.
words=0
for word; do
	case $word in
	-*) break ;;
	esac
	words=$((words + 1))
done
while [ $words -gt 0 ]; do
	set -- "$@" "$1"
	shift
	words=$((words - 1))
done
