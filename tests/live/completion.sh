#!/bin/sh
# SPDX-License-Identifier: MIT
# Completion offers the program's real commands, options and events. Bash and fish themselves are asked; for zsh its
# functions are replaced.
command -v bash >/dev/null || { echo 'bash is not installed'; exit 77; }
cd "${TOP:-$(dirname "$0")/../..}" || exit 1

for check in 'zsh -n completions/_perf' 'fish -n completions/perf.fish'; do
	if command -v "${check%% *}" >/dev/null; then
		$check || { echo "$check"; exit 1; }
	fi
done

# A perf with a small number of events, so that the answers are the same everywhere.
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
cat >"$dir/perf" <<-FAKE
	#!/bin/sh
	case "\$*" in
	'list --raw-dump' | 'list --raw-dump tracepoint') echo 'cycles cpu-clock sched:sched_switch sched:sched_wakeup ' ;;
	'probe -l') echo '  probe:foo_1          (on foo:1@t.c with a b)' ;;
	'probe -x ./t -F mai*') echo main ;;
	'probe -F tcp_se*') printf '%s\\n' tcp_sendmsg tcp_sendpage ;;
	*) exec "${PERF:-build/perf}" "\$@" ;;
	esac
FAKE
chmod +x "$dir/perf"
mkdir -p "$dir/files/some.dir"
touch "$dir/files/some.data" "$dir/files/some.other"
fail=0
for shell in bash 'zsh -f' 'fish --no-config'; do
	name=${shell%% *}
	command -v "$name" >/dev/null || continue
	said=$(FILES=$dir/files PATH=$dir:$PATH $shell "tests/live/completion.$name" 2>&1) && [ -z "$said" ] && continue
	echo "${said:-$name fails}"
	fail=1
done
exit $fail
