# SPDX-License-Identifier: MIT
# For completion.sh: asks fish for its completions, and compares them.
source completions/perf.fish
set -g fail 0

# expect LINE [OFFERED...]: compares the completions, without their descriptions.
function expect
    set -l got (complete -C $argv[1] | string replace -r '\t.*' '')
    if test "$got" != "$argv[2..-1]"
        echo "fish: $argv[1]<TAB>: expected: $argv[2..-1]"
        echo "fish: $argv[1]<TAB>: got:      $got"
        set -g fail 1
    end
end

function measured_command
end
complete -c measured_command -f -l first
expect 'perf ver' version
expect 'perf --list-c' --list-cmds
expect 'perf version --b' --build-options
expect 'perf sched lat' latency
expect 'perf list --color=al' --color=always
expect 'perf list --color al' always
expect 'perf flamegraph --color pur' purple
expect 'perf record -e cyc' cycles
expect 'perf record -e cycles,cpu' cycles,cpu-clock
expect 'perf record --event=cyc' --event=cycles
expect 'perf record --call-graph dw' dwarf
expect 'perf record --call-graph=lb' --call-graph=lbr
expect 'perf report --call-graph fr' fractal
expect 'perf report -s comm,dso_fr' comm,dso_from
expect 'perf report --sort=comm,symbol_si' --sort=comm,symbol_size
expect 'perf report --percent-type local-p' local-period
expect 'perf record -F ma' max
expect 'perf script -F comm,srcl' comm,srcline
expect 'perf stat -M CPUs' CPUs_utilized
expect "perf report -i $FILES/some.da" $FILES/some.data
expect "perf report --symfs $FILES/som" $FILES/some.dir/
expect 'perf record -- measured_c' measured_command
expect 'perf record -g -- measured_command --fi' --first
expect 'perf stat measured_c' measured_command
exit $fail
