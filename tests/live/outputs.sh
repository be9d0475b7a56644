#!/bin/sh
# SPDX-License-Identifier: MIT
# Outputs that are not ordinary files: FIFOs, devices, pipes without a reader, a full disk. Each command ends with a
# status that tells whether everything was written, and reports an error only once; it leaves nothing else behind, and
# never waits forever. A FIFO gets the same bytes as a file.
. "$(dirname "$0")/waiting"
work=$(mktemp -d) || exit 1
cd "$work" || exit 1
failed=0
trap 'umount "$work/full" 2>/dev/null; rm -rf "$work"' EXIT
export HOME="$work/home"
unset DEBUGINFOD_URLS
mkdir home

fail() {
	echo "FAILED: $*"
	failed=1
}

load='i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); done'
perf record -q -B -g -e cpu-clock -F 5000 -o data sh -c "$load" 2>err || { cat err; echo "cpu-clock cannot be recorded"; exit 77; }

# write KIND OUTPUT: runs a command that writes to this output; ./err has its messages.
write() {
	case $1 in
	record) set -- "$2" record -q -N -B -g -e cpu-clock -F 5000 -o "$2" sh -c "echo ran >>ran; $load" ;;
	stat) set -- "$2" stat -e cpu-clock -o "$2" sh -c 'echo ran >>ran' ;;
	trace) set -- "$2" trace -o "$2" dd if=/dev/zero of=/dev/null bs=1 count=5000 status=none ;;
	inject) set -- "$2" inject -b -i data -o "$2" ;;
	svg) set -- "$2" flamegraph -i data -o "$2" ;;
	html) set -- "$2" flamegraph -i data --html -o "$2" ;;
	heatmap) set -- "$2" heatmap -i data -o "$2" ;;
	list) set -- "$2" list -o "$2" sw ;;
	*) set -- "$2" data convert -i data "--to-$1" "$2" ;;
	esac
	shift
	timeout -k 5 60 perf "$@" 2>err </dev/null
}

kinds='record stat trace inject svg html heatmap list json pprof folded speedscope firefox chrome perfetto otlp'
can=
for kind in $kinds; do
	if write "$kind" "file.$kind" >out; then
		can="$can $kind"
		[ -s "file.$kind" ] || fail "$kind: the file is empty"
		[ ! -s out ] || fail "$kind: with a file, standard output has $(head -c 100 out)"
	else
		echo "$kind cannot be written here: $(tail -n 1 err)"
	fi
done
case $can in *record*stat*inject*svg*json*) ;; *) fail "only these can be written:$can" ;; esac

# says STATUS PATTERN WHAT: checks that the status was $status, and that ./err has one such line; WHAT names the case in
# a failure.
says() {
	[ "$status" = "$1" ] || fail "$3: status $status, not $1"
	[ "$(grep -c "$2" err)" = 1 ] || { fail "$3: '$2' is not said once, but:"; cat err; }
}

# is_quiet WHAT: checks that there are no messages but those about missing symbols.
is_quiet() {
	grep -v -e '^no symbols found' -e '^\[ perf data convert: Converted' err >rest && { fail "$1 says:"; cat rest; }
}

status_of_full() {
	[ "$1" = record ] && echo 255 || echo 1
}

# Devices. The folder has the same files before and after.
files() {
	find . ! -name err ! -name out ! -name rest ! -name files ! -name ran ! -name before | sort
}
files >before
for kind in $can; do
	write "$kind" /dev/full >out
	status=$?
	says "$(status_of_full "$kind")" 'No space left on device' "$kind to /dev/full"
	says "$(status_of_full "$kind")" 'cannot write' "$kind to /dev/full"
	write "$kind" /dev/null >out
	status=$?
	[ $status = 0 ] || { fail "$kind to /dev/null: status $status"; cat err; }
	is_quiet "$kind to /dev/null"
	[ -c /dev/full ] && [ -c /dev/null ] || fail "$kind replaced a device"
	files | diff before - || fail "$kind to a device leaves files"
done

