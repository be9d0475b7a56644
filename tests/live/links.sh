#!/bin/sh
# SPDX-License-Identifier: MIT
# Root's output in folders of other users: links that another user puts there are not followed, however often they are
# put there. Links of root's own, devices, pipes and open files work as usual.
[ "$(id -u)" = 0 ] || { echo "only root has something to lose to other users"; exit 77; }
command -v setpriv >/dev/null || { echo "no setpriv"; exit 77; }
here=$(dirname "$(readlink -f "$0")")
work=$(mktemp -d) || exit 1
chmod 755 "$work"
cd "$work" || exit 1
failed=0
racer=

cleanup() {
	[ -z "$racer" ] || kill -KILL "$racer" 2>/dev/null
	rm -rf "$work"
}
trap cleanup EXIT

fail() {
	echo "FAILED: $*"
	failed=1
}

as_nobody() {
	setpriv --reuid 65534 --regid 65534 --clear-groups "$@"
}

record() {
	perf record -q -N -B -e cpu-clock "$@" 2>>err
}

"${CC:-cc}" -O1 -o racer "$here/links-racer.c" || exit 1
echo mine >victim
chmod 600 victim

victim_is_whole() {
	[ "$(cat victim)" = mine ] || { fail "$1: a file of root's was overwritten"; echo mine >victim; }
	[ ! -e fresh ] || { fail "$1: a file was made where a link led"; rm fresh; }
}

# A folder for all users, without and with the sticky bit. Links lead to an existing file, and to a missing one.
for mode in 777 1777; do
	for target in victim fresh; do
		rm -rf all
		mkdir -m $mode all
		chmod $mode all
		setpriv --reuid 65534 --regid 65534 --clear-groups ./racer "$work/$target" all/perf.data all/perf.data.old all/dir/data \
			all/stat &
		racer=$!
		for _ in 1 2 3 4 5 6 7 8 9 10 11 12; do
			record -o all/perf.data true
			perf stat -o all/stat -e cpu-clock true 2>>err
		done
		record --switch-output=16K -F 5000 -o all/perf.data sh -c 'i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); done'
		record --threads -o all/dir true
		perf script -i all/dir >/dev/null 2>&1 || fail "what was written into a directory is not there"
		kill -KILL $racer
		wait $racer 2>/dev/null
		racer=
		victim_is_whole "mode $mode, link to $target"
	done
done

# The attack is over: the file is a new one, and root's.
rm -rf all
mkdir all && chmod 777 all
as_nobody ln -s "$work/victim" all/perf.data
record -o all/perf.data true || fail "a link of another user kept root from recording"
[ "$(stat -c '%F %u %a' all/perf.data)" = "regular file 0 600" ] || fail "perf.data: $(stat -c '%F %u %a' all/perf.data)"
[ -L all/perf.data.old ] || fail "the link was not moved away"
as_nobody ln -s "$work" all/folder
! record -o all/folder/perf.data true || fail "a folder behind another user's link was written to"
tail -2 err | grep -q "symbolic link of another user" || { fail "no word about the link, but:"; tail -2 err; }
[ ! -e perf.data ] || fail "another user chose the folder of perf.data"
for output in "stat -o all/text true" "list -o all/text" "data convert --to-json all/text -f -i all/perf.data" \
	"trace -o all/text true" "lock contention -i all/perf.data --output all/text"; do
	as_nobody ln -sf "$work/victim" all/text
	# shellcheck disable=SC2086
	perf $output >/dev/null 2>&1 && fail "perf $output wrote through another user's link"
	rm -f all/text
done

