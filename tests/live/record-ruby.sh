#!/bin/sh
# SPDX-License-Identifier: MIT
# Stacks that are unwound in the kernel have the functions of Ruby: by their names and lines, in their order, in the right
# shares, whether the process is started or attached to.
top=$(cd "$(dirname "$0")/../.." && pwd)
. "$top/tests/live/interpreted"
failed=0
begin ruby ruby app.rb 2
ruby -e 'exit(%w[3.1 3.3 3.4].include?(RUBY_VERSION[/\d+\.\d+/]))' || { echo 'another version of ruby'; exit 77; }

check() {
	stacks "$1" | grep -F 'app.rb:<main>' >stacks
	[ "$(wc -l <stacks)" -gt 100 ] || fail "$1: only $(wc -l <stacks) stacks: $(cat said)"
	share stacks 'app.rb:heavy < app.rb:deep < ' 60 88
	share stacks 'app.rb:light < app.rb:block in run < ' 12 40
	share stacks 'app.rb:deep < app.rb:deep < app.rb:deep < app.rb:deep < app.rb:deep < app.rb:deep < app.rb:run < app.rb:<main> < ' 60 88
	share stacks ' each < app.rb:run < app.rb:<main> < ' 12 40
	share stacks 'ruby_run_node < ' 90 100
	share stacks '[unread]' 0 2
}

check ruby.data
line ruby.data app.rb:heavy app.rb 'line of heavy'
line ruby.data app.rb:deep app.rb 'line of deep'
line ruby.data app.rb:run app.rb 'line of run'

ruby app.rb 20 >/dev/null &
pid=$!
sleep 1
perf record -e cpu-clock:u -F 999 --call-graph bpf -o late.data -p $pid sleep 2 >/dev/null 2>said || fail "$(cat said)"
kill $pid
pid=''
check late.data
exit $failed
