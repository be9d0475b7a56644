# SPDX-License-Identifier: MIT
#
# Read by NAME-report files of scripts with options of their own: a leading -i FILE is for perf
# script, everything else for the script. A -- before it does no harm.
# shellcheck disable=SC2034 # the file that reads this one uses it
unset input
if [ "$1" = -i ] || [ "$1" = --input ]; then
	input=$2
	shift 2
fi
if [ "$1" = -- ]; then
	shift
fi