# In a folder like /tmp, a file or a FIFO that another user has put there before is readable by that user.
rm -rf sticky
mkdir sticky && chmod 1777 sticky
for output in "stat -o sticky/text true" "list -o sticky/text" "data convert --to-json sticky/text -f -i all/perf.data" \
	"trace -o sticky/text true" "push --to sqlite:sticky/text --queue own -i all/perf.data"; do
	for kind in touch mkfifo; do
		rm -f sticky/text
		as_nobody $kind sticky/text
		# shellcheck disable=SC2086
		timeout 20 perf $output >/dev/null 2>>err && fail "perf $output wrote into another user's $kind"
		tail -4 err | grep -q "another user has put it there" || { fail "no word about another user's $kind, but:"; tail -4 err; }
		[ ! -s sticky/text ] || fail "perf $output wrote into another user's $kind"
	done
done
as_nobody mkfifo sticky/perf.data
! timeout 20 perf record -q -e cpu-clock -o sticky/perf.data true 2>>err || fail "record wrote into another user's FIFO"
tail -2 err | grep -q "another user has put it there" || { fail "no word about another user's FIFO, but:"; tail -2 err; }
victim_is_whole "links that stay"

# Other users may write to a folder of their group, too.
mkdir group && chgrp 65534 group && chmod 775 group
as_nobody ln -s "$work/victim" group/text
! perf stat -o group/text true 2>/dev/null || fail "a link in a folder of a group was followed"
victim_is_whole "a folder of a group"

# A folder of a trace is not made where a link leads.
as_nobody ln -s "$work" all/folder 2>/dev/null
! perf data convert --to-ctf all/folder/there/ctf -i all/perf.data 2>/dev/null || fail "a trace behind another user's link"
[ ! -e there ] || { fail "CTF: a folder was made where a link leads"; rmdir there; }
rm -rf all/ctf && as_nobody ln -s "$work/fresh" all/ctf
! perf data convert --to-ctf all/ctf -i all/perf.data 2>/dev/null || fail "a trace instead of another user's link"
victim_is_whole "exports"

# A queue that another user has made.
mkdir -m 777 queues && chmod 777 queues
target=$(perf push --to "sqlite:$work/store.db" --queue queues/own -i all/perf.data 2>err && ls queues/own)
[ -n "$target" ] || { fail "no queue was made"; cat err; }
as_nobody mkdir -p "queues/a/$target" "queues/b"
as_nobody ln -s "$work/fresh" "queues/a/$target/lock"
as_nobody ln -s "$work" "queues/b/$target"
for queue in a b; do
	! perf push --to "sqlite:$work/store.db" --queue queues/$queue -i all/perf.data 2>err || fail "queue $queue of another user was used"
	grep -qE "belongs to user 65534|Permission denied" err || { fail "queue $queue:"; cat err; }
done
ln -s "$work/fresh" "queues/own/$target/link" && mv "queues/own/$target/link" "queues/own/$target/lock"
! perf push --to "sqlite:$work/store.db" --queue queues/own -i all/perf.data 2>err || fail "a lock that is a link was followed"
victim_is_whole "a queue"

