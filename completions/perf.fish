# SPDX-License-Identifier: MIT
# fish completion for perf: asks the program itself for commands, options and events.

# Prints the command on the line so far, or nothing.
function __perf_command
    set -l words (commandline -opc)
    set -e words[1]
    while set -q words[1]
        switch $words[1]
            case --buildid-dir --debugfs-dir --debug
                set -e words[1]
            case '-*'
            case '*'
                echo $words[1]
                return 0
        end
        set -e words[1]
    end
    return 1
end

# Prints the command and the subcommands on the line so far, as `sched stats report`, a word on each line.
function __perf_path
    set -l path (__perf_command)
    or return 1
    set -l words (commandline -opc)
    for word in $words[2..-1]
        contains -- $word (__perf_words $path --list-cmds)
        and set -a path $word
    end
    string join \n $path
end

function __perf_needs_command
    not __perf_command >/dev/null
end

# True if the line of another program is being typed, after a --.
function __perf_in_program
    contains -- -- (commandline -opc)
end

# Prints that program's completions for its own line.
function __perf_program
    set -l words (commandline -opc)
    set -l at (contains -i -- -- $words)
    or return
    while test $at -gt 0
        set -e words[1]
        set at (math $at - 1)
    end
    complete -C (string join -- ' ' $words (commandline -ct))
end

function __perf_uses
    not __perf_in_program
    and contains -- (__perf_command) $argv
end

function __perf_words
    perf $argv 2>/dev/null | string split -n ' '
end

# Prints the options of the command $argv, with their descriptions.
function __perf_options
    perf $argv --dump-opts 2>/dev/null | string replace -rf '^option\t([^\t]*)\t[^\t]*\t([^\t]*).*' '$1\t$2'
    printf '%s\t%s\n' --help 'show the manual page'
end

# Prints all commands, with their descriptions.
function __perf_commands
    perf help -a 2>/dev/null | string replace -rf '^   (\S+) +(.*)' '$1\t$2'
end

# True if a value of one of these options is being typed, as the next word or after a "=".
function __perf_after
    set -l words (commandline -opc)
    __perf_in_program
    and return 1
    contains -- $words[-1] $argv
    or contains -- (commandline -ct | string replace -rf '^(--[a-z-]+)=.*' '$1') $argv
end

# Completes values of a list: the last one is being typed.
function __perf_list
    set -l done (commandline -ct | string replace -rf '^((?:--[a-z-]+=)?(?:.*,)?)[^,]*$' '$1')
    for value in $argv
        echo $done$value
    end
end

function __perf_keys
    perf report -s '?' 2>/dev/null | string replace -r '.*: ' '' | string split -n ' '
end

function __perf_fields
    perf script -F '' 2>&1 | string replace -rf '^ Fields: ' '' | string split -n ' '
end

# Completes a recording, or a directory that may contain one.
function __perf_recordings
    __fish_complete_suffix .data
end

function __perf_features
    perf version --build-options 2>/dev/null | string replace -rf '^ *(.*): \[.*' '$1'
end

# Completes events. Several are joined by commas and braces; the last one is being typed.
function __perf_events
    set -l done (commandline -ct | string replace -rf '^((?:--event=)?(?:.*[,{])?)[^,{]*$' '$1')
    for event in (__perf_words list --raw-dump)
        echo $done$event
    end
end

function __perf_after_event
    set -l words (commandline -opc)
    __perf_in_program
    and return 1
    string match -qr -- '^(-e|--event|-[^-]*e)$' $words[-1]
    or string match -qr -- '^--event=' (commandline -ct)
end

# True if an option or a subcommand may be typed.
function __perf_takes_options
    not __perf_needs_command
    and not __perf_in_program
    and not __perf_after_event
    and not __perf_after --call-graph --color --percent-type
end

# Prints the colours of flame graphs, which perf lists when it does not understand one.
function __perf_colours
    perf flamegraph --color '' 2>&1 | string replace -rf '.*one of: (.*)\.$' '$1' | string split -n ', '
end

# True if the word before the typed one is one of these options of perf probe.
function __perf_probe_after
    set -l words (commandline -opc)
    __perf_uses probe
    and contains -- $words[-1] $argv
end

# Prints functions in the target of -x or -m, for perf probe.
function __perf_functions
    set -l target
    set -l begin (commandline -ct)
    set -l words (commandline -opc)
    string match -qr '[^A-Za-z0-9_.]' -- $begin
    and return
    for i in (seq 2 (count $words))
        switch $words[$i]
            case -x --exec -m --module -k --vmlinux
                set -a target $words[$i] $words[(math $i + 1)]
            case '--exec=*' '--module=*' '--vmlinux=*'
                set -a target $words[$i]
        end
    end
    perf probe $target -F "$begin*" 2>/dev/null
