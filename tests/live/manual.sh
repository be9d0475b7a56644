#!/bin/sh
# SPDX-License-Identifier: MIT
# perf help CMD and perf CMD --help open the page that was built with this program.
command -v man >/dev/null || { echo 'man is not installed'; exit 77; }
perf=${PERF:-build/perf}
[ -f "$(dirname "$(readlink -f "$perf")")/docs/man/perf.1" ] ||
	{ echo 'no manual pages were built (lowdown is missing)'; exit 77; }
fail=0
pages=$("$perf" --list-cmds)
for page in $pages perf; do
	title=PERF-$(echo "$page" | tr a-z A-Z)
	[ "$page" != perf ] || title=PERF
	text=$("$perf" help "$page" | col -b 2>/dev/null)
	case $text in
	"$title(1)"*'perf manual'*NAME*SYNOPSIS*DESCRIPTION*OPTIONS*) ;;
	*)
		echo "perf help $page does not open its page:"
		echo "$text" | head -n 3
		fail=1
		;;
	esac
done
# The titles that users of Linux's perf look for, and options as its pages spell them.
text=$("$perf" help probe | col -b 2>/dev/null)
for words in 'PROBE SYNTAX' 'PROBE ARGUMENT' 'LINE SYNTAX' 'LAZY MATCHING' 'FILTER PATTERN' --exec= --filter=FILTER; do
	echo "$text" | grep -q -e "$words" || { echo "perf help probe has no '$words'"; fail=1; }
done
[ "$("$perf" help version)" = "$("$perf" version --help)" ] || { echo 'perf version --help'; fail=1; }
[ "$("$perf" help version)" = "$("$perf" --help version)" ] || { echo 'perf --help version'; fail=1; }
exit $fail
