# SPDX-License-Identifier: MIT
# For completion.sh: completes lines with zsh's functions replaced by some that note the offered words, and compares
# those.
service=perf
fail=0

# The words that the completion system offers for the typed word: those that begin with it.
offered=()
offer() {
	local one
	for one; do
		[[ $one == ${(b)PREFIX}* ]] && offered+=($IPREFIX$one)
	done
	return 0
}
compadd() {
	while [[ $# -gt 0 && $1 != -- ]]; do shift; done
	shift
	offer "$@"
}
_describe() {
	[[ $1 == -o ]] && shift
	local name=$2
	offer ${${(P)name}%%:*}
}
compset() {
	local rest=${PREFIX##${~2}}
	[[ $rest == $PREFIX ]] && return 1
	IPREFIX+=${PREFIX%$rest}
	PREFIX=$rest
}
_call_program() { shift; "$@"; }
_files() { [[ $1 == -g ]] && offered+=('<recordings>') || offered+=("<files${1:+ $1}>"); }
_pids() { offered+=('<pids>'); }
_users() { offered+=('<users>'); }
_command_names() { offered+=('<commands>'); }
_normal() { offered+=("<line $words>"); }

words=(perf '') CURRENT=2 PREFIX='' IPREFIX=''
source completions/_perf

# expect LINE [OFFERED...]
expect() {
	local line=$1
	words=(${(s: :)line})
	[[ $line == *' ' ]] && words+=('')
	CURRENT=$#words PREFIX=$words[-1] IPREFIX='' offered=()
	shift
	_perf
	if [[ "$offered" != "$*" ]]; then
		echo "zsh: $line<TAB>: expected: $*"
		echo "zsh: $line<TAB>: got:      $offered"
		fail=1
	fi
}

expect 'perf ver' version
expect 'perf --list-c' --list-cmds
expect 'perf version --b' --build-options
expect 'perf sched lat' latency '<files>'
expect 'perf list --color=al' --color=always
expect 'perf flamegraph --color pur' purple
expect 'perf record -e cyc' cycles
expect 'perf record -e cycles,cpu' cycles,cpu-clock
expect 'perf record --event=cyc' --event=cycles
expect 'perf record --call-graph dw' dwarf
expect 'perf record --call-graph=lb' --call-graph=lbr
expect 'perf report --call-graph fr' fractal
expect 'perf report -s comm,dso_fr' comm,dso_from
expect 'perf report --sort=comm,symbol_si' --sort=comm,symbol_size
expect 'perf report --percent-type lo' local-period local-hits
expect 'perf record -F ma' max
expect 'perf script -F comm,srcl' comm,srcline
expect 'perf stat -M CPUs' CPUs_utilized
expect 'perf record -p ' '<pids>'
expect 'perf report -i some' '<recordings>'
expect 'perf report --symfs some' '<files -/>'
expect 'perf record -- gz' '<line gz>'
expect 'perf record -g -- gzip --be' '<line gzip --be>'
expect 'perf probe -d probe:f' probe:foo_1
exit $fail
