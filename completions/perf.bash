# SPDX-License-Identifier: MIT
# bash completion for perf: asks the program itself for commands, options and events.

# Replies with the words of $2 that begin with $1. Bash replaces only the part after the last of COMP_WORDBREAKS in the
# word, so the part before it ($3) is cut off again. (compgen -W would run $(...) in a name.)
_perf_reply()
{
	local -a all
	local candidate
	read -rd '' -a all <<<"$2"
	for candidate in "${all[@]}"; do
		[[ $candidate == "$1"* ]] && COMPREPLY+=("${candidate:$3}")
	done
}

# Prints the command named in the words $2... of perf $1, or nothing.
_perf_command()
{
	shift
	while (($#)); do
		case $1 in
		--buildid-dir | --debugfs-dir | --debug) shift ;;
		-*) ;;
		*)
			printf '%s\n' "$1"
			return
			;;
		esac
		shift
	done
}

# Prints the command and the subcommands in the words $2... of perf $1, as `sched stats report`.
_perf_path()
{
	local perf=$1 command word
	local -a path
	command=$(_perf_command "$@")
	path=("$command")
	shift
	while (($#)) && [[ $1 != "$command" ]]; do shift; done
	for word in "${@:2}"; do
		[[ " $("$perf" "${path[@]}" --list-cmds 2>/dev/null)" == *" $word "* ]] && path+=("$word")
	done
	printf '%s\n' "${path[*]}"
}

# Prints the functions that begin with $1 in the target of the words $2... of perf probe: -x or -m.
_perf_functions()
{
	local begin=$1 perf=$2
	local -a target=()
	shift 2
	# Other characters have a meaning in a filter, and the word after them is not a function.
	[[ $begin == *[!A-Za-z0-9_.]* ]] && return
	while (($#)); do
		case $1 in
		-x | --exec | -m | --module | -k | --vmlinux) (($# > 1)) && target+=("$1" "$2") ;;
		--exec=* | --module=* | --vmlinux=*) target+=("$1") ;;
		esac
		shift
	done
	"$perf" probe "${target[@]}" -F "$begin*" 2>/dev/null
}

# Prints the colours of flame graphs, which perf $1 lists when it does not understand one.
_perf_colours()
{
	"$1" flamegraph --color '' 2>&1 | sed -n 's/.* one of: \(.*\)\.$/\1/p' | tr -d , | tr ' ' '\n'
}

# Prints words of the names of tests, each of which selects the tests that contain it, for perf $1.
_perf_tests()
{
	"$1" test list 2>/dev/null | sed 's/^[^:]*: //' | tr -cs 'A-Za-z0-9_' '\n' | grep '....' | sort -u
}

# Prints the scripts that perf $1 can run by name.
_perf_scripts()
{
	"$1" script --list 2>/dev/null | awk 'NR > 1 { print $1 }'
}

# Prints the values of option $3 of command $2, for perf $1: a word on each line. Lists have commas between them.
_perf_values()
{
	case $2,$3 in
	report,--call-graph | script,--call-graph | c2c,--call-graph)
		printf '%s\n' graph fractal flat folded none caller callee function address percent period count ;;
	*,--call-graph) printf '%s\n' fp dwarf lbr bpf ;;
	*,--interpreters) printf '%s\n' all no python java javascript ruby php ;;
	report,-s | top,-s | diff,-s | *,--sort)
		"$1" report -s '?' 2>/dev/null | sed 's/^.*: //' | tr ' ' '\n' ;;
	script,-F | script,--fields)
		"$1" script -F '' 2>&1 | sed -n 's/^ Fields: //p' | tr ' ' '\n' ;;
	report,-F | top,-F | *,-F | *,--freq | *,--fields)
		[[ $2,$3 == report,-F || $3 == --fields ]] &&
			printf '%s\n' overhead overhead_children overhead_sys overhead_us sample period &&
			_perf_values "$1" report --sort && return
		printf '%s\n' 99 999 4000 max ;;
	stat,-M | stat,--metrics)
		"$1" list --raw-dump metric metricgroup 2>/dev/null | tr -s ' \t' '\n' ;;
	*,-p | *,--pid) ps -eo pid= 2>/dev/null | tr -d ' ' ;;
	*,-t | *,--tid) ps -eLo tid= 2>/dev/null | tr -d ' ' ;;
	*,-u | *,--uid) compgen -u ;;
	*,--percent-type) printf '%s\n' local-period global-period local-hits global-hits ;;
	esac
}