# The home of another user, who knows the names in a build-id cache.
mkdir home lost
chown 65534:65534 home
kernel=$(perf buildid-list -k)
fill_cache() {
	HOME=$work/home perf record -q -e cpu-clock -o own.data true 2>err
	HOME=$work/home perf buildid-cache -a "$(command -v perf)" 2>err
	HOME=$work/home perf probe -x "$(command -v perf)" -F main >/dev/null 2>&1
	[ -z "$(ls -A lost)" ] || fail "$1: root wrote where another user's link leads"
	victim_is_whole "$1"
	rm -rf home/.debug lost
	mkdir lost
}
as_nobody ln -s "$work/lost" home/.debug
fill_cache "a link instead of the cache"
as_nobody sh -c "umask 22; mkdir home/.debug; ln -s $work/lost home/.debug/.build-id
	for f in '[kernel.kallsyms]' '[vdso]' usr bin ${work#/}; do ln -s $work/lost home/.debug/\$f; done" 2>/dev/null
fill_cache "links within the cache"
as_nobody mkdir -p "home/.debug/[kernel.kallsyms]/$kernel"
python3 -c "
import os
for pid in range(os.getpid(), os.getpid() + 1000):
    name = 'home/.debug/[kernel.kallsyms]/$kernel/kallsyms.%d' % pid
    os.symlink('$work/victim', name)
    os.lchown(name, 65534, 65534)"
fill_cache "links with the names of temporary files"

# A program in a memfd chooses its own path. Its copy stays in root's cache.
mkdir root
HOME=$work/root perf record -q -e cpu-clock -o memfd.data -- setpriv --reuid 65534 --regid 65534 --clear-groups \
	python3 -c '
import os, sys
fd = os.memfd_create("/../../../../../../../../../.." + sys.argv[1])
os.write(fd, open("/bin/sh", "rb").read())
os.execve(fd, ["sh", "-c", "i=0; while [ $i -lt 300000 ]; do i=$((i + 1)); done"], {})' "$work/chosen" 2>err
perf buildid-list -i memfd.data 2>>err | grep -q chosen || { fail "the program in a memfd was not recorded"; cat err; }
! ls -d chosen* >/dev/null 2>&1 || fail "the name of a memfd led out of the cache: $(find chosen*)"

# Devices in place of files are not opened, because some act when they are opened.
if command -v strace >/dev/null; then
	mkdir devices && ln -s /dev/full devices/.perfconfig && ln -s /dev/full devices/control
	HOME=$work/devices strace -f -qq -e trace=open,openat -o opens perf record --control "fifo:$work/devices/control" \
		-e cpu-clock -o devices/x.data true >/dev/null 2>&1
	HOME=$work/devices strace -f -qq -A -e trace=open,openat -o opens perf version >/dev/null 2>&1
	grep -q 'devices/' opens || fail "nothing was looked at: $(cat opens)"
	! grep 'devices/[.c]' opens | grep -v O_PATH || fail "a device was opened"
fi

# The links that root made still work.
mkdir disk
ln -s disk/there here
record -o here true && [ -L here ] && perf script -i disk/there >/dev/null 2>&1 || fail "-o link"
perf record -q -e cpu-clock -o /dev/null true 2>err && [ -c /dev/null ] || fail "-o /dev/null"
[ ! -s err ] || { fail "-o /dev/null is said to be no recording"; cat err; }
record -o /dev/stdout true >stdout && perf script -i stdout >/dev/null 2>&1 || fail "-o /dev/stdout"
record -o /dev/fd/3 true 3>fd && perf script -i fd >/dev/null 2>&1 || fail "-o /dev/fd/3"
record -o /proc/self/fd/3 true 3>fd2 && perf script -i fd2 >/dev/null 2>&1 || fail "-o /proc/self/fd/3"
record -o - true | perf script -i - >/dev/null 2>&1 || fail "-o -"
mkfifo fifo
cat fifo >piped &
perf record -q -e cpu-clock -o fifo true || fail "-o FIFO"
wait $!
perf script -i piped >/dev/null 2>&1 || fail "-o FIFO cannot be read"
[ -p fifo ] || fail "-o FIFO replaced it"
mknod null c 1 3 2>/dev/null && { record -o null ./no-such-program; [ -c null ] || fail "a device was removed"; }
perf stat -o /dev/stdout -e cpu-clock true 2>&1 | grep -q cpu-clock || fail "stat -o /dev/stdout"

# A recording in a directory is read only if all its parts belong to the reader or to root.
record --threads -o parts true
part=$(find parts -name 'data.*' | head -1)
perf script -i parts >/dev/null 2>&1 || fail "a recording in a directory"
chown 65534 "$part"
perf script -i parts >/dev/null 2>err && fail "a part of another user was read"
grep -q "belongs to neither you nor root" err || { fail "no word about the owner, but:"; cat err; }
perf script -f -i parts >/dev/null 2>&1 || fail "a part of another user was not read with -f"

exit $failed
