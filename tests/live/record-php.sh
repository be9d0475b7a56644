#!/bin/sh
# SPDX-License-Identifier: MIT
# Stacks that are unwound in the kernel have the functions of PHP: by their names and lines, in their order, in the right
# shares, whether the process is started or attached to.
top=$(cd "$(dirname "$0")/../.." && pwd)
. "$top/tests/live/interpreted"
failed=0
begin php php -n app.php 2

check() {
	stacks "$1" | grep -F 'app.php:(main)' >stacks
	[ "$(wc -l <stacks)" -gt 100 ] || fail "$1: only $(wc -l <stacks) stacks: $(cat said)"
	share stacks 'app.php:heavy < app.php:deep < ' 60 88
	share stacks 'app.php:light < ' 12 40
	share stacks 'app.php:deep < app.php:deep < app.php:deep < app.php:deep < app.php:deep < app.php:deep < app.php:Server::run < app.php:(main) < ' 60 88
	share stacks 'array_map < app.php:Server::run < app.php:(main) < ' 12 40
	share stacks 'app.php:(main) < zend_execute < ' 90 100
	share stacks '[unread]' 0 2
}

check php.data
line php.data app.php:heavy app.php 'line of heavy'
line php.data app.php:deep app.php 'line of deep'
line php.data app.php:Server::run app.php 'line of run'

php -n app.php 20 >/dev/null &
pid=$!
sleep 1
perf record -e cpu-clock:u -F 999 --call-graph bpf -o late.data -p $pid sleep 2 >/dev/null 2>said || fail "$(cat said)"
kill $pid
pid=''
check late.data
exit $failed