# Replies with files of one kind that begin with $1: directories, and those whose names match $2.
_perf_files()
{
	local file
	while read -r file; do
		if [[ -d $file ]]; then
			COMPREPLY+=("$file/")
		elif [[ $file == $2 ]]; then
			COMPREPLY+=("$file")
		fi
	done < <(compgen -f -- "$1" | sort)
	((${#COMPREPLY[@]} == 1)) && [[ ${COMPREPLY[0]} == */ ]] && compopt -o nospace 2>/dev/null
}

_perf()
{
	local perf=${COMP_WORDS[0]} line=${COMP_LINE:0:COMP_POINT}
	local -a words
	read -ra words <<<"$line"
	[[ $line == *[[:space:]] ]] && words+=('')

	local n=$((${#words[@]} - 1))
	local word=${words[n]} previous=${words[n - 1]}
	local command
	command=$(_perf_command "${words[@]:0:n}")

	# The part of the word that bash has already split off, as "sched" of "sched:sw".
	local breaks=${COMP_WORDBREAKS//[[:space:]]/}
	local rest=${word##*["$breaks"]}
	local skip=$((${#word} - ${#rest}))

	COMPREPLY=()
	if [[ -z $command ]]; then
		case $word in
		-*) _perf_reply "$word" "$("$perf" --list-opts 2>/dev/null)" "$skip" ;;
		*) _perf_reply "$word" "$("$perf" --list-cmds 2>/dev/null)" "$skip" ;;
		esac
		return
	fi

	# --event=cycles,inst and -e cycles,inst: complete the part after the last comma or brace.
	local value='' option=''
	case $word in
	--*=*)
		option=${word%%=*}
		value=${word#*=}
		;;
	*)
		case $previous in
		--color | --event | -e | -[!-]*e)
			option=$previous
			value=$word
			;;
		esac
		;;
	esac
	local before=${word%"$value"}
	case $command,$option in
	flamegraph,--color)
		_perf_reply "$word" "$(_perf_colours "$perf" | sed "s/^/$before/")" "$skip"
		return
		;;
	*,--color)
		_perf_reply "$word" "${before}auto ${before}always ${before}never" "$skip"
		return
		;;
	*,--event | *,-e | *,-[!-]*e)
		local done_part=${value%"${value##*[,\{]}"}
		local events
		events=$("$perf" list --raw-dump 2>/dev/null | tr -s ' \t' '\n' |
			awk -v before="$before$done_part" 'NF { print before $0 }')
		_perf_reply "$word" "$events" "$skip"
		# Another event may follow after a comma.
		compopt -o nospace 2>/dev/null
		return
		;;
	esac

	# Values that the program or the system knows; the last one of a list is being typed.
	if [[ -z $option && $previous == -* ]]; then
		option=$previous
		value=$word
	fi
	if [[ -n $option ]]; then
		local values
		values=$(_perf_values "$perf" "$command" "$option")
		if [[ -n $values ]]; then
			before=${word%"$value"}${value%"${value##*,}"}
			_perf_reply "$word" "$(sed "s/^/$(sed 's/[&/\\]/\\&/g' <<<"$before")/" <<<"$values")" "$skip"
			return
		fi
		case $command,$option in
		*,-i | *,--input)
			_perf_files "$value" '*.@(data|data.*|folded|pb.gz|pprof)'
			return
			;;
		*,--symfs | *,--buildid-dir | *,--guestmount)
			_perf_files "$value" ''
			return
			;;
		esac
	fi

	# The command that is run and measured, and the words after a --.
	local at=$n
	while ((at > 1)) && [[ ${words[at - 1]} != -- ]]; do ((at--)); done
	if ((at > 1)); then
		((at == n)) && [[ -n $word ]] && _perf_reply "$word" "$(compgen -c -- "$word" | sort -u)" "$skip"
		return
	fi
	case $command in
	record | stat | trace)
		[[ $previous == "$command" && $word != -* && -n $word ]] &&
			_perf_reply "$word" "$(compgen -c -- "$word" | sort -u)" "$skip" ;;
	esac

	case $command,$previous in
	probe,-d | probe,--del | probe,-l | probe,--list)
		_perf_reply "$word" "$("$perf" probe -l 2>/dev/null | awk '{ print $1 }')" "$skip"
		return
		;;
	probe,-m | probe,--module)
		_perf_reply "$word" "$(cut -d ' ' -f 1 /proc/modules 2>/dev/null)" "$skip"
		return
		;;
	test,-w | test,--workload)
		_perf_reply "$word" "$("$perf" test --list-workloads 2>/dev/null)" "$skip"
		return
		;;
	probe,-x | probe,--exec | probe,-k | probe,--vmlinux | probe,-s | probe,--source) return ;;
	esac

	local -a path
	read -ra path <<<"$(_perf_path "${words[@]:0:n}")"
	local subcommands
	subcommands=$("$perf" "${path[@]}" --list-cmds 2>/dev/null)
	case $word in
	-*)
		_perf_reply "$word" "$("$perf" "${path[@]}" --list-opts 2>/dev/null) --help" "$skip"
		return
		;;
	*) _perf_reply "$word" "$subcommands" "$skip" ;;
	esac

	case $command,$word in
	help,*) _perf_reply "$word" "$("$perf" --list-cmds 2>/dev/null) perf" "$skip" ;;
	check,*) _perf_reply "$word" \
		"feature $("$perf" version --build-options 2>/dev/null | sed -n 's/^ *\(.*\): \[.*/\1/p')" \
		"$skip" ;;
	config,*) _perf_reply "$word" "$("$perf" config -l 2>/dev/null | sed 's/=.*//')" "$skip" ;;
	data,*) _perf_reply "$word" convert "$skip" ;;
	test,*) _perf_reply "$word" "list $(_perf_tests "$perf")" "$skip" ;;
	trace,*) _perf_reply "$word" record "$skip" ;;
	hist,*) _perf_reply "$word" \
		"block futex syscall sched softirq irq net $("$perf" list --raw-dump tracepoint 2>/dev/null)" "$skip" ;;
	script,*) _perf_reply "$word" "record report $(_perf_scripts "$perf")" "$skip" ;;
	heatmap,*) _perf_reply "$word" "block futex syscall sched softirq irq net" "$skip" ;;
	probe,/*) ;;
	probe,*) _perf_reply "$word" \
		"$(_perf_functions "$word" "$perf" "${words[@]:1:n-1}")" "$skip" ;;
	list,*) _perf_reply "$word" \
		"hw sw cache tracepoint pmu sdt pfm metric metricgroup $("$perf" list --raw-dump 2>/dev/null)" \
		"$skip" ;;
	esac
}

complete -o default -o bashdefault -F _perf perf
