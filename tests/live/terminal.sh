#!/bin/sh
# SPDX-License-Identifier: MIT
# Behaviour on a terminal only: the pager, and readers that leave early without causing messages.
command -v python3 >/dev/null || { echo 'python3 is not installed'; exit 77; }
perf=${PERF:-build/perf}
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
fail=0

# Runs a shell line with a terminal as stdin, stdout and stderr; prints its output.
on_terminal() {
	python3 -c 'import pty, sys; sys.exit(pty.spawn(["/bin/sh", "-c", sys.argv[1]]) >> 8)' "$1" \
		</dev/null | tr -d '\r'
}

# expect TEXT LINE: checks that the shell line shows exactly this on a terminal.
expect() {
	got=$(on_terminal "$2")
	[ "$got" = "$1" ] || {
		printf '%s\nexpected: %s\ngot:      %s\n' "$2" "$1" "$got"
		fail=1
	}
}

version=$("$perf" version)
mark="sed 's/^/paged: /'"
printf '[pager]\n\tversion = true\n[core]\n\tpager = %s\n' "$mark" >"$dir/on"
printf '[pager]\n\tversion = tr a-z A-Z\n' >"$dir/own"

expect "$version" "PERF_PAGER=\"$mark\" $perf version"
expect "paged: $version" "PERF_PAGER=\"$mark\" $perf -p version"
expect "paged: $version" "unset PERF_PAGER; PAGER=\"$mark\" $perf --paginate version"
expect "$version" "PERF_PAGER=cat $perf -p version"
expect "paged: $version" "unset PERF_PAGER; PERF_CONFIG=$dir/on $perf version"
expect "$version" "unset PERF_PAGER; PERF_CONFIG=$dir/on $perf --no-pager version"
expect "$(echo "$version" | tr a-z A-Z)" "unset PERF_PAGER; PERF_CONFIG=$dir/own $perf version"
expect "$version" "PERF_PAGER=\"$mark\" $perf -p version | cat"

# The pager also shows error messages while it owns the terminal.
expect "paged: perf check: there is no feature 'zzz'
paged: Run 'perf version --build-options' for a list." \
	"PERF_PAGER=\"$mark\" $perf -p check feature zzz"

# The usage fits, too.
expect " Error: unknown option \`nosuch'

 Usage: perf buildid-cache
        [<options>]

 Run 'perf buildid-cache -h' for all options." "stty cols 34; $perf buildid-cache --nosuch"

# An empty table is explained to users, but not to scripts.
groups=$(dirname "$0")/../fixtures/profiles/groups.data
expect "perf report: warning: no samples pass the filters
'perf report -s comm,dso' lists the programs and files that have samples." \
	"$perf report -i $groups --stdio --comm nobody >/dev/null"
expect '' "$perf report -i $groups --stdio --comm nobody 2>&1 >/dev/null | cat"

# A pager that leaves early, and a reader that does.
expect "$version" "PERF_PAGER='head -n 1' $perf -p version --build-options"
expect '' "$perf list 2>&1 | true"
exit $fail