# Standard output on a full disk.
for command in 'script' 'report --stdio' 'report --html' 'flamegraph -o -' 'inject -b -o -' 'data convert --to-json -' 'evlist'; do
	# shellcheck disable=SC2086
	timeout -k 5 60 perf $command -i data >/dev/full 2>err </dev/null
	status=$?
	says 1 'cannot write' "$command >/dev/full"
	grep -qE 'No space left on device|is the disk full' err || { fail "$command >/dev/full:"; cat err; }
done
timeout -k 5 60 perf record -q -e cpu-clock -o - true >/dev/full 2>err
status=$?
says 255 "cannot write '-': No space left on device" 'record -o - >/dev/full'

# A pipe that will never be read. The command ends as other programs do: by SIGPIPE, or with a sentence.
mkfifo fifo
exec 3<>fifo 4>fifo 3<&-
for command in 'script' 'report --stdio' 'report --html' 'flamegraph -o -' 'inject -b -o -' 'data convert --to-json -'; do
	# shellcheck disable=SC2086
	timeout -k 5 60 perf $command -i data >&4 2>err </dev/null
	status=$?
	[ $status = 141 ] || fail "$command into a pipe without a reader: status $status"
	is_quiet "$command into a pipe without a reader"
done
timeout -k 5 60 perf record -q -e cpu-clock -o - true >&4 2>err </dev/null
status=$?
says 255 "cannot write '-': Broken pipe" 'record -o - into a pipe without a reader'
says 255 'The reader of the pipe ended before everything was written' 'record -o - into a pipe without a reader'
case $can in *trace*)
	timeout -k 5 60 perf trace -o - true >&4 2>err </dev/null
	status=$?
	says 1 'Broken pipe' 'trace -o - into a pipe without a reader'
	;;
esac
exec 4>&-

# same KIND A B: checks that two outputs have the same contents.
same() {
	case $1 in
	record) perf script -i "$3" -F comm,event 2>&1 | grep -q cpu-clock ;;
	stat) grep -q 'cpu-clock' "$3" && grep -q 'seconds sys' "$3" ;;
	trace) [ "$(grep -c 'read(' "$3")" -gt 4999 ] && [ "$(grep -c 'write(' "$3")" -gt 4999 ] ;;
	inject) perf script -i "$2" >a && perf script -i "$3" >b && cmp a b && rm a b ;;
	*) cmp "$2" "$3" ;;
	esac
}

# A slow reader gets all of the output.
files >before
for kind in $can; do
	(sleep 0.3; cat) <fifo >got.fifo &
	reader=$!
	write "$kind" fifo >out || { fail "$kind to a FIFO: status $?"; cat err; }
	is_quiet "$kind to a FIFO"
	wait $reader
	same "$kind" "file.$kind" got.fifo || fail "$kind to a FIFO: $(wc -c <got.fifo) bytes, not as to a file"
	[ -p fifo ] || { fail "$kind replaced the FIFO"; rm -rf fifo; mkfifo fifo; }
	rm got.fifo
	files | diff before - || fail "$kind to a FIFO leaves files"
done

# True if process $1 waits for the other end of a FIFO.
waits_for_reader() {
	[ "$(cat "/proc/$1/wchan" 2>/dev/null)" = wait_for_partner ]
}

# Prints the pid of perf, the child of timeout(1).
perf_of() {
	cat "/proc/$1/task/$1/children" 2>/dev/null
}

is_waiting() {
	child=$(perf_of "$1") && child=${child% } && [ -n "$child" ] && waits_for_reader "$child"
}

