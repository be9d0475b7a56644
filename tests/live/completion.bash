# SPDX-License-Identifier: MIT
# For completion.sh: completes lines as bash does and compares the replies.
source completions/perf.bash
fail=0

# Splits like Bash itself: at blanks, and around each of COMP_WORDBREAKS.
split()
{
	local line=$1 word='' c i
	COMP_WORDS=()
	for ((i = 0; i < ${#line}; i++)); do
		c=${line:i:1}
		if [[ $c == ' ' || $c == [=:] ]]; then
			[[ -n $word ]] && COMP_WORDS+=("$word")
			[[ $c == ' ' ]] || COMP_WORDS+=("$c")
			word=''
		else
			word+=$c
		fi
	done
	COMP_WORDS+=("$word")
}

# expect LINE [REPLY...]: the replies to a tab at the end of LINE begin with these words and no
# others.
expect()
{
	COMP_LINE=$1 COMP_POINT=${#1} COMP_WORDBREAKS=$' \t\n"\'><=;|&(:'
	split "$1"
	COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
	shift
	_perf
	if [[ "${COMPREPLY[*]}" != "$*" ]]; then
		echo "$COMP_LINE<TAB>: expected: $*"
		echo "$COMP_LINE<TAB>: got:      ${COMPREPLY[*]}"
		fail=1
	fi
}

expect 'perf ver' version
expect 'perf st' stat
expect 'perf --no-pager hel' help
expect 'perf --list-c' --list-cmds
expect 'perf help conf' config
expect 'perf version --b' --build-options
expect 'perf list --col' --color
expect 'perf list --color=al' always
expect 'perf list --color nev' never
expect 'perf flamegraph --color=pur' purple
expect 'perf flamegraph --color aq' aqua
expect 'perf check fea' feature
expect 'perf record -e cyc' cycles
expect 'perf record -e cycles,cpu' cycles,cpu-clock
expect 'perf record -e {cycles,cpu' {cycles,cpu-clock
expect 'perf record -ae cpu' cpu-clock
expect 'perf record --event=cyc' cycles
expect 'perf record -e sched:sched_s' sched_switch
expect 'perf record -e cycles,sched:sched_' sched_switch sched_wakeup
expect 'perf list sched:' sched_switch sched_wakeup
expect 'perf hist sy' syscall
expect 'perf script netdev' netdev-times
expect 'perf script record fut' futex-contention
expect 'perf script rec' record
expect 'perf hist sched:sched_s' sched_switch
expect 'perf record -o som'
expect 'perf probe --max' --max-probes
expect 'perf probe -d probe:f' foo_1
expect 'perf probe --add tcp_se' tcp_sendmsg tcp_sendpage
expect 'perf probe -x ./t -V mai' main
expect 'perf probe -x ./t.no_such'
expect 'perf probe foo\;bar'
expect 'perf test vml' vmlinux
expect 'perf test -w nopl' noploop
expect 'perf record --call-graph dw' dwarf
expect 'perf record --call-graph=lb' lbr
expect 'perf report --call-graph fr' fractal
expect 'perf report -s comm,dso_fr' comm,dso_from
expect 'perf report --sort=comm,symbol_si' comm,symbol_size
expect 'perf record -F ma' max
expect 'perf script -F comm,srcl' comm,srcline
expect 'perf stat -M CPUs' CPUs_utilized
measured_command() { :; }
expect 'perf record -- measured_c' measured_command
expect 'perf record -- measured_command fi'
expect 'perf stat measured_c' measured_command
expect "perf report -i $FILES/some" "$FILES/some.data" "$FILES/some.dir/"
expect "perf report --symfs $FILES/some" "$FILES/some.dir/"
exit $fail
