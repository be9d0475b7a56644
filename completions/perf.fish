# SPDX-License-Identifier: MIT
# fish completion for perf: asks the program itself for commands, options and events.

# The command on the line so far, or nothing.
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

# The command and the subcommands on the line so far, as `sched stats report`, a word on each line.
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

function __perf_uses
    contains -- (__perf_command) $argv
end

function __perf_words
    perf $argv 2>/dev/null | string split -n ' '
end

function __perf_features
    perf version --build-options 2>/dev/null | string replace -rf '^ *(.*): \[.*' '$1'
end

# Several events are joined by commas and braces; the last one is being typed.
function __perf_events
    set -l done (commandline -ct | string replace -rf '^((?:--event=)?(?:.*[,{])?)[^,{]*$' '$1')
    for event in (__perf_words list --raw-dump)
        echo $done$event
    end
end

function __perf_after_event
    set -l words (commandline -opc)
    string match -qr -- '^(-e|--event|-[^-]*e)$' $words[-1]
    or string match -qr -- '^--event=' (commandline -ct)
end

# Is the word before the one that is typed one of these options of perf probe?
function __perf_probe_after
    set -l words (commandline -opc)
    __perf_uses probe
    and contains -- $words[-1] $argv
end

# Functions of what -x or -m name, for perf probe.
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

complete -c perf -n __perf_needs_command -f -a '(__perf_words --list-cmds)'
complete -c perf -n __perf_needs_command -f -a '(__perf_words --list-opts)'
complete -c perf -n 'not __perf_needs_command; and not __perf_after_event' \
    -a '(__perf_words (__perf_path) --list-opts) --help'
complete -c perf -n 'not __perf_needs_command; and not __perf_after_event' \
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
complete -c perf -n '__perf_uses list' -f -a 'hw sw cache tracepoint pmu sdt pfm metric metricgroup (__perf_words list --raw-dump)'
complete -c perf -n '__perf_probe_after -d --del -l --list' -f -a '(perf probe -l 2>/dev/null | string replace -rf "^ *([^ ]+).*" "\$1")'
complete -c perf -n '__perf_probe_after -m --module' -a '(string replace -r " .*" "" </proc/modules)'
complete -c perf -n '__perf_uses probe; and not __perf_probe_after -d --del -l --list -m --module -x --exec -k --vmlinux -s --source' -a '(__perf_functions)'