end

complete -c perf -n __perf_needs_command -f -a '(__perf_commands)'
complete -c perf -n __perf_needs_command -f -a '(__perf_options)'
complete -c perf -n __perf_takes_options \
    -a '(__perf_options (__perf_path))'
complete -c perf -n '__perf_uses record top trace; and __perf_after --call-graph' -f -a '(__perf_list fp dwarf lbr bpf)'
complete -c perf -n '__perf_uses record top trace; and __perf_after --interpreters' -f -a '(__perf_list all no python java javascript ruby php)'
complete -c perf -n '__perf_uses report script c2c; and __perf_after --call-graph' -f -a '(__perf_list graph fractal flat folded none caller callee function address percent period count)'
complete -c perf -n '__perf_uses report top diff; and __perf_after -s --sort' -f -a '(__perf_list (__perf_keys))'
complete -c perf -n '__perf_uses script; and __perf_after -F --fields' -f -a '(__perf_list (__perf_fields))'
complete -c perf -n '__perf_uses report; and __perf_after -F --fields' -f -a '(__perf_list overhead overhead_children sample period (__perf_keys))'
complete -c perf -n '__perf_uses record top; and __perf_after -F --freq' -f -a '(__perf_list 99 999 4000 max)'
complete -c perf -n '__perf_uses stat; and __perf_after -M --metrics' -f -a '(__perf_list (__perf_words list --raw-dump metric metricgroup))'
complete -c perf -n '__perf_after --percent-type' -f -a '(__perf_list local-period global-period local-hits global-hits)'
complete -c perf -n '__perf_uses flamegraph; and __perf_after --color' -f -a '(__perf_list (__perf_colours))'
complete -c perf -n 'not __perf_uses flamegraph; and __perf_after --color' -f -a '(__perf_list auto always never)'
complete -c perf -n '__perf_after -p --pid' -f -a '(__fish_complete_pids)'
complete -c perf -n '__perf_after -u --uid' -f -a '(__fish_complete_users)'
complete -c perf -n '__perf_after -i --input' -f -a '(__perf_recordings)'
complete -c perf -n '__perf_after --symfs --buildid-dir --guestmount' -f -a '(__fish_complete_directories)'
complete -c perf -n __perf_in_program -f -a '(__perf_program)'
complete -c perf -n '__perf_uses record stat trace; and __perf_after record stat trace' -a '(__fish_complete_subcommand --fcs-skip=2)'
complete -c perf -n __perf_takes_options \
    -a '(__perf_words (__perf_path) --list-cmds)'
complete -c perf -n __perf_after_event -f -a '(__perf_events)'
complete -c perf -n '__perf_uses help' -f -a 'perf (__perf_words --list-cmds)'
complete -c perf -n '__perf_uses check' -f -a 'feature (__perf_features)'
complete -c perf -n '__perf_uses config' -f -a '(perf config -l 2>/dev/null | string replace -r "=.*" "")'
complete -c perf -n '__perf_uses data' -a convert
complete -c perf -n '__perf_uses hist' -a 'block futex syscall sched softirq irq net (__perf_words list --raw-dump tracepoint)'
complete -c perf -n '__perf_uses script' -a 'record report (perf script --list 2>/dev/null | string replace -rf "^  ([^ ]+).*" "\$1")'
complete -c perf -n '__perf_uses trace' -a record
complete -c perf -n '__perf_uses test' -f -a 'list (perf test list 2>/dev/null | string replace -r "^[^:]*: " "" | string match -ra "[A-Za-z0-9_]{4,}" | sort -u)'
complete -c perf -n '__perf_uses test' -s w -l workload -x -a '(perf test --list-workloads 2>/dev/null)'
complete -c perf -n '__perf_uses heatmap' -a 'block futex syscall sched softirq irq net'
complete -c perf -n '__perf_uses list; and not __perf_after --color' -f -a 'hw sw cache tracepoint pmu sdt pfm metric metricgroup (__perf_words list --raw-dump)'
complete -c perf -n '__perf_probe_after -d --del -l --list' -f -a '(perf probe -l 2>/dev/null | string replace -rf "^ *([^ ]+).*" "\$1")'
complete -c perf -n '__perf_probe_after -m --module' -a '(string replace -r " .*" "" </proc/modules)'
complete -c perf -n '__perf_uses probe; and not __perf_probe_after -d --del -l --list -m --module -x --exec -k --vmlinux -s --source' -a '(__perf_functions)'