# Without a reader, all commands wait for one, like other programs. SIGTERM ends the wait at once, and the workload did
# not run; a late reader gets everything.
sh -c 'exec cat fifo' &
reader=$!
until_true test -e "/proc/$reader"
if until_true waits_for_reader $reader 2>/dev/null; then
	kill $reader
	wait $reader 2>/dev/null
	for kind in $can; do
		rm -f ran
		write "$kind" fifo >out &
		writer=$!
		until_true sh -c "pgrep -P $writer timeout >/dev/null" || { fail "$kind did not start"; continue; }
		timeout=$(pgrep -P $writer timeout)
		until_true is_waiting "$timeout" || fail "$kind does not wait for a reader of the FIFO"
		kill -TERM "$(perf_of "$timeout" | tr -d ' ')"
		wait $writer
		status=$?
		[ $status != 137 ] && [ $status != 124 ] && [ $status != 0 ] || fail "$kind, waiting for a reader: status $status after SIGTERM"
		[ ! -e ran ] || fail "$kind has run the workload without a reader"
		[ -p fifo ] || { fail "$kind replaced the FIFO"; rm -rf fifo; mkfifo fifo; }
	done
	write json fifo >out &
	writer=$!
	until_true sh -c "pgrep -P $writer timeout >/dev/null"
	until_true is_waiting "$(pgrep -P $writer timeout)"
	cat fifo >got.fifo
	wait $writer || fail "json for a late reader: status $?"
	same json file.json got.fifo || fail "a late reader of json got $(wc -c <got.fifo) bytes"
else
	kill $reader
	echo "who waits for a FIFO cannot be seen here"
fi

# An input file is not overwritten, by whatever name it is given.
cp data kept
ln data hard
ln -s data soft
head -c 100000 /proc/kallsyms >list
# refused FILE COMMAND...: checks that a command that would overwrite FILE fails, and FILE stays as it is.
refused() {
	file=$1
	shift
	timeout -k 5 60 perf "$@" >/dev/null 2>err <data
	status=$?
	[ $status != 0 ] || fail "perf $*: status 0"
	grep -q 'is the file that is read' err || { fail "perf $* says:"; cat err; }
	cmp -s "$file" "kept${file#data}" || { fail "perf $* has written over its input"; cp "kept${file#data}" "$file"; }
}
for name in data ./data hard soft "$work/data"; do
	refused data report -i data --html="$name"
	refused data flamegraph -o "$name" data
	refused data heatmap -i "$name" -o data
	refused data data convert -i data --to-json "$name" --force
	refused data trace -i data -o "$name"
	refused data lock report -i data --output "$name"
	refused data stat -o "$name" report -i data
	refused data stat --append -o "$name" report -i data
done
refused data data convert -i - --to-pprof data --force
refused data flamegraph -i - -o data
cp list data.list
cp list kept.list
refused data.list report -i data --kallsyms data.list --html=data.list
refused data.list flamegraph -i data -k data.list -o data.list
if perf push -q --to sqlite:data.db -i data 2>err; then
	cp data.db kept.db
	refused data.db flamegraph -i sqlite:data.db -o data.db
	refused data.db data convert -i 'sqlite:data.db?since=9w' --to-folded data.db --force
fi

# A full disk: the part that could be written may be there, and nothing else.
mkdir full
if mount -t tmpfs -o size=120k tmpfs full 2>/dev/null; then
	for room in 0 12; do
		for kind in $can; do
			# Small output fits into the remaining space.
			[ $room = 0 ] || [ "$(wc -c <"file.$kind")" -gt 20000 ] || continue
			rm -rf full/*
			head -c $((120 - room))k /dev/zero >full/filler
			write "$kind" full/x >out
			status=$?
			says "$(status_of_full "$kind")" 'No space left on device' "$kind with room for $room KB"
			[ -z "$(find full -mindepth 1 ! -name filler ! -name x)" ] ||
				fail "$kind with room for $room KB leaves" "$(ls -A full)"
		done
	done
	rm -rf full/*
	cp data full/
	head -c 120k /dev/zero >full/filler 2>/dev/null
	(cd full && timeout -k 5 60 perf --buildid-dir "$work/home/.debug" archive --all data) >out 2>err </dev/null
	status=$?
	[ $status != 0 ] && [ $status != 124 ] || fail "archive on a full disk: status $status"
	grep -q 'No space left on device' err || { fail "archive on a full disk says:"; cat err; }
	[ -z "$(find full -mindepth 1 ! -name filler ! -name data)" ] || fail "archive leaves" "$(ls -A full)"
else
	echo "no tmpfs can be mounted: a full disk was not tried"
fi
exit $failed
