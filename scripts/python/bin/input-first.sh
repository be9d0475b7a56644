# SPDX-License-Identifier: MIT
#
# Read by NAME-report files of scripts with options of their own: -i FILE in front is for perf
# script, all else for the script. A -- in front of it does no harm.
# shellcheck disable=SC2034 # the file that reads this one uses it
unset input
if [ "$1" = -i ] || [ "$1" = --input ]; then
	input=$2
	shift 2
fi
if [ "$1" = -- ]; then
	shift
fi
